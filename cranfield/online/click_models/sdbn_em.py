"""SDBN by exact inference: the model is `sdbn`'s, but nobody takes the last click for the one that satisfied."""

from __future__ import annotations

import numpy as np

from cranfield.online.click_models.cascade import going_on, posterior, read_down
from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import ClickModel, Fit, share
from cranfield.online.click_models.sdbn import sdbn_cascade


def fit_sdbn_em(lists: ClickedLists, steps: int) -> Fit:
    """Attractiveness and satisfaction.

    SDBN by exact inference: the model is `sdbn`'s, but nobody takes the last click for the one that satisfied.

    Whether the last click satisfied, and which documents were examined if not, is inferred from the absence of clicks
    by expectation maximisation. It is `dbn` of users who never give up.

    Source: Chapelle and Zhang, A dynamic Bayesian network click model for web search ranking, WWW 2009.

    Below a click at the end of a list there is nothing that could tell whether it satisfied:

    >>> from cranfield.arrays.interactions import example
    >>> from cranfield.online.click_models.lists import clicked_lists
    >>> found = fit_sdbn_em(clicked_lists(example("ab:b", "ab:b")), 50)
    >>> {name: one.round(4).tolist() for name, one in found.documents.items()}
    {'attractiveness': [0.25, 0.75], 'satisfaction': [0.5, 0.5]}
    """
    half = np.full(lists.pairs, 0.5)
    found = Fit({"attractiveness": half, "satisfaction": half}, {})
    for _ in range(steps):
        of = sdbn_cascade(found, lists)
        examined, none_below = posterior(lists, of)
        satisfied = lists.click - going_on(lists, of, none_below)
        found = Fit(
            {
                "attractiveness": share(lists.per_pair(lists.click), lists.per_pair(examined)),
                "satisfaction": share(lists.per_pair(satisfied), lists.per_pair(lists.click)),
            },
            {},
        )
    return found


SDBN_EM = ClickModel(
    "sdbn-em",
    "sdbn by exact inference",
    fit_sdbn_em,
    read_down(sdbn_cascade),
    "WWW 2009",
    True,
)
