"""Agreement beyond chance: Cohen's and Fleiss' kappa, Krippendorff's alpha, Gwet's AC1 and AC2."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError
from cranfield.judging.agreement.base import Agreement, Labels, Scale, quotient

Weights = Literal["plain", "linear", "quadratic"]
POWER = {"plain": 0, "linear": 1, "quadratic": 2}


def cohen_kappa(grades: ArrayLike, weights: Weights = "plain", scale: Scale = None) -> float:
    """Cohen's kappa of two assessors; grades (units, 2), NaN where there is none.

    >>> round(cohen_kappa([[0, 0], [2, 2], [0, 1], [1, 2]], "quadratic"), 4), cohen_kappa([[0, 0], [2, 2], [0, 1]])
    (0.6923, 0.5)
    """
    return COHEN[weights](grades, scale)


def confusion(labels: Labels) -> Floats:
    """Per unit: a 1 at (grade of the first, grade of the second) where both labelled it, flattened."""
    if labels.place.shape[1] != 2:
        raise InputError(f"Cohen's kappa is defined for two assessors, not {labels.place.shape[1]}; compute it by pair")
    size = len(labels.scale)
    first, second = labels.place.T
    cells = np.where(labels.paired > 0, first * size + second, -1)
    return np.asarray(cells[:, None] == np.arange(size * size), float)


def _kappa(weight: Callable[[Floats], Floats], sums: Floats, scale: Floats) -> Floats:
    size = len(scale)
    table = sums.reshape(*sums.shape[:-1], size, size)
    places = np.arange(size, dtype=float)
    costs = weight(np.abs(places[:, None] - places))
    chance = table.sum(axis=-1)[..., :, None] * table.sum(axis=-2)[..., None, :]
    total = np.maximum(table.sum(axis=(-1, -2)), 1)
    return 1 - quotient((costs * table).sum(axis=(-1, -2)) * total, (costs * chance).sum(axis=(-1, -2)))


def _weight(power: int, steps: Floats) -> Floats:
    """The cost of a disagreement of this many steps.

    >>> _weight(0, np.array([0.0, 1.0, 2.0])), _weight(2, np.array([0.0, 1.0, 2.0]))
    (array([0., 1., 1.]), array([0., 1., 4.]))
    """
    return np.where(steps > 0, steps**power, 0.0)


def _coefficient(name: str, weights: Weights, reading: str) -> Agreement:
    return Agreement(name, confusion, partial(_kappa, partial(_weight, POWER[weights])), reading, for_two=True)


COHEN: dict[Weights, Agreement] = {
    "plain": replace(
        _coefficient(
            "Cohen kappa",
            "plain",
            "chance-corrected, with equal weight for all disagreements; it is low if one grade dominates",
        ),
        heading="kappa",
        brief=True,
    ),
    "linear": _coefficient(
        "Cohen kappa linear", "linear", "Cohen kappa with disagreements weighted by their distance on the scale"
    ),
    "quadratic": _coefficient(
        "Cohen kappa quadratic",
        "quadratic",
        "Cohen kappa with disagreements weighted by the squared distance; it is high on long scales",
    ),
}


def fleiss_kappa(grades: ArrayLike, scale: Scale = None) -> float:
    """Fleiss' kappa; grades (units, assessors), NaN where there is none.

    A unit with one label counts for the prevalence of its grade, as in Gwet's package irrCAC. Where most units have one
    label, it can be below -1; without them it is at least -1.

    >>> nan = float("nan")
    >>> round(fleiss_kappa([[1, 0], [1, nan]]), 2), round(fleiss_kappa([[1, 0]]), 2)
    (-1.67, -1.0)
    """
    return FLEISS(grades, scale)


def _variance_of_counts(sums: Floats, scale: Floats) -> Floats:
    agreement = quotient(sums[..., 0], sums[..., 1])
    shares = quotient(sums[..., 3:], sums[..., 2:3] + np.zeros_like(sums[..., 3:]))
    chance = np.sum(shares**2, axis=-1)
    certain = np.max(shares, axis=-1, initial=0) == 1
    return quotient(agreement - chance, np.where(certain, 0.0, 1 - chance))


FLEISS = Agreement(
    "Fleiss kappa",
    lambda labels: agreement_and_grade_shares(labels, identity_weights(len(labels.scale))),
    _variance_of_counts,
    "chance-corrected, for any number of assessors; grades are unordered",
    counts_single_labels=True,
)


Level = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(grades: ArrayLike, level: Level = "nominal", scale: Scale = None) -> float:
    """Krippendorff's alpha; grades (units, assessors), NaN where there is none."""
    return KRIPPENDORFF[level](grades, scale)


def coincidences(labels: Labels) -> Floats:
    """Per unit: its ordered pairs of labels, by their two grades, each worth 1 / (labels - 1); flattened."""
    counts, size = labels.counts, labels.labels
    pairs = counts[:, :, None] * counts[:, None, :]
    places = np.arange(len(labels.scale))
    pairs[:, places, places] -= counts
    worth = labels.paired / np.maximum(size - 1, 1)
    return (pairs * worth[:, None, None]).reshape(len(counts), len(places) ** 2)


def nominal(used: Floats, scale: Floats) -> Floats:
    """1 for different grades."""
    return np.broadcast_to(1 - np.eye(len(scale)), (*used.shape, len(scale)))


def ordinal(used: Floats, scale: Floats) -> Floats:
    """The labels between two grades, half of their own included, squared; `used` counts the labels of each grade.

    >>> ordinal(np.array([4.0, 2.0, 2.0]), np.array([0.0, 1.0, 2.0]))
    array([[ 0.,  9., 25.], [ 9.,  0.,  4.], [25.,  4.,  0.]])
    """
    middle = np.cumsum(used, axis=-1) - used / 2
    return np.asarray((middle[..., :, None] - middle[..., None, :]) ** 2)


def interval(used: Floats, scale: Floats) -> Floats:
    """The squared difference of the grades themselves."""
    return np.broadcast_to((scale[:, None] - scale) ** 2, (*used.shape, len(scale)))


def _alpha(difference: Callable[[Floats, Floats], Floats], sums: Floats, scale: Floats) -> Floats:
    size = len(scale)
    table = sums.reshape(*sums.shape[:-1], size, size)
    used = table.sum(axis=-1)
    apart = difference(used, scale)
    disagreement = (table * apart).sum(axis=(-1, -2)) * (used.sum(axis=-1) - 1)
    return 1 - quotient(disagreement, (used[..., :, None] * used[..., None, :] * apart).sum(axis=(-1, -2)))


KRIPPENDORFF: dict[Level, Agreement] = {
    "nominal": Agreement(
        "Krippendorff alpha nominal", coincidences, partial(_alpha, nominal), "chance-corrected; grades are unordered"
    ),
    "ordinal": Agreement(
        "Krippendorff alpha ordinal", coincidences, partial(_alpha, ordinal),
        "Krippendorff alpha, weighted by the squared number of labels between the grades (Krippendorff's definition)",
        heading="alpha", brief=True,
    ),
    "interval": Agreement(
        "Krippendorff alpha interval", coincidences, partial(_alpha, interval),
        "Krippendorff alpha, weighted by the squared difference of the grades",
    ),
}  # fmt: skip


def gwet_ac1(grades: ArrayLike, scale: Scale = None) -> float:
    """Gwet's AC1; grades (units, assessors), NaN where there is none.

    A unit with one label counts for the prevalence of its grade, as in Gwet, Handbook of inter-rater reliability, 4th
    edition, 2014, chapter 5.
    """
    return AC1(grades, scale)


def gwet_ac2(grades: ArrayLike, scale: Scale = None) -> float:
    """Gwet's AC2 with quadratic weights over places on the scale.

    >>> round(gwet_ac2([[0, 0], [2, 2], [0, 1], [1, 2]], scale=[0, 1, 2]), 4)
    0.6364
    """
    return AC2(grades, scale)


def agreement_and_grade_shares(labels: Labels, weights: Floats) -> Floats:
    """Per unit: weighted agreement of its pairs, 1 if it has any; 1 if it has a label, the share of each grade."""
    counts, size = labels.counts, labels.labels
    alike = np.sum(counts * (counts @ weights - 1), axis=1)
    pairs = np.nan_to_num(quotient(alike, size * (size - 1)))
    shares = counts / np.maximum(size, 1)[:, None]
    return np.column_stack([pairs, labels.paired, size > 0, shares])


def quadratic_weights(size: int) -> Floats:
    """Weights that fall with the square of the distance, from 1 to 0.

    >>> quadratic_weights(3)
    array([[1.  , 0.75, 0.  ], [0.75, 1.  , 0.75], [0.  , 0.75, 1.  ]])
    """
    places = np.arange(size)
    return np.asarray(1 - ((places[:, None] - places) / max(size - 1, 1)) ** 2)


def identity_weights(size: int) -> Floats:
    """Weights under which only equal grades agree."""
    return np.eye(size)


def _coefficient_gwet(sums: Floats, weights: Floats) -> Floats:
    size = len(weights)
    agreement = quotient(sums[..., 0], sums[..., 1])
    shares = quotient(sums[..., 3:], sums[..., 2:3] + np.zeros_like(sums[..., 3:]))
    if size < 2:
        return np.full(sums.shape[:-1], np.nan)
    chance = weights.sum() / (size * (size - 1)) * np.sum(shares * (1 - shares), axis=-1)
    return quotient(agreement - chance, 1 - chance)


AC1 = Agreement(
    "Gwet AC1",
    lambda labels: agreement_and_grade_shares(labels, identity_weights(len(labels.scale))),
    lambda sums, scale: _coefficient_gwet(sums, identity_weights(len(scale))),
    "chance-corrected; it is close to raw agreement if one grade dominates, and ignores which assessor gave which"
    " grade",
    heading="AC1",
    brief=True,
    counts_single_labels=True,
)
AC2 = Agreement(
    "Gwet AC2 quadratic",
    lambda labels: agreement_and_grade_shares(labels, quadratic_weights(len(labels.scale))),
    lambda sums, scale: _coefficient_gwet(sums, quadratic_weights(len(scale))),
    "Gwet's coefficient with disagreements weighted by their squared distance on the scale",
    counts_single_labels=True,
)
