"""Interleaving by turns or by chance: team-draft, balanced, probabilistic, pairwise."""

from bisect import bisect
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from math import prod
from random import Random

from cranfield.features.online.interleaving.method import (
    ABSENT,
    NOBODY,
    DrawnList,
    InterleavingMethod,
    ShownList,
    SystemRankings,
    best_unlisted,
)


def draw_team_draft(rankings: SystemRankings, depth: int, random: Random) -> DrawnList:
    """The list and its teams.

    Team draft: in each round, in random order, every system adds its best document that is not yet in the list.

    With three systems or more it is team-draft multileaving. A click is credited to the team of its document. Documents
    with which all rankings begin alike are nobody's: whose they are is a coin's choice, and would be noise.

    Sources: Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008;
    multileaving: Schuth, Sietsma, Whiteson, Lefortier and de Rijke, Multileaved comparisons for fast online evaluation,
    CIKM 2014; common beginnings: Chapelle, Joachims, Radlinski and Yue, Large-scale validation and analysis of
    interleaved search evaluation, TOIS 30(1), 2012.

    >>> mixed = draw_team_draft(SystemRankings.from_orders(["abcd", "beaf"]), 4, Random(3))
    >>> "".join(mixed.docs), mixed.teams, mixed.probability
    ('abec', (0, 1, 1, 0), 0.25)
    """
    systems = frozenset(range(len(rankings.orders)))
    docs: list[Hashable] = []
    teams: list[int] = []
    members: set[Hashable] = set()
    depths, waiting = [0] * len(systems), systems
    while len(docs) < depth and (best := best_unlisted(rankings, members, depths)):
        able = waiting & best.keys() or systems & best.keys()
        team = random.choice(sorted(able))
        waiting = (waiting if able <= waiting else systems) - {team}
        docs.append(best[team])
        teams.append(NOBODY if best[team] in rankings.common else team)
        members.add(best[team])
    return DrawnList(tuple(docs), tuple(teams), probability(rankings, docs))


def probability(rankings: SystemRankings, docs: Sequence[Hashable]) -> float:
    """The probability of the list, whoever added each document: over who is still to choose in the round.

    >>> probability(SystemRankings.from_orders(["123", "213"]), "123")
    0.5
    """
    systems = frozenset(range(len(rankings.orders)))
    chance, depths = {systems: 1.0}, [0] * len(systems)
    for place, doc in enumerate(docs):
        best = best_unlisted(rankings, set(docs[:place]), depths)
        after: dict[frozenset[int], float] = defaultdict(float)
        for waiting, share in chance.items():
            able = waiting & best.keys() or systems & best.keys()
            for team in able:
                if best[team] == doc:
                    after[(waiting if able <= waiting else systems) - {team}] += share / len(able)
        chance = after
    return sum(chance.values())


def credit_team_draft(impression: ShownList) -> list[float]:
    """The clicks on the documents of each team.

    >>> rankings = SystemRankings.from_orders(["abcd", "beaf"])
    >>> credit_team_draft(ShownList(rankings, "bace", (1, 0, 0, 1), (True, True, True, False)))
    [2.0, 1.0]
    """
    credit = [0.0] * len(impression.rankings.orders)
    for team, clicked in zip(impression.teams, impression.clicked, strict=True):
        if clicked and team != NOBODY:
            credit[team] += 1
    return credit


TEAM_DRAFT = InterleavingMethod(
    "team-draft",
    "systems take turns, in random order, to add their best remaining document; a click counts for the system that"
    " added it",
    draw_team_draft,
    credit_team_draft,
    bias="none when clicks are random; may miss a swap of two documents that always come from the same team",
    source="CIKM 2008, 2014",
    several=True,
    teams=True,
)


def merge(rankings: SystemRankings, depth: int, first: int) -> tuple[Hashable, ...]:
    """The list where this system begins.

    >>> rankings = SystemRankings.from_orders(["123", "231"])
    >>> "".join(merge(rankings, 3, 0)), "".join(merge(rankings, 3, 1))
    ('123', '213')
    """
    docs: dict[Hashable, None] = {}
    depths = [0, 0]
    while len(docs) < depth:
        able = [system for system in (first, 1 - first) if depths[system] < len(rankings.orders[system])]
        if not able:
            break
        system = min(able, key=depths.__getitem__)
        docs.setdefault(rankings.orders[system][depths[system]])
        depths[system] += 1
    return tuple(docs)


def draw_balanced(rankings: SystemRankings, depth: int, random: Random) -> DrawnList:
    """One of the two lists.

    Balanced: the two rankings merged so that the list always has as many of the best of one as of the other.

    A coin says which begins. With k the better rank of the lowest clicked document, the system that has more clicks
    among its first k wins. It is biased: of 1 2 3 against 2 3 1, both lists let the second system win with two of the
    three documents, so a user who clicks at random prefers it in 2 of 3 cases.

    Sources: Joachims, Evaluating retrieval performance using clickthrough data, Text Mining, 2003; its bias: Radlinski,
    Kurup and Joachims, CIKM 2008.
    """
    lists = [merge(rankings, depth, first) for first in (0, 1)]
    docs = random.choice(lists)
    return DrawnList(docs, (NOBODY,) * len(docs), lists.count(docs) / 2)


def credit_balanced(impression: ShownList) -> list[float]:
    """The clicks among each system's first k, where k is the better rank of the lowest clicked document.

    >>> rankings = SystemRankings.from_orders(["123", "231"])
    >>> credit_balanced(ShownList(rankings, "123", (-1, -1, -1), (False, False, True)))
    [0.0, 1.0]
    """
    ranks = [impression.rankings.ranks(doc) for doc in impression.clicks]
    k = min(ranks[-1]) if ranks else 0
    return [float(sum(ranked[system] <= k for ranked in ranks)) for system in (0, 1)]


BALANCED = InterleavingMethod(
    "balanced",
    "the rankings are merged evenly, and a coin decides which ranking begins; clicks count among the first k of each",
    draw_balanced,
    credit_balanced,
    bias="yes: of 1 2 3 against 2 3 1, random clicks prefer the second in 2 of 3 cases",
    source="Joachims 2003",
)


TAU = 3


class Remaining:
    """What a system has left of its ranks, counted from 0: the runs between those that were taken.

    >>> rest = Remaining(1000)
    >>> round(rest.take(0), 4), round(rest.take(1), 4), rest.runs
    (0.8319, 0.6186, [(2, 1000)])
    >>> rest.take(7) > 0, rest.runs, rest.take(1000)
    (True, [(2, 7), (8, 1000)], 0.0)
    """

    def __init__(self, ranks: int) -> None:
        self.beyond = _tail_weights(1 << ranks.bit_length())
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
def _tail_weights(ranks: int) -> tuple[float, ...]:
    """The weight from each rank on, summed from the least, so that differences of two are exact to 12 digits."""
    return tuple(accumulate((rank**-TAU for rank in range(ranks, 0, -1)), initial=0.0))[::-1]


def draw_probabilistic(rankings: SystemRankings, depth: int, random: Random) -> DrawnList:
    """A list.

    Probabilistic: each document is drawn from a system chosen by a coin, with probability 1 / rank^3 among those left.

    Every list is possible. Credit is the probability that a system has more of the clicks, over every way in which the
    documents can have come from the systems. Given the list these are independent, position by position, so that the
    number of a system's clicks follows from dynamic programming, however deep the list.

    A ranking of any length takes the same time: what is left of it is a few runs of ranks, and the weight of a run is
    the difference of two sums that are known.

    Source: Hofmann, Whiteson and de Rijke, A probabilistic method for inferring preferences from clicks, CIKM 2011.

    >>> mixed = draw_probabilistic(SystemRankings.from_orders(["123", "231"]), 3, Random(0))
    >>> "".join(mixed.docs), round(mixed.probability, 4)
    ('231', 0.1954)
    """
    remaining = [Remaining(len(order)) for order in rankings.orders]
    docs: list[Hashable] = []
    probability = 1.0
    while len(docs) < depth and (some := [system for system, one in enumerate(remaining) if one.runs]):
        system = random.choice(some)
        docs.append(rankings.orders[system][remaining[system].draw(random)])
        probability *= sum(_chances_of(rankings, docs[-1], remaining)) / len(some)
    return DrawnList(tuple(docs), (NOBODY,) * len(docs), probability)


def _chances_of(rankings: SystemRankings, doc: Hashable, remaining: Sequence[Remaining]) -> list[float]:
    """With which probability each system adds a document next; it is then no longer left."""
    return [one.take(rank - 1) for one, rank in zip(remaining, rankings.ranks(doc), strict=True)]


def credit_probabilistic(impression: ShownList) -> list[float]:
    """The probability that each system has more of the clicks.

    >>> mixed = ShownList(SystemRankings.from_orders(["123", "231"]), "123", (-1, -1, -1), (True, True, False))
    >>> [round(one, 6) for one in credit_probabilistic(mixed)]
    [0.448033, 0.01912]
    """
    count = [1.0]  # the probability that the first system has 0, 1, ... of the clicks
    remaining = [Remaining(len(order)) for order in impression.rankings.orders]
    for doc, clicked in zip(impression.docs, impression.clicked, strict=True):
        a, b = _chances_of(impression.rankings, doc, remaining)
        if clicked:
            own = a / (a + b) if a + b else 0.5
            count = [x * (1 - own) + y * own for x, y in zip([*count, 0.0], [0.0, *count], strict=True)]
    clicks = len(count) - 1
    more = sum(chance for own, chance in enumerate(count) if 2 * own > clicks)
    fewer = sum(chance for own, chance in enumerate(count) if 2 * own < clicks)
    return [more, fewer]


PROBABILISTIC = InterleavingMethod(
    "probabilistic",
    "each document is drawn from a random system in proportion to 1 / rank^3; credit is averaged over all such draws",
    draw_probabilistic,
    credit_probabilistic,
    bias="none when clicks are random; users see poor lists, since every order is possible",
    source="CIKM 2011",
    weighs=True,
)


def draw_pairwise(rankings: SystemRankings, depth: int, random: Random) -> DrawnList:
    """A list.

    Pairwise preference: documents are placed at random, as high as a system has them, and clicks order pairs of them.

    Rank i takes one, chosen at random, of the documents that some system has among its first i and that are not placed
    yet. A clicked document is preferred to those above it, and to the next one, that were not clicked. A pair counts
    where neither was placed before both could be: then either order was equally likely. Its weight is 1 over the
    probability of that. Each system gains the weight of the pairs that it ranks as users do, and loses that of the
    others.

    Source: Oosterhuis and de Rijke, Sensitive and scalable online evaluation with theoretical guarantees, CIKM 2017.

    >>> mixed = draw_pairwise(SystemRankings.from_orders(["123", "231"]), 3, Random(0))
    >>> "".join(mixed.docs), mixed.probability
    ('231', 0.25)
    """
    entrants = _entrants(rankings, depth)
    docs: list[Hashable] = []
    waiting: list[Hashable] = []
    probability = 1.0
    for rank in range(depth):
        waiting += entrants[rank] if rank < len(entrants) else []
        if not waiting:
            break
        probability /= len(waiting)
        docs.append(waiting.pop(random.randrange(len(waiting))))
    return DrawnList(tuple(docs), (NOBODY,) * len(docs), probability)


def _entrants(rankings: SystemRankings, depth: int) -> list[list[Hashable]]:
    """For each of the first ranks, the documents that no system has above it."""
    above: set[Hashable] = set()
    entrants = []
    for rank in range(min(depth, max(map(len, rankings.orders)))):
        rank_documents = dict.fromkeys(order[rank] for order in rankings.orders if rank < len(order))
        entrants.append([doc for doc in rank_documents if doc not in above])
        above.update(rank_documents)
    return entrants


def credit_pairwise(impression: ShownList) -> list[float]:
    """What each system gains by the pairs that it ranks as users do.

    >>> credit_pairwise(ShownList(SystemRankings.from_orders(["123", "213"]), "213", (-1,) * 3, (True, False, False)))
    [-1.0, 1.0]
    """
    rankings = impression.rankings
    able = list(accumulate(map(len, _entrants(rankings, len(impression.docs)))))  # how many could be placed, by rank
    gains = [0.0] * len(rankings.orders)
    for better, worse in _preferences(impression):
        ranks, others = rankings.ranks(impression.docs[better]), rankings.ranks(impression.docs[worse])
        first, both = sorted((min(ranks), min(others)))
        if min(better, worse) + 1 < both:
            continue
        chance = prod(1 - 1 / (able[rank - 1] - rank + 1) for rank in range(first, both))
        weight = 1 / chance if chance else 0.0
        gains = [
            one + weight * ((own < other) - (own > other)) for one, own, other in zip(gains, ranks, others, strict=True)
        ]
    return gains


def _preferences(impression: ShownList) -> Iterator[tuple[int, int]]:
    """The positions of a document that was clicked and of one that was passed over for it."""
    for place, clicked in enumerate(impression.clicked):
        if clicked:
            others = range(min(place + 2, len(impression.docs)))
            yield from ((place, other) for other in others if not impression.clicked[other])


PAIRWISE = InterleavingMethod(
    "pairwise",
    "each rank shows a random document that a system lists by that rank; a clicked document beats every skipped one",
    draw_pairwise,
    credit_pairwise,
    bias="none when clicks are random; the more the systems differ, the poorer the lists that users see",
    source="CIKM 2017",
    several=True,
    weighs=True,
)
