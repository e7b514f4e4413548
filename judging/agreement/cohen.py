"""Cohen's kappa for two assessors, plain or weighted: agreement beyond what their own grade rates would give.

    kappa = 1 - sum_ij w_ij o_ij / sum_ij w_ij e_ij,   e_ij = o_i. o_.j / n

o counts the units that both labelled by the grades they gave, w is the weight of a disagreement: 1 (plain), the
distance of the grades on the scale (linear), or its square (quadratic). Distance is counted in places on the scale, as
scikit-learn does: on the scale -2, 0, 1 spam is one step below 0.

It misleads where one grade dominates (the same raw agreement gives a kappa near 0: Feinstein and Cicchetti's paradox)
and where the assessors differ in leniency, which raises it. Weighted kappas are higher than plain ones and grow
with the number of grades: never compare them across scales. Linear and quadratic are different statistics; say which.
Both assessors constant on one grade: undefined, not 1.

Sources: Cohen, Educational and Psychological Measurement 20(1), 1960; weighted: Psychological Bulletin 70(4), 1968.

>>> round(cohen_kappa([[0, 0], [0, 0], [0, 1], [1, 1]]), 4)
0.5
>>> cohen_kappa([[1, 1], [1, 1]])
nan
>>> cohen_kappa([[1, 1], [1, 0]])  # the first is constant: chance cannot be separated
0.0
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError

from .base import Agreement, Labels, Scale, quotient

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
        raise InputError(
            f"Cohen's kappa is defined for two assessors, not {labels.place.shape[1]}; take them two at a time"
        )
    size = len(labels.scale)
    first, second = labels.place.T
    cells = np.where(labels.paired > 0, first * size + second, -1)
    return np.asarray(cells[:, None] == np.arange(size * size), float)


def _kappa(weight: Callable[[Floats], Floats], sums: Floats, scale: Floats) -> Floats:
    size = len(scale)
    observed = sums.reshape(*sums.shape[:-1], size, size)
    places = np.arange(size, dtype=float)
    costs = weight(np.abs(places[:, None] - places))
    expected = observed.sum(axis=-1)[..., :, None] * observed.sum(axis=-2)[..., None, :]
    total = np.maximum(observed.sum(axis=(-1, -2)), 1)
    return 1 - quotient((costs * observed).sum(axis=(-1, -2)) * total, (costs * expected).sum(axis=(-1, -2)))


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
            "Cohen kappa", "plain", "chance-corrected; all disagreements count alike; low if one grade dominates"
        ),
        heading="kappa",
        brief=True,
    ),
    "linear": _coefficient(
        "Cohen kappa linear", "linear", "the same, with disagreements weighted by their distance on the scale"
    ),
    "quadratic": _coefficient(
        "Cohen kappa quadratic", "quadratic", "the same, with the distance squared; high on long scales"
    ),
}
