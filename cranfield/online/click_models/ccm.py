"""CCM, the click chain model: reads from the top; whether the user goes on depends on the click and the document."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.online.click_models.cascade import Cascade, posterior, read_down
from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import ClickModel, Fit, share, stepped

NONE, UNSATISFIED, SATISFIED = range(3)  # after what the user goes on


class _Below(NamedTuple):
    """Of a cell, for each of the three: the probability of the clicks below, and of having gone on given them."""

    clicks: Floats
    goes_on: Floats


def fit_ccm(lists: ClickedLists, steps: int) -> Fit:
    """Attractiveness and the three probabilities of going on, by expectation maximisation.

    CCM, the click chain model: reads from the top; whether the user goes on depends on the click and the document.

    The user goes on with one probability after a document that was not clicked, with another after a clicked one that
    did not satisfy, and with a third after one that did. A clicked document satisfies with the probability of its
    attractiveness, so relevance is attractiveness squared. Fitted by exact expectation maximisation.

    Source: Guo, Liu, Kannan, Minka, Taylor, Wang and Faloutsos, Click chain model in web search, WWW 2009.
    """
    return stepped(_ccm_step, fit_of(np.full(lists.pairs, 0.5), np.full(3, 0.5)), lists, steps)


def fit_of(attraction: Floats, continuation: Floats) -> Fit:
    return Fit({"attractiveness": attraction, "satisfaction": attraction}, {"continuation": continuation})


def _ccm_step(fit: Fit, lists: ClickedLists) -> Fit:
    of, on = ccm_cascade(fit, lists), fit.shared["continuation"]
    examined, none_below = posterior(lists, of)
    below = [_below(lists, one, none_below) for one in on]
    yes, no = of.attraction * below[SATISFIED].clicks, (1 - of.attraction) * below[UNSATISFIED].clicks
    satisfied = np.where(lists.click, yes / (yes + no), 0)
    attracted = np.where(lists.click, 1, of.attraction * (1 - examined))
    trials = (examined * ~lists.click, lists.click - satisfied, satisfied)
    inner = lists.times[:, :-1] * lists.shown[:, 1:]  # nobody goes on from the end of a list
    could = np.array([(inner * one[:, :-1]).sum() for one in trials])
    went = np.array([(inner * (one * at.goes_on)[:, :-1]).sum() for one, at in zip(trials, below, strict=True)])
    attraction = share(lists.per_pair(attracted + satisfied), lists.per_pair(lists.shown) + lists.per_pair(lists.click))
    return fit_of(attraction, share(went, could))


def _below(lists: ClickedLists, on: float, none_below: Floats) -> _Below:
    more = lists.ranks < lists.last[:, None]
    quiet = 1 - on + on * none_below
    return _Below(np.where(more, on, quiet), np.where(more, 1, on * none_below / quiet))


def ccm_cascade(fit: Fit, lists: ClickedLists) -> Cascade:
    attraction, on = fit.documents["attractiveness"][lists.pair], fit.shared["continuation"]
    after_click = attraction * on[SATISFIED] + (1 - attraction) * on[UNSATISFIED]
    return Cascade(attraction, after_click, np.full(attraction.shape, on[NONE]))


CCM = ClickModel(
    "ccm",
    "reads from the top; going on depends on the click and on whether it satisfied",
    fit_ccm,
    read_down(ccm_cascade),
    "WWW 2009",
    True,
)
