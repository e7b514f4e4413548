"""What click models share: their row of the table, what a fit gives, and the prior of all parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.online.click_models.lists import ClickedLists

STEPS = 50  # of expectation maximisation


class Fit(NamedTuple):
    """The parameters of a model: of each (query, document), and those that all share, by name.

    Each parameter is a probability with the prior of one success in two trials, so what was never seen is 1/2.
    """

    documents: Mapping[str, Floats]  # attractiveness, satisfaction: one value per pair
    shared: Mapping[str, Floats]  # examination by rank and others

    @property
    def relevance(self) -> Floats | None:
        """Attractiveness times satisfaction of each pair; None where a model has neither."""
        if not self.documents:
            return None
        return np.asarray(np.prod(list(self.documents.values()), axis=0))


class Chances(NamedTuple):
    """The probability of a click in each cell: given the clicks above it, and knowing none."""

    given: Floats
    alone: Floats


@dataclass(frozen=True)
class ClickModel:
    """A row of the table: what a model says, how it is fitted, and the clicks that it expects."""

    name: str
    summary: str
    fit: Callable[[ClickedLists, int], Fit]  # in so many steps; where counts give the parameters, steps do not matter
    chances: Callable[[Fit, ClickedLists], Chances]
    source: str
    iterative: bool = False  # whether it is fitted by expectation maximisation

    @property
    def fitted_by(self) -> str:
        """Steps of expectation maximisation, or counts."""
        return "EM" if self.iterative else "counts"


def stepped(step: Callable[[Fit, ClickedLists], Fit], start: Fit, lists: ClickedLists, steps: int) -> Fit:
    """The fit after so many steps from a start."""
    return reduce(lambda fit, _: step(fit, lists), range(steps), start)


def share(successes: Floats | Ints, trials: Floats | Ints) -> Floats:
    """The estimate of a probability under the prior.

    >>> share(np.array([3.0, 0.0]), np.array([4.0, 0.0])).round(4).tolist()
    [0.6667, 0.5]
    """
    return np.asarray((successes + 1) / (trials + 2), float)
