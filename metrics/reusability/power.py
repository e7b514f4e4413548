"""How many topics it takes: what a smaller set of the same topics would have told of the same systems.

For each number of topics n: how often two disjoint sets of n disagree on which of two systems is better, how large a
difference has to be before they hardly do, how alike the two sets rank, and how many pairs a set of n tells apart. It
misleads beyond half the topics, where no two disjoint sets are left and only the last number can be had, and as a
forecast: more topics of another kind are another experiment.

Sources: Voorhees and Buckley, The effect of topic set size on retrieval experiment error, SIGIR 2002; Sakai, Evaluating
evaluation metrics based on the bootstrap, SIGIR 2006, here with the paired t test, which agrees with it and is faster.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.reusability.flips import claims
from cranfield.metrics.reusability.stability import BIN, split_half, swap_rates

RATE = 0.05  # how often a difference may turn round and still be relied on
FEWEST = 5  # topics


def sizes(topics: int, most: int = 10) -> list[int]:
    """Numbers of topics to look at: 5, 10, ... and all; of many topics `most` numbers at most.

    >>> sizes(25), sizes(100, 5), sizes(3)
    ([5, 10, 15, 20, 25], [20, 40, 60, 80, 100], [3])
    """
    step = FEWEST * -(-topics // (FEWEST * most))
    return sorted({*range(step, topics + 1, step), topics})


def told_apart(scores: Floats, topics: int, draws: int = 20, seed: int = 0) -> float:
    """The share of pairs of systems that `topics` topics tell apart (paired t, .05): the mean over random sets.

    >>> told_apart(np.array([[0.5, 0.6, 0.7, 0.6], [0.1, 0.2, 0.4, 0.1]]), 3)
    1.0
    """
    random = np.random.default_rng(seed)
    upper = np.triu_indices(len(scores), k=1)
    whole = topics == scores.shape[1]
    drawn = [random.permutation(scores.shape[1])[:topics] for _ in range(1 if whole else draws)]
    return float(np.mean([np.mean(claims(scores[:, some])[upper] != 0) for some in drawn]))


def tau_of_sets(scores: Floats, topics: int, draws: int = 50, seed: int = 0) -> float:
    """Kendall's tau between the rankings by two disjoint sets of `topics` topics: the mean over draws."""
    taus = split_half(scores, draws, seed, topics)
    defined = taus[~np.isnan(taus)]
    return float(np.mean(defined)) if len(defined) else np.nan


def needed(counts: Ints, rate: float = RATE) -> float:
    """The least difference from which on fewer than `rate` of the pairs turn round, in every bin; NaN if there is none.

    `counts` is that of `swap_rates`: by difference, pairs and those of them that turned round.

    >>> needed(np.array([[10, 4], [100, 3], [100, 7], [100, 2], [5, 0]]))
    0.03
    """
    pairs, swapped = counts.T
    steady = swapped / np.maximum(pairs, 1) < rate
    kept = np.logical_and.accumulate(steady[::-1])[::-1] & (pairs[::-1].cumsum()[::-1] > 0)
    return float(np.argmax(kept) * BIN) if kept.any() else np.nan


def by_topics(scores: Floats, seed: int = 0) -> list[dict[str, Any]]:
    """A row a number of topics: swap_rate, difference (needed), tau, told_apart; NaN where no two sets are left."""
    rows = []
    for topics in sizes(scores.shape[1]):
        row = {"topics": topics, "swap_rate": np.nan, "difference": np.nan, "tau": np.nan}
        if 2 * topics <= scores.shape[1]:
            counts = swap_rates(scores, topics, seed=seed)
            pairs, swapped = counts.sum(axis=0)
            rate = float(swapped / pairs) if pairs else np.nan
            row |= {"swap_rate": rate, "difference": needed(counts), "tau": tau_of_sets(scores, topics, seed=seed)}
        rows.append(row | {"told_apart": told_apart(scores, topics, seed=seed) if topics > 1 else np.nan})
    return rows
