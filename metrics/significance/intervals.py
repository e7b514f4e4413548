"""Intervals of a run's mean over topics, within what the measure can be.

    m    = (sum of x + a) / (n + 2a),   x the scores between the ends 0 and 1 of the measure's range,   a = 1/4
    v    = (sum of (x - m)² + a m² + a (1 - m)²) / (n + 2a - 1) / (n + 2a)
    ends   ln(m / (1 - m)) ± t sqrt(v) / (m (1 - m)),   n + 2a - 1 degrees of freedom, no narrower than the mean itself

Scores are skewed and have ends: the t interval of a mean runs beyond them, and of ten topics, most of them hard, it
holds in 81 %. On the logit it stays within the range and is longer on the longer side; a quarter of a topic more at
either end keeps a few equal scores from seeming certain. It has 95 % and more from two topics on (`python -m
benchmarks.coverage`), and of 50 topics the width of t's. A measure without a highest value has none: no interval of ten
topics holds when a rare one may count for more than all of them.

Sources: the logit interval of a share: Korn and Graubard, Analysis of health surveys, 1999; a little more of either
kind: Agresti and Caffo, The American Statistician 54, 2000.
"""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import ratio
from cranfield.arrays.rankings import Floats

MORE = 0.25  # topics at either end of the range
Ends = tuple[Floats, Floats]


def mean_intervals(values: Floats, limits: tuple[float, float], level: float = 0.95) -> Ends:
    """The intervals of means over topics, of scores (runs, topics) between `limits`.

    NaN with fewer than two topics, and where the limits are not finite.

    >>> low, high = mean_intervals(np.array([[0.2, 0.4, 0.6], [1.0, 1.0, 1.0], [np.nan, np.nan, 1.0]]), (0.0, 1.0))
    >>> low.round(3), high.round(3)
    (array([0.068, 0.002,   nan]), array([0.873, 1.   ,   nan]))
    >>> mean_intervals(np.array([[3.0, 4.0]]), (0.0, np.inf))
    (array([nan]), array([nan]))
    """
    low, high = limits
    if not np.isfinite(high - low):
        return np.full(len(values), np.nan), np.full(len(values), np.nan)
    found = _on_the_logit((values - low) / (high - low), level)
    return low + (high - low) * found[0], low + (high - low) * found[1]


def _on_the_logit(x: Floats, level: float) -> Ends:
    from scipy.special import expit, logit, stdtrit

    count = np.sum(~np.isnan(x), axis=1)
    size = np.where(count > 1, count + 2 * MORE, np.nan)
    mean = (np.nansum(x, axis=1) + MORE) / size
    squares = np.nansum((x - mean[:, None]) ** 2, axis=1) + MORE * (mean**2 + (1 - mean) ** 2)
    error = np.sqrt(squares / (size - 1) / size) / (mean * (1 - mean))
    middle, half = logit(mean), stdtrit(size - 1, (1 + level) / 2) * error
    own = ratio(np.nansum(x, axis=1), count, undefined=np.nan)
    return np.minimum(expit(middle - half), own), np.maximum(expit(middle + half), own)
