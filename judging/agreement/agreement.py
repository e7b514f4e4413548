"""Coefficients over a label matrix: for all assessors, for each pair of them, by topic; with an interval."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.judging.agreement import AGREEMENTS, Agreement, Interval, interval, labels_of
from cranfield.judging.agreement.label_matrix import LabelMatrix

CAUTION = (
    "Overlap is not kappa: it considers only documents that someone labelled relevant, so it falls as relevant"
    " documents become rare, while raw agreement rises. Read both with the prevalence and a chance-corrected measure."
)


class Coefficient(NamedTuple):
    """The value of a coefficient, with its interval; `assessors` and `topic` are empty for all."""

    assessors: tuple[str, ...]
    topic: str
    units: int  # with two labels or more
    coefficient: str
    interval: Interval

    def document(self) -> dict[str, Any]:
        """The same as JSON."""
        document = {"assessors": list(self.assessors), "topic": self.topic or None, "units": self.units}
        numbers = {"value": self.interval.value, "low": self.interval.low, "high": self.interval.high}
        drawn = {"undefined_resamples": self.interval.undefined, "no_interval": self.interval.why or None}
        return {**document, "coefficient": self.coefficient, **numbers, **drawn}


def chosen(names: Sequence[str] | None, assessors: int) -> list[Agreement]:
    """The coefficients of these names, or all that are defined for this number of assessors.

    >>> [coefficient.name for coefficient in chosen(["overlap"], 3)]
    ['overlap']
    >>> chosen(["kapa"], 2)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    cranfield.errors.InputError: there is no coefficient 'kapa'; there are raw agreement, overlap, ...
    """
    for name in names or ():
        if name not in AGREEMENTS:
            raise InputError(f"there is no coefficient {name!r}; there are {', '.join(AGREEMENTS)}")
        if AGREEMENTS[name].for_two and assessors != 2:
            raise InputError(f"{name} is defined for two assessors, not {assessors}; ask for it by pair")
    wanted = [AGREEMENTS[name] for name in names or AGREEMENTS]
    return [coefficient for coefficient in wanted if assessors == 2 or not coefficient.for_two]


def overall(
    matrix: LabelMatrix, names: Sequence[str] | None = None, resamples: int = 1000, seed: int = 0
) -> list[Coefficient]:
    """Every coefficient over all assessors together."""
    return _found(matrix, chosen(names, len(matrix.assessors)), resamples, seed)


def by_pair(
    matrix: LabelMatrix, names: Sequence[str] | None = None, resamples: int = 1000, seed: int = 0
) -> list[Coefficient]:
    """Every coefficient for each pair of assessors with a document in common."""
    pairs = (matrix.between(two) for two in combinations(matrix.assessors, 2))
    return [found for two in pairs if two.both.any() for found in _found(two, chosen(names, 2), resamples, seed)]


def by_topic(matrix: LabelMatrix, names: Sequence[str] | None = None) -> list[Coefficient]:
    """Every coefficient over all assessors on each topic with a shared document; a single topic has no interval."""
    coefficients = chosen(names, len(matrix.assessors))
    parts = {qid: matrix.of(matrix.topic == number) for number, qid in enumerate(matrix.topics)}
    return [
        found._replace(topic=qid)
        for qid, part in parts.items()
        if part.both.any()
        for found in _found(part, coefficients, 0, 0)
    ]


def _found(matrix: LabelMatrix, coefficients: Sequence[Agreement], resamples: int, seed: int) -> list[Coefficient]:
    labels, documents = labels_of(matrix.grades, matrix.scale, matrix.min_relevant), int(matrix.both.sum())
    intervals = ((it.name, interval(it, labels, matrix.topic, resamples, seed)) for it in coefficients)
    return [Coefficient(matrix.assessors, "", documents, name, found) for name, found in intervals]


def constant(matrix: LabelMatrix) -> list[str]:
    """The assessors who gave every document the same grade: no coefficient can tell them from chance."""
    columns = zip(matrix.assessors, matrix.of(matrix.both).grades.T, strict=True)
    return [name for name, column in columns if len(np.unique(column[~np.isnan(column)])) == 1]
