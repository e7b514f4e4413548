"""DCM by exact inference: the model is `dcm`'s, but nobody takes the last click for the end of reading."""

from __future__ import annotations

import numpy as np

from cranfield.online.click_models.cascade import going_on, posterior, read_down
from cranfield.online.click_models.dcm import dcm_cascade
from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import ClickModel, Fit, share


def fit_dcm_em(lists: ClickedLists, steps: int) -> Fit:
    """Attractiveness and the probability of going on after a click at each rank.

    DCM by exact inference: the model is `dcm`'s, but nobody takes the last click for the end of reading.

    Whether the user went on after the last click, and which documents were examined then, is inferred from the absence
    of clicks by expectation maximisation.

    Source: Guo, Liu and Wang, Efficient multiple-click models in web search, WSDM 2009, for the model; Dempster, Laird
    and Rubin, Maximum likelihood from incomplete data via the EM algorithm, JRSS B 1977, for the inference.

    A list that ends with its only click says nothing of what comes after it:

    >>> from cranfield.arrays.interactions import example
    >>> from cranfield.online.click_models.lists import clicked_lists
    >>> documents, shared = fit_dcm_em(clicked_lists(example("ab:b", "ab:b")), 50)
    >>> documents["attractiveness"].round(4).tolist(), shared["continuation"].round(4).tolist()
    ([0.25, 0.75], [0.5, 0.5])
    """
    found = Fit({"attractiveness": np.full(lists.pairs, 0.5)}, {"continuation": np.full(lists.depth, 0.5)})
    for _ in range(steps):
        of = dcm_cascade(found, lists)
        examined, none_below = posterior(lists, of)
        went = going_on(lists, of, none_below)
        found = Fit(
            {"attractiveness": share(lists.per_pair(lists.click), lists.per_pair(examined))},
            {"continuation": share(lists.per_rank(went), lists.per_rank(lists.click))},
        )
    return found


DCM_EM = ClickModel(
    "dcm-em",
    "dcm by exact inference",
    fit_dcm_em,
    read_down(dcm_cascade),
    "WSDM 2009; JRSS B 1977",
    True,
)
