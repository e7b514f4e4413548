"""Who contributed to a pool, from nothing but runs and judgments.

A run that was pooled to depth k has no unjudged document down to k in any topic that was pooled. So the contributors
are among the runs without a gap, and of all depths the pool's is the one at which the runs without a gap explain most
judgments: above it each brings less, below it most have gaps. Where topics came from elsewhere every run has gaps; then
whatever has the largest share of gaps, run or topic, is set aside until no gap is left, up to half of the topics.

A run without a gap may yet be one that was not pooled, if all that it ranks high came in through others. Taking such a
run in makes others seem to bring less than they did. What only one run brought is evidence that it was pooled; a run
that brings nothing of its own stays undecided. It misleads where topics or runs were pooled to several depths.

The search is this project's.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Ints, Mask, Runs
from cranfield.pooling.verify.judged_depth import pool_depth, reach

ENDLESS = np.iinfo(np.int64).max


class InferredPool(NamedTuple):
    """The pool that explains most judgments: its depth, and masks over runs and topics."""

    depth: int
    runs: Mask  # without a gap to that depth
    topics: Mask  # in which they have none
    undecided: Mask  # of these runs, those that brought nothing of their own
    gaps: Ints  # per run: topics with a gap to that depth, of those topics
    explained: int  # judgments


def infer(runs: Runs, judged: Judged, depth: int | None = None, far: Ints | None = None) -> InferredPool:
    """Find the runs that may have made the pool, and its depth where it is not given; none where all have gaps.

    `far` is what `reach` gives, if that is known.

    >>> from cranfield.arrays.join import judge
    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = as_runs({"a": {"q": {"d1": 3.0, "d2": 2.0, "d9": 1.0}}, "b": {"q": {"d3": 2.0, "d1": 1.0}},
    ...                 "c": {"q": {"d1": 3.0, "d8": 2.0}}})
    >>> found = infer(runs, judge(runs, as_qrels({"q": {"d1": 1, "d2": 0, "d3": 0}})))
    >>> found.depth, found.runs.tolist(), found.undecided.tolist()
    (2, [True, True, False], [False, False, False])
    """
    judged = judged.without_unjudged()
    far = reach(runs, judged) if far is None else far
    retrieved = judged.retrieved.reshape(judged.shape)
    whole = _best(judged, far, np.ones(len(judged.qids), bool), depth)
    if whole.explained == len(judged.qrels_grade):
        return whole
    closed = _without_gaps(far < np.minimum(depth or pool_depth(far, retrieved), retrieved))
    if 2 * closed.sum() < len(closed):
        return whole
    part = _best(judged, far, closed, depth)
    return part if part.explained > whole.explained else whole


def _without_gaps(gaps: Mask) -> Mask:
    """The topics left when the run or the topic with the largest share of gaps is set aside until there is none."""
    runs, topics = np.ones(len(gaps), bool), np.ones(gaps.shape[1], bool)
    while gaps[np.ix_(runs, topics)].any():
        by_run = np.where(runs, gaps[:, topics].mean(axis=1), -1)
        by_topic = np.where(topics, gaps[runs].mean(axis=0), -1)
        if by_run.max() >= by_topic.max():
            runs[by_run.argmax()] = False
        else:
            topics[by_topic.argmax()] = False
    return topics


def _best(judged: Judged, far: Ints, topics: Mask, depth: int | None) -> InferredPool:
    """The depth at which the runs without a gap in these topics explain most judgments."""
    retrieved = judged.retrieved.reshape(judged.shape)[:, topics]
    ends = np.where(far[:, topics] < retrieved, far[:, topics], ENDLESS)
    deepest = np.where(retrieved.any(axis=1), ends.min(axis=1, initial=ENDLESS), 0)
    explained = _explained(judged, deepest, topics)
    if depth is None:
        depth = _deepest_of_best(explained, deepest, retrieved)
    chosen = deepest >= depth
    gaps = (far[:, topics] < np.minimum(depth, retrieved)).sum(axis=1)
    alone = _brought_alone(judged, chosen, topics, depth)
    return InferredPool(
        depth, chosen, topics, chosen & (alone == 0), gaps, int(explained[min(depth, len(explained) - 1)])
    )


def _deepest_of_best(explained: Ints, deepest: Ints, retrieved: Ints) -> int:
    """Of the depths that explain most, the one for which most documents of rankings speak."""
    best = np.flatnonzero(explained == explained.max())
    best = best[best > 0] if explained.max() else np.ones(1, np.int64)
    evidence = [int(np.minimum(retrieved[deepest >= depth], depth).sum()) for depth in best]
    return int(best[int(np.argmax(evidence))])


def _explained(judged: Judged, deepest: Ints, topics: Mask) -> Ints:
    """By depth from 0: how many judgments the runs bring that are without a gap to it, `deepest` for each run.

    A row at rank r of a run brings its document at the depths r to the run's deepest; the depths of all rows of a
    document are united.
    """
    last = int(judged.retrieved.max(initial=0))
    end = np.minimum(deepest, last)[judged.ranking // max(len(judged.qids), 1)]
    rows = np.flatnonzero((judged.rank <= end) & topics[judged.qrels_topic[judged.judgment]])
    rows = rows[np.lexsort((judged.rank[rows], judged.judgment[rows]))]
    shift = judged.judgment[rows] * (last + 1)
    until = np.maximum.accumulate(np.append(0, end[rows] + shift))
    begin = np.maximum(judged.rank[rows], until[:-1] - shift + 1)
    new = begin <= end[rows]
    change = np.bincount(begin[new], minlength=last + 2) - np.bincount(end[rows][new] + 1, minlength=last + 2)
    return np.cumsum(change)[: last + 1]


def spare(judged: Judged, found: InferredPool) -> Mask:
    """As many of the undecided runs as the pool can do without at once: those that come last.

    Of two like runs it is one.
    """
    kept, judged = found.runs.copy(), judged.without_unjudged()
    for run in np.flatnonzero(found.undecided)[::-1]:
        if not _brought_alone(judged, kept, found.topics, found.depth)[run]:
            kept[run] = False
    return found.runs & ~kept


def _brought_alone(judged: Judged, chosen: Mask, topics: Mask, depth: int) -> Ints:
    """Per run: how many judged documents it alone of the chosen runs has down to the depth."""
    run = judged.ranking // max(len(judged.qids), 1)
    rows = chosen[run] & (judged.rank <= depth) & topics[judged.qrels_topic[judged.judgment]]
    finders = np.bincount(judged.judgment[rows], minlength=len(judged.qrels_topic))
    alone = rows & (finders[judged.judgment] == 1)
    return np.bincount(run[alone], minlength=len(judged.tags))
