"""What all coefficients share: scores, the order of pairs, and the row of the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.arrays.rankings import Floats, Mask

Scores = Floats | Sequence[float]
DIGITS = 12  # scores that differ less are tied: means are sums of fractions, in any order


@dataclass(frozen=True)
class Correlation:
    """A coefficient: a function of true scores and their estimate, and how to read it."""

    name: str
    function: Callable[[Scores, Scores], float]
    reading: str
    symmetric: bool = True  # whether exchanging truth and estimate leaves it the same

    def __call__(self, truth: Scores, estimate: Scores) -> float:
        return self.function(truth, estimate)


def orders(scores: Scores) -> Floats:
    """For each pair: 1 if the first scores higher, -1 if lower, 0 if they tie; all 0 where a score is NaN.

    >>> orders([0.5, 0.2, 0.5]).astype(int).tolist()
    [[0, 1, 0], [-1, 0, -1], [0, 1, 0]]
    """
    values = np.asarray(scores, float)
    if np.isnan(values).any():
        return np.zeros((len(values), len(values)))
    return (values[:, None] > values).astype(float) - (values[:, None] < values)


def lower(scores: Scores) -> Mask:
    """For each pair: whether the first scores lower; never where a score is NaN.

    >>> lower([0.5, 0.2, 0.5]).astype(int).tolist()
    [[0, 0, 0], [1, 0, 1], [0, 0, 0]]
    """
    values = np.asarray(scores, float)
    return np.asarray((values[:, None] < values) & ~np.isnan(values).any())


def undefined(truth: Scores, estimate: Scores) -> str:
    """Why no coefficient is defined; empty where all are.

    >>> undefined([0.1, 0.1], [0.1, 0.2]), undefined([0.1, 0.2], [0.1, 0.2])
    ('all systems tie in the truth', '')
    """
    for side, scores in (("truth", truth), ("estimate", estimate)):
        values = np.asarray(scores, float)
        if len(values) < 2:
            return "there are fewer than two systems"
        if np.isnan(values).any():
            return f"a score is undefined in the {side}"
        if np.all(values == values[0]):
            return f"all systems tie in the {side}"
    return ""
