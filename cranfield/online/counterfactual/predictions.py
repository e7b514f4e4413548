"""What a position-based model, fitted to the log, expects of the lists logged and of a new ranking in their place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.interactions import Interactions
from cranfield.arrays.rankings import Floats
from cranfield.online.click_models.lists import clicked_lists, pairs_of
from cranfield.online.click_models.model import STEPS
from cranfield.online.click_models.pbm import PBM
from cranfield.online.counterfactual.weights import NewRanking, logged_ranks


class Predictions(NamedTuple):
    """Expected clicks per list; and the share of the new ranking's documents that no list showed for their topic."""

    predicted: Floats  # of the lists logged
    expected: Floats  # of the new ranking at their ranks
    never_shown: float


def predictions(log: Interactions, new: NewRanking) -> Predictions:
    """The predictions for a log whose lists all have a topic; what was never shown gets the mean attractiveness.

    >>> from cranfield.arrays.interactions import example
    >>> new = NewRanking(np.zeros(2, int), np.array([1, 2]), np.arange(2))
    >>> predictions(example("abc:a", "bac:b"), new).never_shown
    0.0
    """
    pairs, number = pairs_of(log)
    fit = PBM.fit(clicked_lists(log), STEPS)
    attraction, examination = fit.documents["attractiveness"], fit.shared["examination"]
    predicted = np.zeros(len(log))
    np.add.at(predicted, log.impression, attraction[number] * examination[logged_ranks(log)])
    width = int(max(new.document.max(initial=0), pairs.document.max())) + 1
    keys, wanted = pairs.topic * width + pairs.document, new.topic * width + new.document
    kept = (new.rank < len(examination)) & np.isin(new.topic, pairs.topic)
    order = np.argsort(keys)
    place = order[np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)]
    known = keys[place] == wanted
    clicks = np.where(known, attraction[place], attraction[number].mean())[kept] * examination[new.rank[kept]]
    topics, row = np.unique(np.concatenate([log.topic, new.topic[kept]]), return_inverse=True)
    total = np.zeros((len(topics), len(examination) + 1))
    total[row[len(log) :], new.rank[kept] + 1] = clicks
    total = np.cumsum(total, axis=1)
    of = row[: len(log)]
    expected = total[of, log.first + log.length] - total[of, log.first]
    return Predictions(predicted, expected, float(np.mean(~known[kept])) if kept.any() else 1.0)
