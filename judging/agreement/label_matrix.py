"""The labels of several assessors side by side, as an array; from several qrels files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask, Qrels
from cranfield.judging.agreement import without_outside

Pair = tuple[str, str]  # qid, docno


@dataclass(frozen=True, eq=False)
class LabelMatrix:
    """Assessors, units (pairs of topic and document), and `grades` (units, assessors), NaN where there is no label.

    `outside` counts the labels left out because they are not on the scale: by assessor, how many of each grade.
    """

    assessors: tuple[str, ...]
    units: Sequence[Pair]  # sorted
    grades: Floats
    scale: tuple[int, ...]
    min_relevant: int = 1
    outside: Mapping[str, Mapping[float, int]] | None = None

    @property
    def topics(self) -> list[str]:
        """The topics that have a unit."""
        return list(dict.fromkeys(qid for qid, _ in self.units))

    @cached_property
    def topic(self) -> Ints:
        """The number of the topic of each unit."""
        number = {qid: place for place, qid in enumerate(self.topics)}
        return np.array([number[qid] for qid, _ in self.units], np.int64)

    @cached_property
    def labels(self) -> Ints:
        """Per unit: how many labels it has."""
        return np.asarray(np.sum(~np.isnan(self.grades), axis=1), np.int64)

    @property
    def both(self) -> Mask:
        """Per unit: whether it has two labels or more."""
        return self.labels >= 2

    def of(self, rows: Mask) -> LabelMatrix:
        """Only these units."""
        kept: list[int] = np.flatnonzero(rows).tolist()
        return replace(self, units=[self.units[row] for row in kept], grades=self.grades[rows])

    def between(self, names: Sequence[str]) -> LabelMatrix:
        """Only these assessors, and the units that any of them labelled."""
        columns = [self.assessors.index(name) for name in names]
        fewer = replace(self, assessors=tuple(names), grades=self.grades[:, columns])
        return fewer.of(fewer.labels > 0)

    def binary(self) -> LabelMatrix:
        """Relevant or not, instead of grades."""
        grades = np.where(np.isnan(self.grades), np.nan, self.grades >= self.min_relevant)
        return replace(self, grades=grades, scale=(0, 1), min_relevant=1)


def matrix_of_qrels(
    several: Mapping[str, Qrels], scale: Sequence[int] | None = None, min_relevant: int = 1
) -> LabelMatrix:
    """The labels of several qrels; labels not on the scale are left out.

    Without `scale`, the scale is the grades that occur.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> matrix = matrix_of_qrels({"a": as_qrels({"q": {"d": 1}}), "b": as_qrels({"q": {"d": 5, "e": 0}})}, scale=[0, 1])
    >>> matrix.grades.tolist(), matrix.outside
    ([[1.0, nan], [nan, 0.0]], {'b': {5.0: 1}})
    """
    columns = {name: _by_pair(qrels) for name, qrels in several.items()}
    units = sorted({pair for column in columns.values() for pair in column})
    grades = np.array([[column.get(pair, np.nan) for column in columns.values()] for pair in units], float)
    grades = grades.reshape(len(units), len(columns))
    steps = tuple(sorted(scale)) if scale else tuple(int(grade) for grade in np.unique(grades[~np.isnan(grades)]))
    outside = {}
    for column, name in enumerate(columns):
        grades[:, column], left_out = without_outside(grades[:, column], steps)
        if left_out:
            outside[name] = left_out
    return LabelMatrix(tuple(columns), units, grades, steps, min_relevant, outside)


def _by_pair(qrels: Qrels) -> dict[Pair, int]:
    pairs = zip(
        qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist(), strict=True
    )  # fmt: skip
    return dict(zip(pairs, qrels.grade.tolist(), strict=True))
