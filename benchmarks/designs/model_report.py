"""Intervals of `model audit report`: how a model's labels differ from people's, and whom they favour."""

from functools import cache, partial
from typing import NamedTuple

import numpy as np

from benchmarks.designs.design import Design, Random, holds
from cranfield.arrays.rankings import Floats, Ints
from cranfield.features.models.analysis.audit import COEFFICIENTS
from cranfield.features.models.usability import difference, group_by_grade, rating_bias, run_bias
from cranfield.judging.agreement import AGREEMENTS, grades_as_labels, interval
from cranfield.judging.agreement.base import Labels

QUADRATIC = AGREEMENTS["Cohen kappa quadratic"]
GROUPS = {"all": -1, "grade 0": 0, "grade 2": 2, "grade 3": 3}


class Kind(NamedTuple):
    """What is labelled: how common each grade is, about how many there are of a topic, and how far a model errs."""

    shares: tuple[float, ...]
    fewest: int
    others: int
    by_topic: float
    noise: float

    @property
    def grades(self) -> list[int]:
        return list(range(len(self.shares)))


DOCUMENTS = Kind((0.5, 0.25, 0.15, 0.1), 5, 15, 0.4, 0.8)
ITEMS = Kind((0.5, 0.2, 0.3), 2, 8, 0.3, 0.6)  # nuggets, citations or claims


class GradedSample(NamedTuple):
    """Grades by a model and by people, and the topic of each document or item."""

    model: Floats
    human: Floats
    topic: Ints


def graded(random: Random, kind: Kind, topics: int, generous: float) -> GradedSample:
    """On some topics the model is more generous, by so much on average."""
    topic = np.repeat(np.arange(topics), kind.fewest + random.poisson(kind.others, topics))
    human = random.choice(len(kind.shares), len(topic), p=kind.shares).astype(float)
    off = random.normal(generous, kind.by_topic, topics)[topic] + random.normal(0, kind.noise, len(topic))
    return GradedSample(np.clip(np.round(human + off), kind.grades[0], kind.grades[-1]), human, topic)


@cache
def truth(kind: Kind, generous: float, grade: int) -> float:
    """Of all topics there could be."""
    of = graded(np.random.default_rng(1), kind, 50_000, generous)
    of_grade = of.human == grade if grade >= 0 else np.ones(len(of.human), bool)
    return float((of.model - of.human)[of_grade].mean())


def over(random: Random, kind: Kind, topics: int, generous: float, group: str) -> bool | None:
    """All documents, or those of a grade."""
    of, ends = graded(random, kind, topics, generous), (kind.grades[0], kind.grades[-1])
    (rating,) = [one for one in rating_bias(of.model, of.human, of.topic, group_by_grade(of.human), ends)
                if (f"{one.by} {one.group}" if one.by else "all") == group]  # fmt: skip
    return holds(rating.low, rating.high, truth(kind, generous, GROUPS[group]))


@cache
def true_agreement(coefficient: str) -> float:
    """Of all topics there could be, as `model audit report --of nuggets` says it."""
    of = graded(np.random.default_rng(1), ITEMS, 50_000, 0.0)
    it, labels = AGREEMENTS[coefficient], grades_as_labels(np.column_stack([of.human, of.model]), ITEMS.grades)
    return float(it.value(it.tally(labels).sum(axis=0), labels.scale))


def agreement(random: Random, coefficient: str, topics: int) -> bool | None:
    """Of a model with people."""
    of = graded(random, ITEMS, topics, 0.0)
    labels = grades_as_labels(np.column_stack([of.human, of.model]), ITEMS.grades)
    ends = interval(AGREEMENTS[coefficient], labels, of.topic)
    return holds(ends.low, ends.high, true_agreement(coefficient))


@cache
def true_difference() -> float:
    """Of a model with a person, less that of her with another one, on all topics there could be."""
    of = three_of(np.random.default_rng(1), 50_000)
    model, people = (float(QUADRATIC.value(QUADRATIC.tally(one).sum(axis=0), one.scale)) for one in of.labels)
    return model - people


class ThreeLabels(NamedTuple):
    """Labels of a model and a person, and of her and another one, of the same items of topics."""

    labels: tuple[Labels, Labels]
    topic: Ints


def three_of(random: Random, topics: int) -> ThreeLabels:
    """The other person errs as the model does, but less."""
    of = graded(random, ITEMS, topics, 0.0)
    other = np.clip(np.round(of.human + random.normal(0, 0.4, len(of.human))), ITEMS.grades[0], ITEMS.grades[-1])
    model, people = (
        grades_as_labels(np.column_stack([of.human, labels]), ITEMS.grades) for labels in (of.model, other)
    )
    return ThreeLabels((model, people), of.topic)


def kappas(random: Random, topics: int) -> bool | None:
    """How much better a model agrees with a person than another person does."""
    of = three_of(random, topics)
    ends = difference(*(interval(QUADRATIC, labels, of.topic) for labels in of.labels))
    return holds(ends.low, ends.high, true_difference())


def bias(random: Random, topics: int, alike: float) -> bool | None:
    """The own bias of the first of ten runs; on some topics model and people give all runs the same scores."""
    human = random.beta(2, 3, (10, topics))
    own = random.beta(2, 3, topics) * 0.3
    model = np.clip(human + random.normal(0.05, 0.1, (10, topics)), 0, 1)
    model[0] = human[0] + own
    same = random.random(topics) < alike
    model[:, same] = human[:, same]
    (first, *_) = run_bias(model, human)
    return holds(first.low, first.high, average(alike))


@cache
def average(alike: float) -> float:
    """The own bias over all topics."""
    random = np.random.default_rng(1)
    human = random.beta(2, 3, 1_000_000)
    others = float((np.clip(human + random.normal(0.05, 0.1, 1_000_000), 0, 1) - human).mean())
    return (1 - alike) * 0.9 * (0.12 - others)


def over_row(command: str, kind: Kind, group: str, topics: int, generous: float) -> Design:
    """A row of how far labels are too high."""
    design = f"over-rating of {group}, {topics} topics, {generous:g} too high"
    return Design(command, design, partial(over, kind=kind, topics=topics, generous=generous, group=group))


ROWS = [
    *(over_row("model audit report", DOCUMENTS, group, topics, generous)
      for group in ("all", "grade 0", "grade 3") for topics in (10, 25, 50) for generous in (0.0, 0.5)),
    *(Design("model audit report", f"kappa less that of people, {topics} topics", partial(kappas, topics=topics))
      for topics in (10, 25)),
    *(Design("model audit report", f"own bias of a run, {topics} topics, none on {alike:.0%}",
             partial(bias, topics=topics, alike=alike), draws=300) for topics in (10, 25, 50) for alike in (0.0, 0.4)),
    *(over_row("model audit report --of nuggets", ITEMS, group, topics, generous)
      for group in ("all", "grade 0", "grade 2") for topics, generous in ((10, 0.0), (10, 0.5), (25, 0.0))),
    *(Design("model audit report --of nuggets", f"{coefficient}, 10 topics",
             partial(agreement, coefficient=coefficient, topics=10))
      for coefficient in COEFFICIENTS),
]  # fmt: skip
