"""Which documents something names: runs, pools, judgments or extensions."""

import json
from collections.abc import Sequence

import numpy as np

from cranfield import hooks
from cranfield.arrays.rankings import Ints
from cranfield.store.decoding import documents_of
from cranfield.store.store import Store

LISTED_CONDITION = "IN (SELECT value FROM json_each(?))"


def retrieved_document_numbers(store: Store, where: str = "true", values: Sequence[object] = ()) -> Ints:
    """The numbers of the documents in some rankings, each once."""
    most = store.last_row_number("document")
    there = np.zeros(most + 1, bool)
    for documents, *row in store.conn.execute(f"SELECT documents, run, topic FROM ranking WHERE {where}", values):
        there[documents_of([documents], [row], most)] = True
    return np.flatnonzero(there)


def unknown_documents(store: Store, docnos: Sequence[str]) -> list[str]:
    """Those of the docnos that readers do not find: neither imported nor named by a run, a pool or a judgment.

    A document of an unfinished import is unknown unless something names it.

    >>> from cranfield.formats import Document
    >>> with Store.memory("two documents") as store:
    ...     store.add_documents([Document("d1", text="wings"), Document("d2", text="waves")])
    ...     unknown_documents(store, ["d3", "d1"])
    2
    ['d3']
    """
    number_of = dict(zip(docnos, store.numbers("document", "docno", docnos), strict=True))
    hidden = f"SELECT id FROM document WHERE id {LISTED_CONDITION} AND NOT ({store.complete_import_condition()})"
    numbers = select_numbers(store, hidden, np.array([*number_of.values()], np.int64))
    unnamed = set(unnamed_documents(store, numbers).tolist())
    return [docno for docno, number in number_of.items() if number < 0 or number in unnamed]


def unnamed_documents(store: Store, numbers: Ints) -> Ints:
    """Those of the documents, by number, that no run, pool, judgment or extension names."""
    loose = numbers
    for table in ("standing_event", "pool_document", "frame_document"):
        query = f"SELECT DISTINCT document FROM {table} WHERE document {LISTED_CONDITION}"
        loose = np.setdiff1d(loose, select_numbers(store, query, loose))
    loose = np.setdiff1d(loose, _named_by_extensions(store, loose)) if len(loose) else loose
    return np.setdiff1d(loose, retrieved_document_numbers(store)) if len(loose) else loose


def _named_by_extensions(store: Store, numbers: Ints) -> Ints:
    removers = filter(None, hooks.ask(lambda extension: extension.removers()))
    used = [part.used_documents(store, numbers) for part in removers]
    return np.concatenate([np.zeros(0, np.int64), *used])


def select_numbers(store: Store, sql: str, numbers: Ints) -> Ints:
    """The numbers that a query selects from listed numbers."""
    return np.array([number for (number,) in store.rows(sql, [json.dumps(numbers.tolist())])], np.int64)
