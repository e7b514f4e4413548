"""Taking a log back: the lists of an import, or some of them while it is under way."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.store.store import Store


def delete_lists(store: Store, where: str, values: Sequence[object]) -> int:
    """Delete lists with their actions; how many. The store allows it once their removal is logged."""
    ours = f"SELECT id FROM impression WHERE {where}"
    store.conn.execute(f"DELETE FROM action WHERE impression IN ({ours})", values)
    return int(store.conn.execute(f"DELETE FROM impression WHERE {where}", values).rowcount)


def delete_numbered(store: Store, numbers: Ints) -> int:
    """Delete the lists of these numbers, of an import that is under way; how many."""
    return delete_lists(store, "id IN (SELECT value FROM json_each(?))", [json.dumps(numbers.tolist())])


def shown_documents(store: Store, where: str = "true", values: Sequence[object] = ()) -> Ints:
    """The numbers of the documents that lists showed, each once."""
    there = np.zeros(store.most("document") + 1, bool)
    for (documents,) in store.conn.execute(f"SELECT documents FROM impression WHERE {where}", values):
        there[np.frombuffer(documents, "<i4")] = True
    return np.flatnonzero(there)
