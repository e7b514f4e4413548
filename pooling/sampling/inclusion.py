"""What the documents of a sample stand for: by how likely each was to be drawn, alone and together with another.

    pi_i    is stored with the pool; a document stands for 1 / pi_i, two for 1 / pi_ij pairs
    pi_ij   strata (uniform, stratified, tail)   n drawn of N: pi (n - 1) / (N - 1);  pi_i pi_j across strata
            buckets (statap)                     see `buckets`
            not known more closely               pi_i pi_j

All are needed of sampled documents only. Sources: Horvitz and Thompson, A generalization of sampling without
replacement from a finite universe, JASA 47, 1952; Särndal, Swensson and Wretman, Model assisted survey sampling, 1992.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from cranfield.arrays.rankings import Floats, Ints

SURE = 1 - 1e-12


class Design(Protocol):
    """How a sample was drawn, in what it takes to estimate from it; `which` are some of its documents."""

    @property
    def weight(self) -> Floats:
        """How many documents each of the sample stands for: their weighted sum is right on average."""

    @property
    def others(self) -> float:
        """How many documents are not in the sample, about if it is not known."""

    def pairs(self, which: Ints) -> Floats:
        """How many pairs each two stand for, on the diagonal squares: a weighted sum over pairs is right on average."""


@dataclass(frozen=True, eq=False)
class Inclusion:
    """Every document drawn independently."""

    probability: Floats

    @property
    def others(self) -> float:
        return float(np.round(np.sum(self.weight - 1)))

    @property
    def weight(self) -> Floats:
        return np.asarray(1 / self.probability)

    def pairs(self, which: Ints) -> Floats:
        alone = self.probability[which]
        sure = alone >= SURE
        both = np.where(sure[:, None] | sure, np.outer(alone, alone), self.together(which))
        np.fill_diagonal(both, alone)
        return np.asarray(1 / both)

    def together(self, which: Ints) -> Floats:
        """The chance of each two to be drawn together, where neither is sure; the diagonal does not count."""
        return np.outer(self.probability[which], self.probability[which])


@dataclass(frozen=True, eq=False)
class Strata(Inclusion):
    """Each stratum a simple random sample of its own.

    2 of 4 were drawn, one of the 6 pairs: they stand for 6.

    >>> one = Strata(np.array([0.5, 0.5]), np.zeros(2, int))
    >>> one.weight.tolist(), one.pairs(np.array([0, 1])).round(9).tolist(), one.others
    ([2.0, 2.0], [[2.0, 6.0], [6.0, 2.0]], 2.0)
    """

    stratum: Ints

    def together(self, which: Ints) -> Floats:
        drawn = np.bincount(self.stratum)[self.stratum[which]]
        alone = self.probability[which]
        there = np.maximum(np.round(drawn / alone), 2)
        same = self.stratum[which][:, None] == self.stratum[which]
        return np.asarray(np.where(same, (alone * (drawn - 1) / (there - 1))[:, None], alone[:, None] * alone))


def stratified(names: Sequence[str], probability: Floats) -> tuple[Ints, Strata]:
    """All documents, and the strata of those names."""
    return np.arange(len(names)), Strata(probability, np.unique(names, return_inverse=True)[1].astype(np.int64))


def independent(names: Sequence[str], probability: Floats) -> tuple[Ints, Inclusion]:
    """All documents, each drawn independently: for designs that are not known more precisely."""
    return np.arange(len(names)), Inclusion(probability)
