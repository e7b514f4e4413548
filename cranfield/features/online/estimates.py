"""A measure of a log with its interval: users are independent of each other, their lists are not.

A ratio R has the variance of the delta method, s^2(y - R x) / (n mean(x)^2) over users, and the interval Student's t.

- Either end of a share's is that with one user more: the lower end with one of whose lists none count, the upper end
  with one of whose lists all do. So a few users who are all alike are not certain, and neither are many: of n users
  without a click it ends at 3 / n, the rule of three. Such a user has as many lists as users have on average, or, where
  users differ, up to as many as the user of an average list; the variance is that of the jackknife, and the degrees of
  freedom those of Kish's effective number of users: a few users may have most of the lists.
- Numbers and seconds have no upper end, and the interval of their logarithm. Its upper end is that with one user more,
  of twice the most that any user has: large values are rare. It needs 200 users, since fewer may not have shown what a
  few others do.
- A median lies between the values below which as many of the lists are as the ends of the interval of the share at or
  below the median; it needs five users.

Sources: Deng, Knoblich and Lu, Applying the delta method in metric analytics, KDD 2018; Hanley and Lippman-Hand, If
nothing goes wrong, is everything all right?, JAMA 249, 1983; Kish, Survey Sampling, 1965 (degrees of freedom);
Woodruff, Confidence intervals for medians and other position measures, JASA 47, 1952.
"""

from math import exp, sqrt
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.features.online.arm_users import linearise
from cranfield.features.online.experiments import ENOUGH
from cranfield.features.online.interactions import Interactions
from cranfield.features.online.measures import ListSums, OnlineMeasure

NAN = float("nan")
MIN_MEDIAN_USERS = 5  # users


class OnlineEstimate(NamedTuple):
    """The value of a measure, its interval, how many lists count, and of how many users."""

    value: float
    low: float
    high: float
    lists: int
    users: int


def units_of(log: Interactions) -> Ints:
    """Whose each list is: the user; where that is unknown the session, and where that is unknown nobody else's.

    >>> from cranfield.features.online.interactions import example
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
    >>> from cranfield.features.online.interactions import example
    >>> known_units(replace(example("ab:", "ab:"), user=np.array([0, -1]), session=np.array([-1, -1]))).tolist()
    [True, False]
    """
    return (log.user >= 0) | (log.session >= 0)


def estimate(measure: OnlineMeasure, counts: ListSums, units: Ints, confidence: float = 0.95) -> OnlineEstimate:
    """The measure of lists with these counts, which are of these users.

    >>> from cranfield.features.online.measures import CTR
    >>> users = ListSums(np.array([2.0, 0, 5, 1] * 5), np.array([4.0, 3, 8, 2] * 5))
    >>> ctr = estimate(CTR, users, np.arange(20))
    >>> round(ctr.value, 4), round(ctr.low, 2), round(ctr.high, 2)
    (0.4706, 0.33, 0.61)
    >>> [round(end, 2) for end in estimate(CTR, ListSums(np.ones(9), np.ones(9)), np.arange(9))[:3]]  # all alike
    [1.0, 0.67, 1.0]
    """
    present = counts.times > 0
    lists, users = int(present.sum()), len(np.unique(units[present]))
    if not lists:
        return OnlineEstimate(NAN, NAN, NAN, 0, 0)
    user_counts = _sum_by_user(counts, units)
    if measure.counts_users:
        user_counts = ListSums(user_counts.total, np.ones(len(user_counts.times)))
    value = float(user_counts.total.sum() / user_counts.times.sum())
    if measure.median:
        value, low, high = _median(counts.total[present], units[present], confidence)
    elif measure.unit == "share":
        low, high = share_interval(*user_counts, confidence)
    else:
        low, high = _from_0(*user_counts, confidence)
    return OnlineEstimate(value, low, high, lists, users)


def _sum_by_user(counts: ListSums, units: Ints) -> ListSums:
    total, count = (np.bincount(units, column).astype(float) for column in counts)
    return ListSums(total[count > 0], count[count > 0])


def share_interval(
    total: Floats, count: Floats, confidence: float, ends: tuple[float, float] = (0.0, 1.0)
) -> tuple[float, float]:
    """Of the sum of the users' totals over the sum of their counts, each ratio of which is within `ends`.

    >>> [round(end, 3) for end in share_interval(np.ones(10), np.ones(10), 0.95)]
    [0.707, 1.0]
    >>> share_interval(np.ones(1), np.ones(1), 0.95)
    (nan, nan)
    """
    if len(total) < 2:
        return NAN, NAN
    low, high = ends
    part = (total - low * count) / (high - low)
    first, last = _lower_end(part, count, confidence), 1 - _lower_end(count - part, count, confidence)
    return low + (high - low) * first, low + (high - low) * last


def _lower_end(total: Floats, count: Floats, confidence: float) -> float:
    """The lower end of a share: one user more has none."""
    from scipy.special import stdtrit

    total, count = np.append(total, 0.0), np.append(count, _size(total, count))
    part, users = count / count.sum(), len(count)
    value = float(total.sum() / count.sum())
    errors = (total / count.sum() - value * part) / (1 - part)
    error = sqrt((users - 1) / users * float(errors @ errors))
    return max(0.0, value - float(stdtrit(1 / (part @ part) - 1, (1 + confidence) / 2)) * error)


def _size(total: Floats, count: Floats) -> float:
    """How many lists the user has that is added: their mean over users if these are alike, over lists if they differ.

    How much they differ is the correlation of two lists of a user; from its root of a third on it is all over lists.

    >>> count = np.array([1.0, 1.0, 10.0])
    >>> _size(count / 2, count), _size(np.array([1.0, 1.0, 0.0]), count)
    (4.0, 8.5)
    """
    lists, users = float(count.sum()), len(count)
    user_counts, mean_list_size = lists / users, float(count @ count) / lists
    value = float(total.sum()) / lists
    chance = value * (1 - value) * lists  # the sum of squares, were all lists independent
    if mean_list_size <= 1 or chance <= 0:
        return user_counts
    squares = float(((total - value * count) ** 2).sum()) * users / (users - 1)
    correlation = max(0.0, (squares / chance - 1) / (mean_list_size - 1))
    return user_counts + min(1.0, 3 * sqrt(correlation)) * (mean_list_size - user_counts)


def _from_0(total: Floats, count: Floats, confidence: float) -> tuple[float, float]:
    """Of a ratio that may be any number above 0; none where it is 0, or there are too few users."""
    if len(total) < ENOUGH or total.sum() <= 0:
        return NAN, NAN
    values = linearise(total, count)
    return _end_from_0(values, -1, confidence), _end_from_0(np.append(values, 2 * values.max()), 1, confidence)


def _end_from_0(values: Floats, side: int, confidence: float) -> float:
    from scipy.special import stdtrit

    mean, error = float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values))
    return mean * exp(side * float(stdtrit(len(values) - 1, (1 + confidence) / 2)) * error / mean)


def _median(values: Floats, units: Ints, confidence: float) -> tuple[float, float, float]:
    """The median, and the values between which it lies."""
    value = float(np.median(values))
    below = _sum_by_user(ListSums((values <= value).astype(float), np.ones(len(values))), units)
    low, high = share_interval(*below, confidence)
    if len(below.total) < MIN_MEDIAN_USERS or not 0 < low < high < 1:
        return value, NAN, NAN
    first, last = np.quantile(values, [low, high])
    return value, float(first), float(last)
