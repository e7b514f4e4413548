"""DR, doubly robust: what a click model expects, corrected by weighted differences from what was seen."""

from __future__ import annotations

from cranfield.online.counterfactual.estimator import Estimator, Terms, Weighted, mean_of


def dr_terms(of: Weighted) -> Terms:
    """The expected values, and the weighted differences from the predicted ones.

    DR, doubly robust: what a click model expects, corrected by weighted differences from what was seen.

    Unbiased if either propensities or the model are right, and less variable than IPS where the model is good.

    Source: Dudik, Langford and Li, Doubly robust policy evaluation and learning, ICML 2011.

    >>> from cranfield.online.counterfactual.estimator import one_per_list
    >>> dr_terms(one_per_list([2, 0.5], [1, 1], [0.5, 1], [0.5, 0.25])).value
    0.875
    """
    return mean_of(of, of.expected + of.weight * (of.reward - of.predicted))


DR = Estimator("dr", "dm, corrected by weighted differences; right if either is", dr_terms, "lists", "ICML 2011", True)
