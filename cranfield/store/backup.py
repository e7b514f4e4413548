"""A copy of a store, made while others work in it, and checked."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from os import PathLike

from cranfield.errors import StoreError
from cranfield.store.connection import is_private, placed
from cranfield.store.store import Store
from cranfield.store.verification import Verified, verify


def backup(store: Store, path: str | PathLike[str]) -> Verified:
    """Copy a store into a new file with all that was committed, and verify the copy's log; what is in that log.

    The copy is one file, as private as the store. It is at `path` once it is whole and holds, and nowhere otherwise.
    """
    if store.released:
        raise StoreError(f"{store.path}: a backup is of a whole store, with its releases; leave @{store.released} out")
    with placed(path, is_private(store.path)) as part:
        with closing(sqlite3.connect(part)) as copy:
            store.conn.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        with Store.open(part) as made:
            found = verify(made)
            made.conn.execute("PRAGMA journal_mode = WAL")
    return found
