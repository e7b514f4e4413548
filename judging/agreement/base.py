"""What all coefficients share; and raw agreement, overlap and prevalence, without which none should be printed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import InputError

Scale = Sequence[float] | None


@dataclass(frozen=True, eq=False)
class Labels:
    """Labels of units by assessors: `place` is the position of the grade on the scale, -1 where there is no label.

    `rel` is the lowest grade that counts as relevant.
    """

    place: Ints  # (units, assessors)
    scale: Floats  # ascending
    rel: float = 1

    @cached_property
    def counts(self) -> Floats:
        """Per unit and grade: how many assessors gave it."""
        return np.asarray(np.sum(self.place[:, :, None] == np.arange(len(self.scale)), axis=1), float)

    @cached_property
    def labels(self) -> Floats:
        """Per unit: how many labels it has."""
        return np.asarray(self.counts.sum(axis=1))

    @cached_property
    def relevant(self) -> Floats:
        """Per unit: how many labels are relevant."""
        return np.asarray(self.counts[:, self.scale >= self.rel].sum(axis=1))

    @cached_property
    def paired(self) -> Floats:
        """Per unit: 1 where it has two labels or more, so that they can agree, else 0."""
        return (self.labels >= 2).astype(float)


def grades_as_labels(grades: ArrayLike, scale: Scale = None, rel: float = 1) -> Labels:
    """Labels from an array (units, assessors), NaN where there is none.

    Without `scale`, the scale is the grades that occur. Only Gwet's coefficients depend on grades that nobody used; a
    label that is not on the scale is an error.

    >>> grades_as_labels([[0, 2], [np.nan, 2]]).place.tolist()
    [[0, 1], [-1, 1]]
    >>> grades_as_labels([[0, 5]], scale=[0, 1, 2, 3])
    Traceback (most recent call last):
    cranfield.errors.InputError: 1 of 2 labels have the grades 5; expected the scale 0, 1, 2, 3
    """
    values = np.atleast_2d(np.asarray(grades, float))
    grades_used = np.unique(values[~np.isnan(values)])
    steps = grades_used if scale is None else np.asarray(sorted(scale), float)
    labels = ~np.isnan(values)
    outside = labels & ~np.isin(values, steps)
    if outside.any():
        others = ", ".join(f"{grade:g}" for grade in np.unique(values[outside]))
        right = ", ".join(f"{grade:g}" for grade in steps)
        raise InputError(
            f"{outside.sum()} of {labels.sum()} labels have the grades {others}; expected the scale {right}"
        )
    return Labels(np.where(labels, np.searchsorted(steps, values), -1), steps, rel)


def drop_off_scale(grades: ArrayLike, scale: Sequence[float]) -> tuple[Floats, dict[float, int]]:
    """The labels on the scale, and how many of each other grade were left out.

    >>> drop_off_scale([[0, 5], [1, 5]], [0, 1])
    (array([[ 0., nan], [ 1., nan]]), {5.0: 2})
    """
    values = np.array(grades, float)
    outside = ~np.isnan(values) & ~np.isin(values, np.asarray(scale, float))
    others, times = np.unique(values[outside], return_counts=True)
    values[outside] = np.nan
    return values, dict(zip(others.tolist(), times.tolist(), strict=True))


def quotient(top: Floats, bottom: Floats) -> Floats:
    """The quotient, NaN where the denominator is 0: undefined, neither 0 nor 1."""
    return np.asarray(np.divide(top, bottom, out=np.full(np.shape(bottom), np.nan), where=np.asarray(bottom) != 0))


@dataclass(frozen=True)
class Agreement:
    """A coefficient, and how to read it.

    `tally` gives what each unit adds to the sums, `value` computes the coefficient from the sums (their last axis).
    """

    name: str
    tally: Callable[[Labels], Floats]
    value: Callable[[Floats, Floats], Floats]
    reading: str
    for_two: bool = False  # whether it is defined for two assessors only
    heading: str = ""  # in a table of pairs, where the full names would be too wide; "" for the name
    brief: bool = False  # whether it is shown when no coefficient is named
    limits: tuple[float, float] = (-1.0, 1.0)
    counts_single_labels: bool = False  # whether units with one label count, for the prevalence of grades

    def __call__(self, grades: ArrayLike, scale: Scale = None, rel: float = 1) -> float:
        labels = grades_as_labels(grades, scale, rel)
        return float(self.value(self.tally(labels).sum(axis=0), labels.scale))


def raw_agreement(grades: ArrayLike) -> float:
    """Raw agreement: the share of all pairs of labels of one unit that agree.

    A unit that three assessors labelled has three pairs, and counts for more than one that two labelled. Misleads
    wherever one grade dominates: nearly all documents are not relevant, so nearly all labels agree.

    >>> raw_agreement([[0, 0], [0, 1], [1, np.nan]]), raw_agreement([[1, np.nan]])
    (0.5, nan)
    >>> raw_agreement([[0, 0, 0], [0, 1, np.nan]])
    0.75
    """
    return RAW(grades)


def overlap(grades: ArrayLike, rel: float = 1) -> float:
    """Overlap: relevant to all who labelled it, as a share of what is relevant to any; units with two labels or more.

    Voorhees found .42 to .49 between pairs of NIST's assessors, and about .30 among three. Misleads as a measure of
    reliability: it looks at relevant documents only, falls as they get rare, and falls with every further assessor.
    Undefined where nobody found anything relevant. Source: Lesk and Salton, Relevance assessments and retrieval system
    evaluation, 1968; Voorhees, Information Processing and Management 36, 2000.

    >>> overlap([[1, 1], [1, 0], [0, 0]]), overlap([[0, 0], [0, 0]])
    (0.5, nan)
    """
    return OVERLAP(grades, rel=rel)


def prevalence(grades: ArrayLike, rel: float = 1) -> float:
    """Prevalence: the share of relevant labels, over units with two or more. It does not measure agreement.

    >>> prevalence([[1, 1], [1, 0], [0, 0], [0, 0]]), prevalence([[1, np.nan]])
    (0.375, nan)
    """
    return PREVALENCE(grades, rel=rel)


def _agreeing(labels: Labels) -> Floats:
    """Per unit: its pairs of labels that agree, and all of them, each pair twice."""
    alike = np.sum(labels.counts * (labels.counts - 1), axis=1)
    return np.stack([alike, labels.labels * (labels.labels - 1)], axis=1)


def _overlapping(labels: Labels) -> Floats:
    every = (labels.relevant == labels.labels) & (labels.relevant > 0)
    return np.asarray(labels.paired[:, None] * np.stack([every, labels.relevant > 0], axis=1))


def _prevailing(labels: Labels) -> Floats:
    return np.asarray(labels.paired[:, None] * np.stack([labels.relevant, labels.labels], axis=1))


def _share(sums: Floats, scale: Floats) -> Floats:
    return quotient(sums[..., 0], sums[..., 1])


RAW = Agreement(
    "raw agreement",
    _agreeing,
    _share,
    "share of label pairs that agree; it is high if one grade dominates",
    heading="raw",
    brief=True,
    limits=(0.0, 1.0),
)
OVERLAP = Agreement(
    "overlap",
    _overlapping,
    _share,
    "documents that all assessors call relevant, divided by documents that at least one calls relevant; not "
    "chance-corrected",
    brief=True,
    limits=(0.0, 1.0),
)
PREVALENCE = Agreement(
    "prevalence",
    _prevailing,
    _share,
    "share of labels that are relevant; read it before the other coefficients",
    heading="relevant",
    brief=True,
    limits=(0.0, 1.0),
)
