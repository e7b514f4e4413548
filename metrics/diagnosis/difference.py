"""What is known of the difference of two runs on every topic, by a measure whose row says how labels make it up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from cranfield.arrays.join import judge
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import UNJUDGED, Floats, Mask, Qrels, Runs
from cranfield.errors import InputError
from cranfield.metrics.diagnosis.difference_ap import PrecisionDifference, RecallDifference
from cranfield.metrics.diagnosis.difference_sum import SumDifference
from cranfield.metrics.diagnosis.possible_grades import levels
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures.table import MEASURES

Grades = Mapping[str, int]  # of the documents of a topic
Ranks = Mapping[str, tuple[int, int]]  # in the first and the second run, 0 where not retrieved


class TopicDifference(Protocol):
    """Two runs on a topic; documents are numbered, and each is open until its label is known."""

    @property
    def open(self) -> Mask: ...

    @property
    def difference(self) -> float: ...

    def least(self) -> float: ...

    def most(self) -> float: ...

    def weights(self) -> Floats: ...

    def labelled_for_first(self, document: int) -> tuple[TopicDifference, bool]: ...

    def turned(self) -> TopicDifference: ...

    def under(self, labels: Floats) -> Floats: ...


@dataclass(frozen=True, eq=False)
class ComparedTopic:
    """What is known of the difference on a topic, and which documents its numbers mean.

    In AP and R the divisor changes with the labels (difference_ap.py); P, CG, DCG and binary RBP add up documents
    (difference_sum.py). Others are refused: in nDCG, Q, F or graded RBP each label also changes what the others are
    worth, and RR, Success and ERR depend on what is ranked above.
    """

    qid: str
    docnos: Sequence[str]
    ranks: Ranks
    known: TopicDifference


def decidable(measure: Measure) -> bool:
    """Can the judgments that would decide by this measure be found?

    >>> from cranfield.metrics.notation.parse import parse
    >>> [decidable(parse(name)) for name in ("AP(rel=2)", "R@5", "RBP", "RBP(gains=linear)", "nDCG", "P(rel=0)")]
    [True, True, True, False, False, False]
    """
    graded = measure.difference == "sum of binary gains" and measure.options["gains"] != "binary"
    return measure.difference is not None and not graded and not measure.sees_nonrelevant


def adds_up(measure: Measure) -> bool:
    """Is the difference of two runs by this measure a sum over documents?"""
    return measure.difference in ("sum", "sum of binary gains")


def decidable_measure(measures: Sequence[Measure], depth: int | None) -> Measure:
    """The first of the measures that can be decided; without a cutoff of its own it is cut at the depth.

    >>> from cranfield.metrics.notation.parse import parse_all
    >>> decidable_measure(parse_all(["nDCG", "AP"]), 7), decidable_measure(parse_all(["P@5"]), None)
    (AP@7, P@5)
    """
    found = next((measure for measure in measures if decidable(measure)), None)
    if found is None:
        asked = ", ".join(map(str, measures))
        lists = ", ".join(measure.name for measure in MEASURES if measure.difference)
        raise InputError(f"no list decides by {asked}; there are lists for {lists} (with binary gains)")
    if found.options["cutoff"] is None and depth is None:
        raise InputError(f"no pooled run tells the depth to compare at; --depth K does, or {found.name}@K")
    return found if found.options["cutoff"] is not None else found.set(cutoff=depth)


def topic_differences(new: Runs, other: Runs, qrels: Qrels, measure: Measure) -> list[ComparedTopic]:
    """The topics of the judgments, in their order."""
    grades, ranks = _grades(qrels), _ranks(new, other, number_of(measure, "cutoff"))
    if adds_up(measure):
        return _by_sums(judge(new, qrels), judge(other, qrels), measure, grades, ranks)
    kind, rel = (RecallDifference if measure.difference == "recall" else PrecisionDifference), number_of(measure, "rel")
    return [_by_pairs(kind, qid, grades[qid], ranks.get(qid, {}), rel) for qid in sorted(grades)]


def number_of(measure: Measure, option: str) -> int:
    """An option that is a whole number."""
    value = measure.options[option]
    assert isinstance(value, int)
    return value


def _by_pairs(kind: type[PrecisionDifference], qid: str, grades: Grades, ranks: Ranks, rel: int) -> ComparedTopic:
    docnos = [docno for docno in sorted(ranks) if (grade := grades.get(docno, UNJUDGED)) == UNJUDGED or grade >= rel]
    both = np.array([ranks[docno] for docno in docnos], np.int64).reshape(-1, 2)
    relevant = np.array([grades.get(docno, UNJUDGED) >= rel for docno in docnos], bool)
    first, second = (both if kind is PrecisionDifference else np.minimum(both, 1)).T
    total = sum(grade >= rel for grade in grades.values())
    return ComparedTopic(qid, docnos, ranks, kind(first, second, relevant, total))


def _by_sums(
    first: Judged, second: Judged, measure: Measure, grades: Mapping[str, Grades], ranks: Mapping[str, Ranks]
) -> list[ComparedTopic]:
    known = measure.scores(first) - measure.scores(second)
    worth = _worth_of_ranks(measure, int(levels(first, measure)[-1]))
    topics = []
    for qid, difference in zip(first.qids, known, strict=True):
        there = ranks.get(qid, {})
        docnos = [docno for docno in sorted(there) if grades[qid].get(docno, UNJUDGED) == UNJUDGED]
        moves = np.array([worth[there[docno][0]] - worth[there[docno][1]] for docno in docnos], float)
        topics.append(ComparedTopic(qid, docnos, there, SumDifference(float(difference), moves, moves != 0)))
    return topics


def _worth_of_ranks(measure: Measure, grade: int) -> Floats:
    """What a document of this grade adds to the score at each rank to the cutoff, after a 0 for not retrieved."""
    depth = number_of(measure, "cutoff")
    number, same = np.arange(depth), np.full(depth, grade)
    alone = Judged(
        tags=("run",), qids=tuple(map(str, number)), ranking=number, rank=number + 1, grade=same, judgment=number,
        retrieved=np.full(depth, depth), qrels_topic=number, qrels_grade=same, qrels_row=number, highest_grade=grade,
    )  # fmt: skip
    return np.append(0.0, measure.scores(alone))


def _grades(qrels: Qrels) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    names = qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], qrels.grade.tolist()
    for qid, docno, grade in zip(*names, strict=True):
        found.setdefault(qid, {})[docno] = grade
    return found


def _ranks(new: Runs, other: Runs, depth: int) -> dict[str, dict[str, tuple[int, int]]]:
    """Per topic and document the ranks in both runs."""
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for place, runs in enumerate((new, other)):
        kept = runs.rows(runs.rank <= depth)
        ranks = runs.rank[runs.rank <= depth].tolist()
        for qid, docno, rank in zip(
            runs.topics.names[kept.topic], runs.docnos.names[kept.document], ranks, strict=True
        ):
            there = found.setdefault(qid, {})
            before = there.get(docno, (0, 0))
            there[docno] = (rank, before[1]) if place == 0 else (before[0], rank)
    return found
