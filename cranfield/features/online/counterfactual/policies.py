"""Policies that draw their rankings: probabilities of documents at positions, or Plackett and Luce's model of a run."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import InputError
from cranfield.features.online.counterfactual.weights import DocumentWorth, NewRanking

DRAWS = 2000  # of each topic, for the probability of each document at each rank
AT_ONCE = 2_000_000  # numbers in memory
ROUNDING = 1e-3  # of a sum of probabilities


def plackett_luce(
    topic: Ints, document: Ints, score: Floats, *, depth: int, temperature: float = 1.0, seed: int = 0
) -> NewRanking:
    """Rankings drawn by scores: the next document with a probability of exp(score / temperature) over those left.

    The probability of a list is exact; those of documents at ranks, which the direct method and item-position take, are
    from 2,000 draws of each topic, as the order of score / temperature + Gumbel noise (Yellott, Journal of Mathematical
    Psychology 15, 1977).

    >>> found = plackett_luce(np.zeros(2, int), np.array([4, 7]), np.log([3.0, 1.0]), depth=1)
    >>> found.document.tolist(), found.rank.tolist(), bool(abs(found.probability[0] - 0.75) < 0.05)
    ([4, 7], [0, 0], True)
    """
    if not temperature > 0:
        raise InputError(f"the temperature is {temperature:g}; expected a number above 0")
    random, worth = np.random.default_rng(seed), score / temperature
    topics, documents, ranks, chances = ([np.zeros(0, kind)] for kind in (np.int64, np.int64, np.int64, float))
    for one in np.unique(topic).tolist():
        of = np.flatnonzero(topic == one)
        shown = _shown(worth[of], min(depth, len(of)), random)
        place, rank = np.nonzero(shown)
        topics.append(np.full(len(place), one))
        documents.append(document[of][place])
        ranks.append(rank)
        chances.append(shown[place, rank] / DRAWS)
    every_topic, every_document, every_rank, chance = map(np.concatenate, (topics, documents, ranks, chances))
    return NewRanking(every_topic, every_document, every_rank, chance, worth=DocumentWorth(topic, document, worth))


def _shown(worth: Floats, depth: int, random: np.random.Generator) -> Ints:
    """How often each document is drawn at each rank."""
    found, step = np.zeros((len(worth), depth), np.int64), max(1, AT_ONCE // len(worth))
    for start in range(0, DRAWS, step):
        drawn = worth + random.gumbel(size=(min(step, DRAWS - start), len(worth)))
        order = np.argsort(-drawn, axis=1)[:, :depth]
        np.add.at(found, (order, np.arange(depth)), 1)
    return found


def drawing(topic: Ints, document: Ints, rank: Ints, probability: Floats) -> NewRanking:
    """A policy by probabilities, which sum to 1 for each topic and rank; an error where they do not.

    >>> drawing(np.zeros(2, int), np.array([1, 2]), np.zeros(2, int), np.array([0.5, 0.4]))
    Traceback (most recent call last):
    cranfield.errors.InputError: the probabilities of position 1 of a topic sum to 0.9; expected 1
    """
    _, where = np.unique(np.column_stack([topic, rank]), axis=0, return_inverse=True)
    total = np.bincount(where.ravel(), probability)
    if len(wrong := np.flatnonzero(abs(total - 1) > ROUNDING)):
        at = int(rank[np.flatnonzero(where.ravel() == wrong[0])[0]]) + 1
        raise InputError(f"the probabilities of position {at} of a topic sum to {total[wrong[0]]:.4g}; expected 1")
    return NewRanking(topic, document, rank, probability)
