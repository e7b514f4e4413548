"""The labels of several assessors side by side, as an array, from a store or from qrels files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask, Qrels
from cranfield.errors import InputError
from cranfield.judging.agreement import AGREEMENTS, Agreement, Interval, interval, labels_of, without_outside
from cranfield.judging.labels.by_pair import ballots, graded, known
from cranfield.judging.labels.replay import Pair
from cranfield.store.store import Store
from cranfield.store.whose import Whose


@dataclass(frozen=True, eq=False)
class Panel:
    """Assessors, units (pairs of topic and document), and `grades` (units, assessors), NaN where there is no label.

    `outside` has the labels that were left out as not on the scale: by assessor how many of which grade.
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

    def of(self, rows: Mask) -> Panel:
        """Only these units."""
        kept: list[int] = np.flatnonzero(rows).tolist()
        return replace(self, units=[self.units[row] for row in kept], grades=self.grades[rows])

    def between(self, names: Sequence[str]) -> Panel:
        """Only these assessors, and the units that any of them labelled."""
        columns = [self.assessors.index(name) for name in names]
        fewer = replace(self, assessors=tuple(names), grades=self.grades[:, columns])
        return fewer.of(fewer.labels > 0)

    def binary(self) -> Panel:
        """Relevant or not, instead of grades."""
        grades = np.where(np.isnan(self.grades), np.nan, self.grades >= self.min_relevant)
        return replace(self, grades=grades, scale=(0, 1), min_relevant=1)


def panel_of_store(
    store: Store, names: Sequence[str] | None = None, whose: Whose = Whose.all, pool: int | None = None
) -> Panel:
    """The labels that stand in a store, of the assessors named or of all, of one pool or of all documents.

    Adjudications are no labels.
    """
    collection = store.collection
    among = tuple(known(store, names, whose))
    found = ballots(store, among, pool=pool)
    panel = Panel(among, list(found), graded(found, among), tuple(collection.grades), collection.min_relevant)
    columns = zip(among, panel.grades.T, strict=True)
    return panel.between([name for name, column in columns if names or not np.isnan(column).all()])


def panel_of_qrels(several: Mapping[str, Qrels], scale: Sequence[int] | None = None, min_relevant: int = 1) -> Panel:
    """The labels of several qrels; without `scale` it is the grades that occur. Labels not on the scale are left out.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> panel = panel_of_qrels({"a": as_qrels({"q": {"d": 1}}), "b": as_qrels({"q": {"d": 5, "e": 0}})}, scale=[0, 1])
    >>> panel.grades.tolist(), panel.outside
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
    return Panel(tuple(columns), units, grades, steps, min_relevant, outside)


def _by_pair(qrels: Qrels) -> dict[Pair, int]:
    pairs = zip(
        qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist(), strict=True
    )  # fmt: skip
    return dict(zip(pairs, qrels.grade.tolist(), strict=True))


class Found(NamedTuple):
    """A coefficient of some labels, with its interval; `assessors` and `topic` are empty for all."""

    assessors: tuple[str, ...]
    topic: str
    units: int  # with two labels or more
    coefficient: str
    interval: Interval

    def document(self) -> dict[str, Any]:
        """The same for JSON."""
        told = {"assessors": list(self.assessors), "topic": self.topic or None, "units": self.units}
        numbers = {"value": self.interval.value, "low": self.interval.low, "high": self.interval.high}
        drawn = {"undefined_resamples": self.interval.undefined, "no_interval": self.interval.why or None}
        return {**told, "coefficient": self.coefficient, **numbers, **drawn}


def chosen(names: Sequence[str] | None, assessors: int) -> list[Agreement]:
    """The coefficients of these names, or all that are defined for so many assessors.

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
            raise InputError(f"{name} is of two assessors, not {assessors}; ask for it by pair")
    wanted = [AGREEMENTS[name] for name in names or AGREEMENTS]
    return [coefficient for coefficient in wanted if assessors == 2 or not coefficient.for_two]


def overall(panel: Panel, names: Sequence[str] | None = None, resamples: int = 1000, seed: int = 0) -> list[Found]:
    """Every coefficient of all assessors together."""
    return _found(panel, chosen(names, len(panel.assessors)), resamples, seed)


def by_pair(panel: Panel, names: Sequence[str] | None = None, resamples: int = 1000, seed: int = 0) -> list[Found]:
    """Every coefficient of each two assessors who have a document in common."""
    pairs = (panel.between(two) for two in combinations(panel.assessors, 2))
    return [found for two in pairs if two.both.any() for found in _found(two, chosen(names, 2), resamples, seed)]


def by_topic(panel: Panel, names: Sequence[str] | None = None) -> list[Found]:
    """Every coefficient of all assessors on each topic where two labelled a document; one topic has no interval."""
    coefficients = chosen(names, len(panel.assessors))
    parts = {qid: panel.of(panel.topic == number) for number, qid in enumerate(panel.topics)}
    return [
        found._replace(topic=qid)
        for qid, part in parts.items()
        if part.both.any()
        for found in _found(part, coefficients, 0, 0)
    ]


def _found(panel: Panel, coefficients: Sequence[Agreement], resamples: int, seed: int) -> list[Found]:
    labels, documents = labels_of(panel.grades, panel.scale, panel.min_relevant), int(panel.both.sum())
    intervals = ((it.name, interval(it, labels, panel.topic, resamples, seed)) for it in coefficients)
    return [Found(panel.assessors, "", documents, name, found) for name, found in intervals]


def constant(panel: Panel) -> list[str]:
    """The assessors who gave one grade to everything: no coefficient can tell them from chance."""
    columns = zip(panel.assessors, panel.of(panel.both).grades.T, strict=True)
    return [name for name, column in columns if len(np.unique(column[~np.isnan(column)])) == 1]
