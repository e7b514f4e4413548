"""UBM, the user browsing model: as the position-based model, but examination depends on the last click above as well."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.online.click_models.examination import fitted
from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import Chances, ClickModel, Fit


def fit_ubm(lists: ClickedLists, steps: int) -> Fit:
    """Attractiveness and examination; the examination of rank r after a click at p is in row r and column p + 1.

    UBM, the user browsing model: as the position-based model, but examination depends on the last click above as well.

        P(click on d at r | last click above at p) = examination(r, p) x attractiveness(query, d)

    Good: fits logs with several clicks best of all classic models. It has many parameters: one per rank and last click.

    Source: Dupret and Piwowarski, A user browsing model to predict search engine click data, SIGIR 2008.
    """
    depth = lists.depth
    attraction, examination = fitted(lists, lists.ranks * depth + lists.previous + 1, depth * depth, steps)
    return Fit({"attractiveness": attraction}, {"examination": examination.reshape(depth, depth)})


def ubm_chances(fit: Fit, lists: ClickedLists) -> Chances:
    examination = fit.shared["examination"]
    attraction = np.where(lists.shown, fit.documents["attractiveness"][lists.pair], 0)
    return Chances(attraction * examination[lists.ranks, lists.previous + 1], _alone(attraction, examination))


def _alone(attraction: Floats, examination: Floats) -> Floats:
    """Without knowing clicks: the probability of each last click is followed down the list."""
    rows, depth = attraction.shape
    last = np.zeros((rows, depth))  # the probability that the last click above is none, at rank 0, 1, ...
    last[:, 0] = 1
    alone = np.empty((rows, depth))
    for rank in range(depth):
        clicked = last * examination[rank] * attraction[:, rank, None]
        alone[:, rank] = clicked.sum(axis=1)
        last -= clicked
        last[:, rank + 1 : rank + 2] = alone[:, rank, None]
    return alone


UBM = ClickModel(
    "ubm",
    "as pbm, but examination depends on the rank and on the last click above",
    fit_ubm,
    ubm_chances,
    "SIGIR 2008",
    True,
)
