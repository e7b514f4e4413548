"""Depth-k pooling: the union of the first k documents of every contributing run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import FixedOrder, Method


def first_ranks(topic: Candidates, options: Mapping[str, Any], seed: int) -> FixedOrder:
    """All documents, those that stand first in some run first, ties by docno descending.

    A ranking shorter than k gives what it has.

    >>> from cranfield.pooling.examples import example, shown
    >>> topic = example("a b", "c", depth=1)
    >>> shown(topic, DEPTH.start(topic).next(9))
    'c a'
    """
    return FixedOrder(np.lexsort((-np.arange(len(topic)), topic.best)))


DEPTH = Method(
    "depth", "the first k documents of every run", first_ranks, by_depth=True,
    source="Sparck Jones and van Rijsbergen 1975", explanation="""
Depth-k pooling: the union of the first k documents of every contributing run.

    d is in the pool  <=>  min_s r_s(d) <= k

Each document's membership depends on single runs, so leaving a run out of the pool is exact. What it costs is known
only once the runs are there. Source: Sparck Jones and van Rijsbergen, British Library report 5266, 1975; TREC since
1992.
""")  # fmt: skip
