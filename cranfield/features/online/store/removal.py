"""Taking lists back, which is allowed once their removal is logged."""

import json
from collections.abc import Sequence

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.store.history import Import
from cranfield.store.removal import Taken
from cranfield.store.store import Store
from cranfield.text import counted


def take_lists(store: Store, one: Import, reason: str) -> Taken:
    """How many lists an import has; they go once that is logged."""
    lists = store.rows("SELECT count(*) FROM impression WHERE import = ?", [one.number])[0][0]
    return Taken({"lists": lists}, f"{counted(lists, 'list')} removed")


def delete_import(store: Store, one: Import) -> Ints:
    """Delete the lists of an import; the documents that they showed."""
    shown = shown_documents(store, "import = ?", [one.number])
    return shown if delete_lists(store, "import = ?", [one.number]) else shown[:0]


def documents_in_lists(store: Store, documents: Ints) -> Ints:
    """The documents that any list showed."""
    return shown_documents(store)


def refuse_topic(store: Store, topic: int) -> str:
    """Why a topic cannot be removed: lists are of it; else nothing."""
    shown = store.rows("SELECT count(*) FROM impression WHERE topic = ?", [topic])[0][0]
    return f"{counted(shown, 'list')} of the interaction log are of it" if shown else ""


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
