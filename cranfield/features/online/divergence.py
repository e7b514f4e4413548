"""Do offline and online results agree? Differences of two arms on both sides, and their agreement over pairs.

All summaries take every pair both ways round, so which arm comes first does not matter: correlation and slope are those
through the origin.
"""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.features.online.experiments import ENOUGH
from cranfield.features.online.measures import Counts
from cranfield.metrics.significance.pairs import Pairs, effects

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
    """How far the differences of pairs agree. Pairs share arms, so there is no interval of a share of them."""

    pairs: int
    same: int  # with the same sign on both sides
    share: float
    tau: float  # Kendall's: pairs of the same sign less those of the other, as a share
    pearson: float
    slope: float  # the online difference for .01 of the offline one


def offline_difference(scores: Floats, confidence: float = 0.95, most: float = np.inf) -> Difference:
    """The mean of differences by topic, none of them above `most`, with the interval of a paired t test.

    NaN where fewer than eight topics differ, as in `compare`.

    >>> [round(one, 3) for one in offline_difference(np.array([0.1, 0.2, 0.3] * 3))]
    [0.2, 0.133, 0.267]
    >>> offline_difference(np.array([0.1, 0.2, 0.3])).low
    nan
    """
    pair = Pairs(np.stack([scores, np.zeros(len(scores))]), np.array([0]), np.array([1]))
    found = effects(pair, 1 - confidence, most)
    return Difference(float(found.difference[0]), float(found.low[0]), float(found.high[0]))


def online_difference(
    a: Counts, b: Counts, units: tuple[Ints, Ints], share: bool, confidence: float = 0.95
) -> Difference:
    """The measure of the lists of arm a less that of arm b, by the delta method over users, who may be in both.

    A share counts with two users more in each arm, one at either end; what has no upper end has an interval from 200
    users in each arm, as in `ab`.

    >>> one = Counts(np.array([2.0, 0, 5, 1]), np.array([4.0, 3, 8, 2]))
    >>> found = online_difference(one, Counts(np.zeros(2), np.ones(2)), (np.arange(4), np.arange(4, 6)), share=True)
    >>> round(found.value, 4), round(found.low, 2), round(found.high, 2)
    (0.4706, -0.63, 1.0)
    """
    from scipy.special import stdtrit

    if not a[1].sum() or not b[1].sum():
        return Difference(NAN, NAN, NAN)
    value = float(a[0].sum() / a[1].sum() - b[0].sum() / b[1].sum())
    users = [len(np.unique(unit)) for unit in units]
    if min(users) < (2 if share else ENOUGH):
        return Difference(value, NAN, NAN)
    arms = list(zip((a, b), units, strict=True))
    if share:
        first = int(max(unit.max() for unit in units)) + 1
        arms = [_with_two(*arm, first + 2 * place) for place, arm in enumerate(arms)]
    middle, error = _moves(arms)
    if not error:
        return Difference(value, NAN, NAN)
    half = error * float(stdtrit(min(users) - 1 + 2 * share, (1 + confidence) / 2))
    most = 1.0 if share else np.inf
    return Difference(value, max(middle - half, -most), min(middle + half, most))


Arm = tuple[Counts, Ints]  # and whose the lists are


def _with_two(counts: Counts, unit: Ints, first: int) -> Arm:
    """With two users who have as many lists as others, one always and one never."""
    each = counts.times.sum() / len(np.unique(unit))
    more = Counts(np.append(counts.total, [0.0, each]), np.append(counts.times, [each, each]))
    return more, np.append(unit, [first, first + 1])


def _moves(arms: Sequence[Arm]) -> tuple[float, float]:
    """The difference of the two arms, and its standard error."""
    users = int(max(unit.max() for _, unit in arms)) + 1
    ratios = [total.sum() / times.sum() for (total, times), _ in arms]
    parts = [
        np.bincount(unit, (total - ratio * times) / times.sum(), users)
        for ((total, times), unit), ratio in zip(arms, ratios, strict=True)
    ]
    known = np.isin(np.arange(users), np.concatenate([unit for _, unit in arms]))
    moves, n = (parts[0] - parts[1])[known], int(known.sum())
    return float(ratios[0] - ratios[1]), sqrt(float((moves**2).sum()) * n / (n - 1))


def verdict(offline: Difference, online: Difference) -> str:
    """Same, opposite or undecided: undecided unless both intervals are on one side of 0.

    >>> verdict(Difference(0.1, 0.05, 0.15), Difference(-0.2, -0.3, -0.1))
    'opposite'
    """
    product = offline.sign * online.sign
    return {1: "same", -1: "opposite"}.get(product, "undecided")


def agreement(offline: Sequence[float], online: Sequence[float]) -> Agreement | None:
    """The agreement of pairs' differences; None for fewer than four pairs.

    >>> found = agreement([0.01, 0.02, 0.03, -0.01], [0.002, 0.004, 0.006, 0.001])
    >>> found.same, found.tau, round(found.slope, 5)
    (3, 0.5, 0.0018)
    """
    x, y = np.array(offline, float), np.array(online, float)
    if len(x) < FEWEST:
        return None
    signs = np.sign(x) * np.sign(y)
    same = int((signs > 0).sum())
    xx, xy, yy = float((x * x).sum()), float((x * y).sum()), float((y * y).sum())
    return Agreement(
        len(x), same, same / len(x), tau=float(signs.mean()),
        pearson=xy / sqrt(xx * yy) if xx and yy else NAN, slope=xy / xx / 100 if xx else NAN,
    )  # fmt: skip
