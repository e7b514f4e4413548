"""Wilcoxon's signed rank test: are the differences symmetric about 0, by their ranks?"""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield.arrays.rankings import Floats, Mask
from cranfield.metrics.significance.pairs import Pairs, SignificanceTest
from cranfield.metrics.significance.resampling import exact

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
    some = pairs.rounded.any(axis=1)
    topics = pairs.rounded.shape[1]
    plain = some & _plain(pairs.rounded) & (topics <= TABULATED)
    if topics <= ENUMERATED:
        p[some] = _enumerated(pairs.rounded[some], pairs.zeros)
    else:
        p[plain] = _tabulated(pairs.rounded[plain])
        p[some & ~plain] = _normal(pairs.rounded[some & ~plain], pairs.zeros)
    return p


def _plain(d: Floats) -> Mask:
    """Per pair: is no difference 0, and none the size of another?"""
    sizes = np.sort(np.abs(d), axis=1)
    return np.asarray((sizes[:, 0] > 0) & (np.diff(sizes, axis=1) > 0).all(axis=1))


def _signed_ranks(d: Floats, zeros: str) -> tuple[Floats, Floats]:
    """The ranks of the differences' sizes with the differences' signs, and the sum of squares that goes with them."""
    from scipy.stats import rankdata

    ranks = np.asarray(rankdata(np.abs(d), axis=1), dtype=float)
    if zeros == "wilcox":
        ranks -= (d == 0).sum(axis=1, keepdims=True)
    counted = ranks if zeros == "zsplit" else ranks * (d != 0)
    return ranks * np.sign(d), (counted**2).sum(axis=1)


def _enumerated(d: Floats, zeros: str) -> Floats:
    """p by all signs of the ranks."""
    ranks, _ = _signed_ranks(d, zeros)
    return exact(np.abs(ranks), ranks.sum(axis=1))


def _normal(d: Floats, zeros: str) -> Floats:
    """p by the normal approximation; the sum of squares corrects for ties by itself."""
    from scipy.special import ndtr

    ranks, squares = _signed_ranks(d, zeros)
    return np.asarray(2 * ndtr(-np.abs(ranks.sum(axis=1)) / np.sqrt(squares)), dtype=float)


def _tabulated(d: Floats) -> Floats:
    """p by the distribution of untied ranks."""
    from scipy import stats

    return np.asarray(stats.wilcoxon(d, axis=1, method="exact").pvalue, dtype=float) if len(d) else np.ones(0)


def least(topics: int, samples: int, runs: int) -> float:
    """The smallest p that so many topics can give."""
    return 2.0 ** (1 - topics) if topics <= TABULATED else 0.0


WILCOXON = SignificanceTest("wilcoxon", "Wilcoxon signed rank test", wilcoxon, least)
