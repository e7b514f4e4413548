"""CCM as PyClick fits it, to compare with figures that were published with it: the model is `ccm`'s, the steps are not."""

from __future__ import annotations

import numpy as np

from cranfield.online.click_models.cascade import posterior, read_down
from cranfield.online.click_models.ccm import ccm_cascade, fit_of
from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import ClickModel, Fit, share, stepped
from cranfield.online.click_models.pyclick import judged


def fit_ccm_pyclick(lists: ClickedLists, steps: int) -> Fit:
    """Attractiveness and the three probabilities of going on.

    CCM as PyClick fits it, to compare with figures that were published with it: the model is `ccm`'s, the steps are
    not.

    Take `ccm` for anything else: its steps are exact. Besides what `pyclick` lists, these take every click that has
    another below it for one that did not satisfy, though in this model a satisfied user may go on.

    Sources: Guo, Liu, Kannan, Minka, Taylor, Wang and Faloutsos, Click chain model in web search, WWW 2009, for the
    model; Chuklin, Markov and de Rijke, Click models for web search, 2015, for the steps.

    Of two clicks the first never satisfied, so the same document at the other rank attracts more:

    >>> from cranfield.arrays.interactions import example
    >>> from cranfield.online.click_models.lists import clicked_lists
    >>> fit_ccm_pyclick(clicked_lists(example("ab:ab", "ab:ab")), 1).documents["attractiveness"].round(4).tolist()
    [0.5, 0.6667]
    """
    return stepped(_ccm_pyclick_step, fit_of(np.full(lists.pairs, 0.5), np.full(3, 0.5)), lists, steps)


def _ccm_pyclick_step(fit: Fit, lists: ClickedLists) -> Fit:
    of, on = ccm_cascade(fit, lists), fit.shared["continuation"]
    none_below = posterior(lists, of).none_below
    found = judged(lists, of, none_below)
    last = lists.click & (lists.ranks == lists.last[:, None])
    satisfied = np.where(last, of.attraction / (1 - of.after_click * (1 - none_below)), 0)
    kinds = (found.examined * ~lists.click, (1 - of.attraction) * lists.click, of.attraction * lists.click)
    went, stopped = (
        np.array([(lists.times * kind * how).sum() for kind in kinds]) * chance
        for how, chance in ((found.on, on), (found.stopped, 1 - on))
    )
    trials = lists.per_pair(lists.shown) + lists.per_pair(lists.click)
    return fit_of(share(lists.per_pair(found.attracted + satisfied), trials), share(went, went + stopped))


CCM_PYCLICK = ClickModel(
    "ccm-pyclick",
    "ccm by PyClick's approximate steps, to compare with figures of that tool",
    fit_ccm_pyclick,
    read_down(ccm_cascade),
    "WWW 2009; Chuklin et al. 2015",
    True,
)
