"""Where a run is unjudged, and which grades could be there."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, as_grades, lists_nonrelevant
from cranfield.metrics.measure import Measure
from cranfield.metrics.options import gain_of


class UnjudgedRanks(NamedTuple):
    """The unjudged positions of rankings."""

    ranking: Ints
    rank: Ints


Depth = int | UnjudgedRanks | None
"""How far down unjudged documents count: to a depth, at these positions only, or everywhere."""


def unjudged_ranks(judged: Judged, depth: Depth = None) -> UnjudgedRanks:
    """The unjudged positions to a depth, by ranking, then rank; a grade of -1 counts as unjudged.

    >>> from cranfield.metrics.examples import example
    >>> unjudged_ranks(example([1, None, -1, None]), depth=3).rank
    array([2, 3])
    """
    if isinstance(depth, UnjudgedRanks):
        return depth
    lengths = judged.retrieved if depth is None else np.minimum(judged.retrieved, depth)
    start = np.cumsum(lengths) - lengths
    ranking = np.repeat(np.arange(len(lengths)), lengths)
    rank = np.arange(len(ranking)) - start[ranking] + 1
    rows = judged.judged(depth)
    unknown = np.ones(len(rank), bool)
    unknown[start[rows.ranking] + rows.rank - 1] = False
    return UnjudgedRanks(ranking[unknown], rank[unknown])


def assign_grades(judged: Judged, where: UnjudgedRanks, grade: Sequence[int] | Ints) -> Judged:
    """One run as if its documents at these unjudged positions had these grades.

    >>> from cranfield.metrics.examples import example
    >>> run = example([None, 1, None], unretrieved=[2])
    >>> then = assign_grades(run, unjudged_ranks(run), [3, 0])
    >>> then.rank, then.grade, then.num_relevant(), then.highest_grade
    (array([1, 2, 3]), array([3, 1, 0]), array([3]), 3)
    """
    before, new = judged.drop_unjudged(), as_grades(grade)
    topic = np.concatenate([before.qrels_topic, where.ranking])
    by_topic = np.argsort(topic, kind="stable")
    place = np.empty_like(by_topic)
    place[by_topic] = np.arange(len(topic))
    ranking = np.concatenate([before.ranking, where.ranking])
    rank = np.concatenate([before.rank, where.rank])
    rows = np.argsort(ranking * (rank.max(initial=0) + 1) + rank, kind="stable")
    judgment = np.concatenate([before.judgment, len(before.qrels_topic) + np.arange(len(new))])
    return replace(
        before,
        ranking=ranking[rows], rank=rank[rows], grade=np.concatenate([before.grade, new])[rows],
        judgment=place[judgment][rows], qrels_topic=topic[by_topic],
        qrels_grade=np.concatenate([before.qrels_grade, new])[by_topic],
        qrels_row=np.concatenate([before.qrels_row, np.full(len(new), -1)])[by_topic],
        highest_grade=max(before.highest_grade, new.max(initial=0).item()), qrels_stratum=None, subtopics=None,
        has_nonrelevant=before.has_nonrelevant or lists_nonrelevant(new),
    )  # fmt: skip


def grade_gains(measure: Measure, grades: Ints) -> Floats:
    """What each grade is worth: its gain, or 1 from rel on, or itself where the measure has neither option.

    >>> from cranfield.metrics.notation import parse
    >>> for name in ("P(rel=2)", "DCG(gains=exp)", "RBP", "ERR"):
    ...     print(grade_gains(parse(name), np.arange(4)))
    [0. 0. 1. 1.]
    [0. 1. 3. 7.]
    [0. 1. 1. 1.]
    [0. 1. 2. 3.]
    """
    gains, rel = measure.options.get("gains"), measure.options.get("rel")
    if gains is not None and not (gains == "binary" and isinstance(rel, int | float)):
        return gain_of(grades, str(gains))
    return np.asarray(grades >= rel if isinstance(rel, int | float) else grades, float)


def grades_of_distinct_gain(judged: Judged, measure: Measure) -> Ints:
    """One grade for each worth, the least first; up to the highest of the collection, or the measure's own if higher.

    >>> from cranfield.metrics.examples import example
    >>> from cranfield.metrics.notation import parse
    >>> run = example([1, 3, None])
    >>> for name in ("P(rel=2)", "DCG(gains='1=5,2=1')", "ERR(max_grade=4)"):
    ...     print(grades_of_distinct_gain(run, parse(name)))
    [0 2]
    [0 2 3 1]
    [0 1 2 3 4]
    """
    options = [measure.options.get(name) for name in ("rel", "max_grade")]
    grades = possible_grades(judged, *(grade for grade in options if isinstance(grade, int | float)))
    return grades[np.unique(grade_gains(measure, grades), return_index=True)[1]]


def possible_grades(judged: Judged, *others: float) -> Ints:
    """Return the grades that an unjudged document may get, ascending from 0.

    These are the whole grades to the highest of the judgments and of `others`; where any is a fraction, the grades that
    occur, and 1.

    >>> from cranfield.metrics.examples import example
    >>> possible_grades(example([2])), possible_grades(example([2]), 0.5)
    (array([0, 1, 2]), array([0. , 0.5, 1. , 2. ]))
    """
    if judged.qrels_grade.dtype.kind != "f" and all(isinstance(grade, int) for grade in others):
        return np.arange(int(max(judged.highest_grade, 1, *others)) + 1)
    occurring = judged.qrels_grade[judged.qrels_grade >= 0]
    return np.unique(np.append(occurring, [0.0, 1.0, judged.highest_grade, *others]))
