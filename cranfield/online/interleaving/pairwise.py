"""Pairwise preference: documents are placed at random, as high as a system has them, and clicks order pairs of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import accumulate
from math import prod
from random import Random

from cranfield.online.interleaving.method import NOBODY, Drawn, InterleavingMethod, Shown
from cranfield.online.interleaving.rankings import SystemRankings


def draw_pairwise(rankings: SystemRankings, depth: int, random: Random) -> Drawn:
    """A list.

    Pairwise preference: documents are placed at random, as high as a system has them, and clicks order pairs of them.

    Rank i takes one, chosen at random, of the documents that some system has among its first i and that are not placed
    yet. A clicked document is preferred to those above it, and to the next one, that were not clicked. A pair counts
    where neither was placed before both could be: then either order was equally likely. Its weight is 1 over the
    probability of that. Each system gains the weight of the pairs that it ranks as users do, and loses that of the
    others.

    Source: Oosterhuis and de Rijke, Sensitive and scalable online evaluation with theoretical guarantees, CIKM 2017.

    >>> drawn = draw_pairwise(SystemRankings.of(["123", "231"]), 3, Random(0))
    >>> "".join(drawn.docs), drawn.probability
    ('231', 0.25)
    """
    entered = _entered(rankings, depth)
    docs: list[Hashable] = []
    left: list[Hashable] = []
    probability = 1.0
    for rank in range(depth):
        left += entered[rank] if rank < len(entered) else []
        if not left:
            break
        probability /= len(left)
        docs.append(left.pop(random.randrange(len(left))))
    return Drawn(tuple(docs), (NOBODY,) * len(docs), probability)


def _entered(rankings: SystemRankings, depth: int) -> list[list[Hashable]]:
    """For each of the first ranks, the documents that no system has above it."""
    seen: set[Hashable] = set()
    found = []
    for rank in range(min(depth, max(map(len, rankings.orders)))):
        here = dict.fromkeys(order[rank] for order in rankings.orders if rank < len(order))
        found.append([doc for doc in here if doc not in seen])
        seen.update(here)
    return found


def credit_pairwise(shown: Shown) -> list[float]:
    """What each system gains by the pairs that it ranks as users do.

    >>> credit_pairwise(Shown(SystemRankings.of(["123", "213"]), "213", (-1,) * 3, (True, False, False)))
    [-1.0, 1.0]
    """
    rankings = shown.rankings
    able = list(accumulate(map(len, _entered(rankings, len(shown.docs)))))  # how many could be placed, by rank
    gained = [0.0] * len(rankings.orders)
    for better, worse in _preferred(shown):
        ranks, others = rankings.ranks(shown.docs[better]), rankings.ranks(shown.docs[worse])
        first, both = sorted((min(ranks), min(others)))
        if min(better, worse) + 1 < both:
            continue
        left = prod(1 - 1 / (able[rank - 1] - rank + 1) for rank in range(first, both))
        weight = 1 / left if left else 0.0
        gained = [
            one + weight * ((own < other) - (own > other))
            for one, own, other in zip(gained, ranks, others, strict=True)
        ]
    return gained


def _preferred(shown: Shown) -> Iterator[tuple[int, int]]:
    """The positions of a document that was clicked and of one that was passed over for it."""
    for place, clicked in enumerate(shown.clicked):
        if clicked:
            passed = range(min(place + 2, len(shown.docs)))
            yield from ((place, other) for other in passed if not shown.clicked[other])


PAIRWISE = InterleavingMethod(
    "pairwise",
    "each rank takes at random a document that a system has by then; a click beats the documents passed over",
    draw_pairwise,
    credit_pairwise,
    bias="none when clicks are random; the more the systems differ, the poorer the lists that users see",
    source="CIKM 2017",
    several=True,
    weighs=True,
)
