"""SDBN, the simplified dynamic Bayesian network: reads from the top until a clicked document satisfies."""

from __future__ import annotations

import numpy as np

from cranfield.online.click_models.cascade import Cascade, read_down
from cranfield.online.click_models.dcm import down_to_last_click
from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import ClickModel, Fit, share


def fit_sdbn(lists: ClickedLists, steps: int) -> Fit:
    """Of the documents down to the last click, the share clicked; of the clicks, the share that was the last.

    SDBN, the simplified dynamic Bayesian network: reads from the top until a clicked document satisfies.

    All parameters are counts: the last click of a list is taken for the one that satisfied. That is the usual
    simplification, and not exact: who reads on unsatisfied and clicks nothing more is taken for satisfied, so
    satisfaction is too high, and so is attractiveness; `sdbn-em` infers both. Relevance is attractiveness (of what the
    user sees of a document) times satisfaction (by the document).

    Source: Chapelle and Zhang, A dynamic Bayesian network click model for web search ranking, WWW 2009.

    >>> from cranfield.arrays.interactions import example
    >>> from cranfield.online.click_models.lists import clicked_lists
    >>> fit_sdbn(clicked_lists(example("ab:ab", "ba:b")), 0).relevance.round(4).tolist()
    [0.2222, 0.5625]
    """
    attraction = share(lists.per_pair(lists.click), lists.per_pair(down_to_last_click(lists)))
    last = lists.click & (lists.ranks == lists.last[:, None])
    satisfaction = share(lists.per_pair(last), lists.per_pair(lists.click))
    return Fit({"attractiveness": attraction, "satisfaction": satisfaction}, {})


def sdbn_cascade(fit: Fit, lists: ClickedLists) -> Cascade:
    """The probabilities in each cell."""
    attraction, satisfaction = (fit.documents[name][lists.pair] for name in ("attractiveness", "satisfaction"))
    return Cascade(attraction, 1 - satisfaction, np.ones(attraction.shape))


SDBN = ClickModel(
    "sdbn",
    "reads from the top until a clicked document satisfies",
    fit_sdbn,
    read_down(sdbn_cascade),
    "WWW 2009",
)
