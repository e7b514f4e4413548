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
        self.made: list[int] = []
        self.chances: list[list[float]] = []

    def _next(self, chances: list[float]) -> int:
        self.made.append(self.script[len(self.made)] if len(self.made) < len(self.script) else 0)
        self.chances.append(chances)
        return self.made[-1]

    def choice(self, seq: Any) -> Any:
        return seq[self._next([1 / len(seq)] * len(seq))]

    def randrange(self, start: int, *_: Any) -> int:
        return self._next([1 / start] * start)

    def choices(self, population: Any, weights: Any = None, **_: Any) -> list[Any]:
        return [population[self._next([weight / sum(weights) for weight in weights])]]


def every(method: InterleavingMethod, orders: Sequence[Sequence[Any]], depth: int) -> Iterator[tuple[float, DrawnList]]:
    """Each way of drawing, with its probability."""
    rankings, script = SystemRankings.of(orders), list[int]()
    while True:
        random = Scripted(script)
        drawn = method.draw(rankings, depth, random)
        probability = 1.0
        for made, chances in zip(random.made, random.chances, strict=True):
            probability *= chances[made]
        yield probability, drawn
        places = [place for place, made in enumerate(random.made) if made + 1 < len(random.chances[place])]
        if not places:
            return
        script = [*random.made[: places[-1]], random.made[places[-1]] + 1]


def lists(method: InterleavingMethod, orders: Sequence[Sequence[Any]], depth: int) -> dict[str, float]:
    found: dict[str, float] = {}
    for probability, drawn in every(method, orders, depth):
        docs = "".join(map(str, drawn.docs))
        found[docs] = found.get(docs, 0) + probability
    return {docs: probability for docs, probability in found.items() if probability > 1e-12}


def credit(
    method: InterleavingMethod, orders: Sequence[Sequence[Any]], docs: str, clicks: str, teams: Any = None
) -> list[float]:
    """The credit of each system by clicks on these documents."""
    clicked = [doc in clicks for doc in docs]
    return method.credit(ShownList(SystemRankings.of(orders), docs, teams or (-1,) * len(docs), clicked))
