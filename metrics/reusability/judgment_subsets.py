"""The same rankings under many subsets of the judgments, such as those left without each unit in turn.

Under a subset of the judgments all others are unjudged. Topic by topic each distinct subset is scored once, all in one
batch with only the rows that the measures need: most judgments say that a document is not relevant, which most measures
treat like unjudged, while others only count how many of those are ranked above.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.metrics.measure import Measure

ROWS = 1 << 17  # of a batch, unless a single subset has more


class SubsetScores(NamedTuple):
    """The scores of all rankings in all subsets."""

    shape: tuple[int, int, int]  # runs, topics, measures
    parts: list[TopicScores]

    def under(self, subsets: Ints) -> Floats:
        """The scores in some of the subsets: (subsets, runs, topics, measures)."""
        scores = np.empty((len(subsets), *self.shape))
        for part in self.parts:
            scores[:, :, part.topic, part.columns] = part.scores[part.number[subsets]]
        return scores


class TopicScores(NamedTuple):
    """The scores of one topic, by measures that need the same rows."""

    topic: int
    columns: list[int]  # of these measures among all
    number: Ints  # per subset: its number among the distinct ones
    scores: Floats  # distinct subsets x runs x columns


def score_subsets(
    judged: Judged,
    measures: Sequence[Measure],
    kept: Callable[[slice], Mask],
    progress: Callable[[int], object] | None = None,
) -> SubsetScores:
    """Score every ranking under every subset; `kept` returns a mask (subsets, judgments) for a slice of them.

    >>> from cranfield.metrics.examples import example
    >>> from cranfield.metrics.notation.parse import parse
    >>> subsets = np.array([[True, True], [False, True]])
    >>> score_subsets(example([1, 1]), [parse("AP")], lambda part: subsets[:, part]).under(np.array([0, 1, 0])).ravel()
    array([1. , 0.5, 1. ])
    """
    columns: dict[Callable[[Judged], tuple[Mask, Judged]], list[int]] = {}
    for column, measure in enumerate(measures):
        columns.setdefault(sight(measure), []).append(column)
    masks, seen = zip(*(look(judged) for look in columns), strict=True)
    starts = np.searchsorted(judged.qrels_topic, np.arange(len(judged.qids) + 1)).tolist()
    parts = []
    for number, topics in enumerate(zip(*(each.single_topics() for each in seen), strict=True)):
        here = slice(starts[number], starts[number + 1])
        subsets = kept(here)
        for looked_at, topic, several in zip(masks, topics, columns.values(), strict=True):
            which, scores = _scores(topic, subsets[:, looked_at[here]], [measures[column] for column in several])
            parts.append(TopicScores(number, several, which, scores))
        if progress:
            progress(1)
    return SubsetScores((*judged.shape, len(measures)), parts)


def _scores(topic: Judged, kept: Mask, measures: Sequence[Measure]) -> tuple[Ints, Floats]:
    """The number of each subset among the distinct ones, and the scores in those: (subsets, runs, measures)."""
    distinct, number = _distinct(kept)
    size = max(1, ROWS // max(1, int(np.sum(topic.grade > 0))))
    batches = (_batch(topic, distinct[start : start + size]) for start in range(0, len(distinct), size))
    by_batch = [[m.scores(batch).reshape(batch.shape).T for m in measures] for batch in batches]
    return number, np.concatenate([np.stack(scores, axis=-1) for scores in by_batch])


def _distinct(rows: Mask) -> tuple[Mask, Ints]:
    """The distinct rows, and the number of each row among them.

    >>> _distinct(np.array([[True, False], [True, True], [True, False]]))
    (array([[ True, False],
           [ True,  True]]), array([0, 1, 0]))
    """
    packed = np.packbits(rows, axis=1)
    size, content = packed.shape[1], packed.tobytes()
    keys = [content[at * size : (at + 1) * size] for at in range(len(rows))]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    number = np.array([numbers[key] for key in keys])
    return rows[np.unique(number, return_index=True)[1]], number


def _batch(topic: Judged, kept: Mask) -> Judged:
    """A topic under each row of `kept`, a mask (subsets, judgments)."""
    ever = np.asarray(kept.any(axis=0))
    rest = topic if ever.all() else topic.only(ever)
    return (condensed_under if topic.is_condensed else Judged.under)(rest, kept[:, ever])


def condensed_under(topic: Judged, kept: Mask) -> Judged:
    """The condensed rankings under each row of `kept`, in which rows of grade 0 are counted but not kept.

    >>> from cranfield.metrics.examples import example
    >>> subsets = np.array([[True, True, True, True], [False, True, True, True]])
    >>> batch = condensed_under(example([0, 1, None, 0, 1]), subsets)
    >>> batch.ranking, batch.rank, batch.retrieved
    (array([0, 0, 1, 1]), array([2, 4, 1, 3]), array([4, 3]))
    """
    whole = topic.condensed()
    shown = whole.rows(whole.grade > 0)
    batch = shown.under(kept)
    above, fewer = _lost(whole, shown, ~kept)
    rank = batch.rank - above[kept[:, shown.judgment]]
    return replace(batch, rank=rank, retrieved=batch.retrieved - fewer, is_condensed=True)


def _lost(whole: Judged, shown: Judged, lost: Mask) -> tuple[Ints, Ints]:
    """How many rows go with the lost judgments: above each shown row (subsets, rows), and per ranking of the batch."""
    rows = np.flatnonzero(np.asarray(lost.any(axis=0))[whole.judgment])
    subset, at = np.nonzero(lost[:, whole.judgment[rows]])
    ranking = whole.ranking[rows[at]]
    below = np.searchsorted(np.flatnonzero(whole.grade > 0), rows)[at]  # the first shown row below the lost one
    after = np.searchsorted(shown.ranking, np.arange(len(whole.tags)), side="right")[ranking]  # below its ranking
    shape = len(lost), len(shown.rank) + 1
    first, last = (np.bincount(subset * shape[1] + row, minlength=shape[0] * shape[1]) for row in (below, after))
    above = np.cumsum((first - last).reshape(shape), axis=1)[:, :-1]
    return above, np.bincount(ranking * len(lost) + subset, minlength=len(whole.tags) * len(lost))


def sight(measure: Measure) -> Callable[[Judged], tuple[Mask, Judged]]:
    """What a measure needs: a function from rankings to a mask over their judgments and the rankings with only those.

    >>> from cranfield.metrics.notation.parse import parse
    >>> [sight(parse(name)).__name__ for name in ("AP", "AP(judged_only=True)", "Bpref", "Judged@5", "Bpref(rel=0)")]
    ['relevant', 'condensed', 'condensed', 'everything', 'everything']
    """
    if not measure.sees_nonrelevant:
        return relevant
    bare = measure.set(judged_only=False)
    condenses = bare.condenses and bare.options["rel"] != 0
    return condensed if condenses or not bare.sees_nonrelevant else everything


def relevant(judged: Judged) -> tuple[Mask, Judged]:
    """The documents of grade 1 or more."""
    looked_at = judged.qrels_grade > 0
    return looked_at, judged.only(looked_at)


def condensed(judged: Judged) -> tuple[Mask, Judged]:
    """The condensed rankings: documents of grade 1 or more, and how many other judged ones are ranked above."""
    looked_at = judged.qrels_grade >= 0
    return looked_at, judged.only(looked_at).condensed()


def everything(judged: Judged) -> tuple[Mask, Judged]:
    """All judgments."""
    return np.ones(len(judged.qrels_grade), bool), replace(judged, is_condensed=False)
