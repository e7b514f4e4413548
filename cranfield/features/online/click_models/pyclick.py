"""Click models as PyClick fits them, to compare with figures that were published with it."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Mask
from cranfield.features.online.click_models.cascades import ccm_cascade, dbn_cascade, fit_of, last_satisfied, start_of
from cranfield.features.online.click_models.model import (
    Cascade,
    ClickedLists,
    ClickModel,
    Fit,
    cascade_chances,
    iterate,
    posterior,
    read_down,
    share,
)


class CellWeights(NamedTuple):
    """What a step takes each cell for."""

    attraction: Floats  # the probability that the document attracts
    examination: Floats  # that it was examined, given the clicks above
    on: Floats  # what a way to read it counts if the user went on
    stop: Floats  # the same if not


def judged(lists: ClickedLists, of: Cascade, none_below: Floats) -> CellWeights:
    """The cells of each list; `none_below` is that of the posterior.

    What DBN and CCM as fitted by PyClick have in common: steps of expectation maximisation that are not exact.

    These are approximate, and kept so that figures published with that tool can be compared:

    - A list without clicks is taken for read to its end, so all its documents count as seen and not attractive.
    - Where a document below the last click attracts, the clicks above it do not change how likely it was examined.
    - Where a user goes on from a document without a click, that click's absence does not make it less likely examined.
    - No click further down is as likely as on the documents at the top of the list, as many as there are below.

    Sources: Chuklin, Markov and de Rijke, Click models for web search, Morgan & Claypool 2015, chapter 4, for the
    formulas of attractiveness and satisfaction; PyClick (github.com/markovi/PyClick, 2021) for going on.
    """
    conditional, alone = cascade_chances(lists, of)
    examination, may_stop = conditional / of.attraction, _may_stop(lists)
    latent = _latent_attraction(of, alone / of.attraction, none_below)
    attraction = np.where(lists.click, 1, np.where(may_stop, latent, 0))
    on = np.where(lists.click, of.continuation_after_click, examination * of.continuation_without_click)
    quiet = np.where(may_stop, _none_at_top(lists, of), 1)
    either = on * quiet + may_stop * (1 - on)
    return CellWeights(attraction, examination, quiet / either, may_stop / either)


def _may_stop(lists: ClickedLists) -> Mask:
    """Whether the user can have stopped at a cell: at the last click or below it; nowhere without a click."""
    return (lists.ranks >= lists.last[:, None]) & (lists.last >= 0)[:, None]


def _latent_attraction(of: Cascade, examination: Floats, none_below: Floats) -> Floats:
    """The probability that a document attracts that was not clicked, nor any below it."""
    clicked_on = of.attraction + (1 - of.attraction) * of.continuation_without_click * (1 - none_below)
    return (1 - examination) * of.attraction / (1 - examination * clicked_on)


def _none_at_top(lists: ClickedLists, of: Cascade) -> Floats:
    """The probability of no click on the first documents of a list, as many as there are below each cell."""
    silent = cascade_chances(replace(lists, click=np.zeros_like(lists.click)), of).conditional
    none = np.cumprod(np.where(lists.shown, 1 - silent, 1), axis=1)
    below = lists.shown.sum(axis=1, keepdims=True) - lists.shown.cumsum(axis=1)
    at = lists.shown.argmax(axis=1, keepdims=True) + below - 1
    return np.where(below > 0, np.take_along_axis(none, np.maximum(at, 0), axis=1), 1)


def fit_dbn_pyclick(lists: ClickedLists, steps: int) -> Fit:
    """Attractiveness, satisfaction and the probability of going on.

    DBN as PyClick fits it, to compare with figures that were published with it: the model is `dbn`'s, the steps are
    not.

    Take `dbn` for anything else: its steps are exact. These take a list without clicks for read to its end, among
    others (`pyclick` lists all), so attractiveness is too low and users seem to go on more than they do.

    Sources: Chapelle and Zhang, A dynamic Bayesian network click model for web search ranking, WWW 2009, for the model;
    Chuklin, Markov and de Rijke, Click models for web search, 2015, for the steps.

    Nobody who clicks nothing gives up:

    >>> from cranfield.features.online.interactions import example
    >>> from cranfield.features.online.click_models.model import clicked_lists
    >>> fit_dbn_pyclick(clicked_lists(example("ab:", "ab:")), 50).shared["continuation"].round(4).tolist()
    [0.8333]
    """
    return iterate(_dbn_pyclick_step, start_of(lists), lists, steps)


def _dbn_pyclick_step(fit: Fit, lists: ClickedLists) -> Fit:
    of, (on,) = dbn_cascade(fit, lists), fit.shared["continuation"]
    none_below = posterior(lists, of).none_below
    cells = judged(lists, of, none_below)
    could = np.where(lists.click, 1 - fit.documents["satisfaction"][lists.pair], cells.examination)
    went, stops = ((lists.times * could * one).sum() for one in (on * cells.on, (1 - on) * cells.stop))
    return Fit(
        {
            "attractiveness": share(lists.sum_by_pair(cells.attraction), lists.sum_by_pair(lists.shown)),
            "satisfaction": share(
                lists.sum_by_pair(last_satisfied(fit, lists, none_below)), lists.sum_by_pair(lists.click)
            ),
        },
        {"continuation": share(np.array([went]), np.array([went + stops]))},
    )


DBN_PYCLICK = ClickModel(
    "dbn-pyclick",
    "dbn, fitted by PyClick's approximate steps, to compare with PyClick's figures",
    fit_dbn_pyclick,
    chances=read_down(dbn_cascade),
    source="WWW 2009; Chuklin et al. 2015",
    iterative=True,
)


def fit_ccm_pyclick(lists: ClickedLists, steps: int) -> Fit:
    """Attractiveness and the three probabilities of going on.

    CCM as PyClick fits it, to compare with figures that were published with it: the model is `ccm`'s, the steps are
    not.

    Take `ccm` for anything else: its steps are exact. Besides what `pyclick` lists, these take every click that has
    another below it for one that did not satisfy, though in this model a satisfied user may go on.

    Sources: Guo, Liu, Kannan, Minka, Taylor, Wang and Faloutsos, Click chain model in web search, WWW 2009, for the
    model; Chuklin, Markov and de Rijke, Click models for web search, 2015, for the steps.

    Of two clicks the first never satisfied, so the same document at the other rank attracts more:

    >>> from cranfield.features.online.interactions import example
    >>> from cranfield.features.online.click_models.model import clicked_lists
    >>> fit_ccm_pyclick(clicked_lists(example("ab:ab", "ab:ab")), 1).documents["attractiveness"].round(4).tolist()
    [0.5, 0.6667]
    """
    return iterate(_ccm_pyclick_step, fit_of(np.full(lists.pairs, 0.5), np.full(3, 0.5)), lists, steps)


def _ccm_pyclick_step(fit: Fit, lists: ClickedLists) -> Fit:
    of, on = ccm_cascade(fit, lists), fit.shared["continuation"]
    none_below = posterior(lists, of).none_below
    cells = judged(lists, of, none_below)
    last = lists.click & (lists.ranks == lists.last[:, None])
    satisfaction = np.where(last, of.attraction / (1 - of.continuation_after_click * (1 - none_below)), 0)
    kinds = (cells.examination * ~lists.click, (1 - of.attraction) * lists.click, of.attraction * lists.click)
    went, stops = (
        np.array([(lists.times * kind * how).sum() for kind in kinds]) * chance
        for how, chance in ((cells.on, on), (cells.stop, 1 - on))
    )
    trials = lists.sum_by_pair(lists.shown) + lists.sum_by_pair(lists.click)
    return fit_of(share(lists.sum_by_pair(cells.attraction + satisfaction), trials), share(went, went + stops))


CCM_PYCLICK = ClickModel(
    "ccm-pyclick",
    "ccm, fitted by PyClick's approximate steps, to compare with PyClick's figures",
    fit_ccm_pyclick,
    chances=read_down(ccm_cascade),
    source="WWW 2009; Chuklin et al. 2015",
    iterative=True,
)
