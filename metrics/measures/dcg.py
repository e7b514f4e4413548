"""DCG, discounted cumulative gain: the gain of a reader whose patience falls with the logarithm of the rank."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.aliases import EXPONENTIAL, Alias, with_gains
from cranfield.metrics.gains import gain_of
from cranfield.metrics.measure import Measure


def discounted_gain(
    r: Judged, gains: str = "linear", cutoff: int | None = None, base: float = 2, discount: str = "burges"
) -> Floats:
    """The gains of the retrieved documents, each divided by the logarithm of its rank + 1.

    >>> from cranfield.metrics.examples import example
    >>> discounted_gain(example([2, None, 1, 0]))  # 2/1 + 1/2
    array([2.5])
    >>> discounted_gain(example([2, None, 1, 0]), gains="exp")  # 3/1 + 1/2
    array([3.5])
    >>> discounted_gain(example([3, 2, 1, 2, 3])).round(2)  # 3 + 2/1.58 + 1/2 + 2/2.32 + 3/2.58
    array([6.78])
    >>> discounted_gain(example([3, 2, 1, 2, 3]), discount="jarvelin").round(2)  # 3 + 2/1 + 1/1.58 + 2/2 + 3/2.32
    array([7.92])
    """
    hit = r.judged(cutoff)
    return r.sum(hit, gain_of(hit.grade, gains) / logarithm(hit.rank, base, discount))


def logarithm(rank: Ints, base: float, discount: str) -> Floats:
    """What gains are divided by: log(rank + 1) after Burges, or after Järvelin log(rank), where that is above 1.

    >>> logarithm(np.arange(1, 5), 2, "jarvelin").round(2), logarithm(np.arange(1, 4), 4, "burges").round(2)
    (array([1.  , 1.  , 1.58, 2.  ]), array([0.5 , 0.79, 1.  ]))
    """
    if discount == "jarvelin":
        return np.asarray(np.maximum(np.log2(rank) / np.log2(base), 1.0))
    return np.asarray(np.log2(rank + 1) / np.log2(base))


DCG = Measure(
    "DCG", discounted_gain, synonyms=("dcg",), range=(0.0, float("inf")),
    aliases=(with_gains("dcg"), Alias("dcg_burges", options=EXPONENTIAL)), extremes="one way", difference="sum",
    explanation="""
DCG, discounted cumulative gain: the gain of a reader whose patience falls with the logarithm of the rank.

The sum behind nDCG, not normalised. It misleads in a mean, which topics with many relevant documents dominate. The gain
of a grade is the grade itself, 2^grade - 1 with gains="exp", or as listed: with gains="1=3,2=9" grades not in the list
keep their number. The discount is log2(rank + 1), so that rank 1 counts in full. The first paper does not discount
ranks up to the base of its logarithm, and divides by the logarithm of the rank from there on: DCG(discount="jarvelin"),
another number under the same name, where a larger base is a more patient reader; with the discount of rank + 1 the base
only changes the unit.

Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002; exponential
gains: Burges et al., Learning to rank using gradient descent, ICML 2005.
""")  # fmt: skip
