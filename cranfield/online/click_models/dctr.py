"""DCTR, the click-through rate of each document of a query, wherever it stood."""

from __future__ import annotations

from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import Chances, ClickModel, Fit, share


def fit_dctr(lists: ClickedLists, steps: int) -> Fit:
    """The share of the times a document was shown for a query that it was clicked.

    DCTR, the click-through rate of each document of a query, wherever it stood.

    What raw clicks say of documents. It takes a document that was shown low for a bad one.

    Source: Craswell, Zoeter, Taylor and Ramsey, An experimental comparison of click position-bias models, WSDM 2008.

    >>> from cranfield.arrays.interactions import example
    >>> from cranfield.online.click_models.lists import clicked_lists
    >>> fit_dctr(clicked_lists(example("ab:b", "ba:")), 0).documents["attractiveness"].tolist()
    [0.25, 0.5]
    """
    return Fit({"attractiveness": share(lists.per_pair(lists.click), lists.per_pair(lists.shown))}, {})


def dctr_chances(fit: Fit, lists: ClickedLists) -> Chances:
    rate = fit.documents["attractiveness"][lists.pair]
    return Chances(rate, rate)


DCTR = ClickModel(
    "dctr",
    "a document of a query is clicked with its own probability, wherever it stands",
    fit_dctr,
    dctr_chances,
    "WSDM 2008",
)
