"""What all checks share: the record in the table, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf, sqrt
from statistics import fmean, variance
from typing import NamedTuple

from cranfield.judging.planning.progress import Progress

FAR = 3.0  # standard errors beyond which a difference is listed: chance alone does that in 3 of 1,000 cases


class Finding(NamedTuple):
    """Something unusual: whose labels, of which topic ("" for all), in words, the value, and of how many labels."""

    assessor: str
    topic: str
    found: str
    value: float
    labels: int


class Check(NamedTuple):
    """A row of the table; `listed` says when something is found, `reasons` what may explain it."""

    name: str
    title: str
    listed: str
    reasons: str
    find: Callable[[Progress], Iterable[Finding]]


def standard_errors(differences: list[float]) -> float:
    """How many standard errors the mean of some differences is away from zero.

    >>> standard_errors([1.0, -1.0, 1.0, -1.0]), standard_errors([1.0, 1.0]), standard_errors([0.0, 0.0])
    (0.0, inf, 0.0)
    """
    mean, spread = fmean(differences), variance(differences)
    return abs(mean) / sqrt(spread / len(differences)) if spread else inf if mean else 0.0
