"""Intervals of `model audit report` and `answers`: how far a model's grades are too high, and whom they favour."""

from __future__ import annotations

from functools import cache, partial
from typing import NamedTuple

import numpy as np

from benchmarks.designs.design import Design, Random, holds
from cranfield.arrays.rankings import Floats, Ints
from cranfield.judging.models.bias import by_grade, over_rating, run_bias

SCALE = (0, 3)
GROUPS = {"all": -1, "grade 0": 0, "grade 3": 3}


class Graded(NamedTuple):
    """Grades by a model and by people, and the topic of each document."""

    model: Floats
    human: Floats
    topic: Ints


def graded(random: Random, topics: int, generous: float) -> Graded:
    """About 20 documents a topic; on some topics the model is more generous, by so much on average."""
    topic = np.repeat(np.arange(topics), 5 + random.poisson(15, topics))
    human = random.choice(4, len(topic), p=[0.5, 0.25, 0.15, 0.1]).astype(float)
    off = random.normal(generous, 0.4, topics)[topic] + random.normal(0, 0.8, len(topic))
    return Graded(np.clip(np.round(human + off), *SCALE), human, topic)


@cache
def truth(generous: float, grade: int) -> float:
    """Of all topics there could be."""
    of = graded(np.random.default_rng(1), 50_000, generous)
    kept = of.human == grade if grade >= 0 else np.ones(len(of.human), bool)
    return float((of.model - of.human)[kept].mean())


def over(random: Random, topics: int, generous: float, group: str) -> bool | None:
    """All documents, or those of a grade."""
    of = graded(random, topics, generous)
    (found,) = [one for one in over_rating(of.model, of.human, of.topic, by_grade(of.human), SCALE)
                if (f"{one.by} {one.group}" if one.by else "all") == group]  # fmt: skip
    return holds(found.low, found.high, truth(generous, GROUPS[group]))


def bias(random: Random, topics: int, alike: float) -> bool | None:
    """The own bias of the first of ten runs; on some topics model and people give all runs the same scores."""
    human = random.beta(2, 3, (10, topics))
    own = random.beta(2, 3, topics) * 0.3
    model = np.clip(human + random.normal(0.05, 0.1, (10, topics)), 0, 1)
    model[0] = human[0] + own
    same = random.random(topics) < alike
    model[:, same] = human[:, same]
    (found, *_) = run_bias(model, human)
    return holds(found.low, found.high, average(alike))


@cache
def average(alike: float) -> float:
    """The own bias over all topics."""
    random = np.random.default_rng(1)
    human = random.beta(2, 3, 1_000_000)
    others = float((np.clip(human + random.normal(0.05, 0.1, 1_000_000), 0, 1) - human).mean())
    return (1 - alike) * 0.9 * (0.12 - others)


ROWS = [
    *(Design("model audit report", f"over-rating of {group}, {topics} topics, {generous:g} too high",
             partial(over, topics=topics, generous=generous, group=group))
      for group in GROUPS for topics in (10, 25, 50) for generous in (0.0, 0.5)),
    *(Design("model audit report", f"own bias of a run, {topics} topics, none on {alike:.0%}",
             partial(bias, topics=topics, alike=alike), draws=300) for topics in (10, 25, 50) for alike in (0.0, 0.4)),
]  # fmt: skip
