"""A measure of a log with its interval: users are independent of each other, their lists are not.

A ratio has the variance of the delta method, s^2(y - R x) / (n mean(x)^2) over users; a median is bootstrapped over
users.

Source: Deng, Knoblich and Lu, Applying the delta method in metric analytics, KDD 2018.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from cranfield.arrays.interactions import Interactions
from cranfield.arrays.rankings import Floats, Ints, Mask

from .measure import Counts, OnlineMeasure

NAN = float("nan")
SAMPLES, SEED = 1000, 0  # of the bootstrap


class Estimate(NamedTuple):
    """The value of a measure, its interval, how many lists count, and of how many users."""

    value: float
    low: float
    high: float
    lists: int
    users: int


def units_of(log: Interactions) -> Ints:
    """Whose each list is: the user; where that is unknown the session, and where that is unknown nobody else's.

    >>> from cranfield.arrays.interactions import example
    >>> units_of(example("ab:", "ab:", "ab:", users="xyx")).tolist()
    [0, 1, 0]
    """
    session = np.where(log.session >= 0, log.session, log.session.max(initial=0) + 1 + np.arange(len(log)))
    found = np.where(log.user >= 0, log.user, log.user.max(initial=0) + 1 + session)
    units: Ints = np.unique(found, return_inverse=True)[1]
    return units


def known_units(log: Interactions) -> Mask:
    """The lists with a user, or at least a session: any others may all be one person's.

    >>> from dataclasses import replace
    >>> from cranfield.arrays.interactions import example
    >>> known_units(replace(example("ab:", "ab:"), user=np.array([0, -1]), session=np.array([-1, -1]))).tolist()
    [True, False]
    """
    return (log.user >= 0) | (log.session >= 0)


def estimate(measure: OnlineMeasure, counts: Counts, units: Ints, confidence: float = 0.95) -> Estimate:
    """The measure of lists with these counts, which are of these users.

    >>> from .ctr import CTR
    >>> users = Counts(np.array([2.0, 0, 5, 1]), np.array([4.0, 3, 8, 2]))
    >>> found = estimate(CTR, users, np.arange(4))
    >>> round(found.value, 4), round((found.high - found.low) / 2 / 1.96, 4)
    (0.4706, 0.1277)
    """
    there = counts.times > 0
    lists, users = int(there.sum()), len(np.unique(units[there]))
    if not lists:
        return Estimate(NAN, NAN, NAN, 0, 0)
    if measure.median:
        value, low, high = _median(counts.total[there], units[there], confidence)
    else:
        value, low, high = _ratio(*_by_user(counts, units), confidence)
    return Estimate(value, low, high, lists, users)


def _by_user(counts: Counts, units: Ints) -> Counts:
    total, count = (np.bincount(units, column).astype(float) for column in counts)
    return Counts(total[count > 0], count[count > 0])


def _ratio(total: Floats, count: Floats, confidence: float) -> tuple[float, float, float]:
    value = float(total.sum() / count.sum())
    if len(total) < 2:
        return value, NAN, NAN
    error = float(np.std(total - value * count, ddof=1)) / sqrt(len(total)) / float(count.mean())
    half = NormalDist().inv_cdf((1 + confidence) / 2) * error
    return value, value - half, value + half


def _median(values: Floats, units: Ints, confidence: float) -> tuple[float, float, float]:
    """The median, and the middle of those of samples of users, each with all their lists."""
    order = np.argsort(values, kind="stable")
    values, user = values[order], np.unique(units[order], return_inverse=True)[1]
    users = int(user.max()) + 1
    if users < 2:
        return float(np.median(values)), NAN, NAN
    generator = np.random.default_rng(SEED)
    found = np.empty(SAMPLES)
    for sample in range(SAMPLES):
        weight = np.cumsum(np.bincount(generator.integers(users, size=users), minlength=users)[user])
        found[sample] = values[np.searchsorted(weight, weight[-1] / 2)]
    low, high = np.quantile(found, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(np.median(values)), float(low), float(high)
