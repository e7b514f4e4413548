"""The probability that a run is better than another, if its unjudged documents are relevant as often as other runs'
unique ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints, is_judged
from cranfield.metrics.diagnosis.difference import TopicDifference
from cranfield.metrics.diagnosis.possible_grades import worths
from cranfield.metrics.measure import Measure

DRAWS = 10_000  # so that a probability is right to .01
SEED = 0
EQUAL = 1e-12


@dataclass(frozen=True, eq=False)
class GradePrior:
    """Units x topics x grades from 0: the probability of each grade of an unjudged document; topics in qrels order."""

    chances: Floats
    of: Literal["unique", "judged"]  # the documents that it was estimated from


@dataclass(frozen=True)
class Probabilities:
    """The probabilities that a run is ahead, behind or level, and the expected difference."""

    of: Literal["unique", "judged"]
    rate: float  # the share of unjudged documents taken to be relevant; NaN where there are none
    draws: int
    better: float
    worse: float
    equal: float
    expected: float


def grade_prior(judged: Judged, unit: Ints | None = None) -> GradePrior:
    """The probabilities; `unit` has for each judgment the unit that alone contributed it, -1 if there is none.

    >>> from cranfield.metrics.examples import example
    >>> grade_prior(example([1, 0, 0])).chances
    array([[[0.66666667, 0.33333333]]])
    >>> grade_prior(example([1, 1, 0]), np.array([-1, 0, 1])).chances.round(2).tolist()
    [[[0.25, 0.75]], [[0.75, 0.25]]]
    """
    known = is_judged(judged.qrels_grade)
    alone = known if unit is None else known & (unit >= 0)
    if unit is None or not alone.any():
        alone, unit = known, np.full_like(judged.qrels_grade, -1)
    grade, units, topics = np.maximum(judged.qrels_grade[alone], 0), unit[alone], judged.qrels_topic[alone]
    size = judged.highest_grade + 1
    of_unit = _shares(np.unique(units, return_inverse=True)[1], grade, (len(np.unique(units)), size))
    of_topic, of_all = _shares(topics, grade, (len(judged.qids), size)), _shares(0 * topics, grade, (1, size))
    chances = ratio(of_unit[:, None] * of_topic, of_all)
    return GradePrior(chances / chances.sum(axis=2, keepdims=True), "unique" if (units >= 0).all() else "judged")


def _shares(group: Ints, grade: Ints, shape: tuple[int, int]) -> Floats:
    """Groups x grades: the share of each grade, smoothed with one average document in each group."""
    found = np.zeros(shape)
    np.add.at(found, (group, grade), 1.0)
    overall = ratio(found.sum(axis=0), found.sum(), undefined=1 / shape[1])
    return np.asarray((found + overall) / (found.sum(axis=1, keepdims=True) + 1))


def probabilities(differences: Sequence[TopicDifference], measure: Measure, given: GradePrior) -> Probabilities:
    """The probability that the first run's mean is ahead, over drawn labels of the open documents.

    Labels are drawn for the unjudged documents. What a new run alone finds is like what a pooled unit alone
    contributed, and those documents are judged: how often they are relevant differs by topic and, widely, by unit. So
    each draw first takes a unit, and then gives each document a grade by the probabilities of its topic, scaled by how
    much better or worse that unit's unique documents are (each share smoothed with one average document). The share of
    draws in which the run is ahead is the probability that it is ahead once all is judged. Without units the
    probabilities are those of the topic's judged documents, which are too high, since many runs found most of them. It
    misleads where the run is of another kind than the pooled ones, and below the pool's depth, where fewer are
    relevant. It says nothing about other topics: that is `cranfield compare`.

    TREC-COVID, round 1, each team left out, against eight others, where judging could still decide: by P@5 (249 pairs)
    the mean square error of the probability is .08, of who is ahead as judged .19, and .10 if all units are taken to be
    alike. Of the 16 with a probability of .9 or more 94 % were ahead; of the 27 such, if all units are alike, 78 %.

    Source: the probability under labels: Carterette, Allan and Sitaraman, Minimal test collections for retrieval
    evaluation, SIGIR 2006, where all probabilities are 1/2 and the approximation is normal; units, and drawing, are
    this project's.

    >>> from cranfield.metrics.diagnosis.difference_sum import SumDifference
    >>> from cranfield.metrics.notation.parse import parse
    >>> difference = SumDifference(0.0, np.array([0.1]), np.array([True]))
    >>> found = probabilities([difference], parse("P@10"), GradePrior(np.array([[[0.7, 0.3]]]), "judged"))
    >>> round(found.better, 1), found.worse, round(found.equal, 1), round(found.expected, 2)
    (0.3, 0.0, 0.7, 0.03)
    """
    worth = worths(measure, np.arange(given.chances.shape[2]))
    opens = np.array([difference.open.sum() for difference in differences])
    draw, total = np.random.default_rng(SEED), np.zeros(DRAWS)
    for topic, difference in enumerate(differences):
        grades = _drawn(given.chances[:, topic], int(opens[topic]), draw)
        total += difference.under(ratio(worth, worth.max())[grades])
    mean = total / len(differences)
    better, worse = (float(np.mean(sign * mean > EQUAL)) for sign in (1, -1))
    share = given.chances.mean(axis=0) @ (worth > 0)
    rate = float(share @ opens / opens.sum()) if opens.any() else np.nan
    return Probabilities(given.of, rate, DRAWS, better, worse, 1 - better - worse, float(mean.mean()))


def _drawn(chances: Floats, documents: int, draw: np.random.Generator) -> Ints:
    """Draws x documents: grades by probabilities (units x grades); the units take turns."""
    limits = np.cumsum(chances, axis=1)[np.arange(DRAWS) % len(chances), :-1]
    return np.asarray(np.sum(draw.random((DRAWS, documents, 1)) > limits[:, None], axis=2))
