"""Click models fitted to many lists of ten: how long each takes, and the most memory so far.

python -m benchmarks.click_models LISTS [MODEL...]

Half of the clicks are of few queries. Half of the lists have an order of their own, so that few are equal: real logs
have more equal ones, and take less. What the models find of simulated users of every kind is measured by
pytest --daily tests/features/online/test_click_models.py, with 100,000 lists each.
"""

import resource
import sys
from collections.abc import Sequence
from time import perf_counter

import numpy as np

from cranfield.features.online.click_models import CLICK_MODELS
from cranfield.features.online.click_models.model import STEPS, ClickedLists, distinct_lists

DEPTH, QUERIES = 10, 50_000


def draw(lists: int) -> ClickedLists:
    """Lists of ten of twelve documents of a query, with clicks that fall with the rank."""
    random = np.random.default_rng(1)
    query = random.zipf(1.3, lists) % QUERIES
    order = np.argsort(random.random((lists, DEPTH + 2)), axis=1)[:, :DEPTH]
    order[::2] = np.arange(DEPTH)
    pair = np.unique(query[:, None] * (DEPTH + 2) + order, return_inverse=True)[1].reshape(order.shape)
    clicks = random.random(order.shape) < random.beta(1, 3, pair.max() + 1)[pair] / np.arange(1, DEPTH + 1) ** 0.7
    return distinct_lists(2 * pair + clicks, int(pair.max()) + 1)


def main(arguments: Sequence[str]) -> None:
    """Draw, fit and print."""
    lists, *names = arguments
    start = perf_counter()
    log = draw(int(lists))
    print(f"{int(lists):,} lists, {len(log.count):,} different, {log.pairs:,} pairs: {perf_counter() - start:.1f} s")
    for name in names or CLICK_MODELS:
        start = perf_counter()
        CLICK_MODELS[name].fit(log, STEPS)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(f"{name}: {perf_counter() - start:.1f} s, {most:.2f} GB", flush=True)


if __name__ == "__main__":
    if not sys.argv[1:] or "--help" in sys.argv:
        raise SystemExit(__doc__)
    main(sys.argv[1:])
