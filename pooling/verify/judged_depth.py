"""How far down each ranking is judged without a gap: what a pool leaves behind of how it was made."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import xlog1py, xlogy

from cranfield.arrays.blocks import JudgedBlocks
from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints, Mask, Qrels, Runs
from cranfield.formats.runs.partitioned import PartitionedRuns


class GapCount(NamedTuple):
    """Of some runs, or of some topics: how many have no gap to a depth, gaps that ties explain, and other gaps."""

    closed: int
    tied: int
    open: int


class Gaps(NamedTuple):
    """The gaps of some runs to the depth of a pool, by run and by topic."""

    runs: GapCount
    topics: GapCount

    def to_json(self) -> dict[str, dict[str, int]]:
        """Plain dicts."""
        return {"runs": self.runs._asdict(), "topics": self.topics._asdict()}


def gaps_to(depth: int | Ints, gapless: Ints, reach: Ints, retrieved: Ints) -> Gaps:
    """How many of these runs and topics have gaps to a depth, for all or by run; each array is runs x topics.

    A gap is explained by ties if the ranking still reaches to the depth.

    >>> gaps_to(3, np.array([[3, 2], [5, 1]]), np.array([[3, 3], [5, 2]]), np.full((2, 2), 9))
    Gaps(runs=GapCount(closed=0, tied=1, open=1), topics=GapCount(closed=1, tied=0, open=1))
    """
    needed = np.minimum(np.reshape(depth, (-1, 1)), retrieved)
    return Gaps(*(_counted((gapless < needed).any(axis), (reach < needed).any(axis)) for axis in (1, 0)))


def _counted(some: Mask, unexplained: Mask) -> GapCount:
    return GapCount(int(np.sum(~some)), int(np.sum(some & ~unexplained)), int(np.sum(unexplained)))


def judged_prefix(judged: Judged) -> Ints:
    """Runs x topics: how many documents from the top of the ranking are judged without a gap."""
    every = judged.judged()
    without_gap = every.ranking[every.nth == every.rank]
    return np.bincount(without_gap, minlength=len(judged.retrieved)).reshape(judged.shape)


def stretches(runs: Runs) -> Ints:
    """Per row: which stretch of equal scores in one ranking it is in."""
    tied = (np.diff(runs.groups) == 0) & (runs.score[1:] == runs.score[:-1])
    return np.cumsum(np.append(True, ~tied)[: len(runs)]) - 1


def reach(runs: Runs, judged: Judged) -> Ints:
    """Runs x topics: the deepest pool that may have taken this ranking, whatever its rule for equal scores.

    Where a stretch of equal scores crosses a pool's depth, it took as many of it as there was room for, and nobody
    knows which. So the ranking reaches to the end of what is judged, and as far into the first stretch with a gap as
    documents of it are judged. A ranking without a gap reaches to its end.

    >>> from cranfield.arrays.join import judge
    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = as_runs({"a": {"q": {"d1": 3.0, "d2": 2.0, "d3": 2.0, "d4": 2.0, "d5": 1.0}}})
    >>> judged = judge(runs, as_qrels({"q": {"d1": 0, "d2": 0, "d3": 0}}))
    >>> judged_prefix(judged), reach(runs, judged)
    (array([[1]]), array([[3]]))
    """
    judged = judged.without_unjudged()
    found = judged_prefix(judged).ravel()
    start = _starts(runs, judged)
    open_ = np.flatnonzero(found < judged.retrieved)
    if not len(open_):
        return found.reshape(judged.shape)
    stretch = stretches(runs)
    first = np.searchsorted(stretch, stretch[start[open_] + found[open_]])
    labelled = np.zeros(len(runs), bool)
    labelled[start[judged.ranking] + judged.rank - 1] = True
    count = np.bincount(stretch[labelled], minlength=int(stretch[-1]) + 1)
    found[open_] = first - start[open_] + count[stretch[first]]
    return found.reshape(judged.shape)


def reach_of(runs: Runs, judged: JudgedBlocks, qrels: Qrels) -> Ints:
    """The same of runs that may be read block by block."""
    if isinstance(runs, PartitionedRuns):
        return judged.joined(runs.each(reach, qrels))
    return reach(runs, judged.whole)


def _starts(runs: Runs, judged: Judged) -> Ints:
    """Per ranking of `judged`: the row of `runs` at which it starts; 0 where it is empty."""
    known = {qid: number for number, qid in enumerate(judged.qids)}
    place = np.array([known.get(qid, -1) for qid in runs.topics.names.tolist()], np.int64)
    topic = place[runs.topic[runs.starts]]
    there = topic >= 0
    found = np.zeros(len(judged.retrieved), np.int64)
    found[runs.run[runs.starts[there]] * len(judged.qids) + topic[there]] = runs.starts[there]
    return found


def pool_depth(gapless: Ints, retrieved: Ints) -> int:
    """The depth from which on gaps become common: the likeliest place for their rate to change once.

    >>> pool_depth(np.array([100, 100, 103, 101, 100, 7]), np.full(6, 1000))
    100
    """
    gapless, retrieved = gapless.ravel(), retrieved.ravel()
    last = int(retrieved.max(initial=0))
    gaps = np.bincount(gapless[gapless < retrieved], minlength=last + 1)
    reached = np.bincount(np.where(gapless < retrieved, gapless, gapless - 1).clip(0), minlength=last + 1)
    at_risk = reached[::-1].cumsum()[::-1]
    above, below = gaps.cumsum(), at_risk.cumsum()
    likelihood = _binomial(above, below) + _binomial(above[-1] - above, below[-1] - below)
    return int(np.argmax(likelihood)) + 1


def _binomial(successes: Ints, trials: Ints) -> Floats:
    """The log-likelihood of successes among trials at the rate that suits them best."""
    rate = ratio(successes, trials)
    return np.asarray(xlogy(successes, rate) + xlog1py(trials - successes, -rate))
