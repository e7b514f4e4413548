"""The table of counterfactual estimators: functions from weighted rewards to the terms of an estimate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import row_named

ENOUGH = 100.0  # effective lists: then none has more than a tenth of the total weight
Weighing = Literal["lists", "positions", "examination", "inverse", "none"]


def effective(weight: Floats) -> float:
    """As many equal weights would be as exact.

    >>> effective(np.array([3.0, 1.0])), effective(np.zeros(2))
    (1.6, 0.0)
    """
    squares = float((weight**2).sum())
    return float(weight.sum()) ** 2 / squares if squares else 0.0


@dataclass(frozen=True, eq=False)
class WeightedLists:
    """One row per list, or per document shown: its weight and reward, and what a click model predicts of it.

    A weight is how much likelier the new ranking is to show this than the logged one was.
    """

    weight: Floats
    reward: Floats
    prediction: Floats  # reward of what was shown, by a model; 0 without one
    expectation: Floats  # of what the new ranking shows
    impression: Ints  # of each row
    impressions: int

    @property
    def effective(self) -> float:
        """The effective sample size: as many lists with equal weights would be as exact.

        The documents of a list depend on each other, so their weights are one weight.

        >>> one_per_list([3.0, 1.0], [1.0, 0.0]).effective
        1.6
        >>> replace(one_per_list([3.0, 1.0], [1.0, 0.0]), impression=np.zeros(2, int), impressions=1).effective
        1.0
        """
        return effective(self.sum_by_list(self.weight))

    def with_model(self, prediction: Floats, expectation: Floats) -> WeightedLists:
        """The same, with the predictions of a model."""
        return replace(self, prediction=prediction, expectation=expectation)

    def sum_by_list(self, values: Floats) -> Floats:
        """Sums of the rows of each list."""
        return np.asarray(np.bincount(self.impression, values, self.impressions), float)


class ListTerms(NamedTuple):
    """What each list adds to an estimate, which is the sum of total over the sum of counts."""

    total: Floats
    counts: Floats

    @property
    def value(self) -> float:
        """The estimate; NaN where nothing counts."""
        count = float(self.counts.sum())
        return float(self.total.sum()) / count if count else float("nan")


@dataclass(frozen=True)
class Estimator:
    """A row of the table: a function from weighted rewards to terms, and what its weights are of."""

    name: str
    summary: str
    terms: Callable[[WeightedLists], ListTerms]
    weighing: Weighing
    source: str
    modelled: bool = False  # whether it needs a click model's predictions


def one_per_list(
    weight: Floats | list[float],
    reward: Floats | list[float],
    prediction: Floats | list[float] | None = None,
    expectation: Floats | list[float] | None = None,
) -> WeightedLists:
    """Rows that are lists."""
    n = len(weight)
    w, r, q, v = (
        np.zeros(n) if one is None else np.array(one, float) for one in (weight, reward, prediction, expectation)
    )
    return WeightedLists(w, r, q, expectation=v, impression=np.arange(n), impressions=n)


def mean_of(of: WeightedLists, values: Floats) -> ListTerms:
    """The mean over lists of what their rows sum to."""
    return ListTerms(of.sum_by_list(values), np.ones(of.impressions))


def ips_terms(of: WeightedLists) -> ListTerms:
    """Weights 2 and 0.5 of rewards 1 and 1.

    IPS, inverse propensity scoring: the mean of reward times weight.

    Unbiased if every list that the new ranking shows could have been shown, with the propensity logged. A few lists
    with small propensities can decide the result alone: see the effective sample size.

    Source: Horvitz and Thompson, A generalization of sampling without replacement from a finite universe, JASA 47,
    1952.

    >>> from cranfield.features.online.counterfactual.estimators import one_per_list
    >>> ips_terms(one_per_list([2, 0.5], [1, 1])).value
    1.25
    """
    return mean_of(of, of.weight * of.reward)


IPS = Estimator("ips", "mean of weight x clicks; unbiased", ips_terms, "lists", "JASA 1952")


def snips_terms(of: WeightedLists) -> ListTerms:
    """Weights 2 and 0.5 of rewards 1 and 0.

    SNIPS, self-normalised inverse propensity scoring: the mean reward, weighted.

    Slightly biased, and far less variable than IPS: an estimate lies among the rewards that were seen.

    Source: Swaminathan and Joachims, The self-normalized estimator for counterfactual learning, NIPS 2015.

    >>> from cranfield.features.online.counterfactual.estimators import one_per_list
    >>> snips_terms(one_per_list([2, 0.5], [1, 0])).value
    0.8
    """
    return ListTerms(of.sum_by_list(of.weight * of.reward), of.sum_by_list(of.weight))


SNIPS = Estimator("snips", "weighted mean of clicks; less variable than ips", snips_terms, "lists", "NIPS 2015")


MOST = 10.0


def clipped_terms(of: WeightedLists) -> ListTerms:
    """Weights 30 and 0.5 of rewards 1 and 1.

    Clipped IPS: as IPS, but no weight counts more than 10.

    Less variable, and too low where larger weights were cut: the mean weight shows by how much.

    Source: Ionides, Truncated importance sampling, Journal of Computational and Graphical Statistics 17, 2008.

    >>> from cranfield.features.online.counterfactual.estimators import one_per_list
    >>> clipped_terms(one_per_list([30, 0.5], [1, 1])).value
    5.25
    """
    return mean_of(of, np.minimum(of.weight, MOST) * of.reward)


CLIPPED = Estimator("clipped", "ips with weights capped at 10; biased downwards", clipped_terms, "lists", "JCGS 2008")


def dm_terms(of: WeightedLists) -> ListTerms:
    """The model expects 0.5 and 0.25.

    DM, the direct method: what a click model expects of the new ranking.

    No weights, and so little variance, but as wrong as the model is. The model here is the position-based one, fitted
    to the same log; a document that was never shown for a topic gets the mean attractiveness.

    Source: Dudik, Langford and Li, Doubly robust policy evaluation and learning, ICML 2011.

    >>> from cranfield.features.online.counterfactual.estimators import one_per_list
    >>> dm_terms(one_per_list([2, 0.5], [1, 1], [0, 0], [0.5, 0.25])).value
    0.375
    """
    return mean_of(of, of.expectation)


DM = Estimator(
    "dm",
    "clicks predicted by the position-based model; biased if the model is wrong",
    dm_terms,
    weighing="none",
    source="ICML 2011",
    modelled=True,
)


def dr_terms(of: WeightedLists) -> ListTerms:
    """The expected values, and the weighted differences from the predicted ones.

    DR, doubly robust: what a click model expects, corrected by weighted differences from what was seen.

    Unbiased if either propensities or the model are right, and less variable than IPS where the model is good.

    Source: Dudik, Langford and Li, Doubly robust policy evaluation and learning, ICML 2011.

    >>> from cranfield.features.online.counterfactual.estimators import one_per_list
    >>> dr_terms(one_per_list([2, 0.5], [1, 1], [0.5, 1], [0.5, 0.25])).value
    0.875
    """
    return mean_of(of, of.expectation + of.weight * (of.reward - of.prediction))


DR = Estimator(
    "dr",
    "dm, corrected by weighted differences; valid if either the model or the propensities are right",
    dr_terms,
    weighing="lists",
    source="ICML 2011",
    modelled=True,
)


ITEM_POSITION = Estimator(
    "item-position",
    "ips by document and position; assumes that clicks do not depend on other documents",
    ips_terms,
    "positions",
    "KDD 2018",
)


POSITION_BASED = Estimator(
    "position-based",
    "clicks weighted by the examination probabilities of their new and old ranks",
    ips_terms,
    "examination",
    "WSDM 2017",
)


PSEUDO_INVERSE = Estimator(
    "pseudo-inverse", "weights for lists whose clicks are a sum over positions", ips_terms, "inverse", "NIPS 2017"
)


ESTIMATORS: Mapping[str, Estimator] = {
    one.name: one for one in (IPS, SNIPS, CLIPPED, DM, DR, ITEM_POSITION, POSITION_BASED, PSEUDO_INVERSE)
}


def estimator(name: str) -> Estimator:
    """The estimator of this name.

    >>> estimator("ipw")
    Traceback (most recent call last):
    cranfield.errors.InputError: unknown estimator 'ipw'; available: ips, snips, clipped, dm, dr, item-position,
    position-based, pseudo-inverse
    """
    return row_named(ESTIMATORS, name, "estimator")
