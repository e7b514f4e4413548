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

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged, JudgedBlocks, ratio
from cranfield.arrays.rankings import Floats, Ints, Mask, Qrels, Runs, occurring_codes
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


def count_gaps_to_depth(depth: int | Ints, gapless: Ints, reach: Ints, retrieved: Ints) -> Gaps:
    """How many of these runs and topics have gaps to a depth, for all or by run; each array is runs x topics.

    A gap is explained by ties if the ranking still reaches to the depth.

    >>> count_gaps_to_depth(3, np.array([[3, 2], [5, 1]]), np.array([[3, 3], [5, 2]]), np.full((2, 2), 9))
    Gaps(runs=GapCount(closed=0, tied=1, open=1), topics=GapCount(closed=1, tied=0, open=1))
    """
    due = np.minimum(np.reshape(depth, (-1, 1)), retrieved)
    return Gaps(*(_count((gapless < due).any(axis), (reach < due).any(axis)) for axis in (1, 0)))


def _count(some: Mask, unexplained: Mask) -> GapCount:
    return GapCount(int(np.sum(~some)), int(np.sum(some & ~unexplained)), int(np.sum(unexplained)))


def judged_prefix_lengths(judged: Judged) -> Ints:
    """Runs x topics: how many documents from the top of the ranking are judged without a gap."""
    hits = judged.judged()
    gapless_ranks = hits.ranking[hits.nth == hits.rank]
    return np.bincount(gapless_ranks, minlength=len(judged.retrieved)).reshape(judged.shape)


def stretch_of_row(runs: Runs) -> Ints:
    """Per row: which stretch of equal scores in one ranking it is in."""
    starts = _starts_of_stretches(runs)
    return np.repeat(np.arange(len(starts)), np.diff(starts, append=len(runs)))


def _starts_of_stretches(runs: Runs) -> Ints:
    """The row at which each stretch of equal scores in one ranking starts."""
    differs = np.append(True, runs.score[1:] != runs.score[:-1])[: len(runs)]
    differs[runs.starts] = True
    return np.flatnonzero(differs)


class RankingsOfPart(NamedTuple):
    """Some rankings of a part of the runs."""

    part: Runs
    ranking: Ints  # the number of each in Judged, ascending
    start: Ints  # the row of the part at which each starts
    labelled: Ints  # the judged rows of the part in these rankings, ascending


def rankings_of_parts(runs: Runs, judged: Judged, rankings: Ints) -> Iterator[RankingsOfPart]:
    """Yield some rankings of `judged`, given by ascending number, by the part of the runs that has them.

    Only the runs of these rankings are read where runs are not in memory.
    """
    if not len(rankings):
        return
    n_topics = len(judged.qids)
    topics = {qid: number for number, qid in enumerate(judged.qids)}
    topic_of = np.array([topics.get(qid, -1) for qid in runs.topics.names.tolist()], np.int64)
    places = {tag: number for number, tag in enumerate(judged.tags)}
    for part in runs.parts([judged.tags[run] for run in occurring_codes(rankings // max(n_topics, 1)).tolist()]):
        run_of = np.array([places[tag] for tag in part.tags], np.int64)
        topic = topic_of[part.topic[part.starts]]
        there = part.starts[topic >= 0]
        start = np.full(len(judged.retrieved), -1)
        start[run_of[part.run[there]] * n_topics + topic[topic >= 0]] = there
        found = rankings[start[rankings] >= 0]
        first, end = (np.searchsorted(judged.ranking, found, side) for side in ("left", "right"))
        size = end - first
        rows = np.arange(size.sum()) + np.repeat(first - np.cumsum(size) + size, size)
        yield RankingsOfPart(part, found, start[found], np.sort(np.repeat(start[found] - 1, size) + judged.rank[rows]))


def max_pool_depths(runs: Runs, judged: Judged, depth: int | None = None, top: Judged | None = None) -> Ints:
    """Runs x topics: the deepest pool that may have taken this ranking, whatever its rule for equal scores.

    Where a stretch of equal scores crosses a pool's depth, it took as many of it as there was room for, and nobody
    knows which. So the ranking reaches to the end of what is judged, and as far into the first stretch with a gap as
    documents of it are judged. A ranking without a gap reaches to its end.

    With `depth` only what is less than this depth is exact; `top` are the rows of `judged` to it, if they are known.

    >>> from cranfield.arrays.join import join_runs_and_qrels
    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = as_runs({"a": {"q": {"d1": 3.0, "d2": 2.0, "d3": 2.0, "d4": 2.0, "d5": 1.0}}})
    >>> judged = join_runs_and_qrels(runs, as_qrels({"q": {"d1": 0, "d2": 0, "d3": 0}}))
    >>> judged_prefix_lengths(judged), max_pool_depths(runs, judged), max_pool_depths(runs, judged, 1)
    (array([[1]]), array([[3]]), array([[1]]))
    """
    judged = judged.drop_unjudged()
    depths = judged_prefix_lengths(judged if top is None else top).ravel()
    due = judged.retrieved if depth is None else np.minimum(judged.retrieved, depth)
    for part, ranking, start, labelled in rankings_of_parts(runs, judged, np.flatnonzero(depths < due)):
        starts = np.append(_starts_of_stretches(part), len(part))
        stretch = np.searchsorted(starts, start + depths[ranking], "right") - 1
        before, after = (np.searchsorted(labelled, starts[stretch + at]) for at in (0, 1))
        depths[ranking] = starts[stretch] - start + after - before
    return depths.reshape(judged.shape)


def max_pool_depths_by_block(
    runs: Runs, judged: JudgedBlocks, qrels: Qrels, depth: int | None = None, top: Judged | None = None
) -> Ints:
    """The same of runs that may be read block by block."""
    if isinstance(runs, PartitionedRuns):
        return judged.join(runs.map_blocks(max_pool_depths, qrels, depth))
    return max_pool_depths(runs, judged.joined, depth, top)


def pool_depth(gapless: Ints, retrieved: Ints) -> int:
    """The depth from which on gaps become common: the likeliest place for their rate to change once.

    Where there is no gap, all that was retrieved is judged, and the depth is that of the longest ranking.

    >>> pool_depth(np.array([9, 7]), np.array([9, 7]))
    9
    >>> pool_depth(np.array([100, 100, 103, 101, 100, 7]), np.full(6, 1000))
    100
    """
    gapless, retrieved = gapless.ravel(), retrieved.ravel()
    last = int(retrieved.max(initial=0))
    if not (gapless < retrieved).any():
        return max(last, 1)
    gaps = np.bincount(gapless[gapless < retrieved], minlength=last + 1)
    counts = np.bincount(np.where(gapless < retrieved, gapless, gapless - 1).clip(0), minlength=last + 1)
    runs_left = counts[::-1].cumsum()[::-1]
    above, below = gaps.cumsum(), runs_left.cumsum()
    likelihood = _binomial_log_likelihood(above, below) + _binomial_log_likelihood(above[-1] - above, below[-1] - below)
    return int(np.argmax(likelihood)) + 1


def _binomial_log_likelihood(successes: Ints, trials: Ints) -> Floats:
    """The log-likelihood of successes among trials at the rate that suits them best."""
    rate = ratio(successes, trials)
    with np.errstate(divide="ignore", invalid="ignore"):  # 0 times the logarithm of 0 is 0 here
        one, other = successes * np.log(rate), (trials - successes) * np.log1p(-rate)
    return np.where(successes > 0, one, 0) + np.where(trials > successes, other, 0)


MAX_JUDGED_BELOW = 0.5  # judged share directly below the depth of a pool; 0.3 to 0.5 where half of its runs are missing
ENDLESS = np.iinfo(np.int64).max


class InferredPool(NamedTuple):
    """The pool that explains most judgments: its depth, and masks over runs and topics."""

    depth: int
    runs: Mask  # without a gap to that depth
    topics: Mask  # in which they have none
    undecided: Mask  # of these runs, those that brought nothing of their own
    gaps: Ints  # per run: topics with a gap to that depth, of those topics
    num_explained: int  # judgments


def infer_pool(runs: Runs, judged: Judged, depth: int | None = None, far: Ints | None = None) -> InferredPool:
    """Find the runs that may have made the pool, and its depth where it is not given; none where all have gaps.

    `far` is what `reach` gives, if that is known. With `depth`, `judged` may lack rows below it.

    >>> from cranfield.arrays.join import join_runs_and_qrels
    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = as_runs({"a": {"q": {"d1": 3.0, "d2": 2.0, "d9": 1.0}}, "b": {"q": {"d3": 2.0, "d1": 1.0}},
    ...                 "c": {"q": {"d1": 3.0, "d8": 2.0}}})
    >>> pool = infer_pool(runs, join_runs_and_qrels(runs, as_qrels({"q": {"d1": 1, "d2": 0, "d3": 0}})))
    >>> pool.depth, pool.runs.tolist(), pool.undecided.tolist()
    (2, [True, True, False], [False, False, False])
    """
    judged = judged.drop_unjudged()
    far = max_pool_depths(runs, judged) if far is None else far
    retrieved = judged.retrieved.reshape(judged.shape)
    whole = _best_explained_depth(judged, far, np.ones(len(judged.qids), bool), depth)
    if whole.num_explained == len(judged.qrels_grade):
        return whole
    closed = _gapless_topics(far < np.minimum(depth or pool_depth(far, retrieved), retrieved))
    if 2 * closed.sum() < len(closed):
        return whole
    part = _best_explained_depth(judged, far, closed, depth)
    return part if part.num_explained > whole.num_explained else whole


def _gapless_topics(gaps: Mask) -> Mask:
    """The topics left when the run or the topic with the largest share of gaps is set aside until there is none."""
    runs, topics = np.ones(len(gaps), bool), np.ones(gaps.shape[1], bool)
    while gaps[np.ix_(runs, topics)].any():
        run_gaps = np.where(runs, gaps[:, topics].mean(axis=1), -1)
        by_topic = np.where(topics, gaps[runs].mean(axis=0), -1)
        if run_gaps.max() >= by_topic.max():
            runs[run_gaps.argmax()] = False
        else:
            topics[by_topic.argmax()] = False
    return topics


def _best_explained_depth(judged: Judged, far: Ints, topics: Mask, depth: int | None) -> InferredPool:
    """The depth at which the runs without a gap in these topics explain most judgments."""
    retrieved = judged.retrieved.reshape(judged.shape)[:, topics]
    ends = np.where(far[:, topics] < retrieved, far[:, topics], ENDLESS)
    deepest = np.where(retrieved.any(axis=1), ends.min(axis=1, initial=ENDLESS), 0)
    if depth is None:
        counts = _count_explained(judged, deepest, topics)
        best = np.flatnonzero(counts == counts.max())
        best = best[best > 0] if counts.max() else np.ones(1, np.int64)
        # of the depths that explain most, the one for which most documents of rankings speak
        evidence = [int(np.minimum(retrieved[deepest >= each], each).sum()) for each in best]
        depth = int(best[int(np.argmax(evidence))])
        num_explained = int(counts[min(depth, len(counts) - 1)])
    else:
        num_explained = _count_explained_at(judged, deepest, topics, depth)
    runs = deepest >= depth
    gaps = (far[:, topics] < np.minimum(depth, retrieved)).sum(axis=1)
    alone = _count_unique_judged(judged, runs, topics, depth)
    return InferredPool(
        depth,
        runs,
        topics,
        undecided=runs & (alone == 0),
        gaps=gaps,
        num_explained=num_explained,
    )


def _count_explained(judged: Judged, deepest: Ints, topics: Mask) -> Ints:
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


def _count_explained_at(judged: Judged, deepest: Ints, topics: Mask, depth: int) -> int:
    """The same at one depth."""
    is_long = np.repeat(deepest >= min(depth, int(judged.retrieved.max(initial=0))), len(judged.qids))
    is_brought = np.zeros(len(judged.qrels_topic), bool)
    is_brought[judged.judgment[is_long[judged.ranking] & (judged.rank <= depth)]] = True
    return int(np.count_nonzero(is_brought & topics[judged.qrels_topic]))


def judged_share_below(judged: Judged, runs: Mask, depth: int) -> float:
    """The judged share of the documents one rank below a depth that no chosen run has within the depth.

    It is 0 for a pool of these runs to that depth, and low where runs of such a pool are missing. A pool that spent a
    budget instead goes on below the depth: there it is high.

    >>> from cranfield.arrays.join import join_runs_and_qrels
    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = as_runs({"a": {"1": {"x": 3, "y": 2, "z": 1}, "2": {"x": 3, "y": 2}}})
    >>> judged = join_runs_and_qrels(runs, as_qrels({"1": {"x": 1, "y": 0}, "2": {"x": 0}}))
    >>> judged_share_below(judged, np.array([True]), 1)
    0.5
    """
    judged = judged.drop_unjudged()
    chosen = runs[judged.ranking // max(len(judged.qids), 1)]
    within = np.zeros(len(judged.qrels_grade), bool)
    within[judged.judgment[chosen & (judged.rank <= depth)]] = True
    below = chosen & (judged.rank == depth + 1)
    n_unjudged = int((judged.retrieved.reshape(judged.shape)[runs] > depth).sum() - below.sum())
    n_judged = int((below & ~within[judged.judgment]).sum())
    return n_judged / max(n_judged + n_unjudged, 1)


def mask_dispensable_runs(judged: Judged, pool: InferredPool) -> Mask:
    """As many of the undecided runs as the pool can do without at once: those that come last.

    Of two like runs it is one.
    """
    runs, judged = pool.runs.copy(), judged.drop_unjudged()
    for run in np.flatnonzero(pool.undecided)[::-1]:
        if not _count_unique_judged(judged, runs, pool.topics, pool.depth)[run]:
            runs[run] = False
    return pool.runs & ~runs


def _count_unique_judged(judged: Judged, runs: Mask, topics: Mask, depth: int) -> Ints:
    """Per run: how many judged documents it alone of the chosen runs has down to the depth."""
    run = judged.ranking // max(len(judged.qids), 1)
    rows = runs[run] & (judged.rank <= depth) & topics[judged.qrels_topic[judged.judgment]]
    finders = np.bincount(judged.judgment[rows], minlength=len(judged.qrels_topic))
    alone = rows & (finders[judged.judgment] == 1)
    return np.bincount(run[alone], minlength=len(judged.tags))
