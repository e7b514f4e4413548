"""The subtopics that retrieved documents are relevant to, for the measures of diversity.

A subtopic counts if any document was judged relevant to it; all count alike. A document that covers what earlier ones
have covered gains less, by the factor 1 - alpha each time, since the reader probably has enough of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Mask, Subtopics
from cranfield.errors import MeasureError

NONE = (
    "the judgments have no subtopics; a file of qid subtopic docno grade, or records with an iteration, have them"
    " where a document is judged for two; a table has them in a column `subtopic`"
)


class Covered(NamedTuple):
    """Retrieved documents by subtopic: the ranking, the rank, its number within its subtopic, and of how many."""

    ranking: Ints
    rank: Ints
    nth: Ints
    of: Ints

    def sum(self, r: Judged, values: Floats) -> Floats:
        """Per ranking: the sum of the values."""
        return np.bincount(self.ranking, values, minlength=len(r.retrieved)).astype(float, copy=False)


def judged_subtopics(r: Judged) -> Subtopics:
    """The judgments of subtopics; an error where there are none.

    >>> from cranfield.metrics.examples import example
    >>> judged_subtopics(example([1]))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: the judgments have no subtopics; ...
    """
    if r.subtopics is None:
        raise MeasureError(NONE)
    return r.subtopics


def covered(r: Judged, rel: int, cutoff: int | None = None) -> Covered:
    """The retrieved documents, once for each subtopic they are relevant to.

    >>> from cranfield.metrics.examples import example
    >>> covered(example([1, 0, 1], subtopics=[{"a", "b"}, set(), {"a"}]), rel=1)
    Covered(ranking=array([0, 0, 0]), rank=array([1, 3, 1]), nth=array([1, 2, 1]), of=array([2, 2, 1]))
    """
    judgment, subtopic = _relevant(r, rel)
    first = np.searchsorted(judgment, np.arange(len(r.qrels_topic) + 1))
    rows = np.flatnonzero(r.within(cutoff))
    times = np.diff(first)[r.judgment[rows]]
    row = np.repeat(rows, times)
    at = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times) + first[r.judgment[row]]
    order = np.lexsort((r.rank[row], subtopic[at], r.ranking[row]))
    row, about = row[order], subtopic[at][order]
    new = (np.diff(r.ranking[row], prepend=-1) != 0) | (np.diff(about, prepend=-1) != 0)
    sizes = _sizes(r, judgment, subtopic)
    return Covered(r.ranking[row], r.rank[row], _numbered_from(new), sizes[r.topic[r.ranking[row]], about])


def _sizes(r: Judged, judgment: Ints, subtopic: Ints) -> Ints:
    """Per topic and subtopic: how many documents are relevant to it."""
    shape = len(r.qids), len(judged_subtopics(r).names)
    place = r.qrels_topic[judgment] * shape[1] + subtopic
    return np.bincount(place, minlength=shape[0] * shape[1]).reshape(shape)


def _relevant(r: Judged, rel: int) -> tuple[Ints, Ints]:
    about = judged_subtopics(r)
    kept = about.grade >= max(rel, 0)
    return about.judgment[kept], about.subtopic[kept]


def _numbered_from(new: Mask) -> Ints:
    starts = np.flatnonzero(new)
    return np.asarray(np.arange(len(new)) - np.repeat(starts, np.diff(starts, append=len(new))) + 1)


def num_subtopics(r: Judged, rel: int) -> Ints:
    """Per ranking: how many subtopics of its topic have a relevant document."""
    return np.asarray(np.sum(_sizes(r, *_relevant(r, rel)) > 0, axis=1)[r.topic])


def most_covering(r: Judged, rel: int) -> int:
    """The largest number of documents of any topic that are relevant to a subtopic."""
    covering = np.unique(_relevant(r, rel)[0])
    return int(np.bincount(r.qrels_topic[covering]).max(initial=0))


def ideal_gains(r: Judged, rel: int, alpha: float, depth: int) -> Floats:
    """Per topic and rank: the gain of the best document to show next, chosen greedily; ties go to the last docno.

    >>> from cranfield.metrics.examples import example
    >>> ideal_gains(example([1, 1, 1], subtopics=[{"a"}, {"a", "b"}, {"c"}]), rel=1, alpha=0.5, depth=3)
    array([[2. , 1. , 0.5]])
    """
    judgment, subtopic = _relevant(r, rel)
    gains = np.zeros((len(r.qids), depth))
    for topic in np.unique(r.qrels_topic[judgment]):
        here = r.qrels_topic[judgment] == topic
        _, document = np.unique(judgment[here], return_inverse=True)
        _, aspect = np.unique(subtopic[here], return_inverse=True)
        covers = np.zeros((document.max() + 1, aspect.max() + 1))
        covers[document, aspect] = 1
        gains[topic, : len(covers)] = _greedy(covers, alpha, min(depth, len(covers)))
    return gains


def _greedy(covers: Floats, alpha: float, depth: int) -> Floats:
    """The gain at each rank, if the document that adds most always comes next; `covers` is documents by subtopics."""
    worth, left, gains = np.ones(covers.shape[1]), np.ones(len(covers), bool), np.zeros(depth)
    for rank in range(depth):
        gain = np.where(left, (covers @ worth).round(12), -1.0)  # sums that differ only by rounding are ties
        best = len(gain) - 1 - int(np.argmax(gain[::-1]))
        gains[rank], left[best] = covers[best] @ worth, False
        worth[covers[best] > 0] *= 1 - alpha
    return gains
