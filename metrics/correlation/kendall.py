"""Kendall's tau: pairs of systems in the same order, less pairs in reverse order."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Floats
from cranfield.metrics.correlation.base import Scores, orders, undefined

Places: TypeAlias = NDArray[np.int32]


def kendall_tau(x: Scores, y: Scores) -> float:
    """Kendall's tau-b: pairs in the same order less pairs in reverse order, as a share; ties have no order.

    Among many systems tau hardly reacts when one system moves: look at that system's own score first. All pairs count
    alike, the best two as much as the worst two (`tau_ap` and `weighted_tau` are top-weighted). A value means little
    without the tau between halves or resamples of the topics.

    For two sides either of which may have ties. NaN where it is undefined: one side all tied, or a score that is NaN.

    Source: Kendall, The treatment of ties in ranking problems, Biometrika 33(3), 1945.

    >>> kendall_tau([0.1, 0.2, 0.3], [0.1, 0.3, 0.2]), kendall_tau([0.1, 0.2], [0.5, 0.5])
    (0.3333333333333333, nan)
    """
    return float(taus(np.asarray(x, float)[None], np.asarray(y, float)[None])[0])


def taus(x: Floats, y: Floats) -> Floats:
    """Kendall's tau between each row of x and the same row of y: an array of them.

    >>> taus(np.array([[0.1, 0.2, 0.3], [0.1, 0.2, 0.2]]), np.array([[0.1, 0.3, 0.2], [0.5, 0.5, 0.5]])).round(3)
    array([0.333,   nan])
    """
    found = [_tau(*places) for places in zip(_places(x), _places(y), strict=True)]
    return np.where(np.isnan(x + y).any(axis=1), np.nan, found)


def _places(scores: Floats) -> Places:
    """Each row's values as small whole numbers in the same order, which are faster to compare."""
    order = np.argsort(scores, axis=1)
    rises = np.diff(np.take_along_axis(scores, order, axis=1), axis=1, prepend=-np.inf) > 0
    places = np.empty(scores.shape, np.int32)
    np.put_along_axis(places, order, np.cumsum(rises, axis=1, dtype=np.int32), axis=1)
    return places


def _tau(x: Places, y: Places) -> float:
    above, other, below = x[:, None] > x, y[:, None] > y, y[:, None] < y
    alike, otherwise = np.count_nonzero(above & other), np.count_nonzero(above & below)
    untied = np.sqrt(float(np.count_nonzero(above)) * np.count_nonzero(other))
    return (alike - otherwise) / untied if untied else np.nan


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
    """Weighted tau-b: a swap of the systems at ranks r and s weighs 1/r + 1/s.

    Top-weighted like tau_AP, and symmetric: the mean of weighting by either side's ranks. Rarely reported in retrieval;
    values are not comparable with tau or tau_AP.

    Source: Vigna, A weighted correlation index for rankings with ties, WWW 2015 (scipy.stats.weightedtau).

    >>> round(weighted_tau([4, 3, 2, 1], [4, 3, 1, 2]), 3), round(weighted_tau([4, 3, 2, 1], [3, 4, 2, 1]), 3)
    (0.813, 0.52)
    """
    from scipy.stats import weightedtau

    if undefined(truth, estimate):
        return np.nan
    return float(weightedtau(np.asarray(truth, float), np.asarray(estimate, float)).statistic)
