"""The weights of logged lists under a new ranking: how much likelier it is to show them, or to have them examined."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.interactions import Interactions
from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.errors import InputError
from cranfield.online.counterfactual.estimator import Weighted


class NewRanking(NamedTuple):
    """A ranking for each topic, as columns sorted by topic and rank."""

    topic: Ints
    document: Ints
    rank: Ints  # from 0


def new_ranks(log: Interactions, new: NewRanking) -> Ints:
    """The rank that the new ranking gives each document shown, from 0; -1 for none."""
    width = int(max(new.document.max(initial=0), log.document.max(initial=0))) + 1
    key = new.topic * width + new.document
    order = np.argsort(key)
    wanted = log.topic[log.impression] * width + log.document
    place = np.minimum(np.searchsorted(key[order], wanted), len(key) - 1)
    found = order[place]
    return np.where(key[found] == wanted, new.rank[found], -1)


def logged_ranks(log: Interactions) -> Ints:
    """The rank at which each document was shown, from 0."""
    return log.first[log.impression] + log.position


def by_list(log: Interactions, new: NewRanking) -> Weighted:
    """Whole lists: 1 over the product of the propensities where the new ranking shows the same list, else 0."""
    chance = np.zeros(len(log))
    np.add.at(chance, log.impression, np.log(log.propensity))
    same = np.ones(len(log), bool)
    np.logical_and.at(same, log.impression, new_ranks(log, new) == logged_ranks(log))
    return _lists(log, np.where(same, np.exp(-chance), 0))


def by_position(log: Interactions, new: NewRanking) -> Weighted:
    """Documents at their positions: 1 over the propensity where the new ranking shows the same there, else 0.

    Far larger samples than whole lists give, under the assumption that a click depends on the document and its position
    alone. The propensity of a document is that of being shown at its position, whatever else is shown.

    Source: Li, Abbasi-Yadkori, Kveton, Muthukrishnan, Vinay and Wen, Offline evaluation of ranking policies with click
    models, KDD 2018.
    """
    same = new_ranks(log, new) == logged_ranks(log)
    return _documents(log, np.where(same, 1 / log.propensity, 0))


def by_examination(log: Interactions, new: NewRanking, examination: Floats) -> Weighted:
    """Documents: the examination of their new rank over that of the logged one; 0 below the lists' depth.

        mean over lists of the sum over clicks of  examination(new rank) / examination(logged rank)

    Needs no randomised lists, only the examination of ranks: from a position-based model, from documents that moved, or
    from a file. It takes clicks to depend on examination of the rank and on the document alone. Documents that were not
    shown count nothing, so a ranking that finds new ones gets too little.

    Source: Joachims, Swaminathan and Schnabel, Unbiased learning-to-rank with biased feedback, WSDM 2017.
    """
    ranks, logged = new_ranks(log, new), logged_ranks(log)
    if logged.max(initial=-1) >= len(examination):
        raise InputError(f"no examination of rank {int(logged.max()) + 1}, where a document was shown")
    depth = (log.first + log.length)[log.impression]
    kept = (ranks >= log.first[log.impression]) & (ranks < depth)
    return _documents(log, np.where(kept, examination[np.where(kept, ranks, 0)] / examination[logged], 0))


def by_inverse(log: Interactions, new: NewRanking) -> tuple[Weighted, Mask]:
    """Whole lists, by the pseudo-inverse of each topic's lists; and the lists whose topic never showed what is needed.

        weight of a logged list s = n' G+ s,  G = mean of s s' over the lists of its topic

    where s and n (of the new list) have a 1 for each document at its position. G comes from the logged lists of a
    topic, so no propensities are needed, but lists of a topic must vary. Weights can be negative.

    Source: Swaminathan, Krishnamurthy, Agarwal, Dudik, Langford, Jose and Zitouni, Off-policy evaluation for slate
    recommendation, NIPS 2017.

    A new list is out of reach where its documents at their positions are no combination of logged lists.
    """
    weight, lost = np.zeros(len(log)), np.zeros(len(log), bool)
    same, place = new_ranks(log, new) == logged_ranks(log), logged_ranks(log)
    for topic in np.unique(log.topic):
        lists = np.flatnonzero(log.topic == topic)
        rows = np.flatnonzero(log.topic[log.impression] == topic)
        slots, slot = np.unique(log.document[rows] * (place.max() + 1) + place[rows], return_inverse=True)
        shown = np.zeros((len(lists), len(slots)))
        shown[np.searchsorted(lists, log.impression[rows]), slot] = 1
        target = np.zeros(len(slots))
        target[slot[same[rows]]] = 1
        inverse = np.linalg.pinv(shown.T @ shown / len(lists), hermitian=True)
        weight[lists] = shown @ inverse @ target
        reached = np.allclose(shown.T @ shown / len(lists) @ inverse @ target, target)
        lost[lists] = not reached or target.sum() < log.length[lists].max()
    return _lists(log, weight), lost


def unweighted(log: Interactions) -> Weighted:
    """Whole lists without weights."""
    return _lists(log, np.ones(len(log)))


def _lists(log: Interactions, weight: Floats) -> Weighted:
    zeros = np.zeros(len(log))
    reward = np.bincount(log.impression, log.clicks, len(log)).astype(float)
    return Weighted(weight, reward, zeros, zeros, np.arange(len(log)), len(log))


def _documents(log: Interactions, weight: Floats) -> Weighted:
    zeros = np.zeros(len(log.document))
    return Weighted(weight, log.clicks.astype(float), zeros, zeros, log.impression, len(log))
