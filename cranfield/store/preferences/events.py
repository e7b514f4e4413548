"""The log of preferences: append-only events, on disk before `append_preferences` returns."""

from __future__ import annotations

from typing import Literal, NamedTuple
from uuid import uuid4

from cranfield.store.links.linking import link_events
from cranfield.store.store import Store, now

Choice = Literal["first", "second", "equal"]


class PreferenceEvent(NamedTuple):
    """One thing an assessor said of two documents in the order shown; the store gives `at`, `event_id` and `id`."""

    kind: str  # prefer, retract, later, cannot-judge, note or import
    qid: str
    first: str
    second: str
    assessor: str
    choice: Choice | None = None
    reason: str = ""
    note: str = ""
    evidence: str | None = None
    seconds: float | None = None
    position: int | None = None
    order_seed: int | None = None
    document_sha256: str | None = None
    input: str = ""
    fast: bool = False
    supersedes: int | None = None
    event_id: str = ""
    at: str = ""
    id: int | None = None


OWN = tuple(name for name in PreferenceEvent._fields[5:] if name != "id")
INSERT = (
    f"INSERT INTO preference_event (kind, topic, first, second, assessor, {', '.join(OWN)})"
    " VALUES (:kind, (SELECT id FROM topic WHERE qid = :qid), (SELECT id FROM document WHERE docno = :first),"
    " (SELECT id FROM document WHERE docno = :second), (SELECT id FROM assessor WHERE name = :assessor),"
    f" {', '.join(':' + name for name in OWN)})"
)
SELECT = f"SELECT {', '.join(PreferenceEvent._fields)} FROM"


def append_preferences(store: Store, *events: PreferenceEvent) -> None:
    """Append events in one transaction.

    >>> from cranfield.formats import Document, Topic
    >>> from cranfield.store.log import add_assessor
    >>> store = Store.memory("two documents")
    >>> store.add_documents([Document("d1"), Document("d2")]), store.add_topics([Topic("q")])
    (2, 1)
    >>> add_assessor(store, "ada")
    >>> append_preferences(store, PreferenceEvent("prefer", "q", "d1", "d2", "ada", "second"))
    >>> [(event.first, event.choice) for event in preference_events(store)]
    [('d1', 'second')]
    >>> store.close()
    """
    moment, rows = now(), list[int]()
    with store.writing():
        for event in events:
            kept = event._replace(at=event.at or moment, event_id=event.event_id or uuid4().hex)
            rows.append(int(store.conn.execute(INSERT, kept._asdict()).lastrowid or 0))
        link_events(store, "preference_event", rows)


def is_preference_recorded(store: Store, event_id: str) -> bool:
    """Whether the log has an event of this id."""
    return bool(store.rows("SELECT 1 FROM preference_event WHERE event_id = ?", [event_id]))


def preference_events(
    store: Store, assessor: str | None = None, view: str = "preference_log", after: int = 0
) -> list[PreferenceEvent]:
    """All events in the order they happened, or one assessor's; only those with an id above `after`."""
    where = "id > ?1 AND assessor = coalesce(?2, assessor) ORDER BY id"
    rows = store.rows(f"{SELECT} {view} WHERE {where}", [after, assessor])
    return [event._replace(fast=bool(event.fast)) for event in (PreferenceEvent(*row) for row in rows)]


def current_preferences(store: Store, assessor: str | None = None) -> list[PreferenceEvent]:
    """What is current of each pair in each order, of everybody or of one assessor."""
    return preference_events(store, assessor, "current_preference")
