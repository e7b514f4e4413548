"""What an interleaving method is, and the rankings that it mixes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from random import Random
from typing import NamedTuple

from cranfield.errors import InputError

ABSENT = 1 << 62  # the rank of a document in a ranking that has not got it


@dataclass(frozen=True)
class SystemRankings:
    """The documents of each system, best first.

    >>> rankings = SystemRankings.from_orders([["x", "a", "b"], ["x", "b", "a"]])
    >>> rankings.ranks("a"), rankings.ranks("z") == (ABSENT, ABSENT), rankings.common
    ((2, 3), True, frozenset({'x'}))
    >>> SystemRankings.from_orders(["aba", "ab"])
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: ranking 1 has document 'a' twice; expected each document once
    """

    orders: tuple[tuple[Hashable, ...], ...]

    @classmethod
    def from_orders(cls, orders: Sequence[Sequence[Hashable]]) -> SystemRankings:
        """These rankings, each document at most once in each."""
        rankings = cls(tuple(map(tuple, orders)))
        for number, order in enumerate(rankings.orders, 1):
            if len(set(order)) < len(order):
                twice = next(doc for doc in order if order.count(doc) > 1)
                raise InputError(f"ranking {number} has document {twice!r} twice; expected each document once")
        return rankings

    @cached_property
    def _ranks(self) -> list[dict[Hashable, int]]:
        return [{doc: rank for rank, doc in enumerate(order, 1)} for order in self.orders]

    def ranks(self, doc: Hashable) -> tuple[int, ...]:
        """The rank of a document by each system, from 1."""
        return tuple(ranks.get(doc, ABSENT) for ranks in self._ranks)

    def place(self, doc: Hashable) -> tuple[int, int]:
        """The first system that has a document, from 0, and its rank there."""
        return next((system, ranks[doc]) for system, ranks in enumerate(self._ranks) if doc in ranks)

    @cached_property
    def common(self) -> frozenset[Hashable]:
        """The documents with which all rankings begin alike: clicks on them prefer no system."""
        alike = takewhile(lambda ranked: len(set(ranked)) == 1, zip(*self.orders, strict=False))
        return frozenset(ranked[0] for ranked in alike)


def best_unlisted(rankings: SystemRankings, docs: set[Hashable], depths: list[int]) -> dict[int, Hashable]:
    """Each system's best document that is not yet shown; `depths` is how far each was read before."""
    best = {}
    for system, order in enumerate(rankings.orders):
        while depths[system] < len(order) and order[depths[system]] in docs:
            depths[system] += 1
        if depths[system] < len(order):
            best[system] = order[depths[system]]
    return best


NOBODY = -1  # the team of a document that prefers no system


class DrawnList(NamedTuple):
    """An interleaved list as it was drawn."""

    docs: tuple[Hashable, ...]
    teams: tuple[int, ...]  # whose document each is; NOBODY where the method has no teams
    probability: float  # with which the method draws these documents in this order


class ShownList(NamedTuple):
    """A list as users saw it, and what they clicked."""

    rankings: SystemRankings
    docs: Sequence[Hashable]
    teams: Sequence[int]
    clicked: Sequence[bool]

    @property
    def clicks(self) -> list[Hashable]:
        """The documents clicked, from the top."""
        return [doc for doc, clicked in zip(self.docs, self.clicked, strict=True) if clicked]


@dataclass(frozen=True)
class InterleavingMethod:
    """A method: how a list is drawn, and the credit that clicks give to each system.

    With `weighs`, the outcome of an impression is the difference of credit; otherwise it is who has more.
    """

    name: str
    description: str
    draw: Callable[[SystemRankings, int, Random], DrawnList]
    credit: Callable[[ShownList], list[float]]
    bias: str  # whom it favours when clicks are random
    source: str
    several: bool = False  # whether it takes more than two systems
    weighs: bool = False
    teams: bool = False  # whether the teams are all that credit needs

    @property
    def row(self) -> dict[str, str]:
        """The method as a row of the table of methods."""
        return {
            "method": self.name,
            "systems": "2 or more" if self.several else "2",
            "outcome": "difference of credit" if self.weighs else "more credit",
            "what": self.description,
            "bias": self.bias,
            "source": self.source,
        }

    def check(self, systems: int) -> None:
        """An error where the method does not take so many systems."""
        if systems < 2 or (systems > 2 and not self.several):
            raise InputError(f"{self.name} interleaves {self.row['systems']} systems; given {systems}")
