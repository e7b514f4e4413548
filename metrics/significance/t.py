"""The paired t test: is the mean difference over topics further from 0 than its own spread explains?"""

from __future__ import annotations

import numpy as np

from cranfield.arrays.judged import ratio
from cranfield.arrays.rankings import Floats
from cranfield.metrics.significance.pairs import Pairs, SignificanceTest


def paired_t(pairs: Pairs) -> Floats:
    """Whether the mean difference is further from 0 than its standard error explains; the best calibrated.

    The default. In the largest simulation to date its error rate is closest to alpha (at .05 and 50 topics: .0512), and
    it agrees with the permutation and bootstrap tests on real runs: scores are not normal, but their mean over topics
    nearly is. It misleads with very few topics and an outlier among them; use the permutation test then.

    Sources: Student, The probable error of a mean, Biometrika 6, 1908; Smucker, Allan and Carterette, A comparison of
    statistical significance tests for information retrieval evaluation, CIKM 2007; Urbano, Lima and Hanjalic,
    Statistical significance testing in information retrieval, SIGIR 2019.

    Identical runs (0/0) have p 1. The same difference on every topic has no standard error, and the p of the sign test:
    two topics on which it happens to be the same are no proof.

    >>> scores = np.array([[0.5, 0.25, 0.75], [0.25, 0.5, 0.5], [0.5, 0.25, 0.75], [0.25, 0.0, 0.5]])
    >>> paired_t(Pairs(scores, np.array([0, 0, 0]), np.array([1, 2, 3])))
    array([0.66666667, 1.        , 0.25      ])
    """
    from scipy.special import stdtr

    d = pairs.differences
    topics = d.shape[1]
    error = d.std(axis=1, ddof=1) / np.sqrt(topics)
    t = np.where(d.any(axis=1), ratio(np.abs(d.mean(axis=1)), error, undefined=np.inf), 0.0)
    alike = d.any(axis=1) & (np.ptp(pairs.rounded, axis=1) == 0)
    return np.asarray(np.where(alike, 2.0 ** (1 - topics), 2 * stdtr(topics - 1, -t)), dtype=float)


T = SignificanceTest("t", "paired t test", paired_t, least=lambda topics, samples, runs: 0.0)
