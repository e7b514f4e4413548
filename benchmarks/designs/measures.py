"""Intervals over topics: of a run's mean, and of the difference of two."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.designs.design import Design, Random, holds
from cranfield.metrics.significance.effect_sizes import effects
from cranfield.metrics.significance.pairs import Pairs
from cranfield.report.scores import intervals

ORDINARY, SKEWED = (2.0, 3.0), (0.5, 2.5)  # parameters of beta: scores as of AP, those of hard topics


def mean(random: Random, topics: int, shape: tuple[float, float]) -> bool | None:
    """The mean score of a run, topics drawn from a population."""
    low, high = intervals(random.beta(*shape, (1, topics)))
    return holds(low[0], high[0], shape[0] / sum(shape))


def difference(random: Random, topics: int, shape: tuple[float, float]) -> bool | None:
    """The difference of two runs; b has half of what a has on some topics, and the same on the others."""
    better = random.beta(*shape, topics)
    worse = np.where(random.random(topics) < 0.5, better / 2, better)
    found = effects(Pairs(np.stack([better, worse]), np.array([0]), np.array([1])))
    return holds(found.low[0], found.high[0], shape[0] / sum(shape) / 4)


ROWS = [
    Design(command, f"{name}, {topics} topics", partial(draw, topics=topics, shape=shape))
    for command, draw in (("report", mean), ("compare", difference))
    for name, shape in (("ordinary", ORDINARY), ("skewed", SKEWED))
    for topics in (50,)
]
