"""The reciprocal rank of the highest click, MaxRR, and the mean over clicks, MeanRR; lists without a click have 0."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.interactions import Interactions
from cranfield.arrays.judged import ratio

from cranfield.online.measures.measure import Counts, OnlineMeasure, clicked_ranks


def highest_reciprocal_rank(log: Interactions, cutoff: int | None) -> Counts:
    """The reciprocal rank of the highest click of a list, 0 without a click.

    >>> from cranfield.arrays.interactions import example
    >>> highest_reciprocal_rank(example("abc:bc", "bac:"), None).total
    array([0.5, 0. ])
    """
    lists, ranks = clicked_ranks(log)
    best = np.zeros(len(log))
    np.maximum.at(best, lists, 1 / ranks)
    return Counts(best, np.ones(len(log)))


def mean_reciprocal_rank(log: Interactions, cutoff: int | None) -> Counts:
    """The mean reciprocal rank of the clicked documents of a list, 0 without a click.

    >>> from cranfield.arrays.interactions import example
    >>> mean_reciprocal_rank(example("abc:ab", "bac:"), None).total
    array([0.75, 0.  ])
    """
    lists, ranks = clicked_ranks(log)
    total = np.bincount(lists, 1 / ranks, minlength=len(log))
    return Counts(ratio(total, np.bincount(lists, minlength=len(log)).astype(float), undefined=0.0), np.ones(len(log)))


ABOUT_RECIPROCAL_RANKS = """
The reciprocal rank of the highest click, MaxRR, and the mean over clicks, MeanRR; lists without a click have 0.

What MRR is offline, with clicks for relevant documents. They mislead like all clicks: users look at the first ranks
most, whatever is there. Documents on earlier pages count in the rank.

Source: Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008, who leave out
lists without a click.
"""
MAX_RR = OnlineMeasure("MaxRR", highest_reciprocal_rank, "better", explanation=ABOUT_RECIPROCAL_RANKS)
MEAN_RR = OnlineMeasure("MeanRR", mean_reciprocal_rank, "better", explanation=ABOUT_RECIPROCAL_RANKS)
