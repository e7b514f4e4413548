"""Which documents of a store are wanted: those of its pools, its judgments, or its runs."""

import numpy as np

from cranfield.store.store import Store

ASKED = {
    "pooled": "SELECT DISTINCT docno FROM pooled",
    "judged": "SELECT DISTINCT docno FROM qrels",
}


def wanted_of(store: Store, which: str) -> set[str]:
    """The docnos that are pooled, judged or retrieved.

    >>> store = Store.memory("a store without pools")
    >>> wanted_of(store, "pooled"), wanted_of(store, "retrieved")
    (set(), set())
    >>> store.close()
    """
    if which in ASKED:
        return {docno for (docno,) in store.rows(ASKED[which])}
    numbers = [np.frombuffer(packed, "<i4") for (packed,) in store.rows("SELECT documents FROM ranking")]
    return (
        set(store.named("document", "docno", np.unique(np.concatenate(numbers)).tolist()).values())
        if numbers
        else set()
    )
