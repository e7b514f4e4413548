"""One interleaved list of ten for a live service: how long drawing it takes, and the credit after clicks.

python -m benchmarks.interleaving

Prints the medians in microseconds, by how many rankings there are and how long each is. `optimized` solves a linear
program for rankings that it has not seen: the first draw is told apart.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median
from time import perf_counter

from cranfield.features.online.interleaving import LETTERS, METHODS, interleave
from cranfield.features.online.interleaving.method import InterleavingMethod, ShownList, SystemRankings
from cranfield.features.online.interleaving.optimized import weigh

DEPTH = 10
CLICKED = [rank in (1, 4) for rank in range(DEPTH)]
SHAPES = [(systems, documents) for systems in (2, 5) for documents in (10, 100, 1000)]

Orders = list[list[str]]


def rankings(systems: int, documents: int) -> Orders:
    """Rankings that agree in part: each shuffles half as many documents more than it ranks, not far."""
    random = Random(1)
    names = [f"doc{number:06}" for number in range(documents * 3 // 2)]
    orders = [sorted(range(len(names)), key=lambda at: at + random.gauss(0, documents / 4)) for _ in range(systems)]
    return [[names[at] for at in order[:documents]] for order in orders]


def draw(orders: Orders, name: str, seed: int) -> None:
    """As a service does for a request."""
    interleave(orders, method=name, rng=seed, depth=DEPTH)


def credit(orders: Orders, method: InterleavingMethod) -> Callable[[int], object]:
    """As for one list that was logged with two clicks."""
    ranking = interleave(orders, method=method.name, rng=1, depth=DEPTH)
    teams = [LETTERS.find(team) for team in ranking.teams]
    return lambda _: method.credit(
        ShownList(SystemRankings.from_orders(orders), ranking.docs, teams, CLICKED[: len(ranking.docs)])
    )


def first(orders: Orders, seed: int) -> None:
    """Of rankings that were not seen before."""
    weigh.cache_clear()
    draw(orders, "optimized", seed)


def microseconds(call: Callable[[int], object], seconds: float = 0.2) -> float:
    """The median of one call, of as many as there is time for, after one that does not count."""
    call(0)
    times: list[float] = []
    while sum(times) < seconds:
        start = perf_counter()
        call(len(times) + 1)
        times.append(perf_counter() - start)
    return 1e6 * median(times)


def main() -> None:
    """Print a line for each method and shape."""
    for systems, documents in SHAPES:
        orders = rankings(systems, documents)
        for name, method in METHODS.items():
            if systems == 2 or method.several:
                took = [microseconds(partial(draw, orders, name)), microseconds(credit(orders, method))]
                print(f"{systems} rankings of {documents}: {name} {took[0]:.0f}, credit {took[1]:.0f}", flush=True)
        if systems == 2:
            print(f"{systems} rankings of {documents}: optimized, first {microseconds(partial(first, orders)):.0f}")


if __name__ == "__main__":
    main()
