"""What a position-based model, fitted to the log, expects of the lists logged and of a new ranking in their place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.interactions import Interactions
from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.online.click_models.lists import Pairs, clicked_lists, pairs_of
from cranfield.online.click_models.model import STEPS
from cranfield.online.click_models.pbm import PBM
from cranfield.online.counterfactual.weights import NewRanking, logged_ranks


class Predictions(NamedTuple):
    """Expected clicks per list."""

    predicted: Floats  # of the lists logged
    expected: Floats  # of the new ranking at their ranks


def predictions(log: Interactions, new: NewRanking) -> Predictions:
    """The predictions for a log whose lists all have a topic; what was never shown gets the mean attractiveness."""
    pairs, number = pairs_of(log)
    fit = PBM.fit(clicked_lists(log), STEPS)
    attraction, examination = fit.documents["attractiveness"], fit.shared["examination"]
    predicted = np.zeros(len(log))
    np.add.at(predicted, log.impression, attraction[number] * examination[logged_ranks(log)])
    kept, place, known = _pair_of_each(pairs, new, len(examination))
    clicks = np.where(known, attraction[place], attraction[number].mean()) * examination[new.rank[kept]]
    topics, row = np.unique(np.concatenate([log.topic, new.topic[kept]]), return_inverse=True)
    total = np.zeros((len(topics), len(examination) + 1))
    total[row[len(log) :], new.rank[kept] + 1] = clicks
    total = np.cumsum(total, axis=1)
    of = row[: len(log)]
    return Predictions(predicted, total[of, log.first + log.length] - total[of, log.first])


def never_shown(log: Interactions, new: NewRanking) -> float:
    """The share of the new ranking's documents, at the log's depth, that no list showed for their topic.

    >>> from cranfield.arrays.interactions import example
    >>> new = NewRanking(np.zeros(2, int), np.array([1, 2]), np.arange(2))
    >>> never_shown(example("abc:a", "bac:b"), new), never_shown(example("ab:a", "ba:b"), new)
    (0.0, 0.5)
    """
    _, _, known = _pair_of_each(pairs_of(log)[0], new, int(logged_ranks(log).max()) + 1)
    return float(np.mean(~known)) if len(known) else 1.0


def _pair_of_each(pairs: Pairs, new: NewRanking, depth: int) -> tuple[Mask, Ints, Mask]:
    """The documents of the new ranking that count; of each of them its pair, and whether there is one."""
    width = int(max(new.document.max(initial=0), pairs.document.max())) + 1
    keys, wanted = pairs.topic * width + pairs.document, new.topic * width + new.document
    kept = (new.rank < depth) & np.isin(new.topic, pairs.topic)
    order = np.argsort(keys)
    place = order[np.minimum(np.searchsorted(keys[order], wanted[kept]), len(keys) - 1)]
    return kept, place, keys[place] == wanted[kept]
