"""How many documents each topic gets."""

from __future__ import annotations

from collections.abc import Sequence


def shares(available: Sequence[int], budget: int | None = None, total: int | None = None) -> list[int]:
    """The size of each topic's pool, from a budget a topic or from one for all; without either, what there is.

    A total is shared out equally. What a topic does not have goes to the others, and what is left in the end goes to
    the first topics that have more, one document each. Source: PoolBiasEstimators, FixedSizePool.

    >>> shares([9, 2, 9], budget=4), shares([9, 2, 9], total=13), shares([9, 2, 9], total=99)
    ([4, 2, 4], [6, 2, 5], [9, 2, 9])
    """
    if total is None:
        return [size if budget is None else min(size, budget) for size in available]
    level, left, most = 0, total, list(available)
    while (wanting := sum(size > level for size in most)) and left >= wanting:
        step = min(left // wanting, min(size for size in most if size > level) - level)
        level, left = level + step, left - step * wanting
    found = [min(size, level) for size in most]
    for topic in [number for number, size in enumerate(most) if size > level][:left]:
        found[topic] += 1
    return found
