"""Grades that documents nobody judged may have: drawn from a model of those that somebody judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.pooling.candidates import Candidates

RRF = 60  # its usual constant
WIDTH = 3  # features, of which the first is 1
INTERCEPT, COEFFICIENT, LEVEL = 10.0, 2.5, 1.0  # deviations before anything is known; features have deviation 1
OFF = 0.5  # deviation of what nobody judged from what the ranks say of it, in log odds: of all, and again of each topic


class GradeStep(NamedTuple):
    """Whether documents have more than some grade: the most probable coefficients and levels, and their precision."""

    mode: Floats
    precision: Floats

    def drawn(self, random: np.random.Generator) -> Floats:
        """Coefficients and levels that may be, of what nobody judged."""
        root = np.linalg.cholesky(self.precision)
        found = self.mode + np.linalg.solve(root.T, random.normal(size=len(self.mode)))
        off = OFF * random.normal(size=len(found))
        off[1:WIDTH] = 0
        return found * sqrt(1 + np.pi * 2 * OFF**2 / 8) + off


@dataclass(frozen=True, eq=False)
class GradeModel:
    """A model of documents of several topics; `grades` are those that occur, ascending, with a step between two.

    The log odds that a document has more than some grade, if it has at least that, are linear in the logarithms of its
    reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009) and of its best rank, with a level of its own for
    each topic. A draw first draws the coefficients, from the normal approximation of what the judgments say of them,
    and how far off the unjudged documents are, in all and in each topic, then the grades. So draws differ by what the
    model does not know, too. As such deviations on both sides would raise small chances on average, log odds are scaled
    to make up for it.

    Sources: continuation ratios: Fienberg, The Analysis of Cross-Classified Categorical Data, 1980; drawing
    coefficients before values: Rubin, Multiple Imputation for Nonresponse in Surveys, 1987, and for what may differ
    from what is known, chapter 6 there.
    """

    features: Floats
    topic: Ints
    grades: Ints
    steps: Sequence[GradeStep]

    def draw(self, random: np.random.Generator) -> Ints:
        """A grade for each document."""
        place, going_on = np.zeros(len(self.topic), np.int64), np.ones(len(self.topic), bool)
        for step in self.steps:
            going_on &= random.random(len(place)) < _chance(step.drawn(random), self.features, self.topic)
            place += going_on
        return self.grades[place]


def grade_model(topics: Sequence[Candidates], grade: Ints, known: Mask) -> GradeModel:
    """The model of all candidates of some topics, one topic after the other, from the grades that are `known`.

    Those are drawn like the others, so that draws can be held against them.

    >>> from cranfield.pooling.examples import example
    >>> topic = example("a b c d e f", "b a d c f e")
    >>> known = np.array([True, True, True, True, False, False])
    >>> model = grade_model([topic], np.array([1, 1, 0, 0, 0, 0]), known)
    >>> drawn = [model.draw(np.random.default_rng(seed)) for seed in range(1000)]
    >>> np.mean(drawn, axis=0).round(1)
    array([0.8, 0.8, 0.2, 0.2, 0.1, 0.1])
    """
    features, topic = _features(topics), np.repeat(np.arange(len(topics)), [len(one) for one in topics])
    grades, steps = np.unique(grade[known]), list[GradeStep]()
    for lower, upper in pairwise(grades.tolist()):
        asked = known & (grade >= lower)
        steps.append(_fitted(features[asked], topic[asked], grade[asked] >= upper, len(topics)))
    return GradeModel(features, topic, grades, steps)


def _features(topics: Sequence[Candidates]) -> Floats:
    """Of each document: 1, and the logarithms of its reciprocal rank fusion and of its best rank, standardised."""
    fused = np.concatenate([one.total(1 / (RRF + one.ranks)) for one in topics])
    found = np.log(np.column_stack([fused, np.concatenate([one.best for one in topics])]))
    return np.column_stack([np.ones(len(found)), (found - found.mean(axis=0)) / np.maximum(found.std(axis=0), 1e-9)])


def _fitted(features: Floats, topic: Ints, passed: Mask, topics: int) -> GradeStep:
    """What is known after some documents passed a step and others did not, by Newton's method."""
    prior = np.repeat([INTERCEPT**-2, COEFFICIENT**-2, LEVEL**-2], [1, WIDTH - 1, topics])
    found, move = np.zeros(WIDTH + topics), np.ones(1)
    while np.max(np.abs(move)) > 1e-6:
        chance = _chance(found, features, topic)
        weight, error = chance * (1 - chance), passed - chance
        precision = np.diag(prior + np.append(np.zeros(WIDTH), np.bincount(topic, weight, topics)))
        precision[:WIDTH, :WIDTH] += (features.T * weight) @ features
        precision[:WIDTH, WIDTH:] = [np.bincount(topic, weight * column, topics) for column in features.T]
        precision[WIDTH:, :WIDTH] = precision[:WIDTH, WIDTH:].T
        slope = np.append(features.T @ error, np.bincount(topic, error, topics)) - prior * found
        move = np.asarray(np.linalg.solve(precision, slope), float)
        found = found + move
    return GradeStep(found, precision)


def _chance(coefficients: Floats, features: Floats, topic: Ints) -> Floats:
    """The chance of each document to pass a step."""
    log_odds = features @ coefficients[:WIDTH] + coefficients[WIDTH:][topic]
    return np.asarray(1 / (1 + np.exp(-log_odds)))
