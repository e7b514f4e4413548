"""GCTR, the global click-through rate: every document is clicked with the same probability."""

from __future__ import annotations

import numpy as np

from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import Chances, ClickModel, Fit, share


def fit_gctr(lists: ClickedLists, steps: int) -> Fit:
    """The share of documents shown that were clicked.

    GCTR, the global click-through rate: every document is clicked with the same probability.

    The baseline of all models: one that does not beat it has learned nothing. It does not rate documents.

    Source: Craswell, Zoeter, Taylor and Ramsey, An experimental comparison of click position-bias models, WSDM 2008.

    >>> from cranfield.arrays.interactions import example
    >>> from cranfield.online.click_models.lists import clicked_lists
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
    "every document is clicked with the same probability",
    fit_gctr,
    gctr_chances,
    "WSDM 2008",
)
