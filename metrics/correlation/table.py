"""The table of coefficients, in display order."""

from __future__ import annotations

from .ap import tau_ap, tau_ap_a, tau_ap_b
from .base import Correlation
from .kendall import kendall_tau, tau_a, weighted_tau
from .linear import max_change, pearson, root_mean_square_error, spearman
from .rbo import rbo, rbo_a, rbo_b, rbo_min

CORRELATIONS: tuple[Correlation, ...] = (
    Correlation(
        "tau_b",
        kendall_tau,
        "pairs of systems ordered alike less pairs ordered otherwise; 0.9 and above is usually called equivalent, but"
        " among many systems one can fall far without moving it",
    ),
    Correlation(
        "tau_a", tau_a, "the same as a share of all pairs, so that a tie in the estimate costs", symmetric=False
    ),
    Correlation(
        "tau_AP",
        tau_ap,
        "like tau, but exchanges near the top of the estimate cost more; below tau: they disagree about the best",
        symmetric=False,
    ),
    Correlation("tau_AP,a", tau_ap_a, "tau_AP, its mean over all ways to break the estimate's ties", symmetric=False),
    Correlation("tau_AP,b", tau_ap_b, "tau_AP, the mean of both directions, where neither side is the truth"),
    Correlation("weighted tau", weighted_tau, "tau with exchanges weighted by 1 / rank, by both sides' ranks"),
    Correlation("RBO", rbo, "what the top of both rankings has in common (p = 0.9); tied systems have the same rank"),
    Correlation("RBO,a", rbo_a, "RBO, its mean over all orders that ties may stand for"),
    Correlation("RBO,b", rbo_b, "RBO,a corrected for ties, so that equal rankings have 1"),
    Correlation("RBO min", rbo_min, "RBO if nothing below the last system agreed: what is certain"),
    Correlation("Spearman", spearman, "correlation of the ranks; one system far off costs more than in tau"),
    Correlation("Pearson", pearson, "correlation of the scores; one outlier can make or break it"),
    Correlation(
        "RMSE", root_mean_square_error, "root mean squared difference of scores; only where both are of one measure"
    ),
    Correlation(
        "max change", max_change, "the largest difference of a system's scores; only where both are of one measure"
    ),
)
