"""Models of a user who reads from the top: after each document, the user goes on with some probability, or stops."""

from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.features.online.click_models.model import (
    Cascade,
    Chances,
    ClickedLists,
    ClickModel,
    Fit,
    cascade_chances,
    going_on,
    iterate,
    posterior,
    read_down,
    share,
)


def fit_cm(lists: ClickedLists, steps: int) -> Fit:
    """Of the documents down to the first click, the share that was clicked.

    CM, the cascade model: the user reads from the top, clicks the first attractive document, and stops.

    Strengths: all parameters are estimated by counting. Weaknesses: it cannot explain a second click in a list. Such
    clicks get the smallest probability that likelihoods use here.

    Source: Craswell, Zoeter, Taylor and Ramsey, An experimental comparison of click position-bias models, WSDM 2008.

    >>> from cranfield.features.online.interactions import example
    >>> from cranfield.features.online.click_models.model import clicked_lists
    >>> fit_cm(clicked_lists(example("ab:ab", "ba:")), 0).documents["attractiveness"].round(4).tolist()
    [0.5, 0.3333]
    """
    examined = lists.previous < 0
    return Fit({"attractiveness": share(lists.sum_by_pair(lists.click & examined), lists.sum_by_pair(examined))}, {})


def cm_chances(fit: Fit, lists: ClickedLists) -> Chances:
    attraction = fit.documents["attractiveness"][lists.pair]
    return cascade_chances(lists, Cascade(attraction, np.zeros(attraction.shape), np.ones(attraction.shape)))


CM = ClickModel(
    "cm",
    "users read from the top and stop after the first click",
    fit_cm,
    cm_chances,
    "WSDM 2008",
)


def fit_dcm(lists: ClickedLists, steps: int) -> Fit:
    """Of the documents down to the last click, the share clicked; of the clicks at a rank, the share with one below.

    DCM, the dependent click model: as the cascade model, but after a click the user may go on, as the rank makes
    likely.

    All parameters are counts, if the last click is taken for the end of reading; in lists without a click all is read.
    That is the usual simplification, and not exact: who reads on and clicks nothing more is taken for one who stopped,
    so the probability of going on is too low, and attractiveness too high; `dcm-em` infers both.

    Source: Guo, Liu and Wang, Efficient multiple-click models in web search, WSDM 2009.

    >>> from cranfield.features.online.interactions import example
    >>> from cranfield.features.online.click_models.model import clicked_lists
    >>> documents, shared = fit_dcm(clicked_lists(example("ab:ab", "ba:b")), 0)
    >>> documents["attractiveness"].round(4).tolist(), shared["continuation"].round(4).tolist()
    ([0.6667, 0.75], [0.5, 0.3333])
    """
    examined = down_to_last_click(lists)
    attraction = share(lists.sum_by_pair(lists.click), lists.sum_by_pair(examined))
    more = lists.click & (lists.ranks < lists.last[:, None])
    return Fit(
        {"attractiveness": attraction}, {"continuation": share(lists.sum_by_rank(more), lists.sum_by_rank(lists.click))}
    )


def down_to_last_click(lists: ClickedLists) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which cells are at or above the last click, or in a list without one."""
    last = lists.last[:, None]
    return np.asarray((lists.ranks <= last) | (last < 0))


def dcm_cascade(fit: Fit, lists: ClickedLists) -> Cascade:
    """The probabilities in each cell."""
    attraction = fit.documents["attractiveness"][lists.pair]
    continuation_after_click = np.broadcast_to(fit.shared["continuation"], attraction.shape)
    return Cascade(attraction, continuation_after_click, np.ones(attraction.shape))


DCM = ClickModel(
    "dcm",
    "users read from the top; after a click they go on with a probability that depends on the rank",
    fit_dcm,
    read_down(dcm_cascade),
    "WSDM 2009",
)


def fit_dcm_em(lists: ClickedLists, steps: int) -> Fit:
    """Attractiveness and the probability of going on after a click at each rank.

    DCM by exact inference: the model is `dcm`'s, but nobody takes the last click for the end of reading.

    Whether the user went on after the last click, and which documents were examined then, is inferred from the absence
    of clicks by expectation maximisation.

    Source: Guo, Liu and Wang, Efficient multiple-click models in web search, WSDM 2009, for the model; Dempster, Laird
    and Rubin, Maximum likelihood from incomplete data via the EM algorithm, JRSS B 1977, for the inference.

    A list that ends with its only click says nothing of what comes after it:

    >>> from cranfield.features.online.interactions import example
    >>> from cranfield.features.online.click_models.model import clicked_lists
    >>> documents, shared = fit_dcm_em(clicked_lists(example("ab:b", "ab:b")), 50)
    >>> documents["attractiveness"].round(4).tolist(), shared["continuation"].round(4).tolist()
    ([0.25, 0.75], [0.5, 0.5])
    """
    fit = Fit({"attractiveness": np.full(lists.pairs, 0.5)}, {"continuation": np.full(lists.depth, 0.5)})
    for _ in range(steps):
        of = dcm_cascade(fit, lists)
        examination, none_below = posterior(lists, of)
        went = going_on(lists, of, none_below)
        fit = Fit(
            {"attractiveness": share(lists.sum_by_pair(lists.click), lists.sum_by_pair(examination))},
            {"continuation": share(lists.sum_by_rank(went), lists.sum_by_rank(lists.click))},
        )
    return fit


DCM_EM = ClickModel(
    "dcm-em",
    "dcm, fitted by exact inference",
    fit_dcm_em,
    chances=read_down(dcm_cascade),
    source="WSDM 2009; JRSS B 1977",
    iterative=True,
)


def fit_sdbn(lists: ClickedLists, steps: int) -> Fit:
    """Of the documents down to the last click, the share clicked; of the clicks, the share that was the last.

    SDBN, the simplified dynamic Bayesian network: users read from the top until a clicked document satisfies them.

    All parameters are counts: the last click of a list is taken for the one that satisfied. That is the usual
    simplification, and not exact: who reads on unsatisfied and clicks nothing more is taken for satisfied, so
    satisfaction is too high, and so is attractiveness; `sdbn-em` infers both. Relevance is attractiveness (of what the
    user sees of a document) times satisfaction (by the document).

    Source: Chapelle and Zhang, A dynamic Bayesian network click model for web search ranking, WWW 2009.

    >>> from cranfield.features.online.interactions import example
    >>> from cranfield.features.online.click_models.model import clicked_lists
    >>> fit_sdbn(clicked_lists(example("ab:ab", "ba:b")), 0).relevance.round(4).tolist()
    [0.2222, 0.5625]
    """
    attraction = share(lists.sum_by_pair(lists.click), lists.sum_by_pair(down_to_last_click(lists)))
    last = lists.click & (lists.ranks == lists.last[:, None])
    satisfaction = share(lists.sum_by_pair(last), lists.sum_by_pair(lists.click))
    return Fit({"attractiveness": attraction, "satisfaction": satisfaction}, {})


def sdbn_cascade(fit: Fit, lists: ClickedLists) -> Cascade:
    """The probabilities in each cell."""
    attraction, satisfaction = (fit.documents[name][lists.pair] for name in ("attractiveness", "satisfaction"))
    return Cascade(attraction, 1 - satisfaction, np.ones(attraction.shape))


SDBN = ClickModel(
    "sdbn",
    "users read from the top until a clicked document satisfies them",
    fit_sdbn,
    read_down(sdbn_cascade),
    "WWW 2009",
)


def fit_sdbn_em(lists: ClickedLists, steps: int) -> Fit:
    """Attractiveness and satisfaction.

    SDBN by exact inference: the model is `sdbn`'s, but nobody takes the last click for the one that satisfied.

    Whether the last click satisfied, and which documents were examined if not, is inferred from the absence of clicks
    by expectation maximisation. It is `dbn` of users who never give up.

    Source: Chapelle and Zhang, A dynamic Bayesian network click model for web search ranking, WWW 2009.

    Below a click at the end of a list there is nothing that could tell whether it satisfied:

    >>> from cranfield.features.online.interactions import example
    >>> from cranfield.features.online.click_models.model import clicked_lists
    >>> fit = fit_sdbn_em(clicked_lists(example("ab:b", "ab:b")), 50)
    >>> {name: one.round(4).tolist() for name, one in fit.documents.items()}
    {'attractiveness': [0.25, 0.75], 'satisfaction': [0.5, 0.5]}
    """
    half = np.full(lists.pairs, 0.5)
    fit = Fit({"attractiveness": half, "satisfaction": half}, {})
    for _ in range(steps):
        of = sdbn_cascade(fit, lists)
        examination, none_below = posterior(lists, of)
        satisfaction = lists.click - going_on(lists, of, none_below)
        fit = Fit(
            {
                "attractiveness": share(lists.sum_by_pair(lists.click), lists.sum_by_pair(examination)),
                "satisfaction": share(lists.sum_by_pair(satisfaction), lists.sum_by_pair(lists.click)),
            },
            {},
        )
    return fit


SDBN_EM = ClickModel(
    "sdbn-em",
    "sdbn, fitted by exact inference",
    fit_sdbn_em,
    chances=read_down(sdbn_cascade),
    source="WWW 2009",
    iterative=True,
)


def fit_dbn(lists: ClickedLists, steps: int) -> Fit:
    """Attractiveness, satisfaction and the probability of going on, by expectation maximisation.

    DBN, the dynamic Bayesian network: as SDBN, but the user may also give up after any document.

    One probability of going on holds for all. Fitted by exact expectation maximisation: whether a document below the
    last click was examined is inferred from the absence of clicks there.

    Source: Chapelle and Zhang, A dynamic Bayesian network click model for web search ranking, WWW 2009.
    """
    return iterate(_dbn_step, start_of(lists), lists, steps)


def start_of(lists: ClickedLists) -> Fit:
    """Every probability is 1/2."""
    half = np.full(lists.pairs, 0.5)
    return Fit({"attractiveness": half, "satisfaction": half}, {"continuation": np.array([0.5])})


def _dbn_step(fit: Fit, lists: ClickedLists) -> Fit:
    of, (on,) = dbn_cascade(fit, lists), fit.shared["continuation"]
    examination, none_below = posterior(lists, of)
    attraction = np.where(lists.click, 1, of.attraction * (1 - examination))
    satisfaction = last_satisfied(fit, lists, none_below)
    seeking = examination * (1 - satisfaction)
    goes_on = np.where(lists.ranks < lists.last[:, None], 1, on * none_below / (1 - on + on * none_below))
    inner = lists.times[:, :-1] * lists.shown[:, 1:]  # nobody goes on from the end of a list
    went, could = ((inner * cells[:, :-1]).sum(keepdims=True).ravel() for cells in (seeking * goes_on, seeking))
    return Fit(
        {
            "attractiveness": share(lists.sum_by_pair(attraction), lists.sum_by_pair(lists.shown)),
            "satisfaction": share(lists.sum_by_pair(satisfaction), lists.sum_by_pair(lists.click)),
        },
        {"continuation": share(went, could)},
    )


def last_satisfied(fit: Fit, lists: ClickedLists, none_below: Floats) -> Floats:
    """The probability that the document satisfied: only the last click can."""
    satisfaction, on = fit.documents["satisfaction"][lists.pair], fit.shared["continuation"]
    stays = satisfaction / (satisfaction + (1 - satisfaction) * (1 - on + on * none_below))
    return np.where(lists.click & (lists.ranks == lists.last[:, None]), stays, 0)


def dbn_cascade(fit: Fit, lists: ClickedLists) -> Cascade:
    attraction, satisfaction = (fit.documents[name][lists.pair] for name in ("attractiveness", "satisfaction"))
    on = fit.shared["continuation"]
    return Cascade(attraction, on * (1 - satisfaction), np.broadcast_to(on, attraction.shape))


DBN = ClickModel(
    "dbn",
    "like sdbn, but users may give up after any document",
    fit_dbn,
    chances=read_down(dbn_cascade),
    source="WWW 2009",
    iterative=True,
)


NONE, UNSATISFIED, SATISFIED = range(3)  # after what the user goes on


class ContinuationChances(NamedTuple):
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
    return iterate(_ccm_step, fit_of(np.full(lists.pairs, 0.5), np.full(3, 0.5)), lists, steps)


def fit_of(attraction: Floats, continuation: Floats) -> Fit:
    return Fit({"attractiveness": attraction, "satisfaction": attraction}, {"continuation": continuation})


def _ccm_step(fit: Fit, lists: ClickedLists) -> Fit:
    of, on = ccm_cascade(fit, lists), fit.shared["continuation"]
    examination, none_below = posterior(lists, of)
    below = [_continuation_chances(lists, one, none_below) for one in on]
    yes, no = of.attraction * below[SATISFIED].clicks, (1 - of.attraction) * below[UNSATISFIED].clicks
    satisfaction = np.where(lists.click, yes / (yes + no), 0)
    attracts = np.where(lists.click, 1, of.attraction * (1 - examination))
    trials = (examination * ~lists.click, lists.click - satisfaction, satisfaction)
    inner = lists.times[:, :-1] * lists.shown[:, 1:]  # nobody goes on from the end of a list
    could = np.array([(inner * one[:, :-1]).sum() for one in trials])
    went = np.array([(inner * (one * at.goes_on)[:, :-1]).sum() for one, at in zip(trials, below, strict=True)])
    attraction = share(
        lists.sum_by_pair(attracts + satisfaction), lists.sum_by_pair(lists.shown) + lists.sum_by_pair(lists.click)
    )
    return fit_of(attraction, share(went, could))


def _continuation_chances(lists: ClickedLists, on: float, none_below: Floats) -> ContinuationChances:
    more = lists.ranks < lists.last[:, None]
    quiet = 1 - on + on * none_below
    return ContinuationChances(np.where(more, on, quiet), np.where(more, 1, on * none_below / quiet))


def ccm_cascade(fit: Fit, lists: ClickedLists) -> Cascade:
    attraction, on = fit.documents["attractiveness"][lists.pair], fit.shared["continuation"]
    continuation_after_click = attraction * on[SATISFIED] + (1 - attraction) * on[UNSATISFIED]
    return Cascade(attraction, continuation_after_click, np.full(attraction.shape, on[NONE]))


CCM = ClickModel(
    "ccm",
    "users read from the top; whether they go on depends on the click and on their satisfaction",
    fit_ccm,
    chances=read_down(ccm_cascade),
    source="WWW 2009",
    iterative=True,
)
