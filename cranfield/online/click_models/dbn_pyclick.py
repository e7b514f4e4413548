"""DBN as PyClick fits it, to compare with figures that were published with it: the model is `dbn`'s, the steps are not."""

from __future__ import annotations

import numpy as np

from cranfield.online.click_models.cascade import posterior, read_down
from cranfield.online.click_models.dbn import dbn_cascade, last_satisfied, start_of
from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import ClickModel, Fit, share, stepped
from cranfield.online.click_models.pyclick import judged


def fit_dbn_pyclick(lists: ClickedLists, steps: int) -> Fit:
    """Attractiveness, satisfaction and the probability of going on.

    DBN as PyClick fits it, to compare with figures that were published with it: the model is `dbn`'s, the steps are
    not.

    Take `dbn` for anything else: its steps are exact. These take a list without clicks for read to its end, among
    others (`pyclick` lists all), so attractiveness is too low and users seem to go on more than they do.

    Sources: Chapelle and Zhang, A dynamic Bayesian network click model for web search ranking, WWW 2009, for the model;
    Chuklin, Markov and de Rijke, Click models for web search, 2015, for the steps.

    Nobody who clicks nothing gives up:

    >>> from cranfield.arrays.interactions import example
    >>> from cranfield.online.click_models.lists import clicked_lists
    >>> fit_dbn_pyclick(clicked_lists(example("ab:", "ab:")), 50).shared["continuation"].round(4).tolist()
    [0.8333]
    """
    return stepped(_dbn_pyclick_step, start_of(lists), lists, steps)


def _dbn_pyclick_step(fit: Fit, lists: ClickedLists) -> Fit:
    of, (on,) = dbn_cascade(fit, lists), fit.shared["continuation"]
    none_below = posterior(lists, of).none_below
    found = judged(lists, of, none_below)
    could = np.where(lists.click, 1 - fit.documents["satisfaction"][lists.pair], found.examined)
    went, stopped = ((lists.times * could * one).sum() for one in (on * found.on, (1 - on) * found.stopped))
    return Fit(
        {
            "attractiveness": share(lists.per_pair(found.attracted), lists.per_pair(lists.shown)),
            "satisfaction": share(lists.per_pair(last_satisfied(fit, lists, none_below)), lists.per_pair(lists.click)),
        },
        {"continuation": share(np.array([went]), np.array([went + stopped]))},
    )


DBN_PYCLICK = ClickModel(
    "dbn-pyclick",
    "dbn by PyClick's approximate steps, to compare with figures of that tool",
    fit_dbn_pyclick,
    read_down(dbn_cascade),
    "WWW 2009; Chuklin et al. 2015",
    True,
)
