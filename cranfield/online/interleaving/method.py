"""What an interleaving method is."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from cranfield.errors import InputError

from cranfield.online.interleaving.rankings import SystemRankings

NOBODY = -1  # the team of a document that prefers no system


class Drawn(NamedTuple):
    """An interleaved list as it was drawn."""

    docs: tuple[Hashable, ...]
    teams: tuple[int, ...]  # whose document each is; NOBODY where the method has no teams
    probability: float  # with which the method draws these documents in this order


class Shown(NamedTuple):
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
    draw: Callable[[SystemRankings, int, Random], Drawn]
    credit: Callable[[Shown], list[float]]
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
