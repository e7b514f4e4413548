"""AP correlation: like Kendall's tau, but a swap near the top of the estimated ranking costs more."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.correlation.base import Scores, lower, orders, undefined


def tau_ap(truth: Scores, estimate: Scores) -> float:
    """AP correlation of an estimated ranking with the true one.

    For each system but the first, the share of those above it in the estimate that are truly better, averaged and
    scaled to -1..1. It is not symmetric, so state which side is the truth. Without ties all three functions here use
    the same formula; only `tau_ap_b` is symmetric.

    Source: Yilmaz, Aslam and Robertson, A new rank correlation coefficient for information retrieval, SIGIR 2008; ties:
    Urbano and Marrero, The treatment of ties in AP correlation, ICTIR 2017.

    Ties: systems tied in the estimate are compared with those above their group only, and a pair tied in the truth
    alone is in the wrong order. So a ranking agrees with itself, ties or not. NaN where one side is all tied or has a
    NaN.

    >>> tau_ap([3, 2, 1], [3, 1, 2]), tau_ap([3, 2, 1], [2, 3, 1])  # the second swap is at the top
    (0.5, 0.0)
    """
    true, above = lower(truth), lower(estimate)
    number_above = np.count_nonzero(above, axis=1)
    placed = number_above > 0
    if not placed.any() or not true.any():
        return np.nan
    right = np.count_nonzero(above & true, axis=1)
    return float(2 * np.mean(right[placed] / number_above[placed]) - 1)


def tau_ap_a(truth: Scores, estimate: Scores) -> float:
    """tau_AP,a: the mean of tau_AP over all ways to break the ties of the estimate.

    For a truth without ties and an observer of it who may tie: how accurate the observer is. With ties in the truth
    it cannot reach 1. NaN where one side is all tied or has a NaN.

    >>> round(tau_ap_a([3, 2, 1], [3, 2, 2]), 10)  # the mean of 1 and of 0.5
    0.75
    """
    if undefined(truth, estimate):
        return np.nan
    true, order = lower(truth), orders(estimate)
    above, beside = order < 0, order == 0
    right = _expected((above & true).sum(axis=1), (beside & true).sum(axis=1), above.sum(axis=1), beside.sum(axis=1))
    return float(2 * np.sum(right) / (len(right) - 1) - 1)


def tau_ap_b(x: Scores, y: Scores) -> float:
    """tau_AP,b: the mean of tau_AP in both directions; ties are no order. For two observers, neither of them true.

    >>> tau_ap_b([3, 2, 1], [2, 3, 1]), tau_ap_b([2, 2, 1], [2, 2, 1])
    (0.0, 1.0)
    """
    return (tau_ap(x, y) + tau_ap(y, x)) / 2


def _expected(right_above: Ints, right_beside: Ints, above: Ints, beside: Ints) -> Floats:
    """For each system: the expected share of those above it that truly are better, if its ties break at random.

    With k of its tie group of t before it, which any k from 0 to t - 1 is alike probable, each other of the group is
    among them with probability k / (t - 1). The first of all has nothing above and adds nothing.
    """
    found = np.zeros(len(above))
    for i, size in enumerate(beside):
        before = np.arange(size)
        right = right_above[i] + right_beside[i] * before / max(size - 1, 1)
        found[i] = np.mean(np.divide(right, above[i] + before, out=np.zeros(size), where=above[i] + before > 0))
    return found
