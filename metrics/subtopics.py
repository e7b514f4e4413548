"""The subtopics that retrieved documents are relevant to, for the measures of diversity.

A subtopic counts if any document was judged relevant to it; all count alike. A document that covers what an
earlier one has covered already is worth less, by the factor 1 - alpha each time: the reader has likely enough of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield.errors import MeasureError
from cranfield.judged import Judged
from cranfield.rankings import Floats, Ints, Mask, Subtopics


class Covered(NamedTuple):
    """Retrieved documents by subtopic: the ranking, the rank, and the how manieth of its subtopic the document is."""

    ranking: Ints
    rank: Ints
    nth: Ints

    def sum(self, r: Judged, values: Floats) -> Floats:
        """Per ranking: the sum of the values."""
        return np.bincount(self.ranking, values, minlength=len(r.retrieved)).astype(float, copy=False)


def judged_subtopics(r: Judged) -> Subtopics:
    """What was judged of the subtopics; judgments without any are refused.

    >>> from cranfield.metrics.examples import example
    >>> judged_subtopics(example([1]))
    Traceback (most recent call last):
    ...
    cranfield.errors.MeasureError: the judgments have no subtopics, which diversity qrels have: qid subtopic docno grade
    """
    if r.subtopics is None:
        raise MeasureError("the judgments have no subtopics, which diversity qrels have: qid subtopic docno grade")
    return r.subtopics


def covered(r: Judged, rel: int, cutoff: int | None = None) -> Covered:
    """The retrieved documents, once for each subtopic they are relevant to.

    >>> from cranfield.metrics.examples import example
    >>> covered(example([1, 0, 1], subtopics=[{"a", "b"}, set(), {"a"}]), rel=1)
    Covered(ranking=array([0, 0, 0]), rank=array([1, 3, 1]), nth=array([1, 2, 1]))
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
    return Covered(r.ranking[row], r.rank[row], _numbered_from(new))


def _relevant(r: Judged, rel: int) -> tuple[Ints, Ints]:
    about = judged_subtopics(r)
    kept = about.grade >= max(rel, 0)
    return about.judgment[kept], about.subtopic[kept]


def _numbered_from(new: Mask) -> Ints:
    starts = np.flatnonzero(new)
    return np.asarray(np.arange(len(new)) - np.repeat(starts, np.diff(starts, append=len(new))) + 1)


def num_subtopics(r: Judged, rel: int) -> Ints:
    """Per ranking: how many subtopics of its topic have a relevant document."""
    judgment, subtopic = _relevant(r, rel)
    pairs = np.unique(np.stack([r.qrels_topic[judgment], subtopic]), axis=1)
    return np.bincount(pairs[0], minlength=len(r.qids))[r.topic]


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
    """The gain at each rank, if always the document that adds most comes next; `covers` is documents by subtopics."""
    worth, left, gains = np.ones(covers.shape[1]), np.ones(len(covers), bool), np.zeros(depth)
    for rank in range(depth):
        gain = np.where(left, (covers @ worth).round(12), -1.0)  # sums that are equal but for their order are ties
        best = len(gain) - 1 - int(np.argmax(gain[::-1]))
        gains[rank], left[best] = covers[best] @ worth, False
        worth[covers[best] > 0] *= 1 - alpha
    return gains
