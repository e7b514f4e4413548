"""Topic set size design: how many topics does it take to detect a difference?

The scores at hand show how much the difference of two runs varies over topics; the noncentral t distribution then gives
the number of topics with which a paired t test at alpha detects a true difference of the wanted size with probability 1
- beta. Decide before judging: adding topics until something is significant invalidates the test. It misleads where the
runs at hand are more alike, or less, than those that will be compared, and with few pilot topics, whose variance is
itself uncertain. alpha is for one pair; for many take alpha / pairs, which is conservative.

Sources: Sakai, Topic set size design, Information Retrieval Journal 19, 2016; Webber, Moffat and Zobel, Statistical
power in retrieval experimentation, CIKM 2008.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays.judged import Judged, JudgedBlocks
from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError, MeasureError
from cranfield.metrics.inputs import QrelsLike, RunsLike
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse
from cranfield.metrics.significance.compare import scores_of
from cranfield.text import counted

if TYPE_CHECKING:
    from pandas import DataFrame

MOST = 10_000_000  # topics; more are not worth a number


def plan_topic_count(
    qrels: QrelsLike | Judged | JudgedBlocks,
    runs: RunsLike | None = None,
    *,
    difference: float,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    alpha: float = 0.05,
    beta: float = 0.2,
) -> DataFrame:
    """How many topics it takes to detect a true difference of this size; one row per measure.

    `detectable` is the smallest difference that the topics at hand suffice for, NaN where no difference is so
    large.

    >>> qrels = {topic: {"d": 1} for topic in "123456"}
    >>> runs = {"x": {topic: {"d": 1.0} for topic in "123456"}, "y": {topic: {"d": 1.0} for topic in "123"}}
    >>> plan_topic_count(qrels, runs, difference=0.2, measures="RR").round(3).to_dict("records")
    [{'measure': 'RR', 'topics': 6, 'residual_variance': 0.15, 'deviation': 0.548,
      'difference': 0.2, 'topics_needed': 61, 'detectable': 0.786}]
    """
    import pandas as pd

    scores = scores_of(qrels, runs, measures)
    rows = []
    for number, measure in enumerate(scores.measures):
        values = scores.values[..., number]
        complete = values[:, ~np.isnan(values).any(axis=0)]
        if complete.shape[1] < 2:
            lack = f"on only {counted(complete.shape[1], 'topic')}; expected at least two"
            raise InputError(f"{measure} is defined for all runs {lack}")
        variance = residual_variance(complete)
        size = topics_needed(difference, 2 * variance, alpha, beta)
        smallest = detectable_difference(complete.shape[1], 2 * variance, alpha, beta)
        smallest = smallest if smallest <= _largest(measure) else np.nan
        rows.append((measure, complete.shape[1], variance, (2 * variance) ** 0.5, difference, size, smallest))
    names = ["measure", "topics", "residual_variance", "deviation", "difference", "topics_needed", "detectable"]
    return pd.DataFrame(rows, columns=names)


def _largest(measure: str) -> float:
    """The largest difference that a measure can have; infinity for one that is not known."""
    try:
        low, high = parse(measure).range
    except MeasureError:
        return np.inf
    return high - low


def residual_variance(scores: Floats) -> float:
    """The variance of scores (runs, topics) that neither runs nor topics explain.

    Twice that is the variance of the difference of two runs over topics, averaged over all pairs of runs.

    >>> round(residual_variance(np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.9]])), 6)
    0.015
    """
    runs, topics = scores.shape
    residual = scores - scores.mean(axis=1, keepdims=True) - scores.mean(axis=0) + scores.mean()
    return float((residual**2).sum() / ((runs - 1) * (topics - 1)))


def power(topics: int, difference: float, variance: float, alpha: float = 0.05) -> float:
    """The probability that a paired t test detects a true difference; `variance` is that of differences over topics.

    >>> round(power(34, 0.5, 1.0), 4)  # Cohen's medium effect
    0.8078
    """
    from scipy.special import fdtri, ncfdtr

    critical = float(fdtri(1.0, topics - 1.0, 1 - alpha))  # t squared is F with 1 degree of freedom
    return float(1 - ncfdtr(1.0, topics - 1.0, topics * difference**2 / variance, critical))


def topics_needed(difference: float, variance: float, alpha: float = 0.05, beta: float = 0.2) -> int:
    """The fewest topics with which a paired t test at alpha detects this difference with probability 1 - beta.

    >>> [topics_needed(d, 1.0) for d in (0.2, 0.5, 0.8)]  # small, medium, large
    [199, 34, 15]
    """
    _check_settings(difference, alpha, beta)
    if variance <= 0:
        return 2
    low, high = 1, 2
    while power(high, difference, variance, alpha) < 1 - beta:
        low, high = high, high * 2
        if high > MOST:
            raise InputError(
                f"a difference of {difference:g} would need more than {MOST} topics; plan for a larger difference"
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle, difference, variance, alpha) >= 1 - beta else (middle, high)
    return high


def detectable_difference(topics: int, variance: float, alpha: float = 0.05, beta: float = 0.2) -> float:
    """The smallest difference for which this many topics suffice.

    >>> round(detectable_difference(34, 1.0), 2)
    0.5
    """
    from scipy.optimize import brentq

    if variance <= 0:
        return 0.0
    effect_size = brentq(lambda effect: power(topics, effect, 1.0, alpha) - (1 - beta), 0.0, 1000.0)
    return float(effect_size) * float(np.sqrt(variance))


def _check_settings(difference: float, alpha: float, beta: float) -> None:
    if not 0 < difference < float("inf"):
        raise InputError(f"the difference is {difference:g}; expected a number above 0")
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not 0 < value < 1:
            raise InputError(f"{name} is {value:g}; expected a number above 0 and below 1")
