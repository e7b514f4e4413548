"""Agreement over a label matrix: for all assessors, for each pair, by topic; with intervals by a topic bootstrap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays.rankings import Floats, Ints, Mask, Pair, Qrels, as_grades
from cranfield.errors import InputError
from cranfield.judging.agreement.base import (
    OVERLAP,
    PREVALENCE,
    RAW,
    Agreement,
    Labels,
    Scale,
    drop_off_scale,
    grades_as_labels,
)
from cranfield.judging.agreement.chance_corrected import AC1, AC2, COHEN, FLEISS, KRIPPENDORFF
from cranfield.metrics.significance.pairs import ends_of_means

# the coefficients, in display order
AGREEMENTS: Mapping[str, Agreement] = MappingProxyType(
    {
        agreement.name: agreement
        for agreement in (RAW, OVERLAP, PREVALENCE, *COHEN.values(), FLEISS, *KRIPPENDORFF.values(), AC1, AC2)
    }
)


@dataclass(frozen=True, eq=False)
class LabelMatrix:
    """Assessors, units (pairs of topic and document), and `grades` (units, assessors), NaN where there is no label.

    `outside` counts the labels left out because they are not on the scale: by assessor, how many of each grade.
    """

    assessors: tuple[str, ...]
    units: Sequence[Pair]  # sorted
    grades: Floats
    scale: tuple[float, ...]
    min_relevant: float = 1
    outside: Mapping[str, Mapping[float, int]] | None = None
    guesses_scale: bool = False  # whether the scale is the grades that occur
    grade_names: Mapping[float, str] | None = None  # what each grade means, if that is known

    @property
    def scale_note(self) -> str:
        """The note on a guessed scale; empty where the scale was given or has two grades."""
        if not self.guesses_scale or len(self.scale) < 3:
            return ""
        found = (
            f"no scale is given, so the scale is assumed to be the grades in the labels: "
            f"{', '.join(f'{grade:g}' for grade in self.scale)}"
        )
        return (
            f"{found}; the weighted coefficients and Gwet's coefficients depend on the scale; set all grades with"
            " --scale"
        )

    @property
    def differs(self) -> bool:
        """Whether two assessors gave a unit different grades."""
        grades = self.grades[(~np.isnan(self.grades)).sum(axis=1) > 1]
        return bool((np.nanmax(grades, axis=1, initial=-np.inf) > np.nanmin(grades, axis=1, initial=np.inf)).any())

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
    def has_two_labels(self) -> Mask:
        """Per unit: whether it has two labels or more."""
        return self.labels >= 2

    def select_rows(self, rows: Mask) -> LabelMatrix:
        """Only these units."""
        numbers: list[int] = np.flatnonzero(rows).tolist()
        return replace(self, units=[self.units[row] for row in numbers], grades=self.grades[rows])

    def select_assessors(self, names: Sequence[str]) -> LabelMatrix:
        """Only these assessors, and the units that any of them labelled."""
        columns = [self.assessors.index(name) for name in names]
        fewer = replace(self, assessors=tuple(names), grades=self.grades[:, columns])
        return fewer.select_rows(fewer.labels > 0)

    def binary(self) -> LabelMatrix:
        """Relevant or not, instead of grades."""
        grades = np.where(np.isnan(self.grades), np.nan, self.grades >= self.min_relevant)
        return replace(self, grades=grades, scale=(0, 1), min_relevant=1, guesses_scale=False)


def matrix_of_qrels(
    several: Mapping[str, Qrels], scale: Sequence[float] | None = None, min_relevant: float = 1
) -> LabelMatrix:
    """The labels of several qrels; labels not on the scale are left out.

    Without `scale`, the scale is the grades that occur, which `guesses_scale` says; -1 in files is no judgment.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> matrix = matrix_of_qrels({"a": as_qrels({"q": {"d": 1}}), "b": as_qrels({"q": {"d": 5, "e": 0}})}, scale=[0, 1])
    >>> matrix.grades.tolist(), matrix.outside
    ([[1.0, nan], [nan, 0.0]], {'b': {5.0: 1}})
    """
    columns = {name: dict(zip(qrels.pairs, qrels.grade.tolist(), strict=True)) for name, qrels in several.items()}
    units = sorted({pair for column in columns.values() for pair in column})
    grades = np.array([[column.get(pair, np.nan) for column in columns.values()] for pair in units], float)
    grades = grades.reshape(len(units), len(columns))
    judged = [qrels.grade[qrels.judged] for qrels in several.values()]
    steps = tuple(sorted(scale)) if scale else tuple(as_grades(np.unique(np.concatenate(judged))).tolist())
    outside = {}
    for column, name in enumerate(columns):
        grades[:, column], left_out = drop_off_scale(grades[:, column], steps)
        if left_out:
            outside[name] = left_out
    return LabelMatrix(
        tuple(columns),
        units,
        grades,
        scale=steps,
        min_relevant=min_relevant,
        outside=outside,
        guesses_scale=not scale,
    )


RESAMPLES = 1000
FEWEST = 10  # topics
MOST_UNDEFINED = 0.05  # of the resamples


class Interval(NamedTuple):
    """A coefficient with its interval over topics; NaN is undefined.

    Where low and high are NaN, `why` gives the reason, unless no interval was asked for. `undefined` is the share of
    the resamples on which the coefficient was undefined; they are left out.
    """

    value: float
    low: float = np.nan
    high: float = np.nan
    undefined: float = np.nan
    why: str = ""


def bootstrap(
    agreement: Agreement,
    grades: ArrayLike,
    topics: Sequence[object] | ArrayLike,
    *,
    scale: Scale = None,
    rel: float = 1,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> Interval:
    """A coefficient over labels (units, assessors) and its interval; `topics` names the topic of each unit.

    >>> from cranfield.judging.agreement import AGREEMENTS
    >>> topics = [topic for topic in range(10) for _ in range(2)]
    >>> bootstrap(AGREEMENTS["raw agreement"], [[0, 0], [1, 1], [0, 1], [1, 1]] * 5, topics)  # doctest: +ELLIPSIS
    Interval(value=0.75, low=0.502..., high=0.887..., undefined=0.0, why='')
    >>> bootstrap(AGREEMENTS["raw agreement"], [[0, 0], [0, 1]], ["q1", "q2"])
    Interval(value=0.5, low=nan, high=nan, undefined=nan, why='2 topics are too few')
    """
    return interval(
        agreement, grades_as_labels(grades, scale, rel), topics, resamples=resamples, seed=seed, level=level
    )


def interval(
    agreement: Agreement,
    labels: Labels,
    topics: Sequence[object] | ArrayLike,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = 0.95,
) -> Interval:
    """The same from Labels, which several coefficients can share."""
    counted = labels.labels > 0 if agreement.counts_single_labels and labels.paired.any() else labels.paired > 0
    names, number = np.unique(np.asarray(topics)[counted], return_inverse=True)
    tally = agreement.tally(labels)[counted]
    by_topic = np.zeros((len(names), tally.shape[1]))
    np.add.at(by_topic, number, tally)
    point = Interval(float(agreement.value(by_topic.sum(axis=0), labels.scale)))
    if not resamples:
        return point
    if np.isnan(point.value):
        return point._replace(why="the coefficient is undefined")
    if len(by_topic) < FEWEST:
        return point._replace(why="1 topic is too few" if len(by_topic) == 1 else f"{len(by_topic)} topics are too few")
    n_topics = len(by_topic)
    chances = np.full(n_topics, 1 / n_topics)
    draws = np.random.default_rng(seed).multinomial(n_topics, chances, size=resamples).astype(float)
    values = agreement.value(draws @ by_topic, labels.scale)
    finite = values[~np.isnan(values)]
    share = 1 - len(finite) / len(values)
    if share > MOST_UNDEFINED:
        return point._replace(undefined=share, why=f"undefined on {share:.0%} of the resamples")
    variance = np.var(finite, ddof=1) * n_topics**2 / (n_topics - 1)
    low, high = ends_of_means(point.value, variance, n_topics, agreement.limits, level)
    return point._replace(low=float(low), high=float(high), undefined=share)


CAUTION = (
    "Overlap is not kappa: it uses only documents that at least one assessor labelled relevant. If relevant "
    "documents become rarer, overlap falls and raw agreement rises. Compare both with the prevalence and with a "
    "chance-corrected coefficient."
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
        resamples = {"undefined_resamples": self.interval.undefined, "no_interval": self.interval.why or None}
        return {**document, "coefficient": self.coefficient, **numbers, **resamples}


def select_coefficients(names: Sequence[str] | None, assessors: int) -> list[Agreement]:
    """The coefficients of these names, or all that are defined for this number of assessors.

    >>> [coefficient.name for coefficient in select_coefficients(["overlap"], 3)]
    ['overlap']
    >>> select_coefficients(["kapa"], 2)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    cranfield.errors.InputError: unknown coefficient 'kapa'; available: raw agreement, overlap, ...
    """
    for name in names or ():
        if name not in AGREEMENTS:
            raise InputError(f"unknown coefficient {name!r}; available: {', '.join(AGREEMENTS)}")
        if AGREEMENTS[name].for_two and assessors != 2:
            raise InputError(f"{name} is defined for two assessors, not {assessors}; compute it by pair")
    coefficients = [AGREEMENTS[name] for name in names or AGREEMENTS]
    return [coefficient for coefficient in coefficients if assessors == 2 or not coefficient.for_two]


def overall_agreement(
    matrix: LabelMatrix, names: Sequence[str] | None = None, resamples: int = 1000, seed: int = 0
) -> list[Coefficient]:
    """Every coefficient over all assessors together."""
    return _coefficients(matrix, select_coefficients(names, len(matrix.assessors)), resamples, seed)


def agreement_by_pair(
    matrix: LabelMatrix, names: Sequence[str] | None = None, resamples: int = 1000, seed: int = 0
) -> list[Coefficient]:
    """Every coefficient for each pair of assessors with a document in common."""
    pairs = (matrix.select_assessors(two) for two in combinations(matrix.assessors, 2))
    return [
        coefficient
        for two in pairs
        if two.has_two_labels.any()
        for coefficient in _coefficients(two, select_coefficients(names, 2), resamples, seed)
    ]


def agreement_of_topics(matrix: LabelMatrix, names: Sequence[str] | None = None) -> list[Coefficient]:
    """Every coefficient over all assessors on each topic with a shared document; a single topic has no interval."""
    coefficients = select_coefficients(names, len(matrix.assessors))
    parts = {qid: matrix.select_rows(matrix.topic == number) for number, qid in enumerate(matrix.topics)}
    return [
        coefficient._replace(topic=qid)
        for qid, part in parts.items()
        if part.has_two_labels.any()
        for coefficient in _coefficients(part, coefficients, 0, 0)
    ]


def _coefficients(
    matrix: LabelMatrix, coefficients: Sequence[Agreement], resamples: int, seed: int
) -> list[Coefficient]:
    labels, documents = (
        grades_as_labels(matrix.grades, matrix.scale, matrix.min_relevant),
        int(matrix.has_two_labels.sum()),
    )
    intervals = ((it.name, interval(it, labels, matrix.topic, resamples=resamples, seed=seed)) for it in coefficients)
    return [Coefficient(matrix.assessors, "", documents, name, value) for name, value in intervals]


def constant_assessors(matrix: LabelMatrix) -> list[str]:
    """The assessors who gave every document the same grade: no coefficient can tell them from chance."""
    columns = zip(matrix.assessors, matrix.select_rows(matrix.has_two_labels).grades.T, strict=True)
    return [name for name, column in columns if len(np.unique(column[~np.isnan(column)])) == 1]
