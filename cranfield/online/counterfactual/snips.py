"""SNIPS, self-normalised inverse propensity scoring: the mean reward, weighted."""

from __future__ import annotations

from cranfield.online.counterfactual.estimator import Estimator, Terms, Weighted


def snips_terms(of: Weighted) -> Terms:
    """Weights 2 and 0.5 of rewards 1 and 0.

    SNIPS, self-normalised inverse propensity scoring: the mean reward, weighted.

    Slightly biased, and far less variable than IPS: an estimate lies among the rewards that were seen.

    Source: Swaminathan and Joachims, The self-normalized estimator for counterfactual learning, NIPS 2015.

    >>> from cranfield.online.counterfactual.estimator import one_per_list
    >>> snips_terms(one_per_list([2, 0.5], [1, 0])).value
    0.8
    """
    return Terms(of.per_impression(of.weight * of.reward), of.per_impression(of.weight))


SNIPS = Estimator("snips", "weighted mean of clicks; less variable than ips", snips_terms, "lists", "NIPS 2015")
