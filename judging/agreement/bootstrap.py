"""How sure a coefficient is: the topic bootstrap.

Labels of one topic hang together (one hard topic has many disagreements), so topics are drawn again, never single
labels; an interval over labels would be far too narrow. With few topics it is still too narrow.
Source: Davison and Hinkley, Bootstrap Methods and their Application, 1997, 3.8 (resampling clusters).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from cranfield.rankings import Floats

from .base import Agreement, Labels, Scale, labels_of

RESAMPLES = 1000


class Interval(NamedTuple):
    """A coefficient with the middle `level` of its values over resampled topics; NaN is undefined.

    `undefined` is the share of the resamples on which the coefficient was undefined; they are left out.
    """

    value: float
    low: float
    high: float
    undefined: float = 0.0


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
    """A coefficient of labels (units, assessors) and its interval; `topics` names the topic of each unit.

    >>> from cranfield.judging.agreement import AGREEMENTS
    >>> found = bootstrap(AGREEMENTS["raw agreement"], [[0, 0], [1, 1], [0, 1], [1, 1]], ["q1", "q1", "q2", "q2"])
    >>> found
    Interval(value=0.75, low=0.5, high=1.0, undefined=0.0)
    >>> bootstrap(AGREEMENTS["raw agreement"], [[0, 0], [0, 1]], ["q1", "q1"])  # one topic cannot be resampled
    Interval(value=0.5, low=nan, high=nan, undefined=1.0)
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
    """The same of Labels, which several coefficients can share."""
    by_topic = _by_topic(agreement.tally(labels), topics)
    value = float(agreement.value(by_topic.sum(axis=0), labels.scale))
    if len(by_topic) < 2 or not resamples:
        return Interval(value, np.nan, np.nan, 1.0)
    drawn = _draws(len(by_topic), resamples, seed) @ by_topic
    values = agreement.value(drawn, labels.scale)
    defined = values[~np.isnan(values)]
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2]) if len(defined) else (np.nan, np.nan)
    return Interval(value, float(low), float(high), 1 - len(defined) / resamples)


def _by_topic(tally: Floats, topics: Sequence[object] | ArrayLike) -> Floats:
    """The sums of each topic."""
    names, number = np.unique(np.asarray(topics), return_inverse=True)
    sums = np.zeros((len(names), tally.shape[1]))
    np.add.at(sums, number, tally)
    return sums


def _draws(topics: int, resamples: int, seed: int) -> Floats:
    """How often each resample has each topic."""
    chances = np.full(topics, 1 / topics)
    return np.random.default_rng(seed).multinomial(topics, chances, size=resamples).astype(float)
