"""How large a difference is: what to read before p."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.judged import ratio
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.significance.pairs import DECIMALS, Pairs

NONE = 10.0**-DECIMALS  # a spread of rounding errors only
FEWEST = 8  # topics with a difference: with fewer the t interval often holds too seldom


class Effects(NamedTuple):
    """Per pair, over the topics where both runs have a score."""

    mean_a: Floats
    mean_b: Floats
    difference: Floats
    low: Floats  # the interval about the difference; NaN where fewer than eight topics differ
    high: Floats
    effect: Floats
    wins: Ints
    ties: Ints
    losses: Ints
    topics: Ints


def effects(pairs: Pairs, alpha: float = 0.05, most: float = np.inf) -> Effects:
    """The mean difference with the interval of the paired t test at 1 - alpha, its effect size, and wins by topic.

    With thousands of topics everything is significant, with ten hardly anything; the difference, its interval and the
    effect size say what p cannot.

    The interval is for each pair alone, not corrected for many pairs; it ends at `most`, the largest difference there
    can be, and there is none where the runs differ on fewer than eight topics, or by the same on all. It misleads where
    a few topics make most of the difference: of 25 topics, half of them alike and the rest much better, it held in
    90 %. The effect size is the mean difference over the standard deviation of the differences (Cohen's d of paired
    samples); NaN where all differences are equal. It is not the d of two independent groups; it is larger the more the
    two runs agree on which topics are hard.

    Source: Cohen, Statistical power analysis for the behavioral sciences, 1988; Sakai, Statistical reform in
    information retrieval?, SIGIR Forum 48(1), 2014.

    >>> scores = np.array([[0.5, 0.4, 0.6, np.nan], [0.4, 0.4, 0.3, 0.9]])
    >>> found = effects(Pairs(scores, np.array([0]), np.array([1])))
    >>> [round(float(value[0]), 3) for value in found[:6]], found.wins, found.ties, found.topics
    ([0.5, 0.367, 0.133, nan, nan, 0.873], array([2]), array([1]), array([3]))
    >>> found = effects(Pairs(np.repeat(scores[:, :3], 5, axis=1), np.array([0]), np.array([1])))
    >>> found.low.round(3), found.high.round(3)
    (array([0.062]), array([0.205]))
    """
    both = ~np.isnan(pairs.differences)
    topics = both.sum(axis=1)
    difference = _mean(pairs.differences, topics)
    spread = _deviation(np.where(both, pairs.differences - difference[:, None], 0.0), topics)
    few = (both & (pairs.rounded != 0)).sum(axis=1) < FEWEST
    enough = np.where(few | (spread <= NONE), np.nan, np.maximum(topics, 1))
    half = _quantile(topics, alpha) * spread / np.sqrt(enough)
    standardised = ratio(difference, np.where(spread > NONE, spread, 0.0), undefined=np.nan)
    wins, losses = (pairs.rounded > 0).sum(axis=1), (pairs.rounded < 0).sum(axis=1)
    return Effects(
        _mean(np.where(both, pairs.scores[pairs.a], np.nan), topics),
        _mean(np.where(both, pairs.scores[pairs.b], np.nan), topics),
        difference, np.maximum(difference - half, -most), np.minimum(difference + half, most), standardised,
        wins, topics - wins - losses, losses, topics,
    )  # fmt: skip


def _mean(values: Floats, topics: Ints) -> Floats:
    return ratio(np.nansum(values, axis=1), topics, undefined=np.nan)


def _deviation(centred: Floats, topics: Ints) -> Floats:
    """The standard deviation; NaN with fewer than two topics."""
    return np.sqrt(ratio((centred**2).sum(axis=1), np.maximum(topics - 1, 0), undefined=np.nan))


def _quantile(topics: Ints, alpha: float) -> Floats:
    from scipy.special import stdtrit

    return np.asarray(stdtrit(np.maximum(topics - 1, 1), 1 - alpha / 2), dtype=float)
