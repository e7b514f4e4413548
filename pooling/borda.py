"""Borda count: a run gives its first document n points, the next n - 1, and shares out what is left among the rest.

    score(d) = sum over runs of  n + 1 - r_s(d)         where retrieved
                                 (n - |s| + 1) / 2      where not: the mean of the points left

n is the number of documents that any run retrieved. Good: ranks only, and a run says something about what it left out.
Bad: differences deep in a ranking weigh as much as those at its top. Source: Aslam and Montague, Models for metasearch,
SIGIR 2001.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield.rankings import Floats

from .protocol import Method, Order, ordered
from .retrieved import Retrieved


def points(topic: Retrieved) -> Floats:
    """The Borda points of each document.

    r1 gives 4, 3, 2 and 1 to d; r2 gives 4 to b, 3 to d, and 1.5 each to a and c.

    >>> from cranfield.pooling.examples import example, shown
    >>> topic = example("a b c", "b d")
    >>> points(topic).tolist()
    [5.5, 7.0, 3.5, 4.0]
    >>> shown(topic, METHOD.start(topic).order)
    'b a d c'
    """
    left = (len(topic) - topic.lengths + 1) / 2
    given = len(topic) + 1 - topic.ranks - left[topic.run]
    return topic.total(given) + float(left.sum())


def begin(topic: Retrieved, options: Mapping[str, Any], seed: int) -> Order:
    """Documents by points, ties by docno descending."""
    return Order(ordered(points(topic)))


METHOD = Method("borda", "by points for ranks", begin, source="Aslam and Montague, SIGIR 2001")
