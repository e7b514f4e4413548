"""Which runs a model's labels favour: the score of each run by them less its score by people's labels.

    bias = mean over topics of (score by the model - score by people)
    own bias = bias - mean bias of all runs

A judge that is generous to everybody changes no ranking; one that is generous to some does. The interval is that of
the paired t test over topics, the p value that of the bootstrap test, corrected by Holm's method over the runs.

Sources: Clarke and Dietz, LLM-based relevance assessment still can't replace human relevance assessment,
arXiv:2412.17156 (circularity); Holm, Scandinavian Journal of Statistics 6, 1979.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.metrics.significance.bootstrap import BOOTSTRAP
from cranfield.metrics.significance.corrections import CORRECTIONS, correct
from cranfield.metrics.significance.effect_sizes import effects
from cranfield.metrics.significance.pairs import Pairs, p_values

RESAMPLES = 10_000
FINER = 40  # resamples for each run, so that the smallest corrected p can be small whatever the number of runs
FEWEST = 10  # topics


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
    if topics < FEWEST:
        unknown = np.full(runs, np.nan)
        return unknown, unknown, unknown
    scores = np.vstack([own, np.zeros(topics)])
    pairs = Pairs(scores, np.arange(runs), np.full(runs, runs), max(RESAMPLES, FINER * runs), seed)
    found, few = effects(pairs), np.count_nonzero(pairs.rounded, axis=1) < FEWEST
    low, high = (np.where(few, np.nan, ends) for ends in (found.low, found.high))
    return low, high, correct(p_values(BOOTSTRAP, pairs), CORRECTIONS["holm"])
