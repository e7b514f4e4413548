"""IPS, inverse propensity scoring: the mean of reward times weight."""

from __future__ import annotations

from cranfield.online.counterfactual.estimator import Estimator, Terms, Weighted, mean_of


def ips_terms(of: Weighted) -> Terms:
    """Weights 2 and 0.5 of rewards 1 and 1.

    IPS, inverse propensity scoring: the mean of reward times weight.

    Unbiased if every list that the new ranking shows could have been shown, with the propensity logged. A few lists
    with small propensities can decide the result alone: see the effective sample size.

    Source: Horvitz and Thompson, A generalization of sampling without replacement from a finite universe, JASA 47,
    1952.

    >>> from cranfield.online.counterfactual.estimator import one_per_list
    >>> ips_terms(one_per_list([2, 0.5], [1, 1])).value
    1.25
    """
    return mean_of(of, of.weight * of.reward)


IPS = Estimator("ips", "mean of weight x clicks; unbiased", ips_terms, "lists", "JASA 1952")
