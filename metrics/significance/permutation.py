"""The permutation test (Fisher's randomisation test): would swapping labels at random give such a mean difference?"""

from __future__ import annotations

import numpy as np

from cranfield.arrays.rankings import Floats, Mask
from cranfield.metrics.significance.pairs import Pairs, SignificanceTest
from cranfield.metrics.significance.resampling import exact, monte_carlo

MOST_EXACT = 18  # topics: 2^17 patterns are enumerated at once


def permutation(pairs: Pairs) -> Floats:
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
    >>> permutation(Pairs(scores, np.array([0, 0]), np.array([1, 2])))  # 3 topics differ, all one way: 2 of 2^3
    array([0.25, 1.  ])
    """
    sizes = np.sort(np.abs(pairs.differences), axis=1)
    observed = pairs.differences.sum(axis=1)
    differing = np.count_nonzero(sizes, axis=1)
    p = np.ones(len(sizes))
    for m in range(1, exact_up_to(pairs.samples) + 1):
        few = differing == m
        if few.any():
            p[few] = exact(sizes[few, -m:], observed[few])
    many = differing > exact_up_to(pairs.samples)
    if many.any():
        p[many] = monte_carlo(sizes[many], observed[many], _signs, pairs)
    else:
        pairs.advance(pairs.samples)
    return p


def exact_up_to(samples: int) -> int:
    """Up to how many topics all swaps are no more than the samples.

    >>> exact_up_to(1000), exact_up_to(1024), exact_up_to(10**9)
    (10, 11, 18)
    """
    return min(samples.bit_length(), MOST_EXACT)


def least(topics: int, samples: int, runs: int = 2) -> float:
    """The smallest p possible with so many topics and samples.

    >>> least(5, 1000), least(50, 999)
    (0.0625, 0.001)
    """
    return 2.0 ** (1 - topics) if topics <= exact_up_to(samples) else 1 / (samples + 1)


def _signs(generator: np.random.Generator, size: int, topics: int) -> Floats:
    return generator.integers(0, 2, (size, topics), dtype=np.int8).astype(float) * 2 - 1


def tries_all(pairs: Pairs) -> Mask:
    """Per pair: whether every swap is tried."""
    return np.asarray(np.count_nonzero(pairs.differences, axis=1) <= exact_up_to(pairs.samples))


PERMUTATION = SignificanceTest("permutation", "permutation test", permutation, least, resamples=True, exact=tries_all)
