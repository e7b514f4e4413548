"""Leaving units out of a pool that is not of depth k: the pool is built anew without them.

Where documents compete for a budget, a pool without a run is not the pool less what that run alone brought: others take
the free places. So the method is run again without the unit, told what the judgments say. What the new pool wants and
nobody judged is counted; it stays unjudged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.holdings import Pool
from cranfield.judged import Judged
from cranfield.pooling.methods import METHODS
from cranfield.pooling.retrieved import Retrieved, by_topic
from cranfield.pooling.simulate_replay import judgments_of, replayed, without
from cranfield.rankings import Ints, Mask, Qrels, Runs


class Repooled(NamedTuple):
    """Per unit: the judgments that its absence takes away, and how many documents are wanted that nobody judged."""

    lost: list[Mask]
    missing: list[int]
    pooled: Mask  # per judgment: is it in the pool as it was built?


def repooled(
    runs: Runs, qrels: Qrels, judged: Judged, pool: Pool, units: Mapping[str, Sequence[str]], rel: int = 1
) -> Repooled:
    """Build a stored pool anew without each unit in turn, every topic to the size it had."""
    topics = list(_topics(runs, qrels, judged, pool))
    inside = np.zeros(len(judged.qrels_grade), bool)
    for _, old, _, _ in topics:
        inside[old] = True
    lost, missing = [], []
    for tags in units.values():
        gone, wanted = np.zeros(len(inside), bool), 0
        for topic, old, judgment, size in topics:
            new = judgment[_chosen(topic, judgment, judged, pool, size, tags, rel)]
            gone[np.setdiff1d(old, new)] = True
            wanted += int(np.sum(new < 0))
        lost.append(gone)
        missing.append(wanted)
    return Repooled(lost, missing, inside)


def _topics(runs: Runs, qrels: Qrels, judged: Judged, pool: Pool) -> Iterator[tuple[Retrieved, Ints, Ints, int]]:
    """Each judged topic, the judgments of its pool, the judgment of each of its documents, and the pool's size."""
    known = {qid: number for number, qid in enumerate(judged.qids)}
    considered = pool.parameters.get("considered") or pool.parameters.get("depth") or 100
    topics = [t for t in by_topic(runs.select(pool.parameters["runs"]), considered) if t.qid in known]
    places = np.array([known[topic.qid] for topic in topics], np.int64)
    sizes = Counter(document.qid for document in pool.documents)
    held = {(document.qid, document.docno) for document in pool.documents}
    for topic, judgment in zip(topics, judgments_of(judged, qrels, topics, places), strict=True):
        there = np.array([(topic.qid, docno) in held for docno in topic.docnos], bool)
        yield topic, judgment[there & (judgment >= 0)], judgment, sizes[topic.qid]


def _chosen(
    topic: Retrieved, judgment: Ints, judged: Judged, pool: Pool, size: int, tags: Sequence[str], rel: int
) -> Ints:
    """The documents of a topic that the method pools without these runs."""
    given, kept = without(topic, np.isin(topic.tags, tags))
    if not len(given) or not size:
        return np.zeros(0, np.int64)
    rows = judgment[kept]
    relevant = (rows >= 0) & (judged.qrels_grade[rows] >= rel)
    options = pool.parameters.get("options") or {}
    return kept[replayed(METHODS[pool.method], options, given, relevant, [size], pool.seed or 0)[0]]
