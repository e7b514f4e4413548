"""Notes on the judgments by which runs are scored: topics without relevant documents, samples, scales."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Qrels
from cranfield.metrics.evaluate import note_on_scale
from cranfield.metrics.measure import Measure
from cranfield.text import counted


def notes_on_judgments(
    judged: Judged, measures: tuple[Measure, ...], rel: float, scale_top: int | None = None
) -> Iterator[str]:
    """Yield the notes on the judgments: what they lack for these measures."""
    from cranfield.metrics.measures.incomplete import blind

    if judged.has_nonrelevant:
        yield from _note_on_empty_topics(len(judged.qids), int(np.count_nonzero(judged.num_relevant_by_topic(rel))))
    if judged.qrels_stratum is not None and any(measure.by_strata for measure in measures):
        line = blind(judged)
        yield from [line] if line else []
    if line := note_on_scale(judged.highest_grade, measures, scale_top):
        yield line


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
        yield f"{empty:,} of {topics} {have} no relevant document; most measures count 0 there"
