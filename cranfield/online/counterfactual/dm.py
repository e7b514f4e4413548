"""DM, the direct method: what a click model expects of the new ranking."""

from __future__ import annotations

from cranfield.online.counterfactual.estimator import Estimator, Terms, Weighted, mean_of


def dm_terms(of: Weighted) -> Terms:
    """The model expects 0.5 and 0.25.

    DM, the direct method: what a click model expects of the new ranking.

    No weights, and so little variance, but as wrong as the model is. The model here is the position-based one, fitted
    to the same log; a document that was never shown for a topic gets the mean attractiveness.

    Source: Dudik, Langford and Li, Doubly robust policy evaluation and learning, ICML 2011.

    >>> from cranfield.online.counterfactual.estimator import one_per_list
    >>> dm_terms(one_per_list([2, 0.5], [1, 1], [0, 0], [0.5, 0.25])).value
    0.375
    """
    return mean_of(of, of.expected)


DM = Estimator(
    "dm", "what the position-based model expects; as wrong as the model", dm_terms, "none", "ICML 2011", True
)
