"""How similar two rankings of systems are.

Every coefficient takes two scorings of the same systems; where it matters which one is the truth, it is the first.
`CORRELATIONS` is the table of all; what is undefined (all systems tied, a score that is NaN) is NaN. No coefficient
says how a single system fares: look at its score and rank first.
"""

from cranfield.metrics.correlation.coefficients import (
    Correlation,
    Scores,
    kendall_tau,
    max_change,
    pearson,
    root_mean_square_error,
    spearman,
    tau_a,
    tau_ap,
    tau_ap_a,
    tau_ap_b,
    undefined,
    weighted_tau,
)
from cranfield.metrics.correlation.correlate import CORRELATIONS, correlate

from .rbo import Overlap, rank_biased_overlap, rbo

__all__ = [
    "CORRELATIONS",
    "Correlation",
    "Overlap",
    "Scores",
    "correlate",
    "kendall_tau",
    "max_change",
    "pearson",
    "rank_biased_overlap",
    "rbo",
    "root_mean_square_error",
    "spearman",
    "tau_a",
    "tau_ap",
    "tau_ap_a",
    "tau_ap_b",
    "undefined",
    "weighted_tau",
]
