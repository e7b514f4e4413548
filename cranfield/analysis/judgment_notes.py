"""Notes on the judgments by which runs are scored: topics without relevant documents, samples, scales."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Qrels
from cranfield.metrics.evaluate import note_on_scale
from cranfield.metrics.measure import Measure
from cranfield.text import counted


def notes_on_judgments(
    judged: Judged, measures: tuple[Measure, ...], rel: float, scale_top: int | None = None
) -> Iterator[str]:
    """Yield the notes on the judgments: what they lack for these measures."""
    if judged.has_nonrelevant:
        yield from _note_on_empty_topics(len(judged.qids), int(np.count_nonzero(judged.num_relevant_by_topic(rel))))
    elif scale_top is None and (note := note_on_scale_from_1(judged.qrels_grade, measures)):
        yield note
    if judged.qrels_stratum is not None and any(measure.needs_strata for measure in measures):
        from cranfield.metrics.measures.incomplete import blind

        line = blind(judged)
        yield from [line] if line else []
    if line := note_on_scale(judged.highest_grade, measures, scale_top):
        yield line


def note_on_scale_from_1(grades: Ints | Floats, measures: Sequence[Measure]) -> str:
    """Return the note on grades of a scale that seems to begin with 1, by which all documents count as relevant.

    >>> from cranfield.metrics.notation import parse_measures
    >>> note_on_scale_from_1(np.array([5, 1, 3, 2]), parse_measures(["nDCG", "AP"]))
    'all grades are from 1 to 5, so AP counts every judged document as relevant; if grade 1 means not relevant,
    use AP(rel=2)'
    >>> note_on_scale_from_1(np.array([5, 1, 3, 2]), parse_measures(["AP(rel=2)"]))
    ''
    """
    counting = [one for one in measures if one.options.get("rel") == 1]
    scale = np.unique(grades)
    if not counting or len(scale) < SCALE_FROM_1 or scale[0] != 1:
        return ""
    found = f"all grades are from 1 to {scale[-1]:g}, so {counting[0]} counts every judged document as relevant"
    return f"{found}; if grade 1 means not relevant, use {counting[0].set(rel=2)}"


SCALE_FROM_1 = 4  # fewer grades from 1 are usual where only relevant documents are listed


def note_on_highest_grade(qrels: Qrels, measures: Sequence[Measure], scale: Collection[int]) -> str:
    """Return the note on measures that take the highest grade that occurs for the scale's; `scale` is a store's."""
    return note_on_scale(qrels.grade.max(initial=0).item(), measures, max(scale, default=None))


def notes_on_qrels(qrels: Qrels, rel: float) -> Iterator[str]:
    """Yield the note on judged topics without a relevant document, where the qrels list others."""
    is_relevant = qrels.judged & (qrels.grade >= rel)
    if np.any(qrels.judged & ~is_relevant):
        yield from _note_on_empty_topics(len(qrels.judged_topics), len(np.unique(qrels.topic[is_relevant])))


def _note_on_empty_topics(n_topics: int, n_with_relevant: int) -> Iterator[str]:
    empty = n_topics - n_with_relevant
    if empty:
        have = "has" if empty == 1 else "have"
        topics = counted(n_topics, "judged topic")
        yield f"{empty:,} of {topics} {have} no relevant document; most measures score 0 there"
