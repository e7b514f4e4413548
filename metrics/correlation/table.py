"""The table of coefficients, in display order."""

from __future__ import annotations

from cranfield.metrics.correlation.ap import tau_ap, tau_ap_a, tau_ap_b
from cranfield.metrics.correlation.base import Correlation
from cranfield.metrics.correlation.kendall import kendall_tau, tau_a, weighted_tau
from cranfield.metrics.correlation.linear import max_change, pearson, root_mean_square_error, spearman
from cranfield.metrics.correlation.rbo import rbo, rbo_a, rbo_b, rbo_min

CORRELATIONS: tuple[Correlation, ...] = (
    Correlation(
        "tau_b",
        kendall_tau,
        "pairs of systems in the same order less pairs in reverse order; 0.9 and above is usually called equivalent,"
        " but among many systems one can fall far without changing it",
    ),
    Correlation(
        "tau_a", tau_a, "the same as a share of all pairs, so that a tie in the estimate costs", symmetric=False
    ),
    Correlation(
        "tau_AP",
        tau_ap,
        "like tau, but swaps near the top of the estimate cost more; below tau: the two disagree about the best",
        symmetric=False,
    ),
    Correlation("tau_AP,a", tau_ap_a, "tau_AP, its mean over all ways to break the estimate's ties", symmetric=False),
    Correlation("tau_AP,b", tau_ap_b, "tau_AP, the mean of both directions, where neither side is the truth"),
    Correlation("weighted tau", weighted_tau, "tau with swaps weighted by 1 / rank, averaged over both sides' ranks"),
    Correlation("RBO", rbo, "what the top of both rankings has in common (p = 0.9); tied systems have the same rank"),
    Correlation("RBO,a", rbo_a, "RBO, its mean over all ways to break ties"),
    Correlation("RBO,b", rbo_b, "RBO,a corrected for ties, so that equal rankings score 1"),
    Correlation("RBO min", rbo_min, "RBO if nothing below the last system agreed: a lower bound"),
    Correlation("Spearman", spearman, "correlation of the ranks; one system far off costs more than in tau"),
    Correlation("Pearson", pearson, "correlation of the scores; sensitive to a single outlier"),
    Correlation(
        "RMSE", root_mean_square_error, "root mean squared difference of scores; only where both use the same measure"
    ),
    Correlation(
        "max change", max_change, "the largest difference of a system's scores; only where both use the same measure"
    ),
)
