"""Documents that were drawn one after another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, takewhile

import numpy as np

from cranfield.arrays.rankings import Floats, Ints

DRAW = re.compile(r"draw (\d+) from (\d+) at (\S+)")


@dataclass(frozen=True, eq=False)
class Draws:
    """The draws of a sample: for each document at which it came, counted from 0, and how likely; of `size` in all.

        q_r     the chance of the r-th document to be the next new one, r = 1..n, of the N there are
        t_r     = values of the documents before + value / q_r           each is right on average, given what was before
        w_r     = N (N - n) / (n (N - r) (N - r + 1))                       what t_r counts, in all 1
        total   = sum of w_r t_r
        square  = sum over r and s of w_r w_s t_r t_s, r not s / (1 - sum of w_r²),    so variance = total² - square

    However the chances followed the judgments, total and square are unbiased, and so is what they give for pairs of
    documents; known probabilities of inclusion there are none in such a sample. The weights are those that are best
    where all chances are alike; with everything drawn there is no error. Every document has to have a chance above 0 at
    every draw. Sources: Des Raj, Some estimators in sampling with varying probabilities without replacement, JASA 51,
    1956, has t_r and their mean; Farquhar, Gal and Rainforth, On statistical bias in active learning, ICLR 2021, have
    the weights and that following what was found does no harm.

    Of three documents two were drawn, all as likely as any other: each stands for one and a half, both for all three
    pairs. What they stand for squared is right on average only: it depends on which came first.

    >>> two = Draws(np.array([0, 1]), np.array([1 / 3, 1 / 2]), 3)
    >>> two.weight.round(9).tolist(), two.pairs(np.array([0, 1])).round(9).tolist()
    ([1.5, 1.5], [[3.0, 3.0], [3.0, 0.0]])
    """

    draw: Ints
    chance: Floats
    size: int

    @cached_property
    def share(self) -> Floats:
        """w_r: how much each draw counts."""
        drawn, left = len(self.draw), self.size - np.arange(len(self.draw))
        if drawn == self.size:
            return np.asarray(np.eye(drawn)[-1])
        return np.asarray(self.size * (self.size - drawn) / (drawn * (left - 1) * left))

    @property
    def others(self) -> float:
        """How many documents were not drawn."""
        return float(self.size - len(self.draw))

    @cached_property
    def weight(self) -> Floats:
        """How many documents each stands for."""
        later = 1 - np.cumsum(self.share)
        return np.asarray(self.share[self.draw] / self.chance + later[self.draw])

    def pairs(self, which: Ints) -> Floats:
        """How many pairs each two of these documents stand for; on the diagonal squares, which one draw cannot tell."""
        weight, squares = self.weight[which], self.share**2
        if len(self.draw) == 1 or self.others == 0:
            return np.outer(weight, np.ones(len(which)))
        now = np.arange(len(self.draw))[:, None]
        known = (now > self.draw[which]) + (now == self.draw[which]) / self.chance[which]
        return np.asarray((np.outer(weight, weight) - known.T @ (squares[:, None] * known)) / (1 - squares.sum()))


def draw_name(number: int, left: int, chance: float) -> str:
    """A draw as a pool has it for the document's stratum.

    >>> draw_name(17, 141, 0.0123)
    'draw 17 from 141 at 0.0123'
    """
    return f"draw {number} from {left} at {chance:.9g}"


def read_draws(strata: Sequence[str], probability: Floats) -> tuple[Ints, Draws]:
    """The documents that draws brought, and the draws, from how they were written; in a row from the first on.

    Others count for nothing: those of an earlier stage of the pool that draws since have not brought, after judgments
    were changed. The stored probability is not needed.

    >>> names = ["draw 2 from 8 at 0.2", "", "draw 1 from 9 at 0.5", "draw 4 from 6 at 0.1"]
    >>> documents, found = read_draws(names, np.ones(4))
    >>> documents.tolist(), found.draw.tolist(), found.chance.tolist(), found.size
    ([0, 2], [1, 0], [0.2, 0.5], 9)
    """
    came = {int(found[1]): (at, found) for at, found in enumerate(map(DRAW.fullmatch, strata)) if found}
    row = sorted(came[number] for number in takewhile(came.__contains__, count(1)))
    number, left, chance = (np.array([float(found[part]) for _, found in row]) for part in (1, 2, 3))
    size = int(number[0] + left[0]) - 1 if row else 0
    return np.array([at for at, _ in row], np.int64), Draws(number.astype(np.int64) - 1, chance, size)
