"""By how much a model's grades are above people's, and which runs they favour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.significance.pairs import CORRECTIONS, Pairs, correct, effects, p_values
from cranfield.metrics.significance.resampling import BOOTSTRAP

RANKS = (1, 11, 21, 51, 101)  # where bands of ranks begin
FEWEST, DIFFERENT = 10, 8  # topics for an interval, and those on which the grades are not all alike


class Group(NamedTuple):
    """Units of a kind: what divides them, which they are, and the number of each."""

    by: str
    group: str
    units: Ints


class OverRating(NamedTuple):
    """How far the model's grades are above people's on some units, on average, with an interval over topics."""

    by: str
    group: str
    documents: int
    over: float
    low: float
    high: float


def by_grade(human: Floats) -> Iterator[Group]:
    """The units by people's grade."""
    for grade in np.unique(human):
        yield Group("grade", f"{grade:g}", np.flatnonzero(human == grade))


def by_length(lengths: Floats) -> Iterator[Group]:
    """The units in quarters by the length of their documents in characters; NaN has no text.

    >>> [(one.group, one.units.tolist()) for one in by_length(np.array([10.0, 40, np.nan, 20, 30]))]
    [('10 to 17', [0]), ('18 to 25', [3]), ('26 to 32', [4]), ('33 to 40', [1])]
    """
    known = lengths[~np.isnan(lengths)]
    if not len(known):
        return
    edges = np.floor(np.quantile(known, [0, 0.25, 0.5, 0.75, 1])).astype(int).tolist()
    for place, (first, last) in enumerate(pairwise(edges)):
        low = first + (place > 0)
        units = np.flatnonzero((lengths >= low) & (lengths <= last))
        if len(units):
            yield Group("length", f"{low} to {last}", units)


def by_rank(best: Floats) -> Iterator[Group]:
    """The units by the best rank at which a run has them; NaN is retrieved by none.

    >>> [(one.group, one.units.tolist()) for one in by_rank(np.array([3.0, 12, np.nan, 500]))]
    [('1 to 10', [0]), ('11 to 20', [1]), ('from 101', [3]), ('not retrieved', [2])]
    """
    for first, after in zip(RANKS, [*RANKS[1:], None], strict=True):
        units = np.flatnonzero((best >= first) & (best < (after or np.inf)))
        if len(units):
            yield Group("rank", f"{first} to {after - 1}" if after else f"from {first}", units)
    if np.isnan(best).any():
        yield Group("rank", "not retrieved", np.flatnonzero(np.isnan(best)))


def over_rating(
    model: Floats,
    human: Floats,
    topics: Sequence[object] | Ints,
    groups: Iterator[Group],
    scale: tuple[float, float] = (-inf, inf),
) -> list[OverRating]:
    """The mean of model - human of all units and of each group; `topics` names the topic of each unit.

    The intervals are over topics, and within what grades on the scale allow. They are NaN with fewer than 10 topics in
    the group, or fewer than eight on which the model differs from people.

    >>> found = over_rating(np.array([2.0, 1.0]), np.array([0.0, 1.0]), ["q", "q"], iter([]))
    >>> found
    [OverRating(by='', group='all', documents=2, over=1.0, low=nan, high=nan)]
    """
    number = np.unique(np.asarray(topics), return_inverse=True)[1]
    every = [Group("", "all", np.arange(len(model))), *groups]
    found = []
    for one in every:
        people = human[one.units]
        over, low, high = _mean((model - human)[one.units], number[one.units])
        ends = max(low, scale[0] - people.max()), min(high, scale[1] - people.min())
        found.append(OverRating(one.by, one.group, len(one.units), over, *map(float, ends)))
    return found


def _mean(off: Floats, topic: Ints) -> tuple[float, float, float]:
    """The mean over units, and its interval over topics."""
    from scipy.special import stdtrit

    names, place = np.unique(topic, return_inverse=True)
    value, topics = float(off.mean()), len(names)
    sums, sizes = np.bincount(place, off), np.bincount(place)
    error = float((sums - value * sizes).std(ddof=1)) / sizes.mean() / sqrt(topics) if topics >= FEWEST else 0.0
    if not error or np.count_nonzero(np.bincount(place, np.abs(off))) < DIFFERENT:
        return value, np.nan, np.nan
    half = float(stdtrit(topics - 1, 0.975)) * error
    return value, value - half, value + half


RESAMPLES = 10_000
FINER = 40  # resamples for each run, so that the smallest corrected p can be small whatever the number of runs
RUN_BIAS_FEWEST = 10  # topics


class RunBias(NamedTuple):
    """The bias of a run, its own part of it with an interval, and the corrected p value of that; NaN is unknown."""

    bias: float
    own: float
    low: float
    high: float
    p: float


def run_bias(model: Floats, human: Floats, seed: int = 0) -> list[RunBias]:
    """The bias of each run; both arrays are scores (runs, topics).

    With fewer than 10 topics there is neither an interval nor a p value; with a bias on fewer than 10, no interval.

    >>> model, human = np.array([[0.9, 0.8], [0.5, 0.4]]), np.array([[0.5, 0.4], [0.5, 0.4]])
    >>> [(round(run.bias, 2), round(run.own, 2), run.p) for run in run_bias(model, human)]
    [(0.4, 0.2, nan), (0.0, -0.2, nan)]
    """
    off = model - human
    own = off - off.mean(axis=0)
    low, high, p = _tested(own, seed)
    columns = zip(off.mean(axis=1), own.mean(axis=1), low, high, p, strict=True)
    return [RunBias(*map(float, row)) for row in columns]


def _tested(own: Floats, seed: int) -> tuple[Floats, Floats, Floats]:
    """The ends of the 95 % intervals, and p, of each run."""
    runs, topics = own.shape
    if topics < RUN_BIAS_FEWEST:
        unknown = np.full(runs, np.nan)
        return unknown, unknown, unknown
    scores = np.vstack([own, np.zeros(topics)])
    pairs = Pairs(scores, np.arange(runs), np.full(runs, runs), max(RESAMPLES, FINER * runs), seed)
    found, few = effects(pairs), np.count_nonzero(pairs.rounded, axis=1) < RUN_BIAS_FEWEST
    low, high = (np.where(few, np.nan, ends) for ends in (found.low, found.high))
    return low, high, correct(p_values(BOOTSTRAP, pairs), CORRECTIONS["holm"])
