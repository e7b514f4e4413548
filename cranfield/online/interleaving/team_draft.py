"""Team draft: in each round, in random order, every system adds its best document that is not yet in the list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from random import Random

from cranfield.online.interleaving.method import NOBODY, Drawn, InterleavingMethod, Shown
from cranfield.online.interleaving.rankings import SystemRankings, best_left


def draw_team_draft(rankings: SystemRankings, depth: int, random: Random) -> Drawn:
    """The list and its teams.

    Team draft: in each round, in random order, every system adds its best document that is not yet in the list.

    With three systems or more it is team-draft multileaving. A click is credited to the team of its document. Documents
    with which all rankings begin alike are nobody's: whose they are is a coin's choice, and would be noise.

    Sources: Radlinski, Kurup and Joachims, How does clickthrough data reflect retrieval quality?, CIKM 2008;
    multileaving: Schuth, Sietsma, Whiteson, Lefortier and de Rijke, Multileaved comparisons for fast online evaluation,
    CIKM 2014; common beginnings: Chapelle, Joachims, Radlinski and Yue, Large-scale validation and analysis of
    interleaved search evaluation, TOIS 30(1), 2012.

    >>> drawn = draw_team_draft(SystemRankings.of(["abcd", "beaf"]), 4, Random(3))
    >>> "".join(drawn.docs), drawn.teams, drawn.probability
    ('abec', (0, 1, 1, 0), 0.25)
    """
    systems = frozenset(range(len(rankings.orders)))
    docs: list[Hashable] = []
    teams: list[int] = []
    shown: set[Hashable] = set()
    reached, waiting = [0] * len(systems), systems
    while len(docs) < depth and (best := best_left(rankings, shown, reached)):
        able = waiting & best.keys() or systems & best.keys()
        team = random.choice(sorted(able))
        waiting = (waiting if able <= waiting else systems) - {team}
        docs.append(best[team])
        teams.append(NOBODY if best[team] in rankings.common else team)
        shown.add(best[team])
    return Drawn(tuple(docs), tuple(teams), probability(rankings, docs))


def probability(rankings: SystemRankings, docs: Sequence[Hashable]) -> float:
    """The probability of the list, whoever added each document: over who is still to choose in the round.

    >>> probability(SystemRankings.of(["123", "213"]), "123")
    0.5
    """
    systems = frozenset(range(len(rankings.orders)))
    chance, reached = {systems: 1.0}, [0] * len(systems)
    for place, doc in enumerate(docs):
        best = best_left(rankings, set(docs[:place]), reached)
        after: dict[frozenset[int], float] = defaultdict(float)
        for waiting, before in chance.items():
            able = waiting & best.keys() or systems & best.keys()
            for team in able:
                if best[team] == doc:
                    after[(waiting if able <= waiting else systems) - {team}] += before / len(able)
        chance = after
    return sum(chance.values())


def credit_team_draft(shown: Shown) -> list[float]:
    """The clicks on the documents of each team.

    >>> credit_team_draft(Shown(SystemRankings.of(["abcd", "beaf"]), "bace", (1, 0, 0, 1), (True, True, True, False)))
    [2.0, 1.0]
    """
    found = [0.0] * len(shown.rankings.orders)
    for team, clicked in zip(shown.teams, shown.clicked, strict=True):
        if clicked and team != NOBODY:
            found[team] += 1
    return found


TEAM_DRAFT = InterleavingMethod(
    "team-draft",
    "systems take turns, in random order, to add their best remaining document; a click counts for its team",
    draw_team_draft,
    credit_team_draft,
    bias="none when clicks are random; may miss a swap of two documents that always come from the same team",
    source="CIKM 2008, 2014",
    several=True,
    teams=True,
)
