"""Optimized: of all lists that either system could have begun, the mixture that is fair and most sensitive.

The lists are those where each document is the best one left of one of the two systems. A linear program finds their
probabilities: a user who clicks at random among the first k gives both systems the same credit, for every k, and among
such mixtures it takes the one whose lists tell most about the systems. A click counts 1 / rank for each system. The
difference of credit is what is fair: how often a system has more may not be.

There are up to 2^depth lists, and the time doubles with each rank, so the depth is at most 12. Where no mixture is fair
for every k, the one with the least bias is taken.

Source: Radlinski and Craswell, Optimized interleaving for online retrieval evaluation, WSDM 2013.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any

from cranfield.errors import InputError
from cranfield.features.online.interleaving.method import (
    ABSENT,
    NOBODY,
    DrawnList,
    InterleavingMethod,
    ShownList,
    SystemRankings,
    best_unlisted,
)

if TYPE_CHECKING:
    from cranfield.arrays.rankings import Floats


Docs = tuple[Hashable, ...]
MOST, KEPT = 4096, 4096  # lists that are weighed, and mixtures that are kept, each of the few lists that are shown


def mixture(rankings: SystemRankings, depth: int) -> tuple[list[Docs], list[float], float]:
    """The lists that are shown at all, their probabilities, and the bias that is left, which is hardly ever above 0.

    >>> lists, chances, bias = mixture(SystemRankings.from_orders(["123", "231"]), 3)
    >>> ["".join(docs) for docs in lists], [round(chance * 35, 6) for chance in chances], bias
    (['123', '213', '231'], [15.0, 13.0, 7.0], 0.0)
    >>> mixture(SystemRankings.from_orders(["", ""]), 3)  # the only list is the empty one
    ([()], [1.0], 0.0)
    """
    docs = tuple(dict.fromkeys(doc for order in rankings.orders for doc in order[:depth]))
    if not docs:
        return [()], [1.0], 0.0
    lists, chances, bias = weigh(tuple(map(rankings.ranks, docs)), depth)
    return [tuple(docs[at] for at in one) for one in lists], chances, bias


@lru_cache(maxsize=KEPT)
def weigh(ranks: tuple[tuple[int, ...], ...], depth: int) -> tuple[list[list[int]], list[float], float]:
    """The mixture for documents of these ranks, as their positions: one for all queries with the same ranks."""
    import numpy as np

    orders = [
        sorted((at for at, of in enumerate(ranks) if of[system] <= depth), key=lambda at: ranks[at][system])
        for system in (0, 1)
    ]
    lists = np.array(possible_lists(SystemRankings.from_orders(orders), depth), int)
    worth = [[0.0 if rank == ABSENT else 1 / rank for rank in of] for of in ranks]  # of a click, to each system
    gain = np.array([first - second for first, second in worth])[lists]
    chances, bias = _solve(gain.cumsum(axis=1).T, _sensitivity(gain))
    return lists[chances > 0].tolist(), chances[chances > 0].tolist(), bias


def possible_lists(rankings: SystemRankings, depth: int) -> tuple[Docs, ...]:
    """Every list in which each document is the best one left of a system.

    >>> ["".join(docs) for docs in possible_lists(SystemRankings.from_orders(["12", "34"]), 2)]
    ['12', '13', '31', '34']
    """
    lists: list[Docs] = [()]
    for _ in range(min(depth, len(set().union(*rankings.orders)))):
        lists = [
            (*docs, doc)
            for docs in lists
            for doc in dict.fromkeys(best_unlisted(rankings, set(docs), [0] * len(rankings.orders)).values())
        ]
        if len(lists) > MOST:
            raise InputError(
                f"depth {depth} allows more than {MOST:,} lists, and optimized considers all of them; expected a"
                " depth of at most 12"
            )
    return tuple(lists)


def _sensitivity(gain: Floats) -> Floats:
    """Per list: the entropy of who wins a click, where the click at position i is 1 / i as likely as at the first."""
    import numpy as np
    from scipy.special import xlogy

    at = 1 / np.arange(1, gain.shape[1] + 1)
    a, b = (gain > 0) @ at / at.sum(), (gain < 0) @ at / at.sum()
    entropy: Floats = (xlogy(a + b, a + b) - xlogy(a, a) - xlogy(b, b)) / np.log(2)
    return entropy


def _solve(gains: Floats, sensitivity: Floats) -> tuple[Floats, float]:
    """The probabilities by the linear program; `gains` is what a random clicker of the first k gives, by k and list."""
    import numpy as np
    from scipy.optimize import linprog

    depth, lists = gains.shape
    fair = np.vstack([gains, np.ones(lists)])
    right = np.append(np.zeros(depth), 1.0)
    solution: Any = linprog(-sensitivity, A_eq=fair, b_eq=right, method="highs")
    if solution.success:
        return np.clip(solution.x, 0, None), 0.0
    over = np.vstack([np.hstack([np.eye(depth), -np.eye(depth)]), np.zeros(2 * depth)])
    cost = np.append(np.zeros(lists), np.ones(2 * depth))
    solution = linprog(cost, A_eq=np.hstack([fair, over]), b_eq=right, method="highs")
    return np.clip(solution.x[:lists], 0, None), float(solution.fun)


def draw_optimized(rankings: SystemRankings, depth: int, random: Random) -> DrawnList:
    """One of the lists."""
    lists, chances, _ = mixture(rankings, depth)
    (number,) = random.choices(range(len(lists)), chances)
    return DrawnList(lists[number], (NOBODY,) * len(lists[number]), chances[number])


def credit_optimized(impression: ShownList) -> list[float]:
    """The sum of 1 / rank of the documents clicked.

    >>> rankings = SystemRankings.from_orders(["123", "231"])
    >>> credit_optimized(ShownList(rankings, "123", (-1, -1, -1), (True, True, False)))
    [1.5, 1.3333333333333333]
    """
    ranks = [impression.rankings.ranks(doc) for doc in impression.clicks]
    return [sum(1 / ranked[system] for ranked in ranks if ranked[system] != ABSENT) for system in (0, 1)]


OPTIMIZED = InterleavingMethod(
    "optimized",
    "the most sensitive fair mixture of all possible lists, up to 2^depth; a click counts 1 / rank",
    draw_optimized,
    credit_optimized,
    bias="none when clicks are random; depth at most 12, since the time doubles with each rank",
    source="WSDM 2013",
    weighs=True,
)
