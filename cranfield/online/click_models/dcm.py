"""DCM, the dependent click model: as the cascade model, but after a click the user may go on, as the rank makes likely."""

from __future__ import annotations

import numpy as np

from cranfield.online.click_models.cascade import Cascade, read_down
from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import ClickModel, Fit, share


def fit_dcm(lists: ClickedLists, steps: int) -> Fit:
    """Of the documents down to the last click, the share clicked; of the clicks at a rank, the share with one below.

    DCM, the dependent click model: as the cascade model, but after a click the user may go on, as the rank makes
    likely.

    All parameters are counts, if the last click is taken for the end of reading; in lists without a click all is read.
    That is the usual simplification, and not exact: who reads on and clicks nothing more is taken for one who stopped,
    so the probability of going on is too low, and attractiveness too high; `dcm-em` infers both.

    Source: Guo, Liu and Wang, Efficient multiple-click models in web search, WSDM 2009.

    >>> from cranfield.arrays.interactions import example
    >>> from cranfield.online.click_models.lists import clicked_lists
    >>> documents, shared = fit_dcm(clicked_lists(example("ab:ab", "ba:b")), 0)
    >>> documents["attractiveness"].round(4).tolist(), shared["continuation"].round(4).tolist()
    ([0.6667, 0.75], [0.5, 0.3333])
    """
    examined = down_to_last_click(lists)
    attraction = share(lists.per_pair(lists.click), lists.per_pair(examined))
    more = lists.click & (lists.ranks < lists.last[:, None])
    return Fit(
        {"attractiveness": attraction}, {"continuation": share(lists.per_rank(more), lists.per_rank(lists.click))}
    )


def down_to_last_click(lists: ClickedLists) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which cells are at or above the last click, or in a list without one."""
    last = lists.last[:, None]
    return np.asarray((lists.ranks <= last) | (last < 0))


def dcm_cascade(fit: Fit, lists: ClickedLists) -> Cascade:
    """The probabilities in each cell."""
    attraction = fit.documents["attractiveness"][lists.pair]
    after_click = np.broadcast_to(fit.shared["continuation"], attraction.shape)
    return Cascade(attraction, after_click, np.ones(attraction.shape))


DCM = ClickModel(
    "dcm",
    "reads from the top; after a click goes on with the probability of the rank",
    fit_dcm,
    read_down(dcm_cascade),
    "WSDM 2009",
)
