"""What a measure of an interaction log is."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from cranfield.arrays.interactions import Interactions
from cranfield.arrays.rankings import Floats, Ints, Mask


class Counts(NamedTuple):
    """What each list adds, `total`, and how many `times` it counts; a measure is their ratio, or the median."""

    total: Floats
    times: Floats


@dataclass(frozen=True, eq=False)
class OnlineMeasure:
    """A measure: a function from a log and a cutoff to what each list adds.

    `of_documents`: it can be measured by document, each as a list of its own. `bigger_is` says which way is better.
    """

    name: str
    function: Callable[[Interactions, int | None], Counts]
    bigger_is: Literal["better", "worse", "neither"]
    unit: Literal["share", "number", "seconds"] = "share"  # a share is from 0 to 1
    has_cutoff: bool = False
    of_documents: bool = False
    median: bool = False
    cutoff: int | None = None
    explanation: str = ""  # what it is for, when it misleads, its source

    def __call__(self, log: Interactions) -> Counts:
        """What each list of a log adds."""
        return self.function(log, self.cutoff)

    def __str__(self) -> str:
        return self.name if self.cutoff is None else f"{self.name}@{self.cutoff}"

    @property
    def description(self) -> str:
        """One sentence."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @property
    def about(self) -> str:
        """What it is for, when it misleads, its source."""
        return self.explanation.strip()


def share(of: Mask) -> Counts:
    """The share of lists of which something holds.

    >>> share(np.array([True, False]))
    Counts(total=array([1., 0.]), times=array([1., 1.]))
    """
    return Counts(of.astype(float), np.ones(len(of)))


def lists_with(log: Interactions, actions: Mask) -> Mask:
    """The lists that have at least one of these actions."""
    found = np.zeros(len(log), bool)
    found[log.actions.impression[actions]] = True
    return found


def clicked_ranks(log: Interactions) -> tuple[Ints, Ints]:
    """The list and the rank, from 1, of every clicked document; documents on earlier pages count."""
    places = np.flatnonzero(log.clicks)
    lists = log.impression[places]
    return lists, log.first[lists] + log.position[places] + 1
