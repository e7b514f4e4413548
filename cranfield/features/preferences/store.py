"""Preferences between documents: the pairs that assessors compare, and the append-only log of what they say.

An event is on disk before `append_preferences` returns.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeVar

from cranfield.errors import InputError
from cranfield.store.history import Import
from cranfield.store.links import append_items, links_not_retracted
from cranfield.store.named_documents import unknown_documents
from cranfield.store.removal import Removal
from cranfield.store.store import Store, now
from cranfield.store.withdrawals import present_name_by_docno, topics_that_count
from cranfield.text import counted, name_hint

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


LOG = "preference_event"
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
    rows = (event._asdict() for event in events)
    append_items(store, LOG, [{("topic" if name == "qid" else name): row[name] for name in row} for row in rows])


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


class DocumentPair(NamedTuple):
    """Two documents of a topic, in the order of their docnos."""

    qid: str
    first: str
    second: str


P = TypeVar("P", PreferenceEvent, DocumentPair)


def that_count(store: Store, some: Iterable[P]) -> list[P]:
    """Those of topics and documents that count."""
    qids, names = topics_that_count(store), present_name_by_docno(store)
    absent = {docno for docno, name in names.items() if name is None}
    return [one for one in some if (qids is None or one.qid in qids) and not {one.first, one.second} & absent]


def document_pair(qid: str, one: str, other: str) -> DocumentPair:
    """The pair of two documents, in whichever order they come.

    >>> document_pair("q", "d2", "d1")
    DocumentPair(qid='q', first='d1', second='d2')
    """
    return DocumentPair(qid, *sorted((one, other)))


def add_pairs(store: Store, assessor: str, pairs: Iterable[DocumentPair], source: str) -> int:
    """Give an assessor pairs to compare; how many of them are new."""
    row = (
        "INSERT OR IGNORE INTO preference_pair SELECT a.id, t.id, f.id, s.id, ?, ? FROM assessor a, topic t,"
        " document f, document s WHERE a.name = ? AND t.qid = ? AND f.docno = ? AND s.docno = ?"
    )
    count = len(pairs_of(store, assessor))
    with store.writing():
        store.conn.executemany(row, [(source, now(), assessor, *pair) for pair in pairs])
    return len(pairs_of(store, assessor)) - count


def pairs_of(store: Store, assessor: str) -> list[DocumentPair]:
    """The pairs of an assessor, in the order of the topics."""
    rows = store.rows(
        "SELECT t.qid, f.docno, s.docno FROM preference_pair p JOIN topic t ON t.id = p.topic"
        " JOIN document f ON f.id = p.first JOIN document s ON s.id = p.second JOIN assessor a ON a.id = p.assessor"
        " WHERE a.name = ? ORDER BY t.id, f.docno, s.docno",
        [assessor],
    )
    return [DocumentPair(*row) for row in rows]


def has_pairs(store: Store, assessor: str) -> bool:
    """Whether an assessor has any pairs."""
    query = "SELECT 1 FROM preference_pair p JOIN assessor a ON a.id = p.assessor WHERE a.name = ? LIMIT 1"
    return bool(store.rows(query, [assessor]))


def check_known(store: Store, pairs: Sequence[DocumentPair]) -> None:
    """An error for a pair whose topic or documents the store does not have."""
    topics = {topic.qid for topic in store.topics()}
    for qid in dict.fromkeys(pair.qid for pair in pairs):
        if qid not in topics:
            raise InputError(f"no topic {qid!r} in this store{name_hint(qid, topics)}")
    docnos = list(dict.fromkeys(docno for pair in pairs for docno in pair[1:]))
    for docno in unknown_documents(store, docnos):
        raise InputError(f"no document {docno!r} in this store")


def take_preferences(store: Store, one: Import, reason: str) -> Removal:
    """Append an event that takes it back for each preference of an import that nobody took back."""
    standing = set(links_not_retracted(store, "preference_event", one.number))
    events = [event for event in preference_events(store) if event.id in standing]
    append_preferences(store, *(
        PreferenceEvent("retract", *event[1:5], note=f"import {one.number} removed", supersedes=event.id)
        for event in events
    ))  # fmt: skip
    summary = f"{counted(len(events), 'preference')} retracted, with one event each"
    return Removal({"preferences": len(events)}, summary)
