"""Balanced: the two rankings merged so that the list always has as many of the best of one as of the other."""

from __future__ import annotations

from collections.abc import Hashable
from random import Random

from cranfield.online.interleaving.method import NOBODY, Drawn, InterleavingMethod, Shown
from cranfield.online.interleaving.rankings import SystemRankings


def merged(rankings: SystemRankings, depth: int, first: int) -> tuple[Hashable, ...]:
    """The list where this system begins.

    >>> rankings = SystemRankings.of(["123", "231"])
    >>> "".join(merged(rankings, 3, 0)), "".join(merged(rankings, 3, 1))
    ('123', '213')
    """
    docs: dict[Hashable, None] = {}
    reached = [0, 0]
    while len(docs) < depth:
        left = [system for system in (first, 1 - first) if reached[system] < len(rankings.orders[system])]
        if not left:
            break
        system = min(left, key=reached.__getitem__)
        docs.setdefault(rankings.orders[system][reached[system]])
        reached[system] += 1
    return tuple(docs)


def draw_balanced(rankings: SystemRankings, depth: int, random: Random) -> Drawn:
    """One of the two lists.

    Balanced: the two rankings merged so that the list always has as many of the best of one as of the other.

    A coin says which begins. With k the better rank of the lowest clicked document, the system that has more clicks
    among its first k wins. It is biased: of 1 2 3 against 2 3 1, both lists let the second system win with two of the
    three documents, so a user who clicks at random prefers it in 2 of 3 cases.

    Sources: Joachims, Evaluating retrieval performance using clickthrough data, Text Mining, 2003; its bias: Radlinski,
    Kurup and Joachims, CIKM 2008.
    """
    lists = [merged(rankings, depth, first) for first in (0, 1)]
    docs = random.choice(lists)
    return Drawn(docs, (NOBODY,) * len(docs), lists.count(docs) / 2)


def credit_balanced(shown: Shown) -> list[float]:
    """The clicks among each system's first k, where k is the better rank of the lowest clicked document.

    >>> credit_balanced(Shown(SystemRankings.of(["123", "231"]), "123", (-1, -1, -1), (False, False, True)))
    [0.0, 1.0]
    """
    ranks = [shown.rankings.ranks(doc) for doc in shown.clicks]
    k = min(ranks[-1]) if ranks else 0
    return [float(sum(ranked[system] <= k for ranked in ranks)) for system in (0, 1)]


BALANCED = InterleavingMethod(
    "balanced",
    "the rankings merged evenly, a coin says which begins; clicks count among the first k of each",
    draw_balanced,
    credit_balanced,
    bias="yes: of 1 2 3 against 2 3 1, random clicks prefer the second in 2 of 3 cases",
    source="Joachims 2003",
)
