"""A uniform random sample of the depth-k pool.

    pi(d) = m / n for m documents out of the n in the pool

Good: every estimator is right for it; infAP of trec_eval needs exactly this. Bad: most of what it finds is not
relevant. What is drawn first is a sample too, so that a larger budget with the same seed keeps a smaller one's. Source:
Yilmaz and Aslam, Estimating average precision with incomplete and imperfect judgments, CIKM 2006.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Names
from cranfield.pooling.protocol import Method, Order, generator
from cranfield.pooling.retrieved import Retrieved


class Sample(Order):
    """Documents drawn at random within strata, without replacement, in an order fixed in advance.

    What is drawn of a stratum is a uniform sample of it, wherever one stops.

    >>> state = Sample(np.array([3, 0, 1, 2]), np.array([0, 1, 1, 1]), ["top", "rest"])
    >>> state.next(3), state.probability, state.stratum.tolist()
    (array([3, 0, 1]), array([1.        , 0.66666667, 0.66666667, 0.66666667]), ['top', 'rest', 'rest', 'rest'])

    The stratum of a document is an index of `names`, here document 3 of the rest and document 0 of the top.
    """

    def __init__(self, order: Ints, strata: Ints, names: list[str]) -> None:
        super().__init__(order)
        self._strata, self._size = strata, np.bincount(strata, minlength=len(names))
        self._drawn = np.zeros(len(names), np.int64)
        self.stratum: Names | None = np.array(names, object)[strata]

    @property
    def probability(self) -> Floats:  # type: ignore[override]
        """The share of its stratum that is drawn."""
        return np.asarray((self._drawn / np.maximum(self._size, 1))[self._strata])

    def next(self, size: int) -> Ints:
        found = super().next(size)
        self._drawn += np.bincount(self._strata[found], minlength=len(self._drawn))
        return found


def begin(topic: Retrieved, options: Mapping[str, Any], seed: int) -> Sample:
    """All documents in random order.

    >>> from cranfield.pooling.examples import example
    >>> state = METHOD.start(example("a b c", "b d"), seed=7)
    >>> len(state.next(3)), state.probability.tolist()
    (3, [0.75, 0.75, 0.75, 0.75])
    """
    order = generator(seed, topic.qid).permutation(len(topic))
    return Sample(order, np.zeros(len(topic), np.int64), ["all"])


METHOD = Method(
    "uniform", "a random sample", begin, samples=True, sized=True, random=True, source="Yilmaz and Aslam, CIKM 2006"
)
