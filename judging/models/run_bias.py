"""Which runs a model's labels favour: the score of each run by them less its score by people's labels.

    bias = mean over topics of (score by the model - score by people)
    own bias = bias - mean bias of all runs

A judge that is generous to everybody changes no ranking; one that is generous to some does. The interval is that of
the bootstrap over topics, the p value that of the bootstrap test, corrected by Holm's method over the runs.

Sources: Clarke and Dietz, LLM-based relevance assessment still can't replace human relevance assessment,
arXiv:2412.17156 (circularity); Holm, Scandinavian Journal of Statistics 6, 1979.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.metrics.significance.bootstrap import BOOTSTRAP
from cranfield.metrics.significance.corrections import CORRECTIONS, correct
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

    With fewer than 10 topics there is neither an interval nor a p value.

    >>> model, human = np.array([[0.9, 0.8], [0.5, 0.4]]), np.array([[0.5, 0.4], [0.5, 0.4]])
    >>> [(round(run.bias, 2), round(run.own, 2), run.p) for run in run_bias(model, human)]
    [(0.4, 0.2, nan), (0.0, -0.2, nan)]
    """
    off = model - human
    own = off - off.mean(axis=0)
    bounds, p = _bounds(own, seed), _corrected(own, seed)
    columns = zip(off.mean(axis=1), own.mean(axis=1), *bounds, p, strict=True)
    return [RunBias(*map(float, row)) for row in columns]


def _bounds(own: Floats, seed: int) -> Floats:
    """The lower and the upper bounds of the 95 % intervals."""
    runs, topics = own.shape
    if topics < FEWEST:
        return np.full((2, runs), np.nan)
    drawn = np.random.default_rng(seed).multinomial(topics, np.full(topics, 1 / topics), size=1000)
    return np.asarray(np.quantile(drawn @ own.T / topics, [0.025, 0.975], axis=0))


def _corrected(own: Floats, seed: int) -> Floats:
    runs, topics = own.shape
    if topics < FEWEST:
        return np.full(runs, np.nan)
    scores = np.vstack([own, np.zeros(topics)])
    every = np.arange(runs)
    pairs = Pairs(scores, every, np.full(runs, runs), max(RESAMPLES, FINER * runs), seed)
    return correct(p_values(BOOTSTRAP, pairs), CORRECTIONS["holm"])
