"""Which system users prefer: wins, losses and ties by impression, with an interval over users.

Delta = (wins + ties / 2) / n - 1/2, over the informative impressions: above 0 users prefer the first system, and 1/2 is
every impression. Where a method weighs clicks, the outcome of an impression is the difference of credit, and Delta is
half its mean: for outcomes of 1, 0 and -1 that is the same. p is the sign test's over wins and losses; where the method
weighs, that of the bootstrap over users. The sign test takes impressions as independent: where a few users have most of
them, the interval, which is over users, is the one to trust.

Source: Chapelle, Joachims, Radlinski and Yue, Large-scale validation and analysis of interleaved search evaluation,
TOIS 30(1), 2012.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.online.bootstrap import interval, p_value, redrawn


class Preference(NamedTuple):
    """Of a pair of systems."""

    wins: int
    losses: int
    ties: int
    delta: float
    low: float
    high: float
    p: float


def preference(
    credit: Floats, user: Ints, weighs: bool = False, alpha: float = 0.05, samples: int = 2000, seed: int = 0
) -> Preference:
    """The preference for the first of two systems; `credit` is (impressions, 2), `user` -1 where unknown.

    >>> credit = np.repeat([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]], [60, 40, 100], axis=0)
    >>> found = preference(credit, np.arange(200))
    >>> found.wins, found.losses, found.ties, round(found.delta, 4), round(found.p, 4)
    (60, 40, 100, 0.05, 0.0569)
    """
    difference = np.round(credit[:, 0] - credit[:, 1], 12)
    sign = np.sign(difference)
    wins, losses = int((sign > 0).sum()), int((sign < 0).sum())
    halves: Floats = (difference if weighs else sign) / 2
    if not len(halves):
        return Preference(0, 0, 0, *[float("nan")] * 4)
    sample = _by_user(halves, user, samples, seed)
    p = p_value(sample) if weighs else sign_test(wins, losses)
    return Preference(wins, losses, len(sign) - wins - losses, float(halves.mean()), *interval(sample, alpha), p)


def _by_user(values: Floats, user: Ints, samples: int, seed: int) -> Floats:
    """The mean of the values for redrawn users; a user who is unknown is somebody else each time."""
    units = np.where(user < 0, user.max(initial=-1) + 1 + np.arange(len(user)), user)
    _, unit = np.unique(units, return_inverse=True)
    totals, counts = np.bincount(unit, values).astype(float), np.bincount(unit).astype(float)
    return redrawn(totals, counts, samples, seed)


def sign_test(wins: int, losses: int) -> float:
    """Whether one wins more often than a fair coin would let it, two-sided; ties say nothing.

    >>> sign_test(3, 0), sign_test(0, 0)
    (0.25, 1.0)
    """
    from scipy.special import bdtr

    return float(min(1.0, 2 * bdtr(min(wins, losses), wins + losses, 0.5)))
