"""The bootstrap test, shift method: would other topics of the same kind give a mean difference as far from 0?"""

from __future__ import annotations

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.metrics.significance.pairs import Pairs, SignificanceTest
from cranfield.metrics.significance.resampling import monte_carlo


def bootstrap(pairs: Pairs) -> Floats:
    """Whether redrawn topics, without any true difference, rarely give so large a mean difference.

    Topics are redrawn with replacement from differences that were shifted to mean 0. It agrees with t and permutation
    on many topics, and is too lenient on few: at .05 it errs in .060 of the cases with 50 topics and in .069 with 25.

    Sources: Noreen, Computer intensive methods for testing hypotheses, 1989; Savoy, Statistical inference in retrieval
    effectiveness evaluation, IP&M 33(4), 1997; the rates: Urbano, Lima and Hanjalic, SIGIR 2019.

    The differences are taken in the better run's favour and sorted, so that p does not depend on the order of
    runs or topics.

    >>> scores = np.array([[0.5, 0.3, 0.9, 0.7], [0.25, 0.2, 0.4, 0.7], [0.5, 0.3, 0.9, 0.7]])
    >>> bootstrap(Pairs(scores, np.array([0, 0]), np.array([1, 2]), samples=999)).round(2)  # too generous
    array([0.02, 1.  ])
    """
    total = pairs.differences.sum(axis=1)
    favoured = np.sort(pairs.differences * np.where(total < 0, -1.0, 1.0)[:, None], axis=1)
    shifted = favoured - favoured.mean(axis=1, keepdims=True)
    return monte_carlo(shifted, total, _times_drawn, pairs)


def _times_drawn(generator: np.random.Generator, size: int, topics: int) -> Floats:
    """How often each topic is in each of `size` samples of as many topics."""
    return generator.multinomial(topics, np.full(topics, 1 / topics), size=size).astype(float)


BOOTSTRAP = SignificanceTest(
    "bootstrap", "bootstrap test", bootstrap, least=lambda topics, samples, runs: 1 / (samples + 1), resamples=True
)
