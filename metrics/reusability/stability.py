"""How stable a ranking of systems is over topics: the noise that any other change has to be compared with.

A tau of .9 after a change of the pool says little by itself: over another sample of topics the same systems might agree
no better. `split_half` and `bootstrap` give that floor, `swap_rates` how often a difference of some size is reversed,
`discriminative_power` which share of pairs of systems the topics can distinguish.

`swap_rows` shows what smaller sets of the same topics would have said about the same systems: for each number of topics
n how often two disjoint sets of n disagree on which of two systems is better, how large a difference must be before
they rarely do, how similarly the two sets rank, and which share of pairs a set of n distinguishes. Sakai's test is a
bootstrap; here it is the paired t test, which keeps its level of .05 with few topics (of the bootstrap of five it is
.02). It misleads beyond half of the topics, where there are no two disjoint sets and only the last number is available,
and as a forecast: more topics of another kind are another experiment.

Sources: Voorhees and Buckley, The effect of topic set size on retrieval experiment error, SIGIR 2002; Sakai, Evaluating
evaluation metrics based on the bootstrap, SIGIR 2006.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.correlation.coefficients import DIGITS, kendall_taus_by_row
from cranfield.metrics.reusability.results import significance_matrix
from cranfield.parallel import map_blocks, split_into_blocks

BIN = 0.01
BINS = 21
RATE = 0.05  # how often a difference may be reversed and still be reliable
FEWEST = 5  # topics
ENOUGH = 20  # pairs that a rate needs
MAX_BATCH_SCORES = 1 << 17  # scores


class Floor(NamedTuple):
    """Kendall's tau from the choice of topics alone: between halves, and with resamples of all."""

    split_half_mean: float
    split_half_sd: float
    bootstrap_mean: float
    bootstrap_p5: float


def split_half(scores: Floats, samples: int = 200, seed: int = 0, topics: int | None = None) -> Floats:
    """Tau between the rankings by two random halves of the topics, for each of `samples` splits.

    `scores` is (runs, topics). Halves rank less stably than the whole set, so this floor is low. With
    `topics` it is between two disjoint sets of that size.

    >>> split_half(np.array([[0.9, 0.8, 0.9, 0.7], [0.1, 0.2, 0.3, 0.1]]), samples=3).tolist()
    [1.0, 1.0, 1.0]
    """
    random = np.random.default_rng(seed)
    size = topics or scores.shape[1] // 2
    orders = [random.permutation(scores.shape[1])[: 2 * size] for _ in range(samples)]
    return np.concatenate(list(map_blocks(_taus_of_halves, split_into_blocks(orders), (scores,))))


def _taus_of_halves(orders: Sequence[Ints], scores: Floats) -> Floats:
    return kendall_taus_by_row(*_means_of_halves(scores, orders))


def bootstrap(scores: Floats, samples: int = 200, seed: int = 0) -> Floats:
    """Tau between the ranking by all topics and by as many drawn with replacement, for each of `samples` draws."""
    random = np.random.default_rng(seed)
    topics = scores.shape[1]
    draws = random.integers(0, topics, (samples, topics))
    return np.concatenate(list(map_blocks(_taus_with_all, split_into_blocks(list(draws)), (scores,))))


def _taus_with_all(draws: Sequence[Ints], scores: Floats) -> Floats:
    means, topics = _topic_set_means(scores, np.array(draws)), np.arange(scores.shape[1])[None]
    return kendall_taus_by_row(np.broadcast_to(_topic_set_means(scores, topics), means.shape), means)


def _means_of_halves(scores: Floats, orders: Sequence[Ints]) -> list[Floats]:
    return [_topic_set_means(scores, half) for half in np.split(np.array(orders), 2, axis=1)]


def _topic_set_means(scores: Floats, topics: Ints) -> Floats:
    """The means (rows, runs) over each row of topics, rounded, so that ties stay ties."""
    step = max(1, MAX_BATCH_SCORES // max(1, len(scores) * topics.shape[1]))
    parts = [scores.take(topics[at : at + step], axis=1).mean(axis=2) for at in range(0, len(topics), step)]
    return np.asarray(np.round(np.concatenate(parts, axis=1).T, DIGITS))


def noise_floor(scores: Floats, seed: int = 0) -> Floor:
    """What the choice of topics alone does to a ranking, by scores (runs, topics).

    >>> noise_floor(np.array([[0.9, 0.8], [0.1, 0.2]]))
    Floor(split_half_mean=1.0, split_half_sd=0.0, bootstrap_mean=1.0, bootstrap_p5=1.0)
    >>> noise_floor(np.array([[0.9], [0.1]]))  # one topic says nothing about the choice of topics
    Floor(split_half_mean=nan, split_half_sd=nan, bootstrap_mean=nan, bootstrap_p5=nan)
    """
    if scores.shape[1] < 2:
        return Floor(*[np.nan] * len(Floor._fields))
    halves, resamples = split_half(scores, seed=seed), bootstrap(scores, seed=seed)
    with np.errstate(invalid="ignore"):
        return Floor(*map(float, (halves.mean(), halves.std(), resamples.mean(), np.quantile(resamples, 0.05))))


def swap_rates(scores: Floats, topics: int, trials: int = 50, seed: int = 0) -> Ints:
    """How often two disjoint sets of `topics` topics disagree on which of two systems is better, by their difference.

    An array (bins, 2): pairs whose difference by the first set falls into the bin [.01 b, .01 (b + 1)), the last bin
    open, and those of them that the second set reverses. Ties reverse nothing.

    Source: Voorhees and Buckley, The effect of topic set size on retrieval experiment error, SIGIR 2002.
    """
    if not 0 < topics <= scores.shape[1] // 2:
        raise ValueError(f"two disjoint sets of {topics} topics need {2 * topics} topics; there are {scores.shape[1]}")
    random = np.random.default_rng(seed)
    orders = [random.permutation(scores.shape[1])[: 2 * topics] for _ in range(trials)]
    counts = np.zeros((BINS, 2), np.int64)
    for block in map_blocks(_swaps, split_into_blocks(orders), (scores,)):
        counts += block
    return counts


def _swaps(orders: Sequence[Ints], scores: Floats) -> Ints:
    first, second = np.triu_indices(len(scores), k=1)
    counts = np.zeros((BINS, 2), np.int64)
    for means in zip(*_means_of_halves(scores, orders), strict=True):
        one, other = (np.round(mean[first] - mean[second], DIGITS) for mean in means)
        bins = np.minimum(np.round(np.abs(one) / BIN, DIGITS - 2), BINS - 1).astype(np.int64)
        counts[:, 0] += np.bincount(bins, minlength=BINS)
        counts[:, 1] += np.bincount(bins[one * other < 0], minlength=BINS)
    return counts


def discriminative_power(scores: Floats) -> float:
    """The share of pairs of systems that differ significantly by the paired t test; `scores` is (runs, topics).

    Many pairs are significant by chance among many: this compares measures and topic sets, not systems.

    >>> discriminative_power(np.array([[0.5, 0.6, 0.7], [0.1, 0.2, 0.4], [0.5, 0.6, 0.7]])).__round__(4)
    0.6667
    """
    return float(np.mean(significance_matrix(scores)[np.triu_indices(len(scores), k=1)] != 0))


def topic_set_sizes(topics: int, most: int = 10) -> list[int]:
    """Sizes of topic sets: 5, 10, ... and all; at most `most` sizes.

    >>> topic_set_sizes(25), topic_set_sizes(100, 5), topic_set_sizes(3)
    ([5, 10, 15, 20, 25], [20, 40, 60, 80, 100], [3])
    """
    step = FEWEST * -(-topics // (FEWEST * most))
    return sorted({*range(step, topics + 1, step), topics})


def power_of_sets(scores: Floats, topics: int, seed: int = 0) -> float:
    """The discriminative power of `topics` topics: the mean over 20 random sets.

    >>> power_of_sets(np.array([[0.5, 0.6, 0.7, 0.6], [0.1, 0.2, 0.4, 0.1]]), 3)
    1.0
    """
    random = np.random.default_rng(seed)
    whole = topics == scores.shape[1]
    sets = [random.permutation(scores.shape[1])[:topics] for _ in range(1 if whole else 20)]
    return float(np.mean(np.concatenate(list(map_blocks(_told_apart, split_into_blocks(sets), (scores,))))))


def _told_apart(sets: Sequence[Ints], scores: Floats) -> Floats:
    """For each set of topics, the share of pairs that it distinguishes."""
    return np.array([discriminative_power(scores[:, some]) for some in sets])


def reversal_threshold(counts: Ints, rate: float = RATE) -> float:
    """The least difference from which on fewer than `rate` of the pairs are reversed, in every bin; NaN if none.

    At least ENOUGH pairs must differ so much. `counts` is that of `swap_rates`: by difference, pairs and those of them
    that are reversed.

    >>> reversal_threshold(np.array([[10, 4], [100, 3], [100, 7], [100, 2], [5, 0]]))
    0.03
    """
    pairs, swaps = counts.T
    steady = swaps / np.maximum(pairs, 1) < rate
    reliable = np.logical_and.accumulate(steady[::-1])[::-1] & (pairs[::-1].cumsum()[::-1] >= ENOUGH)
    return float(np.argmax(reliable) * BIN) if reliable.any() else np.nan


def swap_rows(scores: Floats, seed: int = 0) -> list[dict[str, Any]]:
    """One row per number of topics: swap_rate, difference (needed), tau, told_apart; NaN without two disjoint sets."""
    rows = []
    for topics in topic_set_sizes(scores.shape[1]):
        row = {"topics": topics, "swap_rate": np.nan, "difference": np.nan, "tau": np.nan}
        if 2 * topics <= scores.shape[1]:
            counts = swap_rates(scores, topics, seed=seed)
            pairs, swaps = counts.sum(axis=0)
            rate = float(swaps / pairs) if pairs else np.nan
            taus = split_half(scores, 50, seed, topics)
            defined = taus[~np.isnan(taus)]
            tau = float(np.mean(defined)) if len(defined) else np.nan
            row |= {"swap_rate": rate, "difference": reversal_threshold(counts), "tau": tau}
        rows.append(row | {"told_apart": power_of_sets(scores, topics, seed) if topics > 1 else np.nan})
    return rows
