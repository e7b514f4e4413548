"""A ranking given by its grades, for examples in docstrings and for trying out a measure."""

from collections.abc import Sequence, Set

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Subtopics


def example(
    grades: Sequence[int | None],
    unretrieved: Sequence[int] = (),
    strata: Sequence[int] | None = None,
    subtopics: Sequence[Set[str]] | None = None,
) -> Judged:
    """One ranking: the grade at each rank (None is unjudged), and the grades of judged documents it misses.

    `strata` and `subtopics` are those of the documents with a grade, in the same order, the missed ones last.

    >>> ranking = example([1, None, 0], unretrieved=[2])
    >>> ranking.rank, ranking.grade, ranking.retrieved, ranking.num_relevant()
    (array([1, 3]), array([1, 0]), array([3]), array([2]))
    """
    ranked = [(rank, grade) for rank, grade in enumerate(grades, start=1) if grade is not None]
    rank, grade = np.array(ranked, np.int64).reshape(-1, 2).T
    judgments = np.concatenate([grade, np.array(unretrieved, np.int64)])
    return Judged(
        tags=("run",), qids=("topic",), ranking=np.zeros_like(rank), rank=rank, grade=grade,
        judgment=np.arange(len(rank)), retrieved=np.array([len(grades)]), qrels_topic=np.zeros_like(judgments),
        qrels_grade=judgments, qrels_row=np.arange(len(judgments)), highest_grade=int(judgments.max(initial=0)),
        qrels_stratum=None if strata is None else np.array(strata, np.int64),
        subtopics=None if subtopics is None else _subtopics(judgments.tolist(), subtopics),
    )  # fmt: skip


def _subtopics(grades: Sequence[int], subtopics: Sequence[Set[str]]) -> Subtopics:
    names = sorted(set().union(*subtopics))
    rows = [(i, names.index(name), grades[i]) for i, covers in enumerate(subtopics) for name in sorted(covers)]
    judgment, subtopic, grade = np.array(rows, np.int64).reshape(-1, 3).T
    return Subtopics(judgment, subtopic, grade, np.array(names, dtype=object))
