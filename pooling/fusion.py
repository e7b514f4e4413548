"""Static pooling methods as fusion: one run out of many."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cranfield.arrays.rankings import Runs, canonical
from cranfield.errors import InputError
from cranfield.pooling.candidates import by_topic
from cranfield.pooling.method import Method


def fuse(
    runs: Runs, method: Method, options: Mapping[str, object] | None = None, depth: int = 1000, keep: int = 1000,
    tag: str = "fused", seed: int = 0,
) -> Runs:  # fmt: skip
    """The run that a static method makes of many: `depth` documents of each are considered, `keep` of the result stay.

    Scores count down to 1, so that the order is the method's own, ties and all, and means nothing else.

    >>> from cranfield.metrics.inputs import as_runs
    >>> from cranfield.pooling.methods.table import METHODS
    >>> runs = as_runs({"a": {"q": {"d1": 3.0, "d2": 2.0}}, "b": {"q": {"d2": 9.0, "d3": 8.0}}})
    >>> fused = fuse(runs, METHODS["rrf"])
    >>> fused.docnos.names[fused.document].tolist(), fused.score.tolist()
    (['d2', 'd1', 'd3'], [3.0, 2.0, 1.0])
    """
    if method.adaptive or method.samples:
        raise InputError(f"{method.name} builds pools, not rankings; it cannot fuse runs")
    found = by_topic(runs, depth)
    orders = [method.start(topic, options, seed).next(keep) for topic in found]
    size = [len(order) for order in orders]
    docnos = np.concatenate(
        [topic.docnos[order] for topic, order in zip(found, orders, strict=True)] or [np.zeros(0, object)]
    )
    qids = np.array([topic.qid for topic in found], object)
    topics = np.repeat(runs.topics.codes(qids), size)
    score = np.concatenate([np.arange(n, 0, -1.0) for n in size] or [np.zeros(0)])
    order = np.lexsort((-score, topics))
    document = runs.docnos.codes(docnos)[order]
    return canonical(
        [tag], runs.topics, runs.docnos, np.zeros(len(order), np.int64), topics[order], document, score[order]
    )
