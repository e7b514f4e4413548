"""CG, cumulative gain: the grades of the first k documents, added up."""

from __future__ import annotations

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.metrics.gains import gain_of
from cranfield.metrics.measure import Measure


def cumulative_gain(r: Judged, gains: str = "linear", cutoff: int | None = None) -> Floats:
    """The gains of the retrieved documents, whatever their ranks.

    >>> from cranfield.metrics.examples import example
    >>> cumulative_gain(example([3, 2, None, -1, 1])), cumulative_gain(example([3, 2, None, -1, 1]), cutoff=2)
    (array([6.]), array([5.]))
    """
    hit = r.judged(cutoff)
    return r.sum(hit, gain_of(hit.grade, gains))


CG = Measure("CG", cumulative_gain, range=(0.0, float("inf")), extremes="one way", difference="sum", explanation="""
CG, cumulative gain: the grades of the first k documents, added up.

The gain of a reader who reads all k, whatever their order. It misleads wherever the order matters, and in a mean, which
topics with many relevant documents dominate. DCG discounts by rank, nDCG also divides by the best possible.

Source: Järvelin and Kekäläinen, IR evaluation methods for retrieving highly relevant documents, SIGIR 2000.
""")  # fmt: skip
