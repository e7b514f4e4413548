"""The pairs of documents that an assessor compares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.store.store import Store, now


class DocumentPair(NamedTuple):
    """Two documents of a topic, in the order of their docnos."""

    qid: str
    first: str
    second: str


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
    before = len(pairs_of(store, assessor))
    with store.writing():
        store.conn.executemany(row, [(source, now(), assessor, *pair) for pair in pairs])
    return len(pairs_of(store, assessor)) - before


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
    found = "SELECT 1 FROM preference_pair p JOIN assessor a ON a.id = p.assessor WHERE a.name = ? LIMIT 1"
    return bool(store.rows(found, [assessor]))


def check_known(store: Store, pairs: Sequence[DocumentPair]) -> None:
    """An error for a pair whose topic or documents the store does not have."""
    topics = {topic.qid for topic in store.topics()}
    for qid in dict.fromkeys(pair.qid for pair in pairs):
        if qid not in topics:
            raise InputError(f"no topic {qid!r} in this store")
    docnos = list(dict.fromkeys(docno for pair in pairs for docno in pair[1:]))
    for docno in docnos:
        if not store.rows("SELECT 1 FROM document WHERE docno = ?", [docno]):
            raise InputError(f"no document {docno!r} in this store")
