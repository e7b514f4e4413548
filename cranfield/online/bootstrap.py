"""The bootstrap over users: what would the figure be with other users of the same kind?

A user's lists are not independent of each other, so that users are redrawn, each with all their lists.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints

AT_ONCE = 20_000_000  # numbers in memory
MOST = 20_000  # kinds of users that are redrawn one by one


def redrawn(totals: Floats, counts: Floats, samples: int = 2000, seed: int = 0) -> Floats:
    """The sum of totals over the sum of counts, for so many samples of as many users; NaN where the counts sum to 0.

    Users with the same total and count are drawn together, so that many users cost no more than their kinds. Of more
    than MOST kinds, those that move the figure most are redrawn one by one; the sums of the others, of whom none
    matters much, are drawn from the normal distribution with their mean and covariance.

    >>> found = redrawn(np.array([1.0, 0.0, 2.0, 1.0]), np.array([1.0, 1.0, 2.0, 2.0]))
    >>> len(found), bool(0.3 < np.median(found) < 1)
    (2000, True)
    >>> bool(np.isnan(redrawn(np.array([1.0, 0.0]), np.array([1.0, 0.0]))).any())
    True
    """
    kinds, users = np.unique(np.column_stack([totals, counts]), axis=0, return_counts=True)
    generator, found = np.random.default_rng(seed), []
    few, number, rest = _most_telling(kinds, users)
    step = max(1, AT_ONCE // len(number))
    for start in range(0, samples, step):
        size = (min(step, samples - start),)
        drawn = generator.multinomial(users.sum(), number / users.sum(), size=size)
        sums = drawn[:, : len(few)] @ few
        if rest is not None:
            sums += rest.sums(drawn[:, -1], generator)
        total, count = sums.T
        found.append(np.divide(total, count, out=np.full(len(sums), np.nan), where=count != 0))
    return np.concatenate(found)


class _Rest(NamedTuple):
    """The mean and covariance of total and count over the users who are not redrawn one by one."""

    mean: Floats
    covariance: Floats

    def sums(self, users: Ints, generator: np.random.Generator) -> Floats:
        """The sums over so many of these users in each sample."""
        noise = generator.multivariate_normal([0, 0], self.covariance, size=len(users), method="eigh")
        return np.asarray(users[:, None] * self.mean + np.sqrt(users)[:, None] * noise)


def _most_telling(kinds: Floats, users: Ints) -> tuple[Floats, Ints, _Rest | None]:
    """The kinds to redraw one by one, the users of each and, last, of all others, and what these are like."""
    if len(kinds) <= MOST:
        return kinds, users, None
    total, count = users @ kinds
    order = np.argsort(-np.abs(kinds[:, 0] - total / count * kinds[:, 1]), kind="stable")
    few, others = order[:MOST], order[MOST:]
    mean = np.average(kinds[others], axis=0, weights=users[others])
    rest = _Rest(mean, np.cov(kinds[others].T, fweights=users[others], ddof=0))
    return kinds[few], np.append(users[few], users[others].sum()), rest


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
