"""PBM, the position-based model: a document is clicked if it is examined and attractive; examination is up to the rank."""

from __future__ import annotations

from cranfield.online.click_models.examination import fitted
from cranfield.online.click_models.lists import ClickedLists
from cranfield.online.click_models.model import Chances, ClickModel, Fit


def fit_pbm(lists: ClickedLists, steps: int) -> Fit:
    """Attractiveness and examination by expectation maximisation.

    PBM, the position-based model: a document is clicked if it is examined and attractive; examination is up to the
    rank.

        P(click on d at r) = examination(r) x attractiveness(query, d)

    Good: simple, and its examinations are the propensities that counterfactual estimates need. It misleads where users
    stop after a good document, since examination does not depend on what stands above. A log in which no document
    changes its rank cannot tell attraction from examination.

    Source: Richardson, Dominowska and Ragno, Predicting clicks: estimating the click-through rate for new ads, WWW
    2007.
    """
    attraction, examination = fitted(lists, lists.ranks, lists.depth, steps)
    return Fit({"attractiveness": attraction}, {"examination": examination})


def pbm_chances(fit: Fit, lists: ClickedLists) -> Chances:
    click = fit.documents["attractiveness"][lists.pair] * fit.shared["examination"]
    return Chances(click, click)


PBM = ClickModel(
    "pbm", "clicked if examined and attractive; examination depends on the rank", fit_pbm, pbm_chances, "WWW 2007", True
)
