"""The same rankings under many subsets of the judgments, such as those left without each unit in turn.

Under a subset of the judgments all others are unjudged. Topic by topic each distinct subset is scored once, all in one
batch with only the rows that the measures need: most judgments say that a document is not relevant, which most measures
treat like unjudged, while others only count how many of those are ranked above. A measure may have a function of its
own for many subsets (`under` in its row), which gives the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.judged import Judged, JudgedBlocks, as_judged_blocks
from cranfield.arrays.rankings import Floats, Ints, Mask, is_judged
from cranfield.metrics.measure import Measure

Words: TypeAlias = NDArray[np.uint64]
ROWS = 1 << 17  # of a batch, unless a single subset has more


class SubsetScores(NamedTuple):
    """The scores of all rankings in all subsets."""

    shape: tuple[int, int, int]  # runs, topics, measures
    parts: list[TopicScores]

    def scores_of_subsets(self, subsets: Ints) -> Floats:
        """The scores in some of the subsets: (subsets, runs, topics, measures)."""
        scores = np.empty((len(subsets), *self.shape))
        for part in self.parts:
            scores[:, :, part.topic, part.columns] = part.scores[part.number[subsets]]
        return scores

    def distinct_subsets(self, subsets: Ints) -> tuple[Ints, Ints]:
        """Some of the subsets such that no two score alike in every topic, and which of those each scores like."""
        first, number = group_rows(np.stack([part.number[subsets] for part in self.parts], axis=1))
        return subsets[first], number


class TopicScores(NamedTuple):
    """The scores of one topic, by measures that need the same rows."""

    topic: int
    columns: list[int]  # of these measures among all
    number: Ints  # per subset: its number among the distinct ones
    scores: Floats  # distinct subsets x runs x columns


class Subsets(Protocol):
    """Subsets of some judgments."""

    def mask_of(self, part: Ints) -> Mask:
        """A mask (subsets, judgments) for part of the judgments."""

    def select_judgments(self, judgments: Ints) -> Subsets:
        """The same for some of the judgments, numbered by their new places."""


class Worlds(NamedTuple):
    """Subsets as a mask (subsets, judgments)."""

    mask: Mask

    def mask_of(self, part: Ints) -> Mask:
        """The mask for part of the judgments."""
        return self.mask[:, part]

    def select_judgments(self, judgments: Ints) -> Worlds:
        """The same for some of the judgments."""
        return Worlds(self.mask[:, judgments])


def score_subsets(
    judged: Judged | JudgedBlocks,
    measures: Sequence[Measure],
    subsets: Subsets,
    progress: Callable[[int], object] | None = None,
) -> SubsetScores:
    """Score every ranking under every subset; `progress` is called with the number of topics scored since.

    >>> from cranfield.metrics.examples import example
    >>> from cranfield.metrics.notation import parse
    >>> subsets = np.array([[True, True], [False, True]])
    >>> score_subsets(example([1, 1]), [parse("AP")], Worlds(subsets)).scores_of_subsets(np.array([0, 1, 0])).ravel()
    array([1. , 0.5, 1. ])
    """
    blocks = as_judged_blocks(judged)
    shape = len(blocks.tags), len(blocks.qids), len(measures)
    if len(blocks.topics) == 1:
        return SubsetScores(shape, _block_scores(blocks.joined, subsets, measures, progress))
    blockwise = blocks.map_blocks(_block_scores, (measures,), lambda judgments: (subsets.select_judgments(judgments),))
    parts = list[TopicScores]()
    for topics, some in zip(blocks.topics, blockwise, strict=True):
        parts += [part._replace(topic=int(topics[part.topic])) for part in some]
        if progress:
            progress(len(topics))
    return SubsetScores(shape, sorted(parts, key=lambda part: part.topic))


def score_with_contributions(
    judged: Judged, measure: Measure, *, subsets: Mask, contributed: Mask, subset: Ints, run: Ints
) -> tuple[Floats, Floats]:
    """Score runs under a subset of the judgments each, and again with the judgments that each run contributed.

    Parameters
    ----------
    judged : Judged
        The runs.
    measure : Measure
        A measure that treats documents that are not relevant as unjudged ones.
    subsets : array of bool (subsets, judgments)
        The subsets.
    contributed : array of bool (judgments, runs)
        The judgments of the documents that each run contributed.
    subset, run : array (units,)
        The subset and the run of each unit, integers.

    Returns
    -------
    tuple of two arrays (units, topics)
        The scores under the subsets, and with the judgments that the runs contributed.

    Examples
    --------
    >>> from cranfield.metrics.examples import example
    >>> from cranfield.metrics.notation import parse
    >>> none, second, first = np.array([[False, False]]), np.array([[False], [True]]), np.zeros(1, np.int64)
    >>> pools = {"subsets": none, "contributed": second, "subset": first, "run": first}
    >>> score_with_contributions(example([1, 1]), parse("P@2"), **pools)
    (array([[0.]]), array([[0.5]]))
    """
    last = last_rank(measure)
    looked_at, view = relevant(judged if last is None else judged.rows(judged.is_within(last)))
    numbers, starts = np.flatnonzero(looked_at), np.searchsorted(view.qrels_topic, np.arange(len(judged.qids) + 1))
    before, after = np.empty((2, len(run), len(judged.qids)))
    for number, topic in enumerate(view.split_by_topic()):
        part = numbers[starts[number] : starts[number + 1]]
        mask, brought = subsets[:, part], contributed[part].T
        distinct, which = _distinct(mask)
        gains = np.flatnonzero((brought[run] & ~mask[subset]).any(axis=1))
        fuller = mask[subset[gains]] | brought[run[gains]]
        if has_fast_scorer(measure):
            before[:, number] = _scores(topic, distinct, measure)[which[subset], run]
            scores = _score_pairs(topic, run[gains], fuller, measure)
        else:
            first, pair = group_rows(np.stack([which[subset], run], axis=1))
            pairs = np.append(run[first], run[gains]), np.append(mask[subset[first]], fuller, axis=0)
            scores = _score_pairs(topic, *pairs, measure)
            before[:, number] = scores[pair]
            scores = scores[len(first) :]
        after[:, number] = before[:, number]
        after[gains, number] = scores
    return before, after


def _score_pairs(topic: Judged, run: Ints, mask: Mask, measure: Measure) -> Floats:
    """The score of each of these runs under its row of `mask`, as a batch of one run in which each is a topic."""
    if not len(run):
        return np.zeros(0)
    starts = np.searchsorted(topic.ranking, np.arange(len(topic.tags) + 1))
    size = np.diff(starts)[run]
    ends = np.cumsum(size)
    rows = np.arange(ends[-1]) + np.repeat(starts[run] - ends + size, size)
    pair = np.repeat(np.arange(len(run)), size)
    place = (np.cumsum(mask) - 1).reshape(mask.shape)
    kept = np.flatnonzero(mask[pair, topic.judgment[rows]])
    rows, pair = rows[kept], pair[kept]
    topic_of_judgment, judgment = np.nonzero(mask)
    batch = replace(
        topic, tags=topic.tags[:1], qids=tuple(map(str, range(len(run)))), ranking=pair, rank=topic.rank[rows],
        grade=topic.grade[rows], judgment=place[pair, topic.judgment[rows]], retrieved=topic.retrieved[run],
        qrels_topic=topic_of_judgment, qrels_grade=topic.qrels_grade[judgment], qrels_row=topic.qrels_row[judgment],
        qrels_stratum=None, subtopics=None,
    )  # fmt: skip
    return measure.scores(batch)


def _block_scores(
    judged: Judged, subsets: Subsets, measures: Sequence[Measure], progress: Callable[[int], object] | None = None
) -> list[TopicScores]:
    columns: dict[tuple[Callable[[Judged], tuple[Mask, Judged]], int | None], list[int]] = {}
    for column, measure in enumerate(measures):
        columns.setdefault((needed_judgments_function(measure), last_rank(measure)), []).append(column)
    tops = {last: judged if last is None else judged.rows(judged.is_within(last)) for _, last in columns}
    masks, views = zip(*(look(tops[last]) for look, last in columns), strict=True)
    starts = np.searchsorted(judged.qrels_topic, np.arange(len(judged.qids) + 1)).tolist()
    parts = []
    for number, topics in enumerate(zip(*(each.split_by_topic() for each in views), strict=True)):
        start, end = starts[number : number + 2]
        for looked_at, topic, several in zip(masks, topics, columns.values(), strict=True):
            distinct, which = _distinct(subsets.mask_of(start + np.flatnonzero(looked_at[start:end])))
            scores = [_scores(topic, distinct, measures[column]) for column in several]
            parts.append(TopicScores(number, several, which, np.stack(scores, axis=-1)))
        if progress:
            progress(1)
    return parts


def _scores(topic: Judged, mask: Mask, measure: Measure) -> Floats:
    """The scores under each row of `mask`: (subsets, runs)."""
    fast = has_fast_scorer(measure)
    score, rows = (Measure.scores_under, len(topic.tags)) if fast else (_as_topics, int(np.sum(topic.grade > 0)))
    size = max(1, ROWS // max(1, rows))
    batches = (mask[start : start + size] for start in range(0, len(mask), size))
    return np.concatenate([score(measure, topic, batch) for batch in batches])


def has_fast_scorer(measure: Measure) -> bool:
    """Whether a measure has a function of its own for many subsets, and needs only what is relevant."""
    return measure.under is not None and not measure.sees_nonrelevant


def _as_topics(measure: Measure, topic: Judged, mask: Mask) -> Floats:
    """Every subset as a topic of its own, all in one batch."""
    ever = np.asarray(mask.any(axis=0))
    rest = topic if ever.all() else topic.select_judgments(ever)
    batch = (condensed_under if topic.is_condensed else Judged.judge_subsets)(rest, mask[:, ever])
    return measure.scores(batch).reshape(batch.shape).T


def _distinct(rows: Mask) -> tuple[Mask, Ints]:
    """The distinct rows, and the number of each row among them.

    >>> _distinct(np.array([[True, False], [True, True], [True, False]]))
    (array([[ True, False],
           [ True,  True]]), array([0, 1, 0]))
    """
    bits = np.packbits(rows, axis=1)
    words = np.zeros((len(rows), bits.shape[1] // 8 + 1), np.uint64)
    words.view(np.uint8)[:, : bits.shape[1]] = bits
    first, number = group_rows(words)
    return rows[first], number


def group_rows(rows: Ints | Words) -> tuple[Ints, Ints]:
    """The first of each group of equal rows, and the group of each row.

    >>> group_rows(np.array([[7, 2], [7, 1], [7, 2]]))
    (array([1, 0]), array([1, 0, 1]))
    """
    order = np.lexsort(rows.T)
    is_new = np.append(True, np.any(rows[order[1:]] != rows[order[:-1]], axis=1))
    number = np.empty(len(rows), np.int64)
    number[order] = np.cumsum(is_new) - 1
    return order[is_new], number


def condensed_under(topic: Judged, mask: Mask) -> Judged:
    """The condensed rankings under each row of `mask`, in which rows of grade 0 are counted but not kept.

    >>> from cranfield.metrics.examples import example
    >>> subsets = np.array([[True, True, True, True], [False, True, True, True]])
    >>> batch = condensed_under(example([0, 1, None, 0, 1]), subsets)
    >>> batch.ranking, batch.rank, batch.retrieved
    (array([0, 0, 1, 1]), array([2, 4, 1, 3]), array([4, 3]))
    """
    whole = topic.condensed()
    visible = whole.rows(whole.grade > 0)
    batch = visible.judge_subsets(mask)
    above, fewer = _rows_lost(whole, visible, ~mask)
    rank = batch.rank - above[mask[:, visible.judgment]]
    return replace(batch, rank=rank, retrieved=batch.retrieved - fewer, is_condensed=True)


def _rows_lost(whole: Judged, visible: Judged, lost: Mask) -> tuple[Ints, Ints]:
    """How many rows go with the lost judgments: above each visible row (subsets, rows), and per ranking."""
    rows = np.flatnonzero(np.asarray(lost.any(axis=0))[whole.judgment])
    subset, at = np.nonzero(lost[:, whole.judgment[rows]])
    ranking = whole.ranking[rows[at]]
    below = np.searchsorted(np.flatnonzero(whole.grade > 0), rows)[at]  # the first visible row below the lost one
    after = np.searchsorted(visible.ranking, np.arange(len(whole.tags)), side="right")[ranking]  # below its ranking
    shape = len(lost), len(visible.rank) + 1
    first, last = (np.bincount(subset * shape[1] + row, minlength=shape[0] * shape[1]) for row in (below, after))
    above = np.cumsum((first - last).reshape(shape), axis=1)[:, :-1]
    return above, np.bincount(ranking * len(lost) + subset, minlength=len(whole.tags) * len(lost))


def needed_judgments_function(measure: Measure) -> Callable[[Judged], tuple[Mask, Judged]]:
    """What a measure needs: a function from rankings to a mask over their judgments and the rankings with only those.

    >>> from cranfield.metrics.notation import parse
    >>> names = ("AP", "AP(judged_only=True)", "Bpref", "Judged@5", "Bpref(rel=0)")
    >>> [needed_judgments_function(parse(name)).__name__ for name in names]
    ['relevant', 'condense', 'condensed_as_trec_eval', 'all_judgments', 'all_judgments']
    """
    if not measure.sees_nonrelevant:
        return relevant
    bare = measure.set(judged_only=False)
    if bare.condenses and bare.options["rel"] != 0:
        return condensed_as_trec_eval
    return all_judgments if bare.sees_nonrelevant else condense


def last_rank(measure: Measure) -> int | None:
    """The last rank that a measure looks at; None where that is not known.

    >>> from cranfield.metrics.notation import parse
    >>> last_rank(parse("P@5")), last_rank(parse("AP")), last_rank(parse("P(judged_only=True)@5"))
    (5, None, None)
    """
    cutoff = None if measure.sees_nonrelevant else measure.options.get("cutoff")
    return cutoff if isinstance(cutoff, int) else None


def relevant(judged: Judged) -> tuple[Mask, Judged]:
    """The documents of grade 1 or more."""
    looked_at = judged.qrels_grade > 0
    return looked_at, judged.select_judgments(looked_at)


def condense(judged: Judged) -> tuple[Mask, Judged]:
    """The condensed rankings: documents of grade 1 or more, and how many other judged ones are ranked above."""
    looked_at = is_judged(judged.qrels_grade)
    return looked_at, judged.select_judgments(looked_at).condensed()


def condensed_as_trec_eval(judged: Judged) -> tuple[Mask, Judged]:
    """The same where no negative grade is a judgment."""
    looked_at = judged.qrels_grade >= 0
    return looked_at, judged.select_judgments(looked_at).condensed()


def all_judgments(judged: Judged) -> tuple[Mask, Judged]:
    """All judgments."""
    return np.ones(len(judged.qrels_grade), bool), replace(judged, is_condensed=False)
