"""Invitations to judge or adjudicate in the browser. The store keeps only a hash of each token."""

import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from hmac import compare_digest
from typing import NamedTuple

from cranfield.errors import InputError, StoreError
from cranfield.store.log import add_assessor, assessors
from cranfield.store.store import Store, now

TOKEN = 32  # random bytes of a token
UNITS = {"d": "days", "h": "hours", "w": "weeks"}  # of a stretch of time


class Invitation(NamedTuple):
    """A link that was given to an assessor; times are in UTC."""

    assessor: str
    at: str
    expires: str | None
    revoked: str | None
    role: str = "judge"

    def state(self, moment: str) -> str:
        """Whether it is valid, expired or revoked.

        >>> Invitation("ada", "2026-01-01", "2026-01-15", None).state("2026-01-15T08:00")
        'expired'
        """
        return "revoked" if self.revoked else "expired" if self.expires and self.expires <= moment else "valid"


class Invitee(NamedTuple):
    """Whose link it is, and what it is for."""

    assessor: str
    role: str


def invite(store: Store, assessor: str, valid: timedelta | None = None, role: str = "judge") -> str:
    """Invite an assessor; returns the token, which is not stored. Earlier invitations stay valid.

    >>> store = Store.memory("empty")
    >>> token = invite(store, "ada")
    >>> invitation_of(store, token), invitation_of(store, token + "x")
    (Invitee(assessor='ada', role='judge'), None)
    >>> revoke(store, "ada"), invitation_of(store, token)
    (1, None)
    >>> store.close()
    """
    if not assessor.strip():
        raise StoreError("an assessor needs a name")
    token = secrets.token_urlsafe(TOKEN)
    moment = now()
    expires = None if valid is None else (datetime.fromisoformat(moment) + valid).isoformat(timespec="milliseconds")
    with store.writing():
        add_assessor(store, assessor)
        if (kind := assessors(store)[assessor]) != "human":
            raise StoreError(f"assessor {assessor!r} has kind {kind}, not human; invite a different name")
        store.conn.execute(
            "INSERT INTO invitation (assessor, token_sha256, at, expires, role)"
            " SELECT id, ?, ?, ?, ? FROM assessor WHERE name = ?",
            [hash_token(token), moment, expires, role, assessor],
        )
    return token


def invitation_of(store: Store, token: str) -> Invitee | None:
    """Whose valid invitation has this token; every token is compared in constant time."""
    digest, moment = hash_token(token), now()
    rows = store.rows(
        "SELECT token_sha256, name, role FROM invitation i JOIN assessor a ON a.id = i.assessor"
        " WHERE revoked IS NULL AND (expires IS NULL OR expires > ?)",
        [moment],
    )
    matches = [Invitee(*whose) for token_digest, *whose in rows if compare_digest(token_digest, digest)]
    return matches[0] if matches else None


def ended_invitation(store: Store, token: str) -> Invitation | None:
    """Return the expired or revoked invitation that has this token; every token is compared in constant time.

    >>> store = Store.memory("empty")
    >>> token = invite(store, "ada")
    >>> ended_invitation(store, token) is None, revoke(store, "ada"), ended_invitation(store, token).assessor
    (True, 1, 'ada')
    >>> store.close()
    """
    digest, moment = hash_token(token), now()
    rows = store.rows(
        "SELECT token_sha256, name, at, expires, revoked, role FROM invitation i JOIN assessor a ON a.id = i.assessor"
        " WHERE revoked IS NOT NULL OR expires <= ?",
        [moment],
    )
    matches = [Invitation(*about) for token_digest, *about in rows if compare_digest(token_digest, digest)]
    return matches[0] if matches else None


def invitations(store: Store) -> list[Invitation]:
    """All invitations, in the order in which they were made."""
    rows = store.rows(
        "SELECT name, at, expires, revoked, role FROM invitation i JOIN assessor a ON a.id = i.assessor ORDER BY i.id"
    )
    return [Invitation(*row) for row in rows]


def revoke(store: Store, assessor: str) -> int:
    """Revoke the invitations of an assessor; how many were valid or expired until now."""
    if assessor not in {one.assessor for one in invitations(store)}:
        raise StoreError(f"{assessor!r} has no invitation")
    with store.writing():
        update = store.conn.execute(
            "UPDATE invitation SET revoked = ? WHERE revoked IS NULL"
            " AND assessor = (SELECT id FROM assessor WHERE name = ?)",
            [now(), assessor],
        )
        return int(update.rowcount)


def revoke_all(store: Store) -> int:
    """Revoke all invitations; how many were valid or expired until now."""
    with store.writing():
        return sum(revoke(store, name) for name in {one.assessor for one in invitations(store)})


def parse_time_span(text: str) -> timedelta:
    """A stretch of time.

    >>> parse_time_span("14d")
    datetime.timedelta(days=14)
    >>> parse_time_span("a while")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'a while' is not a time; expected a number and d, h or w, for example 14d
    """
    number, unit = text[:-1], text[-1:]
    if not (number.isascii() and number.isdecimal() and len(number) < 5 and int(number) and unit in UNITS):
        raise InputError(f"{text!r} is not a time; expected a number and d, h or w, for example 14d")
    return timedelta(**{UNITS[unit]: int(number)})


def serving_key(store: Store) -> bytes:
    """The key of the pages' tokens; made when a store is first served."""
    if not store.rows("SELECT 1 FROM serving_key"):
        with store.writing():
            store.conn.execute("INSERT OR IGNORE INTO serving_key (id, key) VALUES (1, ?)", [secrets.token_bytes(32)])
    return bytes(store.rows("SELECT key FROM serving_key")[0][0])


def hash_token(token: str) -> str:
    """The hash by which a token is known."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
