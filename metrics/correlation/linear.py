"""Coefficients of scores rather than of pairs: Pearson's and Spearman's r, and two distances."""

from __future__ import annotations

import numpy as np

from cranfield.metrics.correlation.base import Scores, undefined


def pearson(truth: Scores, estimate: Scores) -> float:
    """Pearson's r: how close the pairs of scores are to a straight line.

    Coefficients of scores rather than of pairs: Pearson's and Spearman's r, and two distances.

    They show what a rank correlation cannot: whether the scores changed little or much. Distances make sense only where
    both sides use the same measure, as with full and reduced judgments; AP and P@10 have different scales.

    It is sensitive to a single outlier. NaN where one side is all tied or has a NaN.

    >>> round(pearson([1, 2, 3], [2, 4, 6]), 10), pearson([1, 1], [1, 2])
    (1.0, nan)
    """
    if undefined(truth, estimate):
        return np.nan
    x, y = (np.asarray(scores, float) - np.mean(scores) for scores in (truth, estimate))
    return float(np.sum(x * y) / np.sqrt(np.sum(x * x) * np.sum(y * y)))


def spearman(truth: Scores, estimate: Scores) -> float:
    """Spearman's r: Pearson's of the ranks, ties at their mean rank; one system far off costs more than in tau.

    >>> round(spearman([1, 2, 3, 40], [1, 2, 4, 3]), 10)
    0.8
    """
    from scipy.stats import rankdata

    if undefined(truth, estimate):
        return np.nan
    return pearson(rankdata(np.asarray(truth, float)), rankdata(np.asarray(estimate, float)))


def root_mean_square_error(truth: Scores, estimate: Scores) -> float:
    """The root of the mean squared difference of scores; 0 is best. NaN where a score is, or there is none.

    >>> root_mean_square_error([0.25, 0.5], [0.25, 0.0]) == (0.25 / 2) ** 0.5
    True
    """
    difference = np.asarray(truth, float) - np.asarray(estimate, float)
    return float(np.sqrt(np.mean(difference**2))) if len(difference) else np.nan


def max_change(truth: Scores, estimate: Scores) -> float:
    """How far the score moves of the system whose moves furthest; 0 is best. NaN where a score is, or there is none.

    >>> max_change([0.25, 0.5], [0.25, 0.0])
    0.5
    """
    difference = np.abs(np.asarray(truth, float) - np.asarray(estimate, float))
    return float(difference.max()) if len(difference) else np.nan
