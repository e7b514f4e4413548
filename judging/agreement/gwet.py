"""Gwet's AC1 and AC2: chance-corrected agreement that stays stable where one grade dominates.

    AC = (P - P_e) / (1 - P_e),   P_e = sum_kl w_kl / (q (q - 1)) * sum_k p_k (1 - p_k)

w is 1 on the diagonal and 0 elsewhere (AC1), or falls with the square of the distance on the scale (AC2, quadratic);
p_k is the mean share of labels of grade k over all units that have any, q the number of grades on the scale.

Nearly all documents of a pool are not relevant; there AC1 stays close to raw agreement while kappa falls to 0. That is
its use and how it misleads: with few relevant documents it says little more than raw agreement, and it does not show
whether assessors agree on the relevant ones (overlap does). It depends on q, so on grades that nobody used: give the
scale. All labels equal: 1 where the scale has other grades, undefined where it does not.

Source: Gwet, British Journal of Mathematical and Statistical Psychology 61, 2008; AC2 and missing labels: Handbook of
Inter-Rater Reliability, 4th edition, 2014.

>>> round(gwet_ac1([[0, 0], [0, 0], [0, 1], [0, 0]], scale=[0, 1]), 4)
0.68
>>> gwet_ac1([[0, 0], [0, 0]], scale=[0, 1]), gwet_ac1([[0, 0], [0, 0]])
(1.0, nan)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays.rankings import Floats

from .base import Agreement, Labels, Scale, quotient


def gwet_ac1(grades: ArrayLike, scale: Scale = None) -> float:
    """Gwet's AC1; grades (units, assessors), NaN where there is none."""
    return AC1(grades, scale)


def gwet_ac2(grades: ArrayLike, scale: Scale = None) -> float:
    """Gwet's AC2 with quadratic weights over places on the scale.

    >>> round(gwet_ac2([[0, 0], [2, 2], [0, 1], [1, 2]], scale=[0, 1, 2]), 4)
    0.6364
    """
    return AC2(grades, scale)


def agreeing_and_shares(labels: Labels, weights: Floats) -> Floats:
    """Per unit: weighted agreement of its pairs, 1 if it has any; 1 if it has a label, the share of each grade."""
    counts, size = labels.counts, labels.labels
    alike = np.sum(counts * (counts @ weights - 1), axis=1)
    pairs = np.nan_to_num(quotient(alike, size * (size - 1)))
    shares = counts / np.maximum(size, 1)[:, None]
    return np.column_stack([pairs, labels.paired, size > 0, shares])


def quadratic(size: int) -> Floats:
    """Weights that fall with the square of the distance, from 1 to 0.

    >>> quadratic(3)
    array([[1.  , 0.75, 0.  ], [0.75, 1.  , 0.75], [0.  , 0.75, 1.  ]])
    """
    places = np.arange(size)
    return np.asarray(1 - ((places[:, None] - places) / max(size - 1, 1)) ** 2)


def identity(size: int) -> Floats:
    """Weights under which only equal grades agree."""
    return np.eye(size)


def _coefficient(sums: Floats, weights: Floats) -> Floats:
    size = len(weights)
    agreement = quotient(sums[..., 0], sums[..., 1])
    shares = quotient(sums[..., 3:], sums[..., 2:3] + np.zeros_like(sums[..., 3:]))
    if size < 2:
        return np.full(sums.shape[:-1], np.nan)
    chance = weights.sum() / (size * (size - 1)) * np.sum(shares * (1 - shares), axis=-1)
    return quotient(agreement - chance, 1 - chance)


AC1 = Agreement(
    "Gwet AC1",
    lambda labels: agreeing_and_shares(labels, identity(len(labels.scale))),
    lambda sums, scale: _coefficient(sums, identity(len(scale))),
    "chance-corrected, close to raw agreement where one grade dominates; ignores who finds the relevant ones",
    heading="AC1",
    brief=True,
)
AC2 = Agreement(
    "Gwet AC2 quadratic",
    lambda labels: agreeing_and_shares(labels, quadratic(len(labels.scale))),
    lambda sums, scale: _coefficient(sums, quadratic(len(scale))),
    "the same, with disagreements weighted by their squared distance on the scale",
)
