"""Randomised Tukey HSD: all runs at once, with the probability of any false claim at alpha.

If all systems are equally good, then on each topic any of them could have had any score. Scores are shuffled among the
runs, topic by topic, and the largest difference of two means is noted; the p of a pair is how often this is at least
the pair's own difference. It needs no further correction. Use it to compare all runs with all: it is the strictest of
the tests here, the more so the more runs there are, and the p of a pair depends on which other runs are there. With two
runs it is the permutation test. All shuffles are tried where they are no more than the samples, which makes p exact;
else they are sampled.

It misleads where scores spread far apart: good and bad runs shuffled together widen what counts as chance.

Sources: Carterette, Multiple testing in statistical analysis of systems-based information retrieval experiments, TOIS
30(1), 2012; Sakai, Laboratory experiments in information retrieval, 2018.
"""

from math import factorial, prod

import numpy as np

from cranfield.arrays.rankings import Floats, Mask
from cranfield.metrics.significance.pairs import Pairs, SignificanceTest
from cranfield.metrics.significance.resampling import TOLERANCE, sampled

AT_ONCE = 2**22  # scores shuffled in memory at once


def tukey(pairs: Pairs) -> Floats:
    """Whether shuffling the scores of all runs rarely gives two means so far apart; corrected for all pairs.

    Exact where the ways to shuffle are no more than the samples; else p = (1 + as large) / (1 + samples).

    >>> scores = np.array([[0.9, 0.8, 0.9, 0.7, 0.9], [0.2, 0.3, 0.1, 0.3, 0.2], [0.2, 0.3, 0.1, 0.2, 0.3]])
    >>> tukey(Pairs(scores, np.array([0, 1]), np.array([1, 2]))).round(4)  # 2 and all of 3 * 3 * 3 * 6 shuffles
    array([0.0123, 1.    ])
    """
    whole, topics = _tries_all(pairs), _topics(pairs)
    largest = np.sort(_every_way(topics) if whole else _sampled(topics, pairs))
    slack = TOLERANCE * np.abs(pairs.scores).sum(axis=1).max()
    observed = np.abs(pairs.differences.sum(axis=1)) - slack
    as_large = len(largest) - np.searchsorted(largest, observed)
    if not whole:
        return np.asarray((1 + as_large) / (1 + len(largest)))
    pairs.advance(pairs.samples)
    return np.asarray(as_large / len(largest))


def ways(pairs: Pairs) -> int:
    """How many ways there are to shuffle, less those that only give the runs other names; equal scores are one.

    >>> from cranfield.metrics.significance.pairs import all_pairs
    >>> ways(Pairs(np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.4]]), *all_pairs(3)))  # 6 and 3: the 6 are renamings
    3
    """
    every = sorted(_orders(topic) for topic in pairs.scores.T)
    return prod(every[:-1])


def _orders(scores: Floats) -> int:
    """In how many orders the scores of a topic may stand."""
    _, times = np.unique(scores, return_counts=True)
    return factorial(len(scores)) // prod(map(factorial, times.tolist()))


def most_ways(samples: int, runs: int) -> int:
    """Up to how many ways all are tried."""
    return min(samples, AT_ONCE // runs)


def _tries_all(pairs: Pairs) -> bool:
    return ways(pairs) <= most_ways(pairs.samples, len(pairs.scores))


def _topics(pairs: Pairs) -> Floats:
    """Topics x runs: scores above the topic's lowest and sorted, topics sorted by them.

    So neither the order of topics nor how hard they are matters.
    """
    topics = np.sort(pairs.scores - pairs.scores.min(axis=0), axis=0).T
    return np.ascontiguousarray(topics[np.lexsort(topics.T)])


def _every_way(topics: Floats) -> Floats:
    """The largest difference of two runs' sums for every way to shuffle, the topic of the most orders left as it is."""
    *shuffled, fixed = sorted(topics, key=_orders)
    sums = fixed[None]
    for topic in shuffled:
        sums = (sums[:, None] + orders_of(topic)).reshape(-1, len(topic))
    return np.asarray(np.ptp(sums, axis=1))


def orders_of(scores: Floats) -> Floats:
    """Every order of these scores, one a row; equal scores change places unseen.

    >>> orders_of(np.array([0.0, 0.5, 0.5])).tolist()
    [[0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [0.5, 0.5, 0.0]]
    """
    values, times = np.unique(scores, return_counts=True)
    orders, remaining = np.zeros((1, 0)), times[None]
    for _ in scores:
        row, value = np.nonzero(remaining)
        orders, remaining = np.column_stack([orders[row], values[value]]), remaining[row]
        remaining[np.arange(len(row)), value] -= 1
    return orders


def _sampled(topics: Floats, pairs: Pairs) -> Floats:
    """Per sample: the largest difference of two runs' sums, when each topic's scores are shuffled among the runs."""
    return np.concatenate(list(sampled(_block, (topics,), pairs.samples, pairs.seed, pairs.advance)))


def _block(generator: np.random.Generator, size: int, topics: Floats) -> Floats:
    step = max(1, AT_ONCE // topics.size)
    return np.concatenate([_largest(topics, generator, min(step, size - done)) for done in range(0, size, step)])


def _largest(topics: Floats, generator: np.random.Generator, size: int) -> Floats:
    shuffled = generator.permuted(np.broadcast_to(topics, (size, *topics.shape)), axis=-1)
    return np.asarray(np.ptp(shuffled.sum(axis=1), axis=1))


def least(topics: int, samples: int, runs: int) -> float:
    """The smallest p that so many topics, samples and runs can give.

    >>> least(3, 1000, 3), least(50, 999, 3)  # best and worst as they are on all topics: 1 of 6 orders a topic
    (0.027777777777777776, 0.001)
    """
    whole = factorial(runs) ** (topics - 1) <= most_ways(samples, runs)
    return float(runs * (runs - 1)) ** (1 - topics) if whole else 1 / (samples + 1)


def exact(pairs: Pairs) -> Mask:
    """For all pairs or for none: whether every way is tried."""
    return np.full(len(pairs.a), _tries_all(pairs))


TUKEY = SignificanceTest("tukey", "randomised Tukey HSD", tukey, least, resamples=True, whole=True, exact=exact)
