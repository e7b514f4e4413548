"""Depth-k pooling: the union of the first k documents of every contributing run.

    d is in the pool  <=>  min_s r_s(d) <= k

Each document's membership depends on single runs, so leaving a run out of the pool is exact. What it costs is known
only once the runs are there. Source: Sparck Jones and van Rijsbergen, British Library report 5266, 1975; TREC since
1992.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Runs
from cranfield.pooling.build import build_pool
from cranfield.pooling.protocol import Method, Order
from cranfield.pooling.retrieved import Retrieved, run_depths
from cranfield.store.runs import PooledDocument

__all__ = ["METHOD", "depth_pool", "run_depths"]


def depth_pool(runs: Runs, depth: int, depths: Mapping[str, int | None] | None = None) -> list[PooledDocument]:
    """The depth-k pool of all these runs; `depths` gives single runs a depth of their own.

    Sorted by topic, then docno, so that nothing about rank or run shows. A run without a topic adds nothing to it.

    >>> from cranfield.metrics.inputs import as_runs
    >>> runs = as_runs({"a": {"q1": {"d1": 3.0, "d2": 2.0}}, "b": {"q1": {"d2": 9.0, "d1": 9.0}}})
    >>> for document in depth_pool(runs, 1):
    ...     print(document.docno, document.depth, document.runs)
    d1 1 ('a',)
    d2 1 ('b',)
    >>> [(document.docno, document.depth) for document in depth_pool(runs, 2, {"a": 1})]
    [('d1', 1), ('d2', 1)]
    """
    return build_pool(METHOD, runs, depth, depths)


def begin(topic: Retrieved, options: Mapping[str, Any], seed: int) -> Order:
    """All documents, those that stand first in some run first, ties by docno descending.

    A ranking shorter than k gives what it has.

    >>> from cranfield.pooling.examples import example, shown
    >>> topic = example("a b", "c", depth=1)
    >>> shown(topic, METHOD.start(topic).next(9))
    'c a'
    """
    return Order(np.lexsort((-np.arange(len(topic)), topic.best)))


METHOD = Method("depth", "the first k documents of every run", begin, source="Sparck Jones and van Rijsbergen 1975")
