"""Probabilistic: each document is drawn from a system chosen by a coin, with probability 1 / rank^3 among those left.

Every list is possible. Credit is the probability that a system has more of the clicks, over every way in which the
documents can have come from the systems. Given the list these are independent, position by position, so that the number
of a system's clicks follows from dynamic programming, however deep the list.

Source: Hofmann, Whiteson and de Rijke, A probabilistic method for inferring preferences from clicks, CIKM 2011.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from random import Random

from .method import NOBODY, Drawn, InterleavingMethod, Shown
from .rankings import SystemRankings

TAU = 3


def draw(rankings: SystemRankings, depth: int, random: Random) -> Drawn:
    """A list.

    >>> drawn = draw(SystemRankings.of(["123", "231"]), 3, Random(0))
    >>> "".join(drawn.docs), round(drawn.probability, 4)
    ('231', 0.1954)
    """
    left = _weights(rankings)
    docs: list[Hashable] = []
    probability = 1.0
    while len(docs) < depth and (some := [weights for weights in left if weights]):
        weights = random.choice(some)
        docs += random.choices(list(weights), list(weights.values()))
        probability *= sum(_taken(docs[-1], left)) / len(some)
    return Drawn(tuple(docs), (NOBODY,) * len(docs), probability)


def _weights(rankings: SystemRankings) -> list[dict[Hashable, float]]:
    return [dict(zip(order, _powers(len(order)), strict=True)) for order in rankings.orders]


@lru_cache(maxsize=64)
def _powers(ranks: int) -> tuple[float, ...]:
    return tuple(rank**-TAU for rank in range(1, ranks + 1))


def _taken(doc: Hashable, left: Sequence[dict[Hashable, float]]) -> list[float]:
    """With which probability each system adds a document next; it is then no longer left."""
    chances = [weights.get(doc, 0) / sum(weights.values()) if weights else 0.0 for weights in left]
    for weights in left:
        weights.pop(doc, None)
    return chances


def credit(shown: Shown) -> list[float]:
    """The probability that each system has more of the clicks.

    >>> shown = Shown(SystemRankings.of(["123", "231"]), "123", (-1, -1, -1), (True, True, False))
    >>> [round(one, 6) for one in credit(shown)]
    [0.448033, 0.01912]
    """
    count = [1.0]  # the probability that the first system has 0, 1, ... of the clicks
    left = _weights(shown.rankings)
    for doc, clicked in zip(shown.docs, shown.clicked, strict=True):
        a, b = _taken(doc, left)
        if clicked:
            own = a / (a + b) if a + b else 0.5
            count = [x * (1 - own) + y * own for x, y in zip([*count, 0.0], [0.0, *count], strict=True)]
    clicks = len(count) - 1
    more = sum(chance for own, chance in enumerate(count) if 2 * own > clicks)
    fewer = sum(chance for own, chance in enumerate(count) if 2 * own < clicks)
    return [more, fewer]


METHOD = InterleavingMethod(
    "probabilistic",
    "each document drawn by 1 / rank^3 from a system chosen by a coin; credit over all ways it can have come about",
    draw,
    credit,
    bias="none by clicks at random; users see poorer lists, since every order is possible",
    source="CIKM 2011",
    weighs=True,
)
