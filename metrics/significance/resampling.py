"""Tests that redraw the topics or swap the labels many times, and count."""

from collections.abc import Callable, Iterator, Sequence
from math import factorial, prod
from typing import Any, TypeVar

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.metrics.significance.pairs import Pairs, SignificanceTest
from cranfield.parallel import map_blocks

T = TypeVar("T")
BLOCK = 1000
TOGETHER = 128  # pairs whose samples are in memory at once
TOLERANCE = 1e-10  # what counts as a tie, as a share of the sum of all sizes

Draw = Callable[[np.random.Generator, int, int], Floats]


def map_samples(
    work: Callable[..., T], arguments: Sequence[Any], samples: int, seed: int, advance: Callable[[int], None]
) -> Iterator[T]:
    """The results of `work(generator, size, *shared)` for each block of samples, side by side.

    Samples are drawn in blocks, each with its own generator from the seed and the block's number, so a p value depends
    only on the seed, the number of samples and its own pair, not on other pairs or on memory.

    >>> list(map_samples(lambda generator, size: size, (), 2500, 0, lambda size: None))
    [1000, 1000, 500]
    """
    blocks = [(number, min(BLOCK, samples - start)) for number, start in enumerate(range(0, samples, BLOCK))]
    for (_, size), result in zip(blocks, map_blocks(_draw_block, blocks, (seed, work, arguments)), strict=True):
        advance(size)
        yield result


def _draw_block(number: int, size: int, seed: int, work: Callable[..., T], arguments: Sequence[Any]) -> T:
    return work(np.random.default_rng([seed, number]), size, *arguments)


def monte_carlo(values: Floats, statistic: Floats, draw: Draw, pairs: Pairs) -> Floats:
    """p = (1 + samples at least as far from 0 as what was observed) / (1 + samples).

    The 1 is the observed sample itself: without it p could be 0, and a test at alpha would reject too often.
    `values` is (pairs, topics); `draw` gives the weights of the topics (samples, topics).

    Source: Phipson and Smyth, Permutation p-values should never be zero, Statistical Applications in Genetics and
    Molecular Biology 9(1), 2010.
    """
    threshold = _threshold(values, statistic)
    count = np.ones(len(values), np.int64)
    for number in map_samples(_as_far, (values, threshold, draw), pairs.samples, pairs.seed, pairs.advance):
        count += number
    return count / (pairs.samples + 1)


def _as_far(generator: np.random.Generator, size: int, values: Floats, threshold: Floats, draw: Draw) -> Ints:
    return count_exceeding(values, threshold, draw(generator, size, values.shape[1]))


def exact_p_values(sizes: Floats, statistic: Floats) -> Floats:
    """The share of all sign patterns whose sum of `sizes` (pairs, topics) is at least as far from 0 as the observed.

    Half of the patterns suffice, since the others mirror them.

    >>> exact_p_values(np.array([[1.0, 2.0, 3.0]]), np.array([6.0]))  # 2 of 8
    array([0.25])
    """
    signs = all_sign_patterns(sizes.shape[1])
    return np.asarray(count_exceeding(sizes, _threshold(sizes, statistic), signs) / len(signs))


def all_sign_patterns(topics: int) -> Floats:
    """Every pattern of signs (patterns, topics) that begins with a plus.

    >>> all_sign_patterns(2)
    array([[ 1., -1.],
           [ 1.,  1.]])
    """
    patterns = np.arange(2 ** (topics - 1))[:, None] >> np.arange(topics - 1) & 1
    signs: Floats = np.column_stack([np.ones(len(patterns)), patterns * 2.0 - 1])
    return signs


def count_exceeding(values: Floats, threshold: Floats, weights: Floats) -> Ints:
    """Per pair: how many of the weighted sums are at least the threshold away from 0."""
    count = np.zeros(len(values), np.int64)
    together = max(1, TOGETHER * BLOCK // len(weights))
    for start in range(0, len(values), together):
        some = slice(start, start + together)
        sums = np.abs(values[some] @ weights.T)
        count[some] = np.count_nonzero(sums >= threshold[some, None], axis=1)
    return count


def _threshold(values: Floats, statistic: Floats) -> Floats:
    slack: Floats = TOLERANCE * np.abs(values).sum(axis=1)
    return np.abs(statistic) - slack


MOST_EXACT = 18  # topics: 2^17 patterns are enumerated at once


def permutation_p_values(pairs: Pairs) -> Floats:
    """Whether randomly swapping the runs' scores on topics rarely gives so large a mean difference.

    If two systems are equally good, then on each topic either could have had either score. The test swaps them at
    random, topic by topic, and counts how often the mean difference becomes as large. It assumes no distribution and is
    about the mean, like the t test. Where swaps are few all are tried, which makes p exact; otherwise they are sampled.
    It misleads where the smallest p that the samples allow, 1 / (samples + 1), is above what a correction for many
    pairs requires.

    Sources: Fisher, The design of experiments, 1935; Smucker, Allan and Carterette, A comparison of statistical
    significance tests for information retrieval evaluation, CIKM 2007.

    Exact for a pair that differs on few topics, 2^(topics - 1) <= samples; else p = (1 + as large) / (1 + samples).
    Swaps only change the sign of a difference, so only sizes matter; sorted, they do not depend on the order of
    topics or runs.

    >>> scores = np.array([[0.5, 0.3, 0.9, 0.7], [0.25, 0.2, 0.4, 0.7], [0.5, 0.3, 0.9, 0.7]])
    >>> permutation_p_values(Pairs(scores, np.array([0, 0]), np.array([1, 2])))  # 3 topics differ, one way: 2 of 2^3
    array([0.25, 1.  ])
    """
    sizes = np.sort(np.abs(pairs.differences), axis=1)
    statistic = pairs.differences.sum(axis=1)
    differing = np.count_nonzero(sizes, axis=1)
    p = np.ones(len(sizes))
    for m in range(1, max_exact_topics(pairs.samples) + 1):
        few = differing == m
        if few.any():
            p[few] = exact_p_values(sizes[few, -m:], statistic[few])
    many = differing > max_exact_topics(pairs.samples)
    if many.any():
        p[many] = monte_carlo(sizes[many], statistic[many], _signs, pairs)
    else:
        pairs.advance(pairs.samples)
    return p


def max_exact_topics(samples: int) -> int:
    """Up to how many topics all swaps are no more than the samples.

    >>> max_exact_topics(1000), max_exact_topics(1024), max_exact_topics(10**9)
    (10, 11, 18)
    """
    return min(samples.bit_length(), MOST_EXACT)


def smallest_p(topics: int, samples: int, runs: int = 2) -> float:
    """The smallest p possible with so many topics and samples.

    >>> smallest_p(5, 1000), smallest_p(50, 999)
    (0.0625, 0.001)
    """
    return 2.0 ** (1 - topics) if topics <= max_exact_topics(samples) else 1 / (samples + 1)


def _signs(generator: np.random.Generator, size: int, topics: int) -> Floats:
    return generator.integers(0, 2, (size, topics), dtype=np.int8).astype(float) * 2 - 1


def tries_all(pairs: Pairs) -> Mask:
    """Per pair: whether every swap is tried."""
    return np.asarray(np.count_nonzero(pairs.differences, axis=1) <= max_exact_topics(pairs.samples))


PERMUTATION = SignificanceTest(
    "permutation", "permutation test", permutation_p_values, smallest_p, resamples=True, exact=tries_all
)


def bootstrap(pairs: Pairs) -> Floats:
    """Whether redrawn topics, without any true difference, rarely give so large a mean difference.

    Topics are redrawn with replacement from differences that were shifted to mean 0. It agrees with t and permutation
    on many topics, and is too lenient on few: at .05 it errs in .060 of the cases with 50 topics and in .069 with 25.
    Where one run varies more between topics than the other, it errs in .095 with 25 topics and in .062 with 50. So
    there is no p with fewer than 50 topics.

    Sources: Noreen, Computer intensive methods for testing hypotheses, 1989; Savoy, Statistical inference in retrieval
    effectiveness evaluation, IP&M 33(4), 1997; the rates: Urbano, Lima and Hanjalic, SIGIR 2019.

    The differences are taken in the better run's favour and sorted, so that p does not depend on the order of
    runs or topics.

    >>> scores = np.array([[0.5, 0.3, 0.9, 0.7], [0.25, 0.2, 0.4, 0.7], [0.5, 0.3, 0.9, 0.7]])
    >>> bootstrap(Pairs(scores, np.array([0, 0]), np.array([1, 2]), samples=999)).round(2)  # too generous
    array([0.02, 1.  ])
    """
    total = pairs.differences.sum(axis=1)
    ahead = np.sort(pairs.differences * np.where(total < 0, -1.0, 1.0)[:, None], axis=1)
    centered = ahead - ahead.mean(axis=1, keepdims=True)
    return monte_carlo(centered, total, _times_drawn, pairs)


def _times_drawn(generator: np.random.Generator, size: int, topics: int) -> Floats:
    """How often each topic is in each of `size` samples of as many topics."""
    return generator.multinomial(topics, np.full(topics, 1 / topics), size=size).astype(float)


MIN_BOOTSTRAP_TOPICS = 50  # with 25, and the more with fewer, p is too often small (docs/reference/coverage.md)
BOOTSTRAP = SignificanceTest(
    "bootstrap", "bootstrap test", bootstrap, least=lambda topics, samples, runs: 1 / (samples + 1), resamples=True,
    min_topics=MIN_BOOTSTRAP_TOPICS,
)  # fmt: skip


MAX_SHUFFLED_SCORES = 2**22  # scores shuffled in memory at once


def tukey(pairs: Pairs) -> Floats:
    """Whether shuffling the scores of all runs rarely gives two means so far apart; corrected for all pairs.

    Randomised Tukey HSD: all runs at once, with the probability of any false claim at alpha.

    If all systems are equally good, then on each topic any of them could have had any score. Scores are shuffled among
    the runs, topic by topic, and the largest difference of two means is noted; the p of a pair is how often this is at
    least the pair's own difference. It needs no further correction. Use it to compare all runs with all: it is the
    strictest of the tests here, the more so the more runs there are, and the p of a pair depends on which other runs
    are there. With two runs it is the permutation test. All shuffles are tried where they are no more than the samples,
    which makes p exact; else they are sampled.

    It misleads where scores spread far apart: good and bad runs shuffled together widen what counts as chance.

    Sources: Carterette, Multiple testing in statistical analysis of systems-based information retrieval experiments,
    TOIS 30(1), 2012; Sakai, Laboratory experiments in information retrieval, 2018.

    Exact where the ways to shuffle are no more than the samples; else p = (1 + as large) / (1 + samples).

    >>> scores = np.array([[0.9, 0.8, 0.9, 0.7, 0.9], [0.2, 0.3, 0.1, 0.3, 0.2], [0.2, 0.3, 0.1, 0.2, 0.3]])
    >>> tukey(Pairs(scores, np.array([0, 1]), np.array([1, 2]))).round(4)  # 2 and all of 3 * 3 * 3 * 6 shuffles
    array([0.0123, 1.    ])
    """
    whole, topics = _shuffles_all(pairs), _sorted_topics(pairs)
    blocks = (
        [_largest_shuffled_differences(topics)]
        if whole
        else map_samples(_block, (topics,), pairs.samples, pairs.seed, pairs.advance)
    )
    largest = np.sort(np.concatenate(list(blocks)))
    slack = TOLERANCE * np.abs(pairs.scores).sum(axis=1).max()
    statistic = np.abs(pairs.differences.sum(axis=1)) - slack
    as_large = len(largest) - np.searchsorted(largest, statistic)
    if not whole:
        return np.asarray((1 + as_large) / (1 + len(largest)))
    pairs.advance(pairs.samples)
    return np.asarray(as_large / len(largest))


def n_shuffles(pairs: Pairs) -> int:
    """How many ways there are to shuffle, less those that only give the runs other names; equal scores are one.

    >>> from cranfield.metrics.significance.pairs import all_pairs
    >>> n_shuffles(Pairs(np.array([[0.1, 0.2], [0.3, 0.4], [0.5, 0.4]]), *all_pairs(3)))  # 6 and 3: the 6 are renamings
    3
    """
    counts = sorted(_orders(topic) for topic in pairs.scores.T)
    return prod(counts[:-1])


def _orders(scores: Floats) -> int:
    """In how many orders the scores of a topic may stand."""
    _, times = np.unique(scores, return_counts=True)
    return factorial(len(scores)) // prod(map(factorial, times.tolist()))


def max_tried_ways(samples: int, runs: int) -> int:
    """Up to how many ways all are tried."""
    return min(samples, MAX_SHUFFLED_SCORES // runs)


def _shuffles_all(pairs: Pairs) -> bool:
    return n_shuffles(pairs) <= max_tried_ways(pairs.samples, len(pairs.scores))


def _sorted_topics(pairs: Pairs) -> Floats:
    """Topics x runs: scores above the topic's lowest and sorted, topics sorted by them.

    So neither the order of topics nor how hard they are matters.
    """
    topics = np.sort(pairs.scores - pairs.scores.min(axis=0), axis=0).T
    return np.ascontiguousarray(topics[np.lexsort(topics.T)])


def _largest_shuffled_differences(topics: Floats) -> Floats:
    """The largest difference of two runs' sums for every way to shuffle, the topic of the most orders left as it is."""
    *others, base = sorted(topics, key=_orders)
    sums = base[None]
    for topic in others:
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


def _block(generator: np.random.Generator, size: int, topics: Floats) -> Floats:
    """Per sample: the largest difference of two runs' sums, when each topic's scores are shuffled among the runs."""
    step = max(1, MAX_SHUFFLED_SCORES // topics.size)
    return np.concatenate([_largest(topics, generator, min(step, size - start)) for start in range(0, size, step)])


def _largest(topics: Floats, generator: np.random.Generator, size: int) -> Floats:
    ways = generator.permuted(np.broadcast_to(topics, (size, *topics.shape)), axis=-1)
    return np.asarray(np.ptp(ways.sum(axis=1), axis=1))


def least_by_shuffles(topics: int, samples: int, runs: int) -> float:
    """The smallest p that so many topics, samples and runs can give.

    Best and worst are as they are on all topics: 1 of 6 orders a topic.

    >>> least_by_shuffles(3, 1000, 3), least_by_shuffles(50, 999, 3)
    (0.027777777777777776, 0.001)
    """
    whole = factorial(runs) ** (topics - 1) <= max_tried_ways(samples, runs)
    return float(runs * (runs - 1)) ** (1 - topics) if whole else 1 / (samples + 1)


def shuffles_all(pairs: Pairs) -> Mask:
    """For all pairs or for none: whether every way is tried."""
    return np.full(len(pairs.a), _shuffles_all(pairs))


TUKEY = SignificanceTest(
    "tukey", "randomised Tukey HSD", tukey, least_by_shuffles, resamples=True, whole=True, exact=shuffles_all
)
