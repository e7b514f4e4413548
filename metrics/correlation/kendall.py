"""Kendall's tau: pairs of systems ordered alike, less pairs ordered otherwise.

Tau over many systems hardly sees one system move: look at that system's own score first. All pairs count alike, the
best two as much as the worst two (`tau_ap` and `weighted_tau` mind the top). A value means little without the tau that
chance alone gives, from halves or resamples of the topics.
"""

from __future__ import annotations

import numpy as np

from .base import Scores, orders, undefined


def kendall_tau(x: Scores, y: Scores) -> float:
    """Kendall's tau-b: pairs ordered alike less pairs ordered otherwise, as a share; ties are no order.

    For two observers either of whom may tie. NaN where it is undefined: one side all tied, or a score that is NaN.

    Source: Kendall, The treatment of ties in ranking problems, Biometrika 33(3), 1945.

    >>> kendall_tau([0.1, 0.2, 0.3], [0.1, 0.3, 0.2]), kendall_tau([0.1, 0.2], [0.5, 0.5])
    (0.3333333333333333, nan)
    """
    a, b = orders(x), orders(y)
    untied = np.sqrt(float(np.sum(a * a)) * float(np.sum(b * b)))
    return float(np.sum(a * b) / untied) if untied else np.nan


def tau_a(truth: Scores, estimate: Scores) -> float:
    """Kendall's tau-a: the same, as a share of all pairs; a tied pair earns nothing.

    For a truth without ties, of which the estimate missed what it ties: the mean tau over all ways to break its
    ties. With ties in the truth it cannot reach 1. NaN as tau-b.

    Source: Kendall, A new measure of rank correlation, Biometrika 30, 1938; which to use: Urbano and Marrero, The
    treatment of ties in AP correlation, ICTIR 2017.

    >>> tau_a([1, 2, 3], [1, 2, 2]), kendall_tau([1, 2, 3], [1, 2, 2])
    (0.6666666666666666, 0.8164965809277261)
    """
    if undefined(truth, estimate):
        return np.nan
    pairs = len(truth) * (len(truth) - 1)
    return float(np.sum(orders(truth) * orders(estimate)) / pairs)


def weighted_tau(truth: Scores, estimate: Scores) -> float:
    """Weighted tau-b: an exchange of the systems at ranks r and s weighs 1/r + 1/s.

    Minds the top as tau_AP does, and is symmetric: the mean of weighing by either side's ranks. Rarely reported in
    retrieval; the values are not comparable with tau or tau_AP.

    Source: Vigna, A weighted correlation index for rankings with ties, WWW 2015 (scipy.stats.weightedtau).

    >>> round(weighted_tau([4, 3, 2, 1], [4, 3, 1, 2]), 3), round(weighted_tau([4, 3, 2, 1], [3, 4, 2, 1]), 3)
    (0.813, 0.52)
    """
    from scipy.stats import weightedtau

    if undefined(truth, estimate):
        return np.nan
    return float(weightedtau(np.asarray(truth, float), np.asarray(estimate, float)).statistic)
