"""CM, the cascade model: the user reads from the top, clicks the first attractive document, and stops."""

from __future__ import annotations

import numpy as np

from cranfield.online.click_models.cascade import Cascade, cascade_chances
from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import Chances, ClickModel, Fit, share


def fit_cm(lists: ClickedLists, steps: int) -> Fit:
    """Of the documents down to the first click, the share that was clicked.

    CM, the cascade model: the user reads from the top, clicks the first attractive document, and stops.

    Good: all parameters are counts. It cannot explain a second click of a list: such clicks have the smallest
    probability that likelihoods use here.

    Source: Craswell, Zoeter, Taylor and Ramsey, An experimental comparison of click position-bias models, WSDM 2008.

    >>> from cranfield.arrays.interactions import example
    >>> from cranfield.online.click_models.lists import clicked_lists
    >>> fit_cm(clicked_lists(example("ab:ab", "ba:")), 0).documents["attractiveness"].round(4).tolist()
    [0.5, 0.3333]
    """
    examined = lists.previous < 0
    return Fit({"attractiveness": share(lists.per_pair(lists.click & examined), lists.per_pair(examined))}, {})


def cm_chances(fit: Fit, lists: ClickedLists) -> Chances:
    attraction = fit.documents["attractiveness"][lists.pair]
    return cascade_chances(lists, Cascade(attraction, np.zeros(attraction.shape), np.ones(attraction.shape)))


CM = ClickModel(
    "cm",
    "reads from the top and stops after the first click",
    fit_cm,
    cm_chances,
    "WSDM 2008",
)
