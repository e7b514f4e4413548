"""Pools kept in memory by a process that serves many assessors."""

from __future__ import annotations

from cranfield.store.pools.open_pool import in_batches
from cranfield.store.pools.pools import Pool, bare_pool, stored_pool
from cranfield.store.store import Store


class KeptPools:
    """Reads each pool once: what is in a pool stays, and no number is used twice. A pool that may grow is read anew.

    >>> from cranfield.formats import Document, Topic
    >>> from cranfield.store.pools.pools import PooledDocument, add_pool
    >>> store = Store.memory("one document")
    >>> store.add_documents([Document("d1")]), store.add_topics([Topic("q1")])
    (1, 1)
    >>> kept = KeptPools()
    >>> add_pool(store, Pool("depth", {}, [PooledDocument("q1", "d1", 1, ())]))
    1
    >>> kept(store).documents is kept(store, 1).documents
    True
    >>> store.close()
    """

    def __init__(self) -> None:
        self._kept: dict[int, Pool] = {}

    def __call__(self, store: Store, number: int | None = None) -> Pool:
        """A pool by its number, or the newest."""
        found = bare_pool(store, number).number or 0
        if found in in_batches(store):
            return stored_pool(store, found)
        if found not in self._kept:
            self._kept[found] = stored_pool(store, found)
        return self._kept[found]
