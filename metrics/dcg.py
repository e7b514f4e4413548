"""DCG, discounted cumulative gain: what a reader collects who loses patience by the logarithm of the rank.

The sum behind nDCG, for those who want it without the norm. It misleads in a mean: topics with many relevant
documents rule it. The gain of a grade is the grade itself, or 2^grade - 1 with gains="exp"; the discount is
log2(rank + 1), so that rank 1 counts in full. (The first paper does not discount ranks 1 and 2: another number.)

Source: Jaervelin and Kekaelaeinen, Cumulated gain-based evaluation of IR techniques, TOIS 20(4), 2002; exponential
gains: Burges et al., Learning to rank using gradient descent, ICML 2005.
"""

from __future__ import annotations

import numpy as np

from cranfield.judged import Judged
from cranfield.rankings import Floats

from .measure import Measure


def discounted_gain(r: Judged, gains: str = "linear", cutoff: int | None = None) -> Floats:
    """The gains of the retrieved documents, each divided by the logarithm of its rank + 1.

    >>> from cranfield.metrics.examples import example
    >>> discounted_gain(example([2, None, 1, 0]))  # 2/1 + 1/2
    array([2.5])
    >>> discounted_gain(example([2, None, 1, 0]), gains="exp")  # 3/1 + 1/2
    array([3.5])
    """
    hit = r.judged(cutoff)
    gain = 2.0**hit.grade - 1 if gains == "exp" else hit.grade
    return r.sum(hit, gain / np.log2(hit.rank + 1))


DCG = Measure("DCG", discounted_gain, synonyms=("dcg",), range=(0.0, float("inf")))
