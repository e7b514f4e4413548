"""Probabilistic: each document is drawn from a system chosen by a coin, with probability 1 / rank^3 among those left."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import accumulate
from random import Random

from cranfield.online.interleaving.method import NOBODY, Drawn, InterleavingMethod, Shown
from cranfield.online.interleaving.rankings import ABSENT, SystemRankings

TAU = 3


class Left:
    """What a system has left of its ranks, counted from 0: the runs between those that were taken.

    >>> left = Left(1000)
    >>> round(left.take(0), 4), round(left.take(1), 4), left.runs
    (0.8319, 0.6186, [(2, 1000)])
    >>> left.take(7) > 0, left.runs, left.take(1000)
    (True, [(2, 7), (8, 1000)], 0.0)
    """

    def __init__(self, ranks: int) -> None:
        self.beyond = _beyond(1 << ranks.bit_length())
        self.runs = [(0, ranks)] if ranks else []
        self.weights = [self.weight(*run) for run in self.runs]

    def weight(self, low: int, high: int) -> float:
        """Of the ranks from `low` to before `high`."""
        return self.beyond[low] - self.beyond[high]

    def draw(self, random: Random) -> int:
        """One of the ranks that are left: by its run, which is parted until one is left."""
        ((low, high),) = random.choices(self.runs, self.weights)
        while high - low > 1:
            middle = min(2 * low + 1, (low + high) // 2)  # the first ranks have most of the weight
            parts = (low, middle), (middle, high)
            ((low, high),) = random.choices(parts, [self.weight(*part) for part in parts])
        return low

    def take(self, rank: int) -> float:
        """With which probability this rank is drawn next; it is then no longer left. 0 for one that is not there."""
        at = bisect(self.runs, (rank, ABSENT)) - 1
        if at < 0 or rank >= self.runs[at][1]:
            return 0.0
        low, high = self.runs[at]
        chance = (rank + 1.0) ** -TAU / sum(self.weights)
        parts = [part for part in ((low, rank), (rank + 1, high)) if part[0] < part[1]]
        self.runs[at : at + 1], self.weights[at : at + 1] = parts, [self.weight(*part) for part in parts]
        return chance


@lru_cache(maxsize=32)
def _beyond(ranks: int) -> tuple[float, ...]:
    """The weight from each rank on, summed from the least, so that differences of two are exact to 12 digits."""
    return tuple(accumulate((rank**-TAU for rank in range(ranks, 0, -1)), initial=0.0))[::-1]


def draw_probabilistic(rankings: SystemRankings, depth: int, random: Random) -> Drawn:
    """A list.

    Probabilistic: each document is drawn from a system chosen by a coin, with probability 1 / rank^3 among those left.

    Every list is possible. Credit is the probability that a system has more of the clicks, over every way in which the
    documents can have come from the systems. Given the list these are independent, position by position, so that the
    number of a system's clicks follows from dynamic programming, however deep the list.

    A ranking of any length takes the same time: what is left of it is a few runs of ranks, and the weight of a run is
    the difference of two sums that are known.

    Source: Hofmann, Whiteson and de Rijke, A probabilistic method for inferring preferences from clicks, CIKM 2011.

    >>> drawn = draw_probabilistic(SystemRankings.of(["123", "231"]), 3, Random(0))
    >>> "".join(drawn.docs), round(drawn.probability, 4)
    ('231', 0.1954)
    """
    left = [Left(len(order)) for order in rankings.orders]
    docs: list[Hashable] = []
    probability = 1.0
    while len(docs) < depth and (some := [system for system, one in enumerate(left) if one.runs]):
        system = random.choice(some)
        docs.append(rankings.orders[system][left[system].draw(random)])
        probability *= sum(_taken(rankings, docs[-1], left)) / len(some)
    return Drawn(tuple(docs), (NOBODY,) * len(docs), probability)


def _taken(rankings: SystemRankings, doc: Hashable, left: Sequence[Left]) -> list[float]:
    """With which probability each system adds a document next; it is then no longer left."""
    return [one.take(rank - 1) for one, rank in zip(left, rankings.ranks(doc), strict=True)]


def credit_probabilistic(shown: Shown) -> list[float]:
    """The probability that each system has more of the clicks.

    >>> shown = Shown(SystemRankings.of(["123", "231"]), "123", (-1, -1, -1), (True, True, False))
    >>> [round(one, 6) for one in credit_probabilistic(shown)]
    [0.448033, 0.01912]
    """
    count = [1.0]  # the probability that the first system has 0, 1, ... of the clicks
    left = [Left(len(order)) for order in shown.rankings.orders]
    for doc, clicked in zip(shown.docs, shown.clicked, strict=True):
        a, b = _taken(shown.rankings, doc, left)
        if clicked:
            own = a / (a + b) if a + b else 0.5
            count = [x * (1 - own) + y * own for x, y in zip([*count, 0.0], [0.0, *count], strict=True)]
    clicks = len(count) - 1
    more = sum(chance for own, chance in enumerate(count) if 2 * own > clicks)
    fewer = sum(chance for own, chance in enumerate(count) if 2 * own < clicks)
    return [more, fewer]


PROBABILISTIC = InterleavingMethod(
    "probabilistic",
    "each document drawn by 1 / rank^3 from a system chosen by a coin; credit over all ways the list can have arisen",
    draw_probabilistic,
    credit_probabilistic,
    bias="none when clicks are random; users see poorer lists, since every order is possible",
    source="CIKM 2011",
    weighs=True,
)
