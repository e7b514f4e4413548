"""How much of what each run or team contributed to a pool others contributed, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.store.pools import Pool


class Overlap(NamedTuple):
    """The units, those that contributed most first, and how many documents each two contributed both."""

    units: list[str]
    documents: Ints  # (units, units)

    @property
    def shares(self) -> Floats:
        """The share of the documents of a row's unit that a column's unit contributed, too; NaN where it has none."""
        own = np.diag(self.documents).astype(float)[:, None]
        return np.asarray(np.divide(self.documents, own, out=np.full(self.documents.shape, np.nan), where=own > 0))

    def rows(self, name: str) -> list[dict[str, object]]:
        """One row per ordered pair of different units."""
        shares, size = self.shares, len(self.units)
        return [
            {
                name: self.units[one],
                "other": self.units[other],
                "documents": int(self.documents[one, one]),
                "in both": int(self.documents[one, other]),
                "share": float(shares[one, other]),
            }
            for one in range(size)
            for other in range(size)
            if one != other
        ]


def overlap(pool: Pool, units: Mapping[str, str]) -> Overlap:
    """The overlap of the units of a pool's runs; `units` says whose each run is.

    >>> from cranfield.store.pools import PooledDocument
    >>> documents = [PooledDocument("q", "d1", 1, ("a", "b")), PooledDocument("q", "d2", 1, ("a",))]
    >>> found = overlap(Pool("depth", {"runs": ["b", "a"]}, documents), {"a": "a", "b": "b"})
    >>> found.units, found.documents.tolist(), found.shares.tolist()
    (['a', 'b'], [[2, 1], [1, 1]], [[1.0, 0.5], [1.0, 1.0]])
    """
    names = list(dict.fromkeys(units.get(tag, tag) for tag in pool.parameters.get("runs", ())))
    number = {name: at for at, name in enumerate(names)}
    known: dict[tuple[str, ...], list[int]] = {}
    brought = np.zeros((len(pool.documents), len(names)), np.int64)
    for at, document in enumerate(pool.documents):
        if document.runs not in known:
            owners = {units.get(tag, tag) for tag in document.runs}
            known[document.runs] = sorted(number[name] for name in owners if name in number)
        brought[at, known[document.runs]] = 1
    both = brought.T @ brought
    order = np.argsort(-np.diag(both), kind="stable")
    return Overlap([names[at] for at in order], both[np.ix_(order, order)])
