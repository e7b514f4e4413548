"""The bootstrap over users: what would the figure be with other users of the same kind?

A user's lists are not independent of each other, so that users are redrawn, each with all their lists.
"""

from __future__ import annotations

import numpy as np

from cranfield.arrays.rankings import Floats

AT_ONCE = 20_000_000  # numbers in memory


def redrawn(totals: Floats, counts: Floats, samples: int = 2000, seed: int = 0) -> Floats:
    """The sum of totals over the sum of counts, for so many samples of as many users.

    Users with the same total and count are drawn together, so that many users cost no more than their kinds.

    >>> found = redrawn(np.array([1.0, 0.0, 2.0, 1.0]), np.array([1.0, 1.0, 2.0, 2.0]))
    >>> len(found), bool(0.3 < np.median(found) < 1)
    (2000, True)
    """
    kinds, users = np.unique(np.column_stack([totals, counts]), axis=0, return_counts=True)
    generator, found = np.random.default_rng(seed), []
    step = max(1, AT_ONCE // len(kinds))
    for start in range(0, samples, step):
        size = (min(step, samples - start),)
        sums = generator.multinomial(users.sum(), users / users.sum(), size=size) @ kinds
        found.append(sums[:, 0] / sums[:, 1])
    return np.concatenate(found)


def interval(sample: Floats, alpha: float = 0.05) -> tuple[float, float]:
    """The middle 1 - alpha of the sample."""
    low, high = np.quantile(sample, [alpha / 2, 1 - alpha / 2])
    return float(low), float(high)


def p_value(sample: Floats) -> float:
    """Twice the smaller share of the sample on one side of 0, which is one sample at least.

    >>> p_value(np.full(99, 0.1))
    0.02
    """
    least = min(np.count_nonzero(sample <= 0), np.count_nonzero(sample >= 0))
    return float(min(1.0, 2 * (least + 1) / (len(sample) + 1)))
