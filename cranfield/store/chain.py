"""The chains of the judgment log: each event carries the hash of the one before it, so that no change goes unseen.

An event's hash is the SHA-256 of the JSON array of its origin, the hash before it there, and everything that it says,
with names for numbers: so it stays what it is when a bundle comes home. There is a chain for each origin: the store
itself, each bundle, each import. The head of a log is the SHA-256 of the last hashes of all chains, sorted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from sqlite3 import Connection
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from cranfield.store.decoding import json_of

if TYPE_CHECKING:
    from cranfield.store.events import Event

SAID = (
    "origin", "previous", "event_id", "at", "kind", "qid", "docno", "assessor", "grade", "unsure", "reason", "note",
    "evidence", "source", "seconds", "position", "order_policy", "order_seed", "document_sha256", "pool", "input",
    "fast", "highlight_terms", "docno_shown",
)  # fmt: skip


class Context(NamedTuple):
    """What an event is hashed with besides what it says: the scale, the assessor, and the event it supersedes."""

    scale: str
    assessor_kind: str
    superseded: str | None  # an event id


def digest(event: Event, context: Context) -> str:
    """The hash of an event.

    >>> from cranfield.store.events import Event
    >>> label, context = Event("label", "q1", "d1", "ada", grade=1), Context("", "human", None)
    >>> digest(label, context) in (digest(label._replace(grade=0), context), digest(label, context._replace(scale="x")))
    False
    """
    said = [getattr(event, name) for name in SAID]
    plain = [int(value) if isinstance(value, bool) else value for value in said]
    return hashlib.sha256(json.dumps([*plain, *context]).encode()).hexdigest()


def head_of(links: Iterable[tuple[str, str]]) -> str:
    """The head of a log, from the `previous` and the `hash` of each of its events; empty for an empty log.

    >>> head_of([("", "a"), ("a", "b")]) == head_of([("a", "b"), ("", "a")]) != head_of([("", "a")])
    True
    """
    links = list(links)
    last = sorted({own for _, own in links} - {previous for previous, _ in links})
    return hashlib.sha256("\n".join(last).encode()).hexdigest() if last else ""


def head(conn: Connection, events: int | None = None) -> str:
    """The head of a store's log as it stands, or as it stood after its first `events` events."""
    first = "SELECT previous, hash FROM judgment_event ORDER BY id LIMIT ?"
    return head_of(conn.execute(first, [-1 if events is None else events]))


def own_origin(conn: Connection) -> str:
    """The origin of the events that come into being in this store."""
    return str(conn.execute("SELECT origin FROM collection").fetchone()[0])


def add_origin(conn: Connection, kind: str, name: str = "") -> str:
    """Make an origin known; its id."""
    origin = uuid4().hex
    conn.execute("INSERT INTO origin VALUES (?, ?, ?, ?)", [origin, kind, name, now()])
    return origin


def begin(conn: Connection, kind: str = "store") -> None:
    """Give a store, or a bundle, the origin of what comes into being in it from now on."""
    conn.execute("UPDATE collection SET origin = ?", [add_origin(conn, kind)])


def chained(conn: Connection, events: Iterable[Event], origin: str, forward: bool = True) -> Iterator[Event]:
    """These events as the next links of a chain, each with the hash of the text that it is about.

    With `forward` no event is earlier than the one before it, whatever the clock says.
    """
    last = conn.execute("SELECT max(at) FROM judgment_event WHERE origin = ?", [origin]).fetchone()[0] or ""

    def stamped() -> Iterator[Event]:
        latest = last
        for event in events:
            text = event.document_sha256 or _one(conn, "SELECT sha256 FROM document WHERE docno = ?", event.docno)
            latest = max(latest, event.at or now()) if forward else event.at or now()
            yield event._replace(event_id=event.event_id or uuid4().hex, document_sha256=text, at=latest)

    return linked(conn, stamped(), origin)


def linked(conn: Connection, events: Iterable[Event], origin: str, after: str | None = None) -> Iterator[Event]:
    """These events, just as they are, as the next links of a chain: after its last event, or after that of a hash."""
    previous = _last_hash(conn, origin) if after is None else after
    scale, kinds = scale_of(conn), dict(conn.execute("SELECT name, kind FROM assessor").fetchall())
    for event in events:
        superseded = _one(conn, "SELECT event_id FROM judgment_event WHERE id = ?", event.supersedes)
        new = event._replace(origin=origin, previous=previous)
        previous = digest(new, Context(scale, kinds.get(new.assessor, ""), superseded))
        yield new._replace(hash=previous)


def _last_hash(conn: Connection, origin: str) -> str:
    last = conn.execute("SELECT hash FROM judgment_event WHERE origin = ? ORDER BY id DESC LIMIT 1", [origin])
    return str((last.fetchone() or ("",))[0])


def scale_of(conn: Connection) -> str:
    """The grade scale and what counts as relevant, as events are hashed with it."""
    grades, least = conn.execute("SELECT grades, min_relevant FROM collection").fetchone()
    return json.dumps([json_of(dict, grades, "collection", 1, "grades"), least])


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _one(conn: Connection, sql: str, value: object) -> str | None:
    found = None if value is None else conn.execute(sql, [value]).fetchone()
    return found[0] if found else None
