"""Documents and topics that nobody added and nothing names any more: marked as removed, for their numbers stay."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.store.answers.removing import still_named
from cranfield.store.decoding import documents_of
from cranfield.store.online.removal import shown_documents
from cranfield.store.store import Store

IN_LIST = "IN (SELECT value FROM json_each(?))"
WITH_TOPICS = (
    "ranking", "standing_event", "pool_document", "frame_document", "criterion", "answer", "nugget", "impression",
)  # fmt: skip


def retrieved(store: Store, where: str = "true", values: Sequence[object] = ()) -> Ints:
    """The numbers of the documents in some rankings, each once."""
    most = store.most("document")
    there = np.zeros(most + 1, bool)
    for documents, *row in store.conn.execute(f"SELECT documents, run, topic FROM ranking WHERE {where}", values):
        there[documents_of([documents], [row], most)] = True
    return np.flatnonzero(there)


def sweep(store: Store, numbers: Ints) -> int:
    """Mark those of the documents as removed that have no text and that nothing names any more; how many."""
    bare = f"SELECT id FROM document WHERE text IS NULL AND removed = 0 AND id {IN_LIST}"
    loose = _column(store, bare, numbers)
    for table in ("standing_event", "pool_document", "frame_document"):
        named = f"SELECT DISTINCT document FROM {table} WHERE document {IN_LIST}"
        loose = np.setdiff1d(loose, _column(store, named, loose))
    loose = np.setdiff1d(loose, still_named(store, loose))
    for naming in (retrieved, shown_documents) if len(loose) else ():
        loose = np.setdiff1d(loose, naming(store))
    store.conn.execute(f"UPDATE document SET removed = 1 WHERE id {IN_LIST}", [json.dumps(loose.tolist())])
    return len(loose)


def sweep_topics(store: Store) -> None:
    """Mark topics as removed that nobody added and that nothing names any more."""
    named = "UNION ALL ".join(f"SELECT topic FROM {table} WHERE topic IS NOT NULL " for table in WITH_TOPICS)
    store.conn.execute(f"UPDATE topic SET removed = 1 WHERE title IS NULL AND id NOT IN ({named})")


def _column(store: Store, sql: str, numbers: Ints) -> Ints:
    return np.array([number for (number,) in store.rows(sql, [json.dumps(numbers.tolist())])], np.int64)
