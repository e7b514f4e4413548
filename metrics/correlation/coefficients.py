"""Coefficients of two scorings of the same systems: by the order of pairs, or by the scores themselves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Floats, Ints, Mask

Scores = Floats | Sequence[float]
FEW = 64  # systems: rows of no more are compared many at once
MAX_BATCH_PAIRS = 1 << 16  # pairs
DIGITS = 12  # scores that differ less are tied: means are sums of fractions, in any order


@dataclass(frozen=True)
class Correlation:
    """A coefficient: a function of true scores and their estimate, and how to read it."""

    name: str
    function: Callable[[Scores, Scores], float]
    reading: str
    symmetric: bool = True  # whether exchanging truth and estimate leaves it the same

    def __call__(self, truth: Scores, estimate: Scores) -> float:
        return self.function(truth, estimate)


def pair_order_signs(scores: Scores) -> Floats:
    """For each pair: 1 if the first scores higher, -1 if lower, 0 if they tie; all 0 where a score is NaN.

    >>> pair_order_signs([0.5, 0.2, 0.5]).astype(int).tolist()
    [[0, 1, 0], [-1, 0, -1], [0, 1, 0]]
    """
    values = np.asarray(scores, float)
    if np.isnan(values).any():
        return np.zeros((len(values), len(values)))
    return (values[:, None] > values).astype(float) - (values[:, None] < values)


def is_first_lower(scores: Scores) -> Mask:
    """For each pair: whether the first scores lower; never where a score is NaN.

    >>> is_first_lower([0.5, 0.2, 0.5]).astype(int).tolist()
    [[0, 0, 0], [1, 0, 1], [0, 0, 0]]
    """
    values = np.asarray(scores, float)
    return np.asarray((values[:, None] < values) & ~np.isnan(values).any())


def why_undefined(truth: Scores, estimate: Scores) -> str:
    """Why no coefficient is defined; empty where all are.

    >>> why_undefined([0.1, 0.1], [0.1, 0.2]), why_undefined([0.1, 0.2], [0.1, 0.2])
    ('all systems tie in the truth', '')
    """
    for side, scores in (("truth", truth), ("estimate", estimate)):
        values = np.asarray(scores, float)
        if len(values) < 2:
            return "there are fewer than two systems"
        if np.isnan(values).any():
            return f"a score is undefined in the {side}"
        if np.all(values == values[0]):
            return f"all systems tie in the {side}"
    return ""


def has_infinite(truth: Scores, estimate: Scores) -> bool:
    """Whether a score is infinite, so that only its order counts.

    >>> has_infinite([0.1, float("inf")], [0.1, 0.2]), has_infinite([0.1], [0.2])
    (True, False)
    """
    return any(np.isinf(np.asarray(scores, float)).any() for scores in (truth, estimate))


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
    return float(kendall_taus_by_row(np.asarray(x, float)[None], np.asarray(y, float)[None])[0])


def kendall_taus_by_row(x: Floats, y: Floats) -> Floats:
    """Kendall's tau between each row of x and the same row of y: an array of them.

    >>> x, y = np.array([[0.1, 0.2, 0.3], [0.1, 0.2, 0.2]]), np.array([[0.1, 0.3, 0.2], [0.5, 0.5, 0.5]])
    >>> kendall_taus_by_row(x, y).round(3)
    array([0.333,   nan])
    """
    places, other = _score_places(x), _score_places(y)
    if x.shape[1] <= FEW:
        step = max(1, MAX_BATCH_PAIRS // max(1, x.shape[1] ** 2))
        parts = [_taus(places[at : at + step], other[at : at + step]) for at in range(0, len(x), step)]
        values = np.concatenate([np.empty(0), *parts])
    else:
        values = np.array([_tau(*both) for both in zip(places, other, strict=True)])
    return np.where(np.isnan(x + y).any(axis=1), np.nan, values)


def _score_places(scores: Floats) -> Places:
    """Each row's values as small whole numbers in the same order, which are faster to compare."""
    order = np.argsort(scores, axis=1)
    rises = np.diff(np.take_along_axis(scores, order, axis=1), axis=1, prepend=-np.inf) > 0
    places = np.empty(scores.shape, np.int32)
    np.put_along_axis(places, order, np.cumsum(rises, axis=1, dtype=np.int32), axis=1)
    return places


def _tau(x: Places, y: Places) -> float:
    above, other, below = x[:, None] > x, y[:, None] > y, y[:, None] < y
    alike, otherwise = np.count_nonzero(above & other), np.count_nonzero(above & below)
    scale = np.sqrt(float(np.count_nonzero(above)) * np.count_nonzero(other))
    return (alike - otherwise) / scale if scale else np.nan


def _taus(x: Places, y: Places) -> Floats:
    """The same of many short rows at once."""
    above, other = x[:, :, None] > x[:, None], y[:, :, None] > y[:, None]
    below = y[:, :, None] < y[:, None]
    alike, otherwise, one, two = (pairs.sum(axis=(1, 2)) for pairs in (above & other, above & below, above, other))
    scale = np.sqrt(one.astype(float) * two)
    return np.asarray(np.where(scale > 0, alike - otherwise, np.nan) / scale)


def tau_a(truth: Scores, estimate: Scores) -> float:
    """Kendall's tau-a: the same, as a share of all pairs; a tied pair earns nothing.

    For a truth without ties, of which the estimate missed what it ties: the mean tau over all ways to break its
    ties. With ties in the truth it cannot reach 1. NaN as tau-b.

    Source: Kendall, A new measure of rank correlation, Biometrika 30, 1938; which to use: Urbano and Marrero, The
    treatment of ties in AP correlation, ICTIR 2017.

    >>> tau_a([1, 2, 3], [1, 2, 2]), kendall_tau([1, 2, 3], [1, 2, 2])
    (0.6666666666666666, 0.8164965809277261)
    """
    if why_undefined(truth, estimate):
        return np.nan
    pairs = len(truth) * (len(truth) - 1)
    return float(np.sum(pair_order_signs(truth) * pair_order_signs(estimate)) / pairs)


def weighted_tau(truth: Scores, estimate: Scores) -> float:
    """Weighted tau-b: a swap of the systems at ranks r and s weighs 1/r + 1/s.

    Top-weighted like tau_AP, and symmetric: the mean of weighting by either side's ranks. Rarely reported in retrieval;
    values are not comparable with tau or tau_AP.

    Source: Vigna, A weighted correlation index for rankings with ties, WWW 2015 (scipy.stats.weightedtau).

    >>> round(weighted_tau([4, 3, 2, 1], [4, 3, 1, 2]), 3), round(weighted_tau([4, 3, 2, 1], [3, 4, 2, 1]), 3)
    (0.813, 0.52)
    """
    from scipy.stats import weightedtau

    if why_undefined(truth, estimate):
        return np.nan
    return float(weightedtau(np.asarray(truth, float), np.asarray(estimate, float)).statistic)


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
    true, above = is_first_lower(truth), is_first_lower(estimate)
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
    if why_undefined(truth, estimate):
        return np.nan
    true, order = is_first_lower(truth), pair_order_signs(estimate)
    above, beside = order < 0, order == 0
    right = _mean_share((above & true).sum(axis=1), (beside & true).sum(axis=1), above.sum(axis=1), beside.sum(axis=1))
    return float(2 * np.sum(right) / (len(right) - 1) - 1)


def tau_ap_b(x: Scores, y: Scores) -> float:
    """tau_AP,b: the mean of tau_AP in both directions; ties are no order. For two observers, neither of them true.

    >>> tau_ap_b([3, 2, 1], [2, 3, 1]), tau_ap_b([2, 2, 1], [2, 2, 1])
    (0.0, 1.0)
    """
    return (tau_ap(x, y) + tau_ap(y, x)) / 2


def _mean_share(right_above: Ints, right_beside: Ints, above: Ints, beside: Ints) -> Floats:
    """For each system: the expected share of those above it that truly are better, if its ties break at random.

    With k of its tie group of t before it, which any k from 0 to t - 1 is alike probable, each other of the group is
    among them with probability k / (t - 1). The first of all has nothing above and adds nothing.
    """
    shares = np.zeros(len(above))
    for i, size in enumerate(beside):
        before = np.arange(size)
        right = right_above[i] + right_beside[i] * before / max(size - 1, 1)
        shares[i] = np.mean(np.divide(right, above[i] + before, out=np.zeros(size), where=above[i] + before > 0))
    return shares


def pearson(truth: Scores, estimate: Scores) -> float:
    """Pearson's r: how close the pairs of scores are to a straight line.

    Coefficients of scores rather than of pairs: Pearson's and Spearman's r, and two distances.

    They show what a rank correlation cannot: whether the scores changed little or much. Distances make sense only where
    both sides use the same measure, as with full and reduced judgments; AP and P@10 have different scales.

    It is sensitive to a single outlier. NaN where one side is all tied or has a NaN or an infinite score.

    >>> round(pearson([1, 2, 3], [2, 4, 6]), 10), pearson([1, 1], [1, 2])
    (1.0, nan)
    """
    if why_undefined(truth, estimate) or has_infinite(truth, estimate):
        return np.nan
    x, y = (np.asarray(scores, float) - np.mean(scores) for scores in (truth, estimate))
    return float(np.sum(x * y) / np.sqrt(np.sum(x * x) * np.sum(y * y)))


def spearman(truth: Scores, estimate: Scores) -> float:
    """Spearman's r: Pearson's of the ranks, ties at their mean rank; one system far off costs more than in tau.

    >>> round(spearman([1, 2, 3, 40], [1, 2, 4, 3]), 10)
    0.8
    """
    from scipy.stats import rankdata

    if why_undefined(truth, estimate):
        return np.nan
    return pearson(rankdata(np.asarray(truth, float)), rankdata(np.asarray(estimate, float)))


def root_mean_square_error(truth: Scores, estimate: Scores) -> float:
    """The root of the mean squared difference of scores; 0 is best. NaN for no scores, NaN or an infinite score.

    >>> root_mean_square_error([0.25, 0.5], [0.25, 0.0]) == (0.25 / 2) ** 0.5
    True
    """
    if has_infinite(truth, estimate):
        return np.nan
    difference = np.asarray(truth, float) - np.asarray(estimate, float)
    return float(np.sqrt(np.mean(difference**2))) if len(difference) else np.nan


def max_change(truth: Scores, estimate: Scores) -> float:
    """The largest difference of a system's scores; 0 is best. NaN for no scores, NaN or an infinite score.

    >>> max_change([0.25, 0.5], [0.25, 0.0])
    0.5
    """
    if has_infinite(truth, estimate):
        return np.nan
    difference = np.abs(np.asarray(truth, float) - np.asarray(estimate, float))
    return float(difference.max()) if len(difference) else np.nan
