"""Intervals over topics: of a run's mean, and of the difference of two."""

from collections.abc import Callable
from functools import cache, partial

import numpy as np
from scipy.special import expit

from benchmarks.designs.design import Design, Random, holds
from cranfield.arrays.rankings import Floats
from cranfield.metrics.notation import parse
from cranfield.metrics.significance.compare import max_score_difference
from cranfield.metrics.significance.pairs import Pairs, effects, mean_intervals

HARD, USUAL, EASY = -2.5, -0.8, 2.0  # how well a run does on the topic in the middle, on the logit


def average_precision(ease: Floats, random: Random) -> Floats:
    """A score for each topic, as of AP."""
    return np.asarray(expit(ease + random.normal(0, 0.5, len(ease))))


def precision(ease: Floats, random: Random) -> Floats:
    """As of P@10."""
    return random.binomial(10, expit(ease)) / 10


def reciprocal_rank(ease: Floats, random: Random) -> Floats:
    """As of RR."""
    rank = random.geometric(np.maximum(expit(ease), 1e-3))
    return np.where(rank <= 1000, 1 / rank, 0.0)


def gain(ease: Floats, random: Random) -> Floats:
    """As of DCG, which has no highest value."""
    return random.gamma(4 * expit(ease) + 0.2, 2.0)


Scores = Callable[[Floats, Random], Floats]
SCORES: dict[str, Scores] = {"AP": average_precision, "P@10": precision, "RR": reciprocal_rank, "DCG@10": gain}
MIDDLES = {"hard topics": HARD, "topics": USUAL, "easy topics": EASY}


@cache
def truth(measure: str, middle: float, better: float = 0.0) -> float:
    """The mean over all topics."""
    random = np.random.default_rng(0)
    ease = random.normal(middle, 1.5, 2_000_000)
    return float(SCORES[measure](ease + better, random).mean())


def mean(random: Random, measure: str, middle: float, topics: int) -> bool | None:
    """The mean score of a run, topics drawn from a population."""
    scores = SCORES[measure](random.normal(middle, 1.5, topics), random)
    low, high = mean_intervals(scores[None], parse(measure).range)
    return holds(low[0], high[0], truth(measure, middle))


def difference(random: Random, measure: str, middle: float, topics: int, differ: float) -> bool | None:
    """The difference of two runs, one a little better on those topics on which they differ at all."""
    ease, other = random.normal(middle, 1.5, topics), random.random(topics) < differ
    worse = SCORES[measure](ease, random)
    better = np.where(other, SCORES[measure](ease + 0.3, random), worse)
    intervals = effects(
        Pairs(np.stack([better, worse]), np.array([0]), np.array([1])), most=max_score_difference(measure)
    )
    return holds(intervals.low[0], intervals.high[0], differ * (truth(measure, middle, 0.3) - truth(measure, middle)))


ROWS = [
    Design("report", f"mean {measure}, {topics} {kind}", partial(mean, measure=measure, middle=middle, topics=topics))
    for measure in SCORES
    for kind, middle in MIDDLES.items()
    for topics in (2, 10, 50)
] + [
    Design(
        "compare",
        f"{measure}, {topics} {kind}" + f", alike on {1 - differ:.0%}" * (differ < 1),
        partial(difference, measure=measure, middle=middle, topics=topics, differ=differ),
    )
    for measure in SCORES
    for kind, middle in MIDDLES.items()
    for topics, differ in ((8, 1.0), (10, 1.0), (25, 0.5), (50, 1.0), (50, 0.1))
]
