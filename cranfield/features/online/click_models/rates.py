"""Click models whose users look at each document by itself: click-through rates, and models of examination."""

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.features.online.click_models.model import Chances, ClickedLists, ClickModel, Fit, share


def fit_gctr(lists: ClickedLists, steps: int) -> Fit:
    """The share of documents shown that were clicked.

    GCTR, the global click-through rate: every document has the same click probability.

    The baseline of all models: one that does not beat it has learned nothing. It does not rate documents.

    Source: Craswell, Zoeter, Taylor and Ramsey, An experimental comparison of click position-bias models, WSDM 2008.

    >>> from cranfield.features.online.interactions import example
    >>> from cranfield.features.online.click_models.model import clicked_lists
    >>> fit_gctr(clicked_lists(example("ab:b", "ba:")), 0).shared["rate"].round(4).tolist()
    [0.3333]
    """
    clicks, times = ((lists.times * of).sum(keepdims=True).ravel() for of in (lists.click, True))
    return Fit({}, {"rate": share(clicks, times)})


def gctr_chances(fit: Fit, lists: ClickedLists) -> Chances:
    rate = np.broadcast_to(fit.shared["rate"], lists.pair.shape)
    return Chances(rate, rate)


GCTR = ClickModel(
    "gctr",
    "every document has the same click probability",
    fit_gctr,
    gctr_chances,
    "WSDM 2008",
)


def fit_rctr(lists: ClickedLists, steps: int) -> Fit:
    """The share of the documents shown at each rank that were clicked.

    RCTR, the click-through rate of each rank: the rank alone decides.

    Says how much of a log is explained by where a document stands. It does not rate documents.

    Source: Craswell, Zoeter, Taylor and Ramsey, An experimental comparison of click position-bias models, WSDM 2008.

    >>> from cranfield.features.online.interactions import example
    >>> from cranfield.features.online.click_models.model import clicked_lists
    >>> fit_rctr(clicked_lists(example("ab:b", "ba:")), 0).shared["rate"].tolist()
    [0.25, 0.5]
    """
    return Fit({}, {"rate": share(lists.sum_by_rank(lists.click), lists.sum_by_rank(lists.shown))})


def rctr_chances(fit: Fit, lists: ClickedLists) -> Chances:
    rate = np.broadcast_to(fit.shared["rate"], lists.pair.shape)
    return Chances(rate, rate)


RCTR = ClickModel(
    "rctr",
    "the click probability depends only on the rank",
    fit_rctr,
    rctr_chances,
    "WSDM 2008",
)


def fit_dctr(lists: ClickedLists, steps: int) -> Fit:
    """The share of the times a document was shown for a query that it was clicked.

    DCTR, the click-through rate of each document of a query, wherever it stood.

    What raw clicks say of documents. It takes a document that was shown low for a bad one.

    Source: Craswell, Zoeter, Taylor and Ramsey, An experimental comparison of click position-bias models, WSDM 2008.

    >>> from cranfield.features.online.interactions import example
    >>> from cranfield.features.online.click_models.model import clicked_lists
    >>> fit_dctr(clicked_lists(example("ab:b", "ba:")), 0).documents["attractiveness"].tolist()
    [0.25, 0.5]
    """
    return Fit({"attractiveness": share(lists.sum_by_pair(lists.click), lists.sum_by_pair(lists.shown))}, {})


def dctr_chances(fit: Fit, lists: ClickedLists) -> Chances:
    rate = fit.documents["attractiveness"][lists.pair]
    return Chances(rate, rate)


DCTR = ClickModel(
    "dctr",
    "the click probability depends only on the document and the query",
    fit_dctr,
    dctr_chances,
    "WSDM 2008",
)


def fit_examination(lists: ClickedLists, place: Ints, places: int, steps: int) -> tuple[Floats, Floats]:
    """The attraction of each pair and the examination of each place.

    Examination depends on the place of a cell alone: its rank (PBM), or its rank and the last click above it (UBM).
    Cells with the same document and place are one, so a step takes as long as there are such pairs, however long the
    log is. Only the product of both is observed: all attractions times a constant, and all examinations divided by it,
    fit as well.

    >>> from cranfield.features.online.interactions import example
    >>> from cranfield.features.online.click_models.model import clicked_lists
    >>> lists = clicked_lists(example(*["ab:a"] * 90, *["ba:a"] * 40, *["ba:"] * 50))
    >>> [found.round(2).tolist() for found in fit_examination(lists, lists.ranks, 2, 50)]
    [[0.99, 0.01], [0.99, 0.45]]
    """
    cell, which = np.unique((lists.pair * places + place)[lists.shown], return_inverse=True)
    pair, at = cell // places, cell % places
    times, clicks = (np.bincount(which, (lists.times * of)[lists.shown]) for of in (True, lists.click))
    clicks_by_pair, clicks_by_rank = np.bincount(pair, times, lists.pairs), np.bincount(at, times, places)
    attraction, examination = np.full(lists.pairs, 0.5), np.full(places, 0.5)
    for _ in range(steps):
        a, e = attraction[pair], examination[at]
        skips = (times - clicks) / (1 - a * e)
        attraction = share(np.bincount(pair, clicks + skips * a * (1 - e), lists.pairs), clicks_by_pair)
        examination = share(np.bincount(at, clicks + skips * e * (1 - a), places), clicks_by_rank)
    return attraction, examination


def fit_pbm(lists: ClickedLists, steps: int) -> Fit:
    """Attractiveness and examination by expectation maximisation.

    PBM, the position-based model: a document is clicked if it is examined and attractive; examination is up to the
    rank.

        P(click on d at r) = examination(r) x attractiveness(query, d)

    Strengths: it is simple, and its examination probabilities are the propensities that counterfactual estimates need.
    Weaknesses: it misleads if users stop after a good document, because examination does not depend on the documents
    above. If no document in the log changes its rank, the model cannot separate attractiveness from examination.

    Source: Richardson, Dominowska and Ragno, Predicting clicks: estimating the click-through rate for new ads, WWW
    2007.
    """
    attraction, examination = fit_examination(lists, lists.ranks, lists.depth, steps)
    return Fit({"attractiveness": attraction}, {"examination": examination})


def pbm_chances(fit: Fit, lists: ClickedLists) -> Chances:
    click = fit.documents["attractiveness"][lists.pair] * fit.shared["examination"]
    return Chances(click, click)


PBM = ClickModel(
    "pbm",
    "users click documents that they examine and find attractive; examination depends on the rank",
    fit_pbm,
    chances=pbm_chances,
    source="WWW 2007",
    iterative=True,
)


def fit_ubm(lists: ClickedLists, steps: int) -> Fit:
    """Attractiveness and examination; the examination of rank r after a click at p is in row r and column p + 1.

    UBM, the user browsing model: as the position-based model, but examination depends on the last click above as well.

        P(click on d at r | last click above at p) = examination(r, p) x attractiveness(query, d)

    Strengths: of all classic models, it fits logs with several clicks best. Weaknesses: it has many parameters, one for
    each rank and last click.

    Source: Dupret and Piwowarski, A user browsing model to predict search engine click data, SIGIR 2008.
    """
    depth = lists.depth
    attraction, examination = fit_examination(lists, lists.ranks * depth + lists.previous + 1, depth * depth, steps)
    return Fit({"attractiveness": attraction}, {"examination": examination.reshape(depth, depth)})


def ubm_chances(fit: Fit, lists: ClickedLists) -> Chances:
    examination = fit.shared["examination"]
    attraction = np.where(lists.shown, fit.documents["attractiveness"][lists.pair], 0)
    # Without known clicks, the probability of each last click is followed down the list.
    rows, depth = attraction.shape
    last = np.zeros((rows, depth))  # the probability that the last click above is none, at rank 0, 1, ...
    last[:, 0] = 1
    alone = np.empty((rows, depth))
    for rank in range(depth):
        click = last * examination[rank] * attraction[:, rank, None]
        alone[:, rank] = click.sum(axis=1)
        last -= click
        last[:, rank + 1 : rank + 2] = alone[:, rank, None]
    return Chances(attraction * examination[lists.ranks, lists.previous + 1], alone)


UBM = ClickModel(
    "ubm",
    "like pbm, but examination depends on the rank and on the last click above",
    fit_ubm,
    chances=ubm_chances,
    source="SIGIR 2008",
    iterative=True,
)
