"""Fleiss' kappa for any number of assessors, who may differ from document to document.

    kappa = (P - P_e) / (1 - P_e),   P_e = sum_k p_k^2

P is the mean share of agreeing pairs of labels over units with two or more, p_k the mean share of labels of grade k
over all units that have any (Gwet's form for unequal numbers of labels; with equal numbers it is Fleiss' own).

It treats grades as unordered: 0 against 3 costs no more than 2 against 3. For two assessors it is Scott's pi, not
Cohen's kappa: one common rate of each grade. Low where one grade dominates. The same labels had a Fleiss kappa of .37
and a Krippendorff alpha of .15 in one paper: name the statistic. All labels equal: undefined, not 1.

Source: Fleiss, Psychological Bulletin 76(5), 1971; missing labels: Gwet, Handbook of Inter-Rater Reliability, 2014.

>>> round(fleiss_kappa([[0, 0, 0], [1, 1, 1], [0, 0, 1]]), 4)
0.55
>>> fleiss_kappa([[1, 1, 1], [1, 1, 1]])
nan
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays.rankings import Floats

from .base import Agreement, Labels, Scale, quotient
from .gwet import agreeing_and_shares


def fleiss_kappa(grades: ArrayLike, scale: Scale = None) -> float:
    """Fleiss' kappa; grades (units, assessors), NaN where there is none."""
    return FLEISS(grades, scale)


def _tally(labels: Labels) -> Floats:
    return agreeing_and_shares(labels, np.eye(len(labels.scale)))


def _kappa(sums: Floats, scale: Floats) -> Floats:
    agreement = quotient(sums[..., 0], sums[..., 1])
    shares = quotient(sums[..., 3:], sums[..., 2:3] + np.zeros_like(sums[..., 3:]))
    chance = np.sum(shares**2, axis=-1)
    certain = np.max(shares, axis=-1, initial=0) == 1
    return quotient(agreement - chance, np.where(certain, 0.0, 1 - chance))


FLEISS = Agreement(
    "Fleiss kappa", _tally, _kappa, "chance-corrected, for any number of assessors; grades are unordered"
)
