"""Krippendorff's alpha: any number of assessors, missing labels, and grades as names, ranks or numbers.

    alpha = 1 - D_o / D_e,   D_o = sum_ck o_ck d_ck / n,   D_e = sum_ck n_c n_k d_ck / (n (n - 1))

o_ck counts, over units with two labels or more, the ordered pairs of labels (c, k) of a unit, each worth 1 / (labels of
the unit - 1); n_c are its sums. The difference d_ck of two grades is

    nominal    1 where they differ
    ordinal    (n_c / 2 + n_between + n_k / 2)^2: how many labels lie between them, half of their own included
    interval   (c - k)^2, of the grades themselves

This ordinal difference is Krippendorff's own, which depends on how often each grade was used. Other programs print as
ordinal alpha what has fixed weights, n (n - 1) / 2 of the n grades from one to the other: .834 on the labels below,
where Krippendorff has .815. What is here equals the package krippendorff; irrCAC's weights="ordinal" is the other.

It misleads as kappa does: low where one grade dominates. Interval alpha assumes that 0 to 1 is as far as 2 to 3. All
labels equal: undefined, not 1. A unit with one label counts for nothing.

Source: Krippendorff, Content Analysis, 2nd edition, 2004, chapter 11; Computing Krippendorff's Alpha-Reliability, 2011.

>>> labels = [[1, 1, np.nan, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4], [4, 4, 4, 4],
...           [1, 1, 2, 1], [2, 2, 2, 2], [np.nan, 5, 5, 5], [np.nan, np.nan, 1, 1], [np.nan, np.nan, 3, np.nan]]
>>> [round(krippendorff_alpha(labels, level), 3) for level in ("nominal", "ordinal", "interval")]
[0.743, 0.815, 0.849]
>>> krippendorff_alpha([[1, 1], [1, 1]])
nan
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays.rankings import Floats

from .base import Agreement, Labels, Scale, quotient

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
    observed = sums.reshape(*sums.shape[:-1], size, size)
    used = observed.sum(axis=-1)
    apart = difference(used, scale)
    found = (observed * apart).sum(axis=(-1, -2)) * (used.sum(axis=-1) - 1)
    return 1 - quotient(found, (used[..., :, None] * used[..., None, :] * apart).sum(axis=(-1, -2)))


KRIPPENDORFF: dict[Level, Agreement] = {
    "nominal": Agreement(
        "Krippendorff alpha nominal", coincidences, partial(_alpha, nominal), "chance-corrected; grades are unordered"
    ),
    "ordinal": Agreement(
        "Krippendorff alpha ordinal", coincidences, partial(_alpha, ordinal),
        "the same, weighted by the number of labels between the grades, squared (Krippendorff's definition)",
        heading="alpha", brief=True,
    ),
    "interval": Agreement(
        "Krippendorff alpha interval", coincidences, partial(_alpha, interval),
        "the same, weighted by the difference of the grades, squared",
    ),
}  # fmt: skip
