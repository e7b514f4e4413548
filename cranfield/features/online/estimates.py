"""A measure of a log with its interval: users are independent of each other, their lists are not.

A ratio R has the variance of the delta method, s^2(y - R x) / (n mean(x)^2) over users, and the interval Student's t.

- A share counts with four users more, two at either end, as in Agresti and Coull's interval of a proportion: a few
  users who are all alike are not certain then. The share itself stays as it is.
- Numbers and seconds have no upper end, and the interval of their logarithm. It needs 200 users, since fewer may not
  have shown what a few others do.
- A median lies between the values below which as many of the lists are as the ends of the interval of the share at or
  below the median; it needs five users.

Sources: Deng, Knoblich and Lu, Applying the delta method in metric analytics, KDD 2018; Agresti and Coull, Approximate
is better than "exact" for interval estimation of binomial proportions, The American Statistician 52, 1998; Woodruff,
Confidence intervals for medians and other position measures, JASA 47, 1952.
"""

from math import exp, sqrt
from typing import NamedTuple

import numpy as np

from cranfield.arrays.interactions import Interactions
from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.features.online.experiments import ENOUGH, linearise
from cranfield.features.online.measures import ListSums, OnlineMeasure

NAN = float("nan")
OF_MEDIAN = 5  # users
FOUR = (0.0, 0.0, 1.0, 1.0)  # users more, of a share


class OnlineEstimate(NamedTuple):
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
    user = np.where(log.user >= 0, log.user, log.user.max(initial=0) + 1 + session)
    units: Ints = np.unique(user, return_inverse=True)[1]
    return units


def known_units(log: Interactions) -> Mask:
    """The lists with a user, or at least a session: any others may all be one person's.

    >>> from dataclasses import replace
    >>> from cranfield.arrays.interactions import example
    >>> known_units(replace(example("ab:", "ab:"), user=np.array([0, -1]), session=np.array([-1, -1]))).tolist()
    [True, False]
    """
    return (log.user >= 0) | (log.session >= 0)


def estimate(measure: OnlineMeasure, counts: ListSums, units: Ints, confidence: float = 0.95) -> OnlineEstimate:
    """The measure of lists with these counts, which are of these users.

    >>> from cranfield.features.online.measures import CTR
    >>> users = ListSums(np.array([2.0, 0, 5, 1]), np.array([4.0, 3, 8, 2]))
    >>> ctr = estimate(CTR, users, np.arange(4))
    >>> round(ctr.value, 4), round(ctr.low, 2), round(ctr.high, 2)
    (0.4706, 0.14, 0.83)
    >>> [round(end, 2) for end in estimate(CTR, ListSums(np.ones(3), np.ones(3)), np.arange(3))[:3]]  # all alike
    [1.0, 0.26, 1.0]
    """
    present = counts.times > 0
    lists, users = int(present.sum()), len(np.unique(units[present]))
    if not lists:
        return OnlineEstimate(NAN, NAN, NAN, 0, 0)
    by_user = _by_user(counts, units)
    if measure.per_user:
        by_user = ListSums(by_user.total, np.ones(len(by_user.times)))
    value = float(by_user.total.sum() / by_user.times.sum())
    if measure.median:
        value, low, high = _median(counts.total[present], units[present], confidence)
    elif measure.unit == "share":
        low, high = share_interval(*by_user, confidence)
    else:
        low, high = _from_0(*by_user, confidence)
    return OnlineEstimate(value, low, high, lists, users)


def _by_user(counts: ListSums, units: Ints) -> ListSums:
    total, count = (np.bincount(units, column).astype(float) for column in counts)
    return ListSums(total[count > 0], count[count > 0])


def share_interval(
    total: Floats, count: Floats, confidence: float, ends: tuple[float, float] = (0.0, 1.0)
) -> tuple[float, float]:
    """Of the sum of the users' totals over the sum of their counts, each ratio of which is within `ends`.

    >>> [round(end, 3) for end in share_interval(np.ones(10), np.ones(10), 0.95)]
    [0.647, 1.0]
    >>> share_interval(np.ones(1), np.ones(1), 0.95)
    (nan, nan)
    """
    from scipy.special import stdtrit

    if len(total) < 2:
        return NAN, NAN
    low, high = ends
    values = np.append((linearise(total, count) - low) / (high - low), FOUR)
    half = float(stdtrit(len(values) - 1, (1 + confidence) / 2)) * float(values.std(ddof=1)) / sqrt(len(values))
    shares = (min(max(values.mean() + side, 0.0), 1.0) for side in (-half, half))
    first, last = (low + (high - low) * float(end) for end in shares)
    return first, last


def _from_0(total: Floats, count: Floats, confidence: float) -> tuple[float, float]:
    """Of a ratio that may be any number above 0; none where it is 0, or there are too few users."""
    from scipy.special import stdtrit

    value = float(total.sum() / count.sum())
    if len(total) < ENOUGH or value <= 0:
        return NAN, NAN
    error = float(linearise(total, count).std(ddof=1)) / sqrt(len(total))
    half = float(stdtrit(len(total) - 1, (1 + confidence) / 2)) * error / value
    return value * exp(-half), value * exp(half)


def _median(values: Floats, units: Ints, confidence: float) -> tuple[float, float, float]:
    """The median, and the values between which it lies."""
    value = float(np.median(values))
    below = _by_user(ListSums((values <= value).astype(float), np.ones(len(values))), units)
    low, high = share_interval(*below, confidence)
    if len(below.total) < OF_MEDIAN or not 0 < low < high < 1:
        return value, NAN, NAN
    first, last = np.quantile(values, [low, high])
    return value, float(first), float(last)
