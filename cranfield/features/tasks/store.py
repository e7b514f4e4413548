"""The task of a store: its description, its phases, its teams and their links. A store keeps only hashes of tokens."""

import re
import secrets
from collections.abc import Sequence
from hashlib import sha256
from hmac import compare_digest
from typing import NamedTuple

from cranfield.errors import InputError, StoreError
from cranfield.features.tasks.description import (
    LEAST_TOPICS,
    PHASES,
    PhaseEvent,
    SharedTask,
    TaskDate,
    dates_at,
    parse_task,
    phase_at,
)
from cranfield.store.invitations import TOKEN, hash_token
from cranfield.store.links import append_item
from cranfield.store.store import Store, now
from cranfield.store.topic_sets import find_topic_set
from cranfield.text import counted, format_moment

TEAM = re.compile(r"[A-Za-z0-9_.-]{1,40}")


def describe(store: Store, text: str) -> SharedTask:
    """Describe the task of a store, or describe it anew; an error where the store has not what it needs."""
    task = parse_task(text)
    if task.topic_set and len(leaderboard_topics(store, task)) < LEAST_TOPICS:
        number = len(leaderboard_topics(store, task))
        right = f"expected at least {LEAST_TOPICS}, because a mean over fewer topics reveals scores on single topics"
        raise InputError(
            f"the topic set {task.topic_set} of the leaderboard contains {counted(number, 'topic')}; {right}"
        )
    if task.topic_set and (task.measures[0].startswith("Num") or task.measures[0].startswith("SetNum")):
        right = "expected a measure with values from 0 to 1, because the leaderboard limits what its scores reveal"
        raise InputError(f"the first measure is {task.measures[0]}; {right}")
    with store.writing():
        append_item(store, "task", text=text)
    return task


def description_text(store: Store) -> str:
    """The newest description, as it was given; empty where there is none."""
    rows = store.rows("SELECT text FROM task ORDER BY id DESC LIMIT 1")
    return str(rows[0][0]) if rows else ""


def task_of(store: Store) -> SharedTask:
    """The task of a store; an error where it has none."""
    text = description_text(store)
    if not text:
        raise StoreError("this store has no task; describe one with `cranfield task describe`")
    return parse_task(text)


def phase_events(store: Store) -> list[PhaseEvent]:
    """The phases that organisers began."""
    return [PhaseEvent(*row) for row in store.rows("SELECT at, phase FROM task_phase ORDER BY id")]


def phase(store: Store, at: str = "") -> str:
    """The phase of the task at a moment, which is now."""
    return phase_at(task_of(store), phase_events(store), at or now())


def task_dates(store: Store) -> list[TaskDate]:
    """The dates of the task as they came about so far, and as they are planned from now on."""
    return dates_at(task_of(store), phase_events(store), now())


def last_change(store: Store) -> str:
    """Say when and why the organiser last went back to a phase or changed the description after the close."""
    rows = store.rows("SELECT at, phase, reason FROM task_phase WHERE reason <> '' ORDER BY id DESC LIMIT 1")
    lines = [
        f"On {format_moment(at)} UTC, the organiser began the phase {name}: {reason}." for at, name, reason in rows
    ]
    closed = next((one.at for one in task_dates(store) if one.name == "close" and one.has_begun), "")
    changed = [at for (at,) in store.rows("SELECT at FROM task ORDER BY id")[1:] if closed and at >= closed]
    if changed:
        lines.append(
            f"The organiser changed the description of the task after the close, on {format_moment(changed[-1])} UTC."
        )
    return " ".join(lines)


def begin_phase(store: Store, new: str, reason: str = "") -> str:
    """Begin a phase now; the phase before. To go back needs a reason."""
    with store.writing():
        before = phase(store)
        if PHASES.index(new) < PHASES.index(before) and not reason:
            raise StoreError(f"the phase is already {before}; give a --reason to go back to {new}")
        append_item(store, "task_phase", phase=new, reason=reason)
    return before


class Team(NamedTuple):
    """A team: links that are valid, and runs that stand."""

    name: str
    at: str
    links: int
    runs: int
    accepted: bool  # the terms, as they are now


def invite_team(store: Store, name: str, contact: str = "") -> str:
    """Invite a team, or give it another link; returns the token, which is not stored.

    >>> from cranfield.store.store import Store
    >>> with Store.memory("a") as store:
    ...     token = invite_team(store, "cuni", "x@example.org")
    ...     team_of(store, token), team_of(store, "x"), revoke_team(store, "cuni"), team_of(store, token)
    ('cuni', '', 1, '')
    """
    if not TEAM.fullmatch(name):
        raise InputError(f"the team is {name!r:.60}; expected 1 to 40 of A-Z a-z 0-9 _ . -")
    token = secrets.token_urlsafe(TOKEN)
    with store.writing():
        rows = store.rows("SELECT id FROM team WHERE name = ?", [name])
        number = int(rows[0][0]) if rows else append_item(store, "team", name=name)
        if contact:
            store.conn.execute("INSERT OR REPLACE INTO team_contact VALUES (?, ?)", [number, contact])
        store.conn.execute(
            "INSERT INTO team_link (team, token_sha256, at) VALUES (?, ?, ?)", [number, hash_token(token), now()]
        )
    return token


def team_of(store: Store, token: str) -> str:
    """The team whose valid link has this token, compared in constant time; empty for nobody's."""
    own = hash_token(token)
    rows = store.rows("SELECT token_sha256, name FROM team_link l JOIN team t ON t.id = l.team WHERE revoked IS NULL")
    names = [name for digest, name in rows if compare_digest(digest, own)]
    return str(names[0]) if names else ""


def revoke_team(store: Store, name: str) -> int:
    """Revoke the links of a team; how many were valid."""
    team_number(store, name)
    with store.writing():
        cursor = store.conn.execute(
            "UPDATE team_link SET revoked = ? WHERE revoked IS NULL AND team = (SELECT id FROM team WHERE name = ?)",
            [now(), name],
        )
    return int(cursor.rowcount)


def team_number(store: Store, name: str) -> int:
    """The row of a team; an error where there is none."""
    rows = store.rows("SELECT id FROM team WHERE name = ?", [name])
    if not rows:
        raise StoreError(f"no team {name!r} in this store; invite it with `cranfield task invite`")
    return int(rows[0][0])


def contacts(store: Store) -> dict[str, str]:
    """How to reach teams, by name: for the organisers alone."""
    return dict(store.rows("SELECT name, contact FROM team_contact c JOIN team t ON t.id = c.team ORDER BY name"))


def accept_terms(store: Store, team: str, terms: str) -> None:
    """A team accepts the terms, as they read."""
    if not has_accepted(store, team, terms):
        with store.writing():
            append_item(store, "terms_accepted", team=team_number(store, team), sha256=_terms_hash(terms))


def has_accepted(store: Store, team: str, terms: str) -> bool:
    """Whether a team has accepted these terms; nobody need accept none."""
    query = "SELECT 1 FROM terms_accepted a JOIN team t ON t.id = a.team WHERE name = ? AND sha256 = ?"
    return not terms or bool(store.rows(query, [team, _terms_hash(terms)]))


def _terms_hash(terms: str) -> str:
    return sha256(terms.encode()).hexdigest()


def leaderboard_topics(store: Store, task: SharedTask) -> Sequence[str]:
    """The topics that the leaderboard scores while runs come in; none where it does not."""
    return find_topic_set(store, task.topic_set).topics if task.topic_set else ()
