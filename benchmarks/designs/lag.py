"""The intervals of `cranfield lag`: two rounds with other topics and documents, a system and a pivot."""

from functools import cache, partial

import numpy as np

from benchmarks.designs.design import Design, Random, holds
from cranfield.analysis.lag import STATISTICS, compare_rounds
from cranfield.arrays.rankings import Floats

LEVELS = (0.46, 0.56, 0.30, 0.50)  # the system in two rounds, then the pivot: as in TREC-COVID
POPULATION = 400_000


def scores(random: Random, topics: int) -> Floats:
    """Scores by topic, an array (4, topics): topics are hard or easy for all, and each score has a part of its own."""
    common, own = random.normal(size=topics), random.normal(size=(4, topics))
    level = np.log(np.array(LEVELS) / (1 - np.array(LEVELS)))[:, None]
    return np.asarray(1 / (1 + np.exp(-(level + common + 0.7 * own))))


@cache
def truth(statistic: str) -> float:
    """What it is over all topics there are."""
    means = scores(np.random.default_rng(0), POPULATION).mean(axis=1)
    return float(STATISTICS[statistic](*means))


def draw(statistic: str, topics: int, random: Random) -> bool | None:
    """Whether the interval of a statistic holds it."""
    statistics = compare_rounds(list(scores(random, topics)))
    return holds(statistics[f"{statistic}_low"], statistics[f"{statistic}_high"], truth(statistic))


ROWS = [
    Design("lag", f"{statistic}, {topics} topics", partial(draw, statistic, topics), draws=300)
    for statistic in STATISTICS
    for topics in (30, 50)
]
