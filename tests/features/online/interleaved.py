"""Every list that a method can draw, with its probability, by trying every choice it makes at random."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from cranfield.features.online.interleaving.method import DrawnList, InterleavingMethod, ShownList, SystemRankings


class Scripted(Random):
    """Chooses as written; after that always the first. It notes how many choices there were, and their chances."""

    def __init__(self, script: Sequence[int]) -> None:
        super().__init__(0)
        self.script = list(script)
        self.picks: list[int] = []
        self.chances: list[list[float]] = []

    def _next(self, chances: list[float]) -> int:
        self.picks.append(self.script[len(self.picks)] if len(self.picks) < len(self.script) else 0)
        self.chances.append(chances)
        return self.picks[-1]

    def choice(self, seq: Any) -> Any:
        return seq[self._next([1 / len(seq)] * len(seq))]

    def randrange(self, start: int, *_: Any) -> int:
        return self._next([1 / start] * start)

    def choices(self, population: Any, weights: Any = None, **_: Any) -> list[Any]:
        return [population[self._next([weight / sum(weights) for weight in weights])]]


def every(method: InterleavingMethod, orders: Sequence[Sequence[Any]], depth: int) -> Iterator[tuple[float, DrawnList]]:
    """Each way of drawing, with its probability."""
    rankings, script = SystemRankings.from_orders(orders), list[int]()
    while True:
        random = Scripted(script)
        draw = method.draw(rankings, depth, random)
        probability = 1.0
        for pick, chances in zip(random.picks, random.chances, strict=True):
            probability *= chances[pick]
        yield probability, draw
        places = [place for place, pick in enumerate(random.picks) if pick + 1 < len(random.chances[place])]
        if not places:
            return
        script = [*random.picks[: places[-1]], random.picks[places[-1]] + 1]


def lists(method: InterleavingMethod, orders: Sequence[Sequence[Any]], depth: int) -> dict[str, float]:
    probabilities: dict[str, float] = {}
    for probability, draw in every(method, orders, depth):
        docs = "".join(map(str, draw.docs))
        probabilities[docs] = probabilities.get(docs, 0) + probability
    return {docs: probability for docs, probability in probabilities.items() if probability > 1e-12}


def credit(
    method: InterleavingMethod, orders: Sequence[Sequence[Any]], docs: str, clicks: str, teams: Any = None
) -> list[float]:
    """The credit of each system by clicks on these documents."""
    clicked = [doc in clicks for doc in docs]
    return method.credit(ShownList(SystemRankings.from_orders(orders), docs, teams or (-1,) * len(docs), clicked))
