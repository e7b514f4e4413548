"""Do offline and online results agree? Differences of two arms on both sides, and their agreement over pairs.

All summaries take every pair both ways round, so which arm comes first does not matter: correlation and slope are those
through the origin.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.online.measures.measure import Counts

NAN = float("nan")
FEWEST = 4  # pairs that are summarised


class Difference(NamedTuple):
    """A difference and its interval."""

    value: float
    low: float
    high: float

    @property
    def sign(self) -> int:
        """1 or -1 where the interval is on one side of 0, else 0."""
        return int(self.low > 0) - int(self.high < 0)


class Agreement(NamedTuple):
    """How far the differences of pairs agree."""

    pairs: int
    same: int  # with the same sign on both sides
    share: float
    low: float  # Wilson's interval of the share
    high: float
    tau: float  # Kendall's: pairs of the same sign less those of the other, as a share
    pearson: float
    slope: float  # the online difference for .01 of the offline one


def offline_difference(scores: Floats, confidence: float = 0.95) -> Difference:
    """The mean of differences by topic, with the interval of a paired t test.

    >>> [round(one, 3) for one in offline_difference(np.array([0.1, 0.2, 0.3]))]
    [0.2, -0.048, 0.448]
    """
    from scipy.special import stdtrit

    if len(scores) < 2:
        return Difference(float(scores.mean()) if len(scores) else NAN, NAN, NAN)
    mean, n = float(scores.mean()), len(scores)
    half = float(stdtrit(n - 1, (1 + confidence) / 2)) * float(scores.std(ddof=1)) / sqrt(n)
    return Difference(mean, mean - half, mean + half)


def online_difference(a: Counts, b: Counts, units: tuple[Ints, Ints], confidence: float = 0.95) -> Difference:
    """The measure of the lists of arm a less that of arm b, by the delta method over users, who may be in both.

    >>> one = Counts(np.array([2.0, 0, 5, 1]), np.array([4.0, 3, 8, 2]))
    >>> found = online_difference(one, Counts(np.zeros(2), np.ones(2)), (np.arange(4), np.arange(4, 6)))
    >>> round(found.value, 4), round((found.high - found.low) / 2 / 1.96, 3)
    (0.4706, 0.121)
    """
    if not a[1].sum() or not b[1].sum():
        return Difference(NAN, NAN, NAN)
    users = int(max(one.max() for one in units)) + 1
    ratios = [total.sum() / times.sum() for total, times in (a, b)]
    parts = [
        np.bincount(unit, (total - ratio * times) / times.sum(), users)
        for unit, (total, times), ratio in zip(units, (a, b), ratios, strict=True)
    ]
    known = np.isin(np.arange(users), np.concatenate(units))
    moves, n = (parts[0] - parts[1])[known], int(known.sum())
    value = float(ratios[0] - ratios[1])
    if n < 2:
        return Difference(value, NAN, NAN)
    half = NormalDist().inv_cdf((1 + confidence) / 2) * sqrt(float((moves**2).sum()) * n / (n - 1))
    return Difference(value, value - half, value + half)


def verdict(offline: Difference, online: Difference) -> str:
    """Same, opposite or undecided: undecided unless both intervals are on one side of 0.

    >>> verdict(Difference(0.1, 0.05, 0.15), Difference(-0.2, -0.3, -0.1))
    'opposite'
    """
    product = offline.sign * online.sign
    return {1: "same", -1: "opposite"}.get(product, "undecided")


def agreement(offline: Sequence[float], online: Sequence[float], confidence: float = 0.95) -> Agreement | None:
    """The agreement of pairs' differences; None for fewer than four pairs.

    >>> found = agreement([0.01, 0.02, 0.03, -0.01], [0.002, 0.004, 0.006, 0.001])
    >>> found.same, found.tau, round(found.low, 3), round(found.slope, 5)
    (3, 0.5, 0.301, 0.0018)
    """
    from scipy.stats import binomtest

    x, y = np.array(offline, float), np.array(online, float)
    if len(x) < FEWEST:
        return None
    signs = np.sign(x) * np.sign(y)
    same = int((signs > 0).sum())
    low, high = binomtest(same, len(x)).proportion_ci(confidence, method="wilson")
    xx, xy, yy = float((x * x).sum()), float((x * y).sum()), float((y * y).sum())
    return Agreement(
        len(x), same, same / len(x), float(low), float(high), float(signs.mean()),
        xy / sqrt(xx * yy) if xx and yy else NAN, xy / xx / 100 if xx else NAN,
    )  # fmt: skip
