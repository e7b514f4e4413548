"""Randomised Tukey HSD: all runs at once, so that among all pairs a false claim is as rare as alpha says.

If all systems are alike, then on each topic any score could have been anyone's. Scores are shuffled among the runs,
topic by topic, and the largest difference of two means noted; p of a pair is how often that largest one is at least
the pair's own. No further correction belongs to it. It is for comparing all with all: each pair pays for all the
others, so it is the strictest of the tests here, the more so the more runs there are, and p of a pair changes with
the company. With two runs it is the permutation test.

It misleads where scores spread far apart: good and bad runs shuffled together widen what counts as chance.

Sources: Carterette, Multiple testing in statistical analysis of systems-based information retrieval experiments, TOIS
30(1), 2012; Sakai, Laboratory experiments in information retrieval, 2018.
"""

from __future__ import annotations

import numpy as np

from cranfield.rankings import Floats

from .pairs import Pairs, SignificanceTest
from .resampling import TOLERANCE, blocks

AT_ONCE = 2**22  # scores shuffled in memory at once


def tukey(pairs: Pairs) -> Floats:
    """Whether shuffling the scores of all runs gives any two means so far apart rarely; corrected for all pairs.

    >>> scores = np.array([[0.9, 0.8, 0.9, 0.7, 0.9], [0.2, 0.3, 0.1, 0.3, 0.2], [0.2, 0.3, 0.1, 0.2, 0.3]])
    >>> tukey(Pairs(scores, np.array([0, 1]), np.array([1, 2]), samples=10_000)).round(2)
    array([0.01, 1.  ])
    """
    largest = np.sort(largest_differences(pairs))
    slack = TOLERANCE * np.abs(pairs.scores).sum(axis=1).max()
    observed = np.abs(pairs.differences.sum(axis=1)) - slack
    as_large = len(largest) - np.searchsorted(largest, observed)
    return np.asarray((1 + as_large) / (1 + len(largest)))


def largest_differences(pairs: Pairs) -> Floats:
    """Per sample: the largest difference of two runs' sums, when each topic's scores are shuffled among the runs.

    Scores are taken above the topic's lowest and sorted, and topics are sorted by them, so that neither their order
    nor their difficulty matters.
    """
    topics = np.sort(pairs.scores - pairs.scores.min(axis=0), axis=0).T
    topics = np.ascontiguousarray(topics[np.lexsort(topics.T)])
    found = []
    for generator, size in blocks(pairs.samples, pairs.seed):
        step = max(1, AT_ONCE // topics.size)
        found += [_largest(topics, generator, min(step, size - done)) for done in range(0, size, step)]
        pairs.advance(size)
    return np.concatenate(found)


def _largest(topics: Floats, generator: np.random.Generator, size: int) -> Floats:
    shuffled = generator.permuted(np.broadcast_to(topics, (size, *topics.shape)), axis=-1)
    return np.asarray(np.ptp(shuffled.sum(axis=1), axis=1))


TUKEY = SignificanceTest(
    "tukey", "randomised Tukey HSD", tukey, lambda topics, samples: 1 / (samples + 1), resamples=True, whole=True
)
