"""Pool closure: do these runs, pooled to some depth, give these judgments?

A collection whose pool cannot be rebuilt cannot be asked what a left-out run would have lost. The depth of a run is the
deepest rank down to which nearly all of its documents are judged; the depth of the pool is where most runs stop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cranfield.rankings import Floats, Ints, Judged, Qrels, Runs, judge, ratio

FULL = 0.98  # the share of judged documents from which a run counts as pooled down to a rank

Pair = tuple[str, str]


class Closure(NamedTuple):
    """What pooling `runs` to `depth` gives, against what is judged."""

    depth: int
    runs: tuple[str, ...]  # that contribute: judged down to the depth
    outside: tuple[str, ...]  # that do not
    pooled: int
    judged: int
    pooled_not_judged: list[Pair]
    judged_not_pooled: list[Pair]


def verify(runs: Runs, qrels: Qrels, contributing: Sequence[str] | None = None, depth: int | None = None) -> Closure:
    """Infer the depth and the contributing runs where they are not given, pool anew, and compare with the judgments."""
    judged = judge(runs, qrels)
    depths = run_depths(judged)
    if depth is None:
        known = np.isin(judged.tags, contributing or judged.tags)
        depth = pool_depth(depths[known])
    tags = [tag for tag, own in zip(judged.tags, depths, strict=True) if own >= depth]
    chosen = tuple(tags if contributing is None else contributing)
    contributors = runs.select(chosen)
    pooled = pooled_pairs(contributors, qrels, np.full(len(chosen), depth))
    labelled = set(zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], strict=True))
    outside = tuple(tag for tag in judged.tags if tag not in chosen)
    return Closure(
        depth, chosen, outside, len(pooled), len(labelled), sorted(pooled - labelled), sorted(labelled - pooled)
    )


def summary(closure: Closure, examples: int = 5) -> list[tuple[str, object]]:
    """The findings in words, with some of the exceptions."""

    def some(pairs: list[Pair]) -> str:
        return ", ".join(f"{qid} {docno}" for qid, docno in pairs[:examples])

    rows: list[tuple[str, object]] = [
        ("depth", closure.depth),
        ("contributing runs", len(closure.runs)),
        ("other runs", len(closure.outside)),
        ("documents pooled", closure.pooled),
        ("documents judged", closure.judged),
        ("pooled, not judged", len(closure.pooled_not_judged)),
        ("judged, not pooled", len(closure.judged_not_pooled)),
        ("pooled, not judged, such as", some(closure.pooled_not_judged)),
        ("judged, not pooled, such as", some(closure.judged_not_pooled)),
    ]
    return [row for row in rows if row[1] != ""]


def run_depths(judged: Judged) -> Ints:
    """Per run: the deepest rank down to which at least 98 % of its documents are judged; 0 if not even the first."""
    share = judged_share(judged)
    full = share >= FULL
    return np.asarray(np.where(full.any(axis=1), full.shape[1] - np.argmax(full[:, ::-1], axis=1), 0))


def judged_share(judged: Judged) -> Floats:
    """Runs x ranks: the share of judged documents among all that a run has down to each rank."""
    runs, topics = judged.shape
    ranks = int(judged.retrieved.max(initial=1))
    run = judged.ranking // topics
    labelled = np.bincount(run * ranks + judged.rank - 1, judged.grade >= 0, minlength=runs * ranks)
    lengths = judged.retrieved.reshape(runs, topics)
    retrieved = (lengths[:, :, None] > np.arange(ranks)).sum(axis=1)
    return ratio(np.cumsum(labelled.reshape(runs, ranks), axis=1), np.cumsum(retrieved, axis=1))


def pool_depth(depths: Ints) -> int:
    """The depth at which most runs stop being judged.

    >>> pool_depth(np.array([100, 100, 103, 7, 0]))
    100
    """
    reached = np.bincount(depths, minlength=2)[::-1].cumsum()[::-1]
    return int(np.argmax(-np.diff(reached[1:], append=0))) + 1


def pooled_pairs(runs: Runs, qrels: Qrels, depths: Ints) -> set[Pair]:
    """The pairs of judged topics that the runs have down to the depth of each."""
    kept = runs.rows((runs.rank <= depths[runs.run]) & np.isin(runs.topics.names, qrels.qids)[runs.topic])
    return set(zip(runs.topics.names[kept.topic], runs.docnos.names[kept.document], strict=True))
