"""The uncertainty of a coefficient: the topic bootstrap.

Labels of one topic are correlated (a hard topic has many disagreements), so topics are resampled, never single labels;
an interval over labels would be far too narrow. The variance over resamples, times n / (n - 1), is that of a mean of n
topics, and the interval is such a mean's (`metrics/significance/intervals.py`): the middle 95 % of the resamples are
too narrow, holding in 85 to 92 % with 10 topics and in 90 to 94 % with 30. There is none below 10 topics, nor where the
coefficient is undefined on more than a twentieth of the resamples, since it would then describe only the others.

Source: Davison and Hinkley, Bootstrap Methods and their Application, 1997, 3.8 (resampling clusters).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays.rankings import Floats, Names
from cranfield.metrics.significance.intervals import around

from .base import Agreement, Labels, Scale, labels_of

RESAMPLES = 1000
FEWEST = 10  # topics
MOST_UNDEFINED = 0.05  # of the resamples


class Interval(NamedTuple):
    """A coefficient with its interval over topics; NaN is undefined.

    Where low and high are NaN, `why` gives the reason, unless no interval was asked for. `undefined` is the share of
    the resamples on which the coefficient was undefined; they are left out.
    """

    value: float
    low: float = np.nan
    high: float = np.nan
    undefined: float = np.nan
    why: str = ""


def bootstrap(
    agreement: Agreement,
    grades: ArrayLike,
    topics: Sequence[object] | ArrayLike,
    scale: Scale = None,
    rel: float = 1,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> Interval:
    """A coefficient over labels (units, assessors) and its interval; `topics` names the topic of each unit.

    >>> from cranfield.judging.agreement import AGREEMENTS
    >>> topics = [topic for topic in range(10) for _ in range(2)]
    >>> bootstrap(AGREEMENTS["raw agreement"], [[0, 0], [1, 1], [0, 1], [1, 1]] * 5, topics)  # doctest: +ELLIPSIS
    Interval(value=0.75, low=0.502..., high=0.887..., undefined=0.0, why='')
    >>> bootstrap(AGREEMENTS["raw agreement"], [[0, 0], [0, 1]], ["q1", "q2"])
    Interval(value=0.5, low=nan, high=nan, undefined=nan, why='2 topics are too few')
    """
    return interval(agreement, labels_of(grades, scale, rel), topics, resamples, seed, level)


def interval(
    agreement: Agreement,
    labels: Labels,
    topics: Sequence[object] | ArrayLike,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> Interval:
    """The same from Labels, which several coefficients can share."""
    both = labels.paired > 0
    by_topic = _by_topic(agreement.tally(labels)[both], np.asarray(topics)[both])
    found = Interval(float(agreement.value(by_topic.sum(axis=0), labels.scale)))
    if not resamples:
        return found
    if np.isnan(found.value):
        return found._replace(why="the coefficient itself is undefined")
    if len(by_topic) < FEWEST:
        return found._replace(why="1 topic is too few" if len(by_topic) == 1 else f"{len(by_topic)} topics are too few")
    values = agreement.value(_draws(len(by_topic), resamples, seed) @ by_topic, labels.scale)
    return _with_ends(found, values, len(by_topic), agreement.limits, level)


def _with_ends(found: Interval, values: Floats, topics: int, limits: tuple[float, float], level: float) -> Interval:
    """With the interval that the values over resamples give, unless too many are undefined."""
    defined = values[~np.isnan(values)]
    undefined = 1 - len(defined) / len(values)
    if undefined > MOST_UNDEFINED:
        return found._replace(undefined=undefined, why=f"undefined on {undefined:.0%} of the resamples")
    variance = np.var(defined, ddof=1) * topics**2 / (topics - 1)
    low, high = around(found.value, variance, topics, limits, level)
    return found._replace(low=float(low), high=float(high), undefined=undefined)


def _by_topic(tally: Floats, topics: Names) -> Floats:
    """The sums of each topic."""
    names, number = np.unique(topics, return_inverse=True)
    sums = np.zeros((len(names), tally.shape[1]))
    np.add.at(sums, number, tally)
    return sums


def _draws(topics: int, resamples: int, seed: int) -> Floats:
    """How often each resample has each topic."""
    chances = np.full(topics, 1 / topics)
    return np.random.default_rng(seed).multinomial(topics, chances, size=resamples).astype(float)
