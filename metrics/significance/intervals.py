"""Intervals of means over topics, within what a measure or coefficient can be."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays.judged import ratio
from cranfield.arrays.rankings import Floats

MORE = 0.25  # topics at either end of the range
Ends = tuple[Floats, Floats]


def mean_intervals(values: Floats, limits: tuple[float, float], level: float = 0.95) -> Ends:
    """The intervals of means over topics, of scores (runs, topics) between `limits`.

        m    = (sum of x + a) / (n + 2a),   x the scores between the ends 0 and 1 of the measure's range,   a = 1/4
        v    = (sum of (x - m)² + a m² + a (1 - m)²) / (n + 2a - 1) / (n + 2a)
        ends   ln(m / (1 - m)) ± t sqrt(v) / (m (1 - m)),   n + 2a - 1 degrees of freedom, no narrower than the mean itself

    Scores are skewed and have ends: the t interval of a mean runs beyond them, and of ten topics, most of them hard, it
    holds in 81 %. On the logit it stays within the range and is longer on the longer side; a quarter of a topic more at
    either end keeps a few equal scores from seeming certain. It has 95 % and more from two topics on (`python -m
    benchmarks.coverage`), and of 50 topics the width of t's. A measure without a highest value has none: no interval of
    ten topics holds when a rare one may count for more than all of them.

    Sources: the logit interval of a share: Korn and Graubard, Analysis of health surveys, 1999; a little more of either
    kind: Agresti and Caffo, The American Statistician 54, 2000.

    NaN with fewer than two topics, and where the limits are not finite.

    >>> low, high = mean_intervals(np.array([[0.2, 0.4, 0.6], [1.0, 1.0, 1.0], [np.nan, np.nan, 1.0]]), (0.0, 1.0))
    >>> low.round(3), high.round(3)
    (array([0.068, 0.002,   nan]), array([0.873, 1.   ,   nan]))
    >>> mean_intervals(np.array([[3.0, 4.0]]), (0.0, np.inf))
    (array([nan]), array([nan]))
    """
    count = np.sum(~np.isnan(values), axis=1)
    mean = ratio(np.nansum(values, axis=1), count, undefined=np.nan)
    squares = np.nansum((values - mean[:, None]) ** 2, axis=1)
    return around(mean, ratio(squares, np.maximum(count - 1, 0), undefined=np.nan), count, limits, level)


def around(
    value: ArrayLike, variance: ArrayLike, topics: ArrayLike, limits: tuple[float, float], level: float = 0.95
) -> Ends:
    """The intervals of what is a mean over so many topics or like one, from the variance of a single topic's part.

    >>> [round(float(end), 3) for end in around(0.5, 0.04, 50, (0.0, 1.0))]
    [0.442, 0.558]
    """
    from scipy.special import expit, logit, stdtrit

    low, span = limits[0], limits[1] - limits[0]
    if not np.isfinite(span):
        return np.full(np.shape(value), np.nan), np.full(np.shape(value), np.nan)
    own, number = (np.asarray(value) - low) / span, np.asarray(topics, float)
    size, freedom = number + 2 * MORE, np.maximum(number + 2 * MORE - 1, MORE)
    mean = (number * own + MORE) / size
    squares = (number - 1) * np.asarray(variance) / span**2 + number * (own - mean) ** 2
    error = np.sqrt((squares + MORE * (mean**2 + (1 - mean) ** 2)) / freedom / size) / (mean * (1 - mean))
    middle, half = logit(mean), stdtrit(freedom, (1 + level) / 2) * error
    ends = np.minimum(expit(middle - half), own), np.maximum(expit(middle + half), own)
    return low + span * ends[0], low + span * ends[1]
