"""Depth-k pooling: the union of the first k documents of every contributing run.

Each document's membership depends on single runs, so leaving a run out of the pool is exact. What it costs is known
only once the runs are there. Source: Sparck Jones and van Rijsbergen, British Library report 5266, 1975; TREC since
1992.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cranfield.holdings import PooledDocument
from cranfield.rankings import Ints, Runs


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
    rows = np.flatnonzero(runs.rank <= run_depths(runs, depth, depths)[runs.run])
    rows = rows[np.lexsort((runs.run[rows], runs.document[rows], runs.topic[rows]))]
    topic, document, rank = runs.topic[rows], runs.document[rows], runs.rank[rows]
    starts = np.flatnonzero((np.diff(topic, prepend=-1) != 0) | (np.diff(document, prepend=-1) != 0))
    ends = np.append(starts[1:], len(rows))
    tags = np.asarray(runs.tags, object)[runs.run[rows]]
    return sorted(
        PooledDocument(
            runs.topics.names[topic[start]],
            runs.docnos.names[document[start]],
            int(rank[start:end].min()),
            tuple(tags[start:end]),
        )
        for start, end in zip(starts, ends, strict=False)
    )


def run_depths(runs: Runs, depth: int, depths: Mapping[str, int | None] | None = None) -> Ints:
    """The depth of each run: its own where it has one."""
    return np.array([(depths or {}).get(tag) or depth for tag in runs.tags], np.int64)
