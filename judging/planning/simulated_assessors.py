"""Simulated assessors: how they label a document whose true grade is known.

`SIMULATED` is the table. Their errors are independent of each other and of the document, unlike real ones: people err
on the same hard documents and on whole topics, and by more than one grade. A rehearsal with them is therefore
optimistic: it shows what cannot work rather than what will.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.errors import InputError

Generator = np.random.Generator


@dataclass(frozen=True, eq=False)
class SimulatedWork:
    """The documents of one assessor, in the order judged: the position of the true grade on the scale.

    `grades` is the number of grades, `shares` how often each is the true one in the whole collection.
    """

    truth: Ints
    grades: int
    shares: Floats

    @property
    def progress(self) -> Floats:
        """How much of the work is done when a document is judged: from 0 to nearly 1."""
        return np.arange(len(self.truth)) / max(len(self.truth), 1)


@dataclass(frozen=True)
class SimulatedAssessor:
    """A kind of assessor: `errs` gives the labels, `rate` is the error rate."""

    name: str
    about: str
    errs: Callable[[SimulatedWork, float, Generator], Ints]
    rate: float

    def judge(self, work: SimulatedWork, random: Generator) -> Ints:
        """The labels, as positions on the scale.

        >>> work = SimulatedWork(np.array([0, 1, 2]), 3, np.full(3, 1 / 3))
        >>> simulated("strict:1").judge(work, np.random.default_rng(0))
        array([0, 0, 1])
        >>> simulated("oracle").judge(work, np.random.default_rng(0))
        array([0, 1, 2])
        """
        return self.errs(work, self.rate, random)


def _hit(work: SimulatedWork, rate: Floats | float, random: Generator) -> Mask:
    """The documents on which an error happens."""
    return np.asarray(random.random(len(work.truth)) < rate)


def _step(work: SimulatedWork, where: Mask, step: Ints | int) -> Ints:
    return np.clip(work.truth + np.where(where, step, 0), 0, work.grades - 1)


def _strict(work: SimulatedWork, rate: float, random: Generator) -> Ints:
    return _step(work, _hit(work, rate, random), -1)


def _lenient(work: SimulatedWork, rate: float, random: Generator) -> Ints:
    return _step(work, _hit(work, rate, random), 1)


def _neighbour(work: SimulatedWork, where: Mask, random: Generator) -> Ints:
    """The next grade up or down where an error happens; at an end of the scale the only neighbour."""
    step = np.where(random.random(len(work.truth)) < 0.5, -1, 1)
    step = np.where(work.truth == 0, 1, np.where(work.truth == work.grades - 1, -1, step))
    return _step(work, where, step)


def _oracle(work: SimulatedWork, rate: float, random: Generator) -> Ints:
    return _neighbour(work, _hit(work, rate, random), random)


def _tired(work: SimulatedWork, rate: float, random: Generator) -> Ints:
    return _neighbour(work, _hit(work, rate * work.progress, random), random)


def _random(work: SimulatedWork, rate: float, random: Generator) -> Ints:
    guess = random.choice(work.grades, size=len(work.truth), p=work.shares)
    return np.where(_hit(work, rate, random), guess, work.truth)


SIMULATED: Mapping[str, SimulatedAssessor] = MappingProxyType(
    {
        it.name: it
        for it in (
            SimulatedAssessor(
                "oracle", "gives the true grade or, at the given rate, the next one up or down", _oracle, 0.0
            ),
            SimulatedAssessor("strict", "gives, at the given rate, one grade too low", _strict, 0.3),
            SimulatedAssessor("lenient", "gives, at the given rate, one grade too high", _lenient, 0.05),
            SimulatedAssessor(
                "tired", "errs like the oracle, at a rate that rises from 0 to the given one", _tired, 0.2
            ),
            SimulatedAssessor("random", "at the given rate, a random grade with the true frequencies", _random, 1.0),
        )
    }
)


def simulated(name: str) -> SimulatedAssessor:
    """The assessor with this name, optionally with a rate: strict, strict:0.5.

    >>> simulated("tired:0.5").rate, simulated("random").rate
    (0.5, 1.0)
    >>> simulated("strict:often")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'strict:often': a rate is a number from 0 to 1
    >>> simulated("lazy")
    Traceback (most recent call last):
    cranfield.errors.InputError: there is no simulated assessor 'lazy'; there are oracle, strict, lenient, tired, random
    """
    kind, colon, rate = name.partition(":")
    if kind not in SIMULATED:
        raise InputError(f"there is no simulated assessor {kind!r}; there are {', '.join(SIMULATED)}")
    if not colon:
        return SIMULATED[kind]
    try:
        number = float(rate)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise InputError(f"{name!r}: a rate is a number from 0 to 1")
    return replace(SIMULATED[kind], name=name, rate=number)
