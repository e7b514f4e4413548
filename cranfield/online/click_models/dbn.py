"""DBN, the dynamic Bayesian network: as SDBN, but the user may also give up after any document."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.online.click_models.cascade import Cascade, posterior, read_down
from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import ClickModel, Fit, share, stepped


def fit_dbn(lists: ClickedLists, steps: int) -> Fit:
    """Attractiveness, satisfaction and the probability of going on, by expectation maximisation.

    DBN, the dynamic Bayesian network: as SDBN, but the user may also give up after any document.

    One probability of going on holds for all. Fitted by exact expectation maximisation: whether a document below the
    last click was examined is inferred from the absence of clicks there.

    Source: Chapelle and Zhang, A dynamic Bayesian network click model for web search ranking, WWW 2009.
    """
    return stepped(_dbn_step, start_of(lists), lists, steps)


def start_of(lists: ClickedLists) -> Fit:
    """Every probability is 1/2."""
    half = np.full(lists.pairs, 0.5)
    return Fit({"attractiveness": half, "satisfaction": half}, {"continuation": np.array([0.5])})


def _dbn_step(fit: Fit, lists: ClickedLists) -> Fit:
    of, (on,) = dbn_cascade(fit, lists), fit.shared["continuation"]
    examined, none_below = posterior(lists, of)
    attracted = np.where(lists.click, 1, of.attraction * (1 - examined))
    satisfied = last_satisfied(fit, lists, none_below)
    unsatisfied = examined * (1 - satisfied)
    goes_on = np.where(lists.ranks < lists.last[:, None], 1, on * none_below / (1 - on + on * none_below))
    inner = lists.times[:, :-1] * lists.shown[:, 1:]  # nobody goes on from the end of a list
    went, could = ((inner * cells[:, :-1]).sum(keepdims=True).ravel() for cells in (unsatisfied * goes_on, unsatisfied))
    return Fit(
        {
            "attractiveness": share(lists.per_pair(attracted), lists.per_pair(lists.shown)),
            "satisfaction": share(lists.per_pair(satisfied), lists.per_pair(lists.click)),
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
    "as sdbn, but the user may give up after any document",
    fit_dbn,
    read_down(dbn_cascade),
    "WWW 2009",
    True,
)
