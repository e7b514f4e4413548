"""Condorcet fusion: sort by majority; one document beats another if more runs rank it above than below."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cmp_to_key
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import FixedOrder, Method, ordered
from cranfield.pooling.methods.borda import points


def majority(topic: Candidates) -> Ints:
    """All documents, sorted by majority; ties by docno descending.

    b beats a in r2 and r3, a beats c in r1 and r3; d and e meet in no run's list but r2's votes against r3's: a tie.

    >>> from cranfield.pooling.examples import example, shown
    >>> topic = example("a b c", "b d", "b a e")
    >>> shown(topic, majority(topic))
    'b a e d c'
    """
    places = np.ascontiguousarray(np.where(topic.found, topic.rank, len(topic) + 1).T)

    def compare(one: int, other: int) -> int:
        mine, theirs = places[one], places[other]
        return int(np.count_nonzero(theirs < mine) - np.count_nonzero(mine < theirs)) or other - one

    return np.array(sorted(ordered(points(topic)).tolist(), key=cmp_to_key(compare)), np.int64)


def by_majority(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """Documents sorted by majority."""
    return FixedOrder(majority(topic))


CONDORCET = Method(
    "condorcet", "by pairwise majority of the runs", by_majority, source="Montague and Aslam, CIKM 2002",
    explanation="""
Condorcet fusion: sort by majority; one document beats another if more runs rank it above than below.

A run that retrieved only one of two documents votes for it; one that retrieved neither does not vote. A majority may
be circular (a beats b beats c beats a): then the order depends on where the sort begins, which here is the Borda
order, so that it is always the same. Good: no run's scale or depth matters. Bad: near-duplicate runs are a majority.
O(n log n) comparisons of O(S); the tournament of all pairs would take O(n² S). Source: Montague and Aslam, Condorcet
fusion for improved retrieval, CIKM 2002.
""")  # fmt: skip
