"""Policies that draw their rankings: probabilities of documents at positions, or Plackett and Luce's model of a run."""

from math import log, sqrt

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import InputError
from cranfield.features.online.counterfactual.weights import DocumentWorth, NewRanking

NEVER = 1e-12  # a probability that is none
GROWS, SPARE = 3, 6  # digits that rounding may cost, and so times the depth that are looked at
STEP, NARROW = 0.3, 0.9  # of the logarithm of the time; at rank r the times are 1 / sqrt(r) apart
FIRST, LAST = -34.0, 3.7  # of it: nothing has come yet, and what is worth 1 has
LARGE = 700.0  # an exponent
MAX_ARRAY_NUMBERS = 1_000_000  # numbers in memory, of each array


def plackett_luce(topic: Ints, document: Ints, score: Floats, *, depth: int, temperature: float = 1.0) -> NewRanking:
    """Rankings drawn by scores: the next document with a probability of exp(score / temperature) over those left.

    >>> new = plackett_luce(np.zeros(2, int), np.array([4, 7]), np.log([3.0, 1.0]), depth=1)
    >>> new.document.tolist(), new.rank.tolist(), new.probability.round(6).tolist()
    ([4, 7], [0, 0], [0.75, 0.25])
    """
    if not temperature > 0:
        raise InputError(f"the temperature is {temperature:g}; expected a number above 0")
    worth = score / temperature
    topics, documents, ranks, chances = ([np.zeros(0, kind)] for kind in (np.int64, np.int64, np.int64, float))
    for one in np.unique(topic).tolist():
        of = np.flatnonzero(topic == one)
        chance = chances_of_ranks(worth[of], depth)
        place, rank = np.nonzero(chance > NEVER)
        topics.append(np.full(len(place), one))
        documents.append(document[of][place])
        ranks.append(rank)
        chances.append(chance[place, rank])
    every_topic, every_document, every_rank, chance = map(np.concatenate, (topics, documents, ranks, chances))
    return NewRanking(every_topic, every_document, every_rank, chance, worth=DocumentWorth(topic, document, worth))


def chances_of_ranks(log_worth: Floats, depth: int) -> Floats:
    """The probability of each document at each of the first ranks, by Plackett and Luce's model.

    Documents come as in a race, each at an exponential time of the rate of its worth (Yellott, Journal of Mathematical
    Psychology 15, 1977): a document is at rank r where r - 1 others came before. This is summed over times, whose
    logarithms are equidistant: exact to 1e-9.

    >>> chances_of_ranks(np.log([3.0, 2.0, 1.0]), 2).round(4).tolist()  # 1/3 (3/6 and the others: 3/4, 3/5)
    [[0.5, 0.35], [0.3333, 0.4], [0.1667, 0.25]]
    """
    depth, worth = min(depth, len(log_worth)), log_worth - log_worth.max()
    each, late = min(STEP, NARROW / sqrt(depth)), np.sort(worth)[::-1][: depth + 1][-1]
    times = np.arange(FIRST - log(len(worth)), LAST - late, each)
    chances, step = np.zeros((len(worth), depth)), max(1, MAX_ARRAY_NUMBERS // len(worth))
    for start in range(0, len(times), step):
        rate = np.exp(np.minimum(worth[:, None] + times[start : start + step], LARGE))
        chances += each * _density_by_rank(rate, depth)
    return chances


def _density_by_rank(rate: Floats, depth: int) -> Floats:
    """The density of coming at each rank, by document, summed over times.

    How many others have come is the distribution of how many have, without one document, which has come or not:
    all[k] = others[k] not + others[k - 1] come. It is solved from none upwards where that document has hardly come, and
    downwards from more than matter where it has: rounding grows by no more than 10 ** GROWS either way.
    """
    come, all_come = -np.expm1(-rate), _come(rate, min(len(rate) + 1, 1 + depth * SPARE))
    document, time = np.nonzero(rate * np.exp(-rate) > 0)
    come, rates = come[document, time], rate[document, time]
    density, absent = rates * np.exp(-rates), np.exp(-rates)
    upwards = come <= absent * 10 ** (GROWS / depth)
    densities = np.zeros((depth, len(rate)))
    for part, ranks in ((upwards, range(depth)), (~upwards, range(len(all_come) - 1, 0, -1))):
        of, at, one, none, much = (values[part] for values in (document, time, come, absent, density))
        others = np.zeros(len(of))
        for rank in ranks:
            up = ranks.step > 0
            others = (all_come[rank][at] - (one if up else none) * others) / (none if up else one)
            if (place := rank if up else rank - 1) < depth:
                densities[place] += np.bincount(of, much * others, len(rate))
    return densities.T


def _come(rate: Floats, most: int) -> Floats:
    """The probability that none, one, ... of the documents have come: (most, times)."""
    chances = np.zeros((most, rate.shape[1]))
    chances[0] = 1
    for leave, stay in zip(-np.expm1(-rate), np.exp(-rate), strict=True):
        more = chances[:-1] * leave
        chances *= stay
        chances[1:] += more
    return chances
