"""Models of what users examine and click: their table, from simple to complex, and how well one predicts clicks."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.errors import row_named
from cranfield.features.online.click_models.cascades import CCM, CM, DBN, DCM, DCM_EM, SDBN, SDBN_EM
from cranfield.features.online.click_models.model import ClickedLists, ClickModel, Fit
from cranfield.features.online.click_models.pyclick import CCM_PYCLICK, DBN_PYCLICK
from cranfield.features.online.click_models.rates import DCTR, GCTR, PBM, RCTR, UBM

CLICK_MODELS: Mapping[str, ClickModel] = {
    model.name: model
    for model in (GCTR, RCTR, DCTR, PBM, CM, DCM, DCM_EM, SDBN, SDBN_EM, DBN, DBN_PYCLICK, UBM, CCM, CCM_PYCLICK)
}


def click_model(name: str) -> ClickModel:
    """The model of this name.

    >>> click_model("pmb")
    Traceback (most recent call last):
    cranfield.errors.InputError: unknown click model 'pmb'; available: gctr, rctr, dctr, pbm, cm, dcm, dcm-em, sdbn,
    sdbn-em, dbn, dbn-pyclick, ubm, ccm, ccm-pyclick
    """
    return row_named(CLICK_MODELS, name, "click model")


LEAST = 1e-6  # the least probability of a click or of none: what a model excludes is not infinitely surprising


class ClickPrediction(NamedTuple):
    """How well a model predicts; perplexities by rank, NaN at ranks where nothing was shown."""

    lists: int
    log_likelihood: float  # mean per list, natural logarithm
    by_rank: Floats
    conditional_by_rank: Floats
    exclusions: int  # clicks that the model takes for impossible

    @property
    def perplexity(self) -> float:
        """The mean over the ranks."""
        return float(np.nanmean(self.by_rank))

    @property
    def conditional_perplexity(self) -> float:
        """The mean over the ranks."""
        return float(np.nanmean(self.conditional_by_rank))


def predict(model: ClickModel, fit: Fit, lists: ClickedLists) -> ClickPrediction:
    """How well a fitted model predicts these lists.

    Perplexity is 1 where every click is foreseen and 2 for a coin; that of a rank is 2 to the mean surprise in bits.
    Conditional perplexity lets the model know the clicks above.

    >>> from cranfield.features.online.interactions import example
    >>> from cranfield.features.online.click_models.rates import GCTR
    >>> from cranfield.features.online.click_models.model import clicked_lists
    >>> lists = clicked_lists(example("ab:b", "ba:b"))
    >>> prediction = predict(GCTR, GCTR.fit(lists, 0), lists)
    >>> bool(prediction.log_likelihood == 2 * np.log(0.5)), prediction.perplexity
    (True, 2.0)
    """
    conditional, alone = model.chances(fit, lists)
    surprise = _surprise(lists, conditional)
    log_likelihood = -(surprise * lists.times).sum() / lists.count.sum()
    exclusions = int((lists.times * (lists.click & (conditional < LEAST))).sum())
    return ClickPrediction(
        int(lists.count.sum()),
        float(log_likelihood),
        _perplexity(lists, _surprise(lists, alone)),
        _perplexity(lists, surprise),
        exclusions,
    )


def _surprise(lists: ClickedLists, chance: Floats) -> Floats:
    within = np.clip(chance, LEAST, 1 - LEAST)
    return np.asarray(-np.log(np.where(lists.click, within, 1 - within)))


def _perplexity(lists: ClickedLists, surprise: Floats) -> Floats:
    times = lists.sum_by_rank(lists.shown)
    mean = np.divide(lists.sum_by_rank(surprise), times, out=np.full(lists.depth, np.nan), where=times > 0)
    return np.asarray(np.exp(mean))
