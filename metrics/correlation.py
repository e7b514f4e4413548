"""How alike two rankings of systems are.

Both functions take the scores of the same systems in two ways of measuring. Tau over many systems hardly sees one
system move: look at that system's own score first. A value means little without the tau that chance alone gives, from
halves or resamples of the topics.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.rankings import Floats

Scores = Floats | Sequence[float]


def kendall_tau(x: Scores, y: Scores) -> float:
    """Kendall's tau-b: pairs ordered alike less pairs ordered otherwise, as a share; ties are no order.

    NaN where it is undefined: one side all tied, or a score that is NaN.

    Source: Kendall, The treatment of ties in ranking problems, Biometrika 33(3), 1945.

    >>> kendall_tau([0.1, 0.2, 0.3], [0.1, 0.3, 0.2]), kendall_tau([0.1, 0.2], [0.5, 0.5])
    (0.3333333333333333, nan)
    """
    a, b = _orders(x), _orders(y)
    untied = np.sqrt(float(np.sum(a * a)) * float(np.sum(b * b)))
    return float(np.sum(a * b) / untied) if untied else np.nan


def tau_ap(truth: Scores, estimate: Scores) -> float:
    """AP correlation: like tau, but a swap near the top of the estimated ranking costs more.

    For each system but the first, the share of those above it in the estimate that truly are better; not symmetric.
    Ties: systems tied in the estimate are compared with those above their group only, and a pair tied in the truth
    alone is in the wrong order. So a ranking agrees with itself, ties or not; the mean of both directions is the
    tau_AP,b of Urbano and Marrero. NaN where one side is all tied or has a NaN.

    Source: Yilmaz, Aslam and Robertson, A new rank correlation coefficient for information retrieval, SIGIR 2008;
    ties: Urbano and Marrero, The treatment of ties in AP correlation, ICTIR 2017.

    >>> tau_ap([3, 2, 1], [3, 1, 2]), tau_ap([3, 2, 1], [2, 3, 1])  # the second swap is at the top
    (0.5, 0.0)
    """
    true, above = _orders(truth) < 0, _orders(estimate) < 0
    number_above = above.sum(axis=1)
    placed = number_above > 0
    if not placed.any() or not true.any():
        return np.nan
    right = (above & true).sum(axis=1)
    return float(2 * np.mean(right[placed] / number_above[placed]) - 1)


def _orders(scores: Scores) -> Floats:
    """For each pair: 1 if the first scores higher, -1 if lower, 0 if they tie; all 0 where a score is NaN."""
    values = np.asarray(scores, float)
    if np.isnan(values).any():
        return np.zeros((len(values), len(values)))
    return (values[:, None] > values).astype(float) - (values[:, None] < values)
