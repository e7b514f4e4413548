"""How much average precision depends on a rank: the sampling weights of statAP and of active sampling."""

from __future__ import annotations

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.pooling.candidates import Candidates


def prior(topic: Candidates) -> Floats:
    """The weight of each retrieved document in its run, summing to 1 in each run.

        W(r) = (1 + 1/r + 1/(r+1) + ... + 1/n) / 2n

    over the run's n documents: the sum of a row of AP's quadratic form, about ln(n / r). Unlike that it is above 0 at
    the last rank, so that every document can be drawn. Source: Aslam, Pavlu and Yilmaz, A statistical method for system
    evaluation using incomplete judgments, SIGIR 2006.

    >>> from cranfield.pooling.examples import example
    >>> prior(example("a b", "c")).tolist()
    [0.625, 0.375, 1.0]
    """
    harmonic = np.append(0.0, np.cumsum(1 / np.arange(1, topic.lengths.max(initial=1) + 1)))
    length = topic.lengths[topic.run]
    return np.asarray((1 + harmonic[length] - harmonic[topic.ranks - 1]) / (2 * length))


def mean_prior(topic: Candidates) -> Floats:
    """The prior of each document, averaged over the runs that retrieved anything.

    >>> from cranfield.pooling.examples import example
    >>> mean_prior(example("a b", "a")).tolist()
    [0.8125, 0.1875]
    """
    return topic.total(prior(topic)) / np.count_nonzero(topic.lengths)
