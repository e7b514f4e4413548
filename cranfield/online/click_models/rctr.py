"""RCTR, the click-through rate of each rank: the rank alone decides."""

from __future__ import annotations

import numpy as np

from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import Chances, ClickModel, Fit, share


def fit_rctr(lists: ClickedLists, steps: int) -> Fit:
    """The share of the documents shown at each rank that were clicked.

    RCTR, the click-through rate of each rank: the rank alone decides.

    Says how much of a log is explained by where a document stands. It does not rate documents.

    Source: Craswell, Zoeter, Taylor and Ramsey, An experimental comparison of click position-bias models, WSDM 2008.

    >>> from cranfield.arrays.interactions import example
    >>> from cranfield.online.click_models.lists import clicked_lists
    >>> fit_rctr(clicked_lists(example("ab:b", "ba:")), 0).shared["rate"].tolist()
    [0.25, 0.5]
    """
    return Fit({}, {"rate": share(lists.per_rank(lists.click), lists.per_rank(lists.shown))})


def rctr_chances(fit: Fit, lists: ClickedLists) -> Chances:
    rate = np.broadcast_to(fit.shared["rate"], lists.pair.shape)
    return Chances(rate, rate)


RCTR = ClickModel(
    "rctr",
    "a document is clicked with the probability of its rank",
    fit_rctr,
    rctr_chances,
    "WSDM 2008",
)
