"""Borda count: a run gives its first document n points, the next n - 1, and shares out what is left among the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import FixedOrder, Method, MethodOption, ordered
from cranfield.text import counted


def points(topic: Candidates, size: int = 0) -> Floats:
    """The Borda points of each document; `size` is n, by default how many documents there are.

    r1 gives 4, 3, 2 and 1 to d; r2 gives 4 to b, 3 to d, and 1.5 each to a and c.

    >>> from cranfield.pooling.examples import example, shown
    >>> topic = example("a b c", "b d")
    >>> points(topic).tolist()
    [5.5, 7.0, 3.5, 4.0]
    >>> shown(topic, BORDA.start(topic).order)
    'b a d c'

    In a collection of 10 r1 leaves 4 each to what it did not retrieve, r2 leaves 4.5:

    >>> points(topic, 10).tolist()
    [14.5, 19.0, 12.5, 13.0]
    """
    n = size or len(topic)
    if n < len(topic):
        raise InputError(
            f"option n is {n}, but the runs retrieved {counted(len(topic), 'document')} for topic {topic.qid!r}"
        )
    left = (n - topic.lengths + 1) / 2
    given = n + 1 - topic.ranks - left[topic.run]
    return topic.total(given) + float(left.sum())


def by_points(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """Documents by points, ties by docno descending."""
    return FixedOrder(ordered(points(topic, options["n"])))


BORDA = Method(
    "borda", "by points for ranks", by_points,
    (MethodOption("n", 0, "number of documents in the collection; 0: those that some run retrieved", low=0),),
    source="Aslam and Montague, SIGIR 2001", explanation="""
Borda count: a run gives its first document n points, the next n - 1, and shares out what is left among the rest.

    score(d) = sum over runs of  n + 1 - r_s(d)         where retrieved
                                 (n - |s| + 1) / 2      where not: the mean of the points left

n is the number of documents that some run retrieved, or with n=SIZE the size of the collection, as in an election where
all its documents stand. Then being retrieved at all is worth about n/2, so that the number of runs decides, and ranks
decide among documents of as many runs.

Good: ranks only, and a run says something about what it left out. Bad: differences deep in a ranking weigh as much as
those at its top. Source: Aslam and Montague, Models for metasearch, SIGIR 2001.
""")  # fmt: skip
