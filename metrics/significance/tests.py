"""The tests by a known distribution, and the table of all, those to prefer first."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from cranfield.arrays.judged import ratio
from cranfield.arrays.rankings import Floats, Mask
from cranfield.metrics.significance.pairs import Pairs, SignificanceTest
from cranfield.metrics.significance.resampling import BOOTSTRAP, PERMUTATION, TUKEY, exact_p_values


def paired_t(pairs: Pairs) -> Floats:
    """Whether the mean difference is further from 0 than its standard error explains; the best calibrated.

    The default. In the largest simulation to date its error rate is closest to alpha (at .05 and 50 topics: .0512), and
    it agrees with the permutation and bootstrap tests on real runs: scores are not normal, but their mean over topics
    nearly is. It misleads with very few topics and an outlier among them; use the permutation test then. It misleads
    where a few topics decide: if a run wins much on a fifth of 50 topics and loses a little on the others, at equal
    means, p is at most .05 in .068 of the cases and at most .01 in .028. Look at the differences by topic (--plot).

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
    return np.asarray(
        np.where(has_constant_differences(pairs), 2.0 ** (1 - topics), 2 * stdtr(topics - 1, -t)), dtype=float
    )


def has_constant_differences(pairs: Pairs) -> Mask:
    """Return, for each pair, whether the scores differ by the same amount on all topics, so that t is undefined.

    >>> scores = np.array([[0.5, 0.75], [0.25, 0.5], [0.25, 0.75], [0.25, 0.5]])
    >>> has_constant_differences(Pairs(scores, np.array([0, 0, 1]), np.array([1, 2, 3])))
    array([ True, False, False])
    """
    return np.asarray(pairs.differences.any(axis=1) & (np.ptp(pairs.without_noise, axis=1) == 0))


T = SignificanceTest(
    "t", "paired t test", paired_t, least=lambda topics, samples, runs: 0.0, sign_tests=has_constant_differences
)


Zeros = Literal["wilcox", "pratt", "zsplit"]
ENUMERATED = 13  # topics up to which scipy tries every sign
TABULATED = 50  # topics up to which it knows the exact distribution of untied ranks


def wilcoxon(pairs: Pairs) -> Floats:
    """Whether the ranks of the differences lean to one side; assumes that they are symmetric.

    It is about the sum of the ranks of the differences, not about means, and it assumes that differences are symmetric.
    Differences of scores seldom are, so its error rate grows with the topics (at .05: .072 with 50 topics, .097 with
    100). It is used because it does not assume a normal distribution; neither does the permutation test, which is about
    the mean. (For many systems at once Otero, Parapar and Barreiro, 2025, speak for it, with Benjamini-Hochberg.)

    Sources: Wilcoxon, Individual comparisons by ranking methods, Biometrics Bulletin 1(6), 1945; topics without
    difference: Pratt, Remarks on zeros and ties in the Wilcoxon signed rank procedures, JASA 54, 1959; against its use
    here: Smucker, Allan and Carterette, CIKM 2007; the rates: Urbano, Lima and Hanjalic, SIGIR 2019.

    Exact up to 13 topics and, without ties and zeros, up to 50; else by the normal approximation without continuity
    correction, as scipy.stats.wilcoxon does for one pair. (Given many, it lets a tie in one pair decide for all.)
    `zeros`, topics without difference: "wilcox" drops them, "pratt" ranks and then drops them, "zsplit" gives half
    of their ranks to either side.

    >>> scores = np.array([[0.5, 0.3, 0.9, 0.7], [0.25, 0.2, 0.4, 0.7], [0.5, 0.3, 0.9, 0.7]])
    >>> wilcoxon(Pairs(scores, np.array([0, 0]), np.array([1, 2])))  # 3 wins and a tie
    array([0.25, 1.  ])
    """
    p = np.ones(len(pairs.a))
    some = pairs.without_noise.any(axis=1)
    topics = pairs.without_noise.shape[1]
    sizes = np.sort(np.abs(pairs.without_noise), axis=1)
    is_untied = (sizes[:, 0] > 0) & (np.diff(sizes, axis=1) > 0).all(axis=1)
    plain = some & is_untied & (topics <= TABULATED)
    if topics <= ENUMERATED:
        ranks, _ = _signed_ranks(pairs.without_noise[some], pairs.zeros)
        p[some] = exact_p_values(np.abs(ranks), ranks.sum(axis=1))
    else:
        p[plain] = _exact_untied_p_values(pairs.without_noise[plain])
        p[some & ~plain] = _normal_p_values(pairs.without_noise[some & ~plain], pairs.zeros)
    return p


def _signed_ranks(d: Floats, zeros: str) -> tuple[Floats, Floats]:
    """The ranks of the differences' sizes with the differences' signs, and the sum of squares that goes with them."""
    from scipy.stats import rankdata

    ranks = np.asarray(rankdata(np.abs(d), axis=1), dtype=float)
    if zeros == "wilcox":
        ranks -= (d == 0).sum(axis=1, keepdims=True)
    weights = ranks if zeros == "zsplit" else ranks * (d != 0)
    return ranks * np.sign(d), (weights**2).sum(axis=1)


def _normal_p_values(d: Floats, zeros: str) -> Floats:
    """p by the normal approximation; the sum of squares corrects for ties by itself."""
    from scipy.special import ndtr

    ranks, squares = _signed_ranks(d, zeros)
    return np.asarray(2 * ndtr(-np.abs(ranks.sum(axis=1)) / np.sqrt(squares)), dtype=float)


def _exact_untied_p_values(d: Floats) -> Floats:
    from scipy import stats

    return np.asarray(stats.wilcoxon(d, axis=1, method="exact").pvalue, dtype=float) if len(d) else np.ones(0)


def smallest_p(topics: int, samples: int, runs: int) -> float:
    """The smallest p that so many topics can give."""
    return 2.0 ** (1 - topics) if topics <= TABULATED else 0.0


WILCOXON = SignificanceTest("wilcoxon", "Wilcoxon signed rank test", wilcoxon, smallest_p)


def sign(pairs: Pairs) -> Floats:
    """Whether one run wins more topics than a fair coin would give it, however small the wins; ties are dropped.

    It asks a different question from the others: how often, not by how much. It overlooks a run that wins big and loses
    small, and it can reject where the means are equal; as a test of means its error rate grows with the topics (at .05:
    .078 with 50 topics, .125 with 100). Kept because it is used; take t or permutation.

    Its weakness on five topics, then nine: one run wins four of five, which a coin does often; with fewer than six
    topics not even winning all is significant at .05. After four small losses it has won five of nine, the likeliest
    outcome of a coin, though its wins are large:

    >>> from cranfield.metrics.significance.tests import paired_t
    >>> wins, losses = [0.30, 0.25, 0.35, 0.20, 0.30], [-0.01, -0.02, -0.01, -0.02]
    >>> def both(differences):
    ...     scores = np.array([differences, np.zeros(len(differences))])
    ...     pair = Pairs(scores, np.array([0]), np.array([1]))
    ...     return round(float(sign(pair)[0]), 3), round(float(paired_t(pair)[0]), 3)
    >>> both(wins[:4] + losses[:1]), both(wins[:5] + losses)
    ((0.375, 0.025), (1.0, 0.024))

    Sources: Conover, Practical nonparametric statistics, 1999; against its use here: Smucker, Allan and Carterette,
    CIKM 2007; the rates: Urbano, Lima and Hanjalic, SIGIR 2019.

    >>> scores = np.array([[0.5, 0.3, 0.9, 0.7], [0.25, 0.2, 0.4, 0.7], [0.5, 0.3, 0.9, 0.7]])
    >>> sign(Pairs(scores, np.array([0, 0]), np.array([1, 2])))  # 3 wins and a tie
    array([0.25, 1.  ])
    """
    from scipy.special import bdtr

    wins, losses = (pairs.without_noise > 0).sum(axis=1), (pairs.without_noise < 0).sum(axis=1)
    fewer = np.asarray(bdtr(np.minimum(wins, losses), wins + losses, 0.5), dtype=float)
    return np.asarray(np.minimum(1.0, 2 * fewer))


SIGN = SignificanceTest("sign", "sign test", sign, least=lambda topics, samples, runs: 2.0 ** (1 - topics))


TESTS: Mapping[str, SignificanceTest] = {test.name: test for test in (T, PERMUTATION, TUKEY, BOOTSTRAP, WILCOXON, SIGN)}
