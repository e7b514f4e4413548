"""Scores of runs made comparable, topic by topic, over the considered depth."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import InputError
from cranfield.pooling.candidates import Candidates


def min_max(score: Floats, run: Ints, rank: Ints, length: Ints) -> Floats:
    """(s - min) / (max - min): the last document of a run gets 0, as if not retrieved."""
    low, high = _least(score, run, length), -_least(-score, run, length)
    return _ratio(score - low[run], (high - low)[run], 1.0)


def total(score: Floats, run: Ints, rank: Ints, length: Ints) -> Floats:
    """(s - min) / sum of (s - min): every run has one unit to give, so that long runs give less to each."""
    above = score - _least(score, run, length)[run]
    return _ratio(above, np.bincount(run, above, len(length))[run], 1 / length[run])


def zmuv(score: Floats, run: Ints, rank: Ints, length: Ints) -> Floats:
    """(s - mean) / deviation: zero mean, unit variance; below the mean counts for less than not retrieved."""
    mean = _ratio(np.bincount(run, score, len(length)), length, 0.0)
    apart = score - mean[run]
    apart[np.abs(apart) <= 1e-12 * np.abs(mean[run])] = 0  # what rounding leaves of a constant
    deviation = np.sqrt(_ratio(np.bincount(run, apart**2, len(length)), length, 0.0))
    return _ratio(apart, deviation[run], 0.0)


def by_rank(score: Floats, run: Ints, rank: Ints, length: Ints) -> Floats:
    """1 - (r - 1) / |s|: scores do not count, only their order."""
    return 1 - (rank - 1) / length[run]


def raw(score: Floats, run: Ints, rank: Ints, length: Ints) -> Floats:
    """The scores as submitted: right only where all runs share a scale."""
    return score


def _least(score: Floats, run: Ints, length: Ints) -> Floats:
    least = np.full(len(length), np.inf)
    np.minimum.at(least, run, score)
    return least


def _ratio(above: Floats | Ints, below: Floats | Ints, otherwise: float | Floats) -> Floats:
    """The quotient, and something else where it would be by 0."""
    return np.where(below == 0, otherwise, above / np.where(below == 0, 1, below))


NORMALISATIONS: dict[str, Callable[[Floats, Ints, Ints, Ints], Floats]] = {
    "min-max": min_max,
    "sum": total,
    "zmuv": zmuv,
    "rank": by_rank,
    "none": raw,
}


def normalised(topic: Candidates, name: str) -> Floats:
    """The normalised score of each retrieved document, in the order of the topic's columns.

    A run whose scores are all equal (or that retrieved one document) says only what it retrieved; the usual formulas
    divide 0 by 0 there. Here each of its documents counts as if it stood first: 1 with min-max and max, an equal share
    with sum; zmuv gives 0, the mean.

    >>> from cranfield.pooling.examples import example
    >>> topic = example({"a": 4.0, "b": 2.0, "c": 0.0}, {"b": 7.0, "c": 7.0})
    >>> for name in NORMALISATIONS:
    ...     values = normalised(topic, name)
    ...     print(f"{name:7}", values[topic.run == 0].round(2), values[topic.run == 1].round(2))
    min-max [1.  0.5 0. ] [1. 1.]
    sum     [0.67 0.33 0.  ] [0.5 0.5]
    zmuv    [ 1.22  0.   -1.22] [0. 0.]
    rank    [1.   0.67 0.33] [0.5 1. ]
    none    [4. 2. 0.] [7. 7.]
    """
    if name != "rank" and not np.isfinite(topic.scores).all():
        row = int(np.argmin(np.isfinite(topic.scores)))
        where = f"run {topic.tags[topic.run[row]]!r}, topic {topic.qid!r}"
        raise InputError(f"{where}: a score is {topic.scores[row]}; expected a finite one, or use norm=rank")
    return NORMALISATIONS[name](topic.scores, topic.run, topic.ranks, topic.lengths)
