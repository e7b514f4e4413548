"""How long the documents of a store are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.store.store import Store


def lengths(store: Store, docnos: Sequence[str]) -> Floats:
    """The characters of each document's title and text; NaN where the store has neither.

    >>> from cranfield.formats import Document
    >>> with Store.memory("two") as store:
    ...     added = store.add_documents([Document(docno="d1", title="A", text="wing")])
    ...     lengths(store, ["d1", "d2"])
    array([ 5., nan])
    """
    known = dict(store.rows("SELECT docno, length(coalesce(title, '')) + length(coalesce(text, '')) FROM document"))
    return np.array([known.get(docno) or np.nan for docno in docnos], float)
