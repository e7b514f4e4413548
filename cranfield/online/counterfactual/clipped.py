"""Clipped IPS: as IPS, but no weight counts more than 10."""

from __future__ import annotations

import numpy as np

from cranfield.online.counterfactual.estimator import Estimator, Terms, Weighted, mean_of

MOST = 10.0


def clipped_terms(of: Weighted) -> Terms:
    """Weights 30 and 0.5 of rewards 1 and 1.

    Clipped IPS: as IPS, but no weight counts more than 10.

    Less variable, and too low where larger weights were cut: the mean weight shows by how much.

    Source: Ionides, Truncated importance sampling, Journal of Computational and Graphical Statistics 17, 2008.

    >>> from cranfield.online.counterfactual.estimator import one_per_list
    >>> clipped_terms(one_per_list([30, 0.5], [1, 1])).value
    5.25
    """
    return mean_of(of, np.minimum(of.weight, MOST) * of.reward)


CLIPPED = Estimator("clipped", "ips with weights of at most 10; too low", clipped_terms, "lists", "JCGS 2008")
