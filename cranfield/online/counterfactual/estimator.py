"""What counterfactual estimators share: weighed rewards, what an estimator makes of them, and how far to trust it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints

ENOUGH = 100.0  # effective lists: then none has more than a tenth of the total weight
Weighing = Literal["lists", "positions", "examination", "inverse", "none"]


def effective(weight: Floats) -> float:
    """As many equal weights would be as exact.

    >>> effective(np.array([3.0, 1.0])), effective(np.zeros(2))
    (1.6, 0.0)
    """
    squares = float((weight**2).sum())
    return float(weight.sum()) ** 2 / squares if squares else 0.0


@dataclass(frozen=True, eq=False)
class Weighted:
    """One row per list, or per document shown: its weight and reward, and what a click model predicts of it.

    A weight is how much likelier the new ranking is to show this than the logged one was.
    """

    weight: Floats
    reward: Floats
    predicted: Floats  # reward of what was shown, by a model; 0 without one
    expected: Floats  # of what the new ranking shows
    impression: Ints  # of each row
    impressions: int

    @property
    def effective(self) -> float:
        """The effective sample size: as many lists with equal weights would be as exact.

        The documents of a list depend on each other, so their weights are one weight.

        >>> one_per_list([3.0, 1.0], [1.0, 0.0]).effective
        1.6
        >>> replace(one_per_list([3.0, 1.0], [1.0, 0.0]), impression=np.zeros(2, int), impressions=1).effective
        1.0
        """
        return effective(self.per_impression(self.weight))

    def with_model(self, predicted: Floats, expected: Floats) -> Weighted:
        """The same, with the predictions of a model."""
        return replace(self, predicted=predicted, expected=expected)

    def per_impression(self, values: Floats) -> Floats:
        """Sums of the rows of each list."""
        return np.asarray(np.bincount(self.impression, values, self.impressions), float)


class Terms(NamedTuple):
    """What each list adds to an estimate, which is the sum of total over the sum of counts."""

    total: Floats
    counts: Floats

    @property
    def value(self) -> float:
        """The estimate; NaN where nothing counts."""
        count = float(self.counts.sum())
        return float(self.total.sum()) / count if count else float("nan")


@dataclass(frozen=True)
class Estimator:
    """A row of the table: a function from weighted rewards to terms, and what its weights are of."""

    name: str
    summary: str
    terms: Callable[[Weighted], Terms]
    weighing: Weighing
    source: str
    modelled: bool = False  # whether it needs a click model's predictions


def one_per_list(
    weight: Floats | list[float],
    reward: Floats | list[float],
    predicted: Floats | list[float] | None = None,
    expected: Floats | list[float] | None = None,
) -> Weighted:
    """Rows that are lists."""
    n = len(weight)
    w, r, q, v = (np.zeros(n) if one is None else np.array(one, float) for one in (weight, reward, predicted, expected))
    return Weighted(w, r, q, v, np.arange(n), n)


def mean_of(of: Weighted, values: Floats) -> Terms:
    """The mean over lists of what their rows sum to."""
    return Terms(of.per_impression(values), np.ones(of.impressions))
