"""Capture-recapture across teams: what was found by one team only tells how much was found by none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints


class Bound(NamedTuple):
    """Chao's lower bound of how many there are, from how many units found each."""

    found: int
    by_one: int
    by_two: int
    estimate: float


def chao(finders: Sequence[int] | Ints, units: int) -> Bound:
    """How many documents there are at least, from how many of `units` units found each one that was found.

        N >= S + (m-1)/m f1² / (2 f2);   where f2 = 0:   S + (m-1)/m f1 (f1 - 1) / 2

    f1 documents were found by one unit only, f2 by two, S in all, m units. Assumes that units find documents
    independently of each other and search equally deep; documents may be as unlike in being found as they like, which
    is why it is a lower bound. Good: needs nothing but the pool. Bad: units that resemble each other find the same, so
    that the bound is too low, with duplicates far too low; it says nothing of documents that no such unit could find.
    It has no interval: that of Colwell's EstimateS held the number there was in 12 to 93 % of simulated pools,
    seldomest where documents are unlike. Source: Chao, Estimating the population size for capture-recapture data with
    unequal catchability, Biometrics 43, 1987; the factor (m-1)/m as in EstimateS, "Chao2".

    Rabbits caught on 18 nights, 43 of 76 only once and 16 twice (there were 135):

    >>> round(chao([1] * 43 + [2] * 16 + [3] * 8 + [4] * 6 + [6] * 2 + [7], 18).estimate)
    131
    >>> chao([], 3).estimate
    0.0
    """
    counts = np.bincount(np.asarray(finders, np.int64), minlength=3)
    found, f1, f2 = int(counts[1:].sum()), int(counts[1]), int(counts[2])
    share = (units - 1) / units if units else 0.0
    missing = share * (f1**2 / (2 * f2) if f2 else f1 * (f1 - 1) / 2)
    return Bound(found, f1, f2, found + missing)
