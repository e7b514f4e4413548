"""The least and the greatest nDCG that any labels of a run's unjudged documents can give, exactly."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.diagnosis.unjudged_ranks import unjudged_ranks
from cranfield.metrics.gains import gain_of
from cranfield.metrics.measures.dcg import discounted_gain, logarithm
from cranfield.metrics.measures.idcg import ideal_discounted_gain

CLOSE = 1e-12


def ndcg_bounds(
    judged: Judged, gains: str = "linear", cutoff: int | None = None, base: float = 2, discount: str = "burges",
    depth: int | None = None,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Per ranking the least and the greatest nDCG with the ideal ranking recomputed.

    Two questions have two answers. With the present ideal ranking, nDCG is least with all unjudged documents not
    relevant and greatest with all at the best grade, which may exceed 1. With the ideal ranking recomputed from the
    labels, as after judging, a new relevant document raises the ideal as well, so nDCG can fall. For a given number of
    documents at each grade the sum of gains is greatest with the best grades on top, and least with them at the bottom.
    Both the gain and the ideal are then sums over the steps between grades, of a function of how many documents are at
    that grade or above,

        nDCG = (DCG + sum over h of step_h W(m_h)) / (sum over h of step_h D(R_h + m_h)),   m_1 >= m_2 >= ...

    (W, D: discounts of the first m unjudged ranks, of the first n ranks; R_h: judged at grade h or above), so that the
    best counts for a guess t of the ratio are found by dynamic programming over h, and t by Dinkelbach's method. The
    middle grades matter: the greatest nDCG may need them.

    The bounds range over the labels of this run's unjudged documents to a depth; other documents stay as they are.
    Source of the ratio's method: Dinkelbach, On nonlinear fractional programming, Management Science 13(7), 1967.

    >>> from cranfield.metrics.examples import example
    >>> low, high = ndcg_bounds(example([2, None]))  # now 1; with [2, 2] 1, with [2, 1] 1
    >>> low, high
    (array([1.]), array([1.]))
    >>> ndcg_bounds(example([1, None], unretrieved=[2]))[0].round(3)  # now 1 / 2.63; as [1, 2]: 2.26 / 3.76
    array([0.38])
    """
    level = np.unique(gain_of(np.arange(max(judged.highest_grade, 1) + 1), gains))
    unknown, collected = unjudged_ranks(judged, depth), discounted_gain(judged, gains, cutoff, base, discount)
    ranks = np.arange(1, len(judged.qrels_grade) + len(unknown.rank) + 1)
    ideal = np.append(0.0, np.cumsum(_worth(ranks, cutoff, base, discount)))
    own = gain_of(judged.qrels_grade, gains)
    bounds = np.zeros((len(judged.retrieved), 2))
    for i, topic in enumerate(judged.topic):
        of_rank = _worth(unknown.rank[unknown.ranking == i], cutoff, base, discount)
        held = [int(np.sum(own[judged.qrels_topic == topic] >= gain)) for gain in level[1:]]
        ideals = [ideal[at_least : at_least + len(of_rank) + 1] for at_least in held]
        bounds[i] = [
            _extreme(collected[i], np.diff(level), order, ideals, sign)
            for order, sign in ((of_rank[::-1], -1), (of_rank, 1))
        ]
    return bounds[:, 0], bounds[:, 1]


def _worth(rank: Ints, cutoff: int | None, base: float, discount: str) -> Floats:
    """What a gain of 1 is worth at each rank: nothing below the cutoff."""
    return np.where(rank <= (np.inf if cutoff is None else cutoff), 1 / logarithm(rank, base, discount), 0.0)


def _extreme(collected: float, step: Floats, of_rank: Floats, ideals: list[Floats], sign: int) -> float:
    """The greatest ratio, or the least with sign -1; `of_rank` has the discounts in the order labels are given out."""
    gained = np.append(0.0, np.cumsum(of_rank))

    def at(counts: Ints) -> float:
        best = sum(s * d[m] for s, d, m in zip(step, ideals, counts, strict=True))
        return float(collected + step @ gained[counts]) / best if best else 0.0

    value = at(np.zeros(len(step), np.int64))
    while True:
        counts = _best([sign * s * (gained - value * d) for s, d in zip(step, ideals, strict=True)])
        better = at(counts)
        if sign * (better - value) <= CLOSE:
            return value
        value = better


def _best(worth: list[Floats]) -> Ints:
    """The counts m_1 >= m_2 >= ... with the greatest sum of worth[h][m_h].

    >>> _best([np.array([0.0, 2.0, 1.0]), np.array([0.0, 1.0, 5.0])])
    array([2, 2])
    """
    chosen: list[Ints] = []  # per level from the highest: the best count up to each limit
    carried = np.zeros_like(worth[0])
    for values in reversed(worth):
        total = values + carried
        carried = np.maximum.accumulate(total)
        rises = np.append(True, np.diff(carried) > 0)
        chosen.append(np.maximum.accumulate(np.where(rises, np.arange(len(total)), 0)))
    counts = [len(worth[0]) - 1]
    for best in reversed(chosen):
        counts.append(int(best[counts[-1]]))
    return np.array(counts[1:], np.int64)


def fixed_ideal_bounds(
    judged: Judged, gains: str = "linear", cutoff: int | None = None, base: float = 2, discount: str = "burges",
    depth: int | None = None,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Per ranking the least and the greatest nDCG with the ideal of the present judgments; above 1 at times.

    >>> from cranfield.metrics.examples import example
    >>> fixed_ideal_bounds(example([None, 1]))  # (1 + 0.63) / 1
    (array([0.63092975]), array([1.63092975]))
    """
    unknown, options = unjudged_ranks(judged, depth), (gains, cutoff, base, discount)
    most = float(gain_of(np.arange(max(judged.highest_grade, 1) + 1), gains).max())
    more = most * _worth(unknown.rank, cutoff, base, discount)
    collected, best = discounted_gain(judged, *options), ideal_discounted_gain(judged, *options)
    added = np.bincount(unknown.ranking, more, minlength=len(collected))
    return ratio(collected, best), ratio(collected + added, best)
