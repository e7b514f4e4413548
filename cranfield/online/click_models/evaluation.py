"""How well a model predicts the clicks of held-out lists: log-likelihood and perplexity."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import ClickModel, Fit

LEAST = 1e-6  # the least probability of a click or of none: what a model excludes is not infinitely surprising


class Prediction(NamedTuple):
    """How well a model predicts; perplexities by rank, NaN at ranks where nothing was shown."""

    lists: int
    log_likelihood: float  # mean per list, natural logarithm
    by_rank: Floats
    conditional_by_rank: Floats
    excluded: int  # clicks that the model takes for impossible

    @property
    def perplexity(self) -> float:
        """The mean over the ranks."""
        return float(np.nanmean(self.by_rank))

    @property
    def conditional_perplexity(self) -> float:
        """The mean over the ranks."""
        return float(np.nanmean(self.conditional_by_rank))


def predicted(model: ClickModel, fit: Fit, lists: ClickedLists) -> Prediction:
    """How well a fitted model predicts these lists.

    Perplexity is 1 where every click is foreseen and 2 for a coin; that of a rank is 2 to the mean surprise in bits.
    Conditional perplexity lets the model know the clicks above.

    >>> from cranfield.arrays.interactions import example
    >>> from cranfield.online.click_models.gctr import GCTR
    >>> from cranfield.online.click_models.lists import clicked_lists
    >>> lists = clicked_lists(example("ab:b", "ba:b"))
    >>> found = predicted(GCTR, GCTR.fit(lists, 0), lists)
    >>> found.log_likelihood == 2 * np.log(0.5), found.perplexity
    (np.True_, 2.0)
    """
    given, alone = model.chances(fit, lists)
    surprise = _surprise(lists, given)
    log_likelihood = -(surprise * lists.times).sum() / lists.count.sum()
    excluded = int((lists.times * (lists.click & (given < LEAST))).sum())
    return Prediction(
        int(lists.count.sum()),
        float(log_likelihood),
        _perplexity(lists, _surprise(lists, alone)),
        _perplexity(lists, surprise),
        excluded,
    )


def _surprise(lists: ClickedLists, chance: Floats) -> Floats:
    bounded = np.clip(chance, LEAST, 1 - LEAST)
    return np.asarray(-np.log(np.where(lists.click, bounded, 1 - bounded)))


def _perplexity(lists: ClickedLists, surprise: Floats) -> Floats:
    times = lists.per_rank(lists.shown)
    mean = np.divide(lists.per_rank(surprise), times, out=np.full(lists.depth, np.nan), where=times > 0)
    return np.asarray(np.exp(mean))
