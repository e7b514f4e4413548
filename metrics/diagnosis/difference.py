"""What is known of the difference of two runs on every topic, by a measure whose row says how labels make it up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from cranfield.arrays.join import judge
from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import UNJUDGED, Floats, Ints, Mask, Qrels, Runs
from cranfield.errors import InputError
from cranfield.metrics.diagnosis.unjudged import levels
from cranfield.metrics.measure import Measure
from cranfield.metrics.measures import MEASURES


class PrecisionDifference:
    """What is known about two runs on a topic; labels are added one by one.

        AP_s = (1/R) sum over i <= j of a_s(i, j) x_i x_j,  a_s(i, j) = 1 / max(r_s(i), r_s(j)),  x: relevant or not
        difference:    D = (1/R) sum of c(i, j) x_i x_j,    c = a_1 - a_2
        unjudged i:    w(i) = c(i, i) + sum of c(i, j) over j judged relevant: what it adds if relevant
        worst case:    a product x_i x_j of unjudged documents with c(i, j) < 0 is taken for (x_i + x_j) / 2, which it
                       never exceeds; then D >= min over m of (N + the sum of the m least w(i) + half the negative
                       c(i, j)) / (R + m)

    so that the bounds hold for all labels but are not always reached; with nothing unjudged left they meet. R counts
    all known relevant documents of the topic and the new ones. Recall is the same without products: its bounds are
    reached.

    Source: Carterette, Allan and Sitaraman, Minimal test collections for retrieval evaluation, SIGIR 2006, for the
    quadratic form and the weights; the bound on products is the usual one of pseudo-boolean optimisation (Boros and
    Hammer, Pseudo-boolean optimization, Discrete Applied Mathematics 123, 2002).

    Documents are 0..n-1, ranks 0 where a run does not retrieve one; `relevant` are those judged so, all others
    are unjudged, and documents judged not relevant are left out. `total` counts the topic's known relevant documents.

    >>> known = PrecisionDifference(np.array([1, 2]), np.array([2, 1]), np.array([False, False]), total=0)
    >>> known.least(), known.difference, known.most()  # 1/2 - 1/1 if the second alone is relevant
    (-0.5, 0.0, 0.5)
    >>> known.tell(0, True)
    >>> known.least(), known.difference, known.most()  # at worst the second is relevant, too, and AP is 1 for both
    (0.0, 0.5, 0.5)
    """

    def __init__(self, first: Ints, second: Ints, relevant: Mask, total: int) -> None:
        self.reciprocals = [np.where(rank > 0, 1 / np.maximum(rank, 1), 0.0) for rank in (first, second)]
        self.open, self.relevant = np.ones(len(first), bool), np.zeros(len(first), bool)
        self.total = total - int(relevant.sum())
        self.sum = 0.0
        self.worth = self.reciprocals[0] - self.reciprocals[1]
        self.harm, self.help = self._products()
        for document in np.flatnonzero(relevant):
            self.tell(int(document), True)

    def _row(self, document: int) -> Floats:
        """c(i, j) of a document with every one."""
        first, second = (np.minimum(reciprocal, reciprocal[document]) for reciprocal in self.reciprocals)
        return np.asarray(first - second)

    def _products(self) -> tuple[Floats, Floats]:
        """Per document: the negative and the positive c(i, j) over all other documents."""
        harm, more = np.zeros(len(self.open)), np.zeros(len(self.open))
        for document in range(len(self.open)):
            row = self._row(document)
            row[document] = 0.0
            harm[document], more[document] = row[row < 0].sum(), row[row > 0].sum()
        return harm, more

    def tell(self, document: int, relevant: bool) -> None:
        """Add a label."""
        self.open[document], self.relevant[document] = False, relevant
        row = self._row(document)
        row[document] = 0.0
        self.harm -= np.minimum(row, 0.0)
        self.help -= np.maximum(row, 0.0)
        if relevant:
            self.sum += self.worth[document]
            self.worth += row
            self.total += 1

    @property
    def difference(self) -> float:
        """AP of the first less AP of the second, with unjudged documents not relevant."""
        return float(ratio(self.sum, self.total))

    def least(self) -> float:
        """The difference is never less, whatever the labels."""
        return self._extreme(np.sort((self.worth + self.harm / 2)[self.open]), -1)

    def most(self) -> float:
        """The difference is never more."""
        return self._extreme(np.sort((self.worth + self.help / 2)[self.open])[::-1], 1)

    def _extreme(self, adds: Floats, sign: int) -> float:
        ratios = ratio(self.sum + np.append(0.0, np.cumsum(adds)), self.total + np.arange(len(adds) + 1))
        return float(sign * (sign * ratios).max())

    def weights(self) -> Floats:
        """Per document: how much its label could do for the first run, -inf where the label is known.

        MTC's weights, for one side and with R: if relevant it adds w, if not it ends the harm and help it could do, and
        a relevant document costs the difference as it is at worst, by being one more to find."""
        at_worst = self.least()
        loss = self.worth + self.harm + self.help
        weight = np.maximum(self.worth - at_worst, at_worst - loss) / max(self.total, 1)
        return np.where(self.open, weight, -np.inf)

    def under(self, labels: Floats) -> Floats:
        """The difference under rows of labels of the open documents: 1 is relevant, 0 is not."""
        worlds = np.tile(self.relevant.astype(float), (len(labels), 1))
        worlds[:, self.open] = labels
        first, second = (self._sum_at_relevant(reciprocal, worlds) for reciprocal in self.reciprocals)
        return ratio(first - second, self.total + labels.sum(axis=1))

    def _sum_at_relevant(self, reciprocal: Floats, labels: Floats) -> Floats:
        """The sum of a run's precisions at its relevant documents, for each row of labels."""
        order = np.argsort(-reciprocal)
        ranked = labels[:, order]
        return np.asarray((np.cumsum(ranked, axis=1) * ranked) @ reciprocal[order])

    def labelled_for_first(self, document: int) -> tuple[PrecisionDifference, bool]:
        """What is known once this label favours the first run, and whether that means relevant."""
        relevant, other = self.copy(), self.copy()
        relevant.tell(document, True)
        other.tell(document, False)
        return (relevant, True) if relevant.least() > other.least() else (other, False)

    def copy(self) -> PrecisionDifference:
        """A copy, to add other labels to."""
        return self._with(self.reciprocals, self.sum, self.worth, self.harm, self.help)

    def exchange(self) -> PrecisionDifference:
        """The same with the runs exchanged."""
        return self._with(self.reciprocals[::-1], -self.sum, -self.worth, -self.help, -self.harm)

    def _with(
        self, reciprocals: list[Floats], difference: float, worth: Floats, harm: Floats, more: Floats
    ) -> PrecisionDifference:
        other = object.__new__(type(self))
        other.reciprocals, other.total, other.sum = reciprocals, self.total, difference
        other.open, other.relevant = self.open.copy(), self.relevant.copy()
        other.worth, other.harm, other.help = worth.copy(), harm.copy(), more.copy()
        return other


class RecallDifference(PrecisionDifference):
    """The same for R: with rank 1 for all that is retrieved, each relevant document counts 1, whatever the others.

    >>> known = RecallDifference(np.array([1, 0]), np.array([0, 1]), np.array([True, False]), total=2)
    >>> known.least(), known.difference  # 1/2; if the other is relevant, (1 - 1) / 3
    (0.0, 0.5)
    """

    def _row(self, document: int) -> Floats:
        return np.zeros(len(self.open))

    def _sum_at_relevant(self, reciprocal: Floats, labels: Floats) -> Floats:
        return np.asarray(labels @ reciprocal)


@dataclass(frozen=True, eq=False)
class SumDifference:
    """What is known about two runs on a topic.

        difference = sum over documents of (worth at its rank in the first - worth at its rank in the second) x its gain

    Each label changes the difference independently, so the bounds are reached, and the shortest list that decides takes
    the documents by how much they change it: with the label that favours a run, each raises that run's worst case by
    just that.

    `worth` is how much each unjudged document would change the difference at best, `open` whether it still may.

    >>> known = SumDifference(0.5, np.array([0.25, -1.0]), np.array([True, True]))
    >>> known.least(), known.difference, known.most()
    (-0.5, 0.5, 0.75)
    >>> labelled, relevant = known.labelled_for_first(1)
    >>> relevant, labelled.least()
    (False, 0.5)
    """

    difference: float
    worth: Floats
    open: Mask

    def least(self) -> float:
        """The difference is never less, whatever the labels."""
        return self.difference + float(np.minimum(self.worth, 0.0)[self.open].sum())

    def most(self) -> float:
        """The difference is never more."""
        return self.difference + float(np.maximum(self.worth, 0.0)[self.open].sum())

    def weights(self) -> Floats:
        """Per document: how much its label may change the difference, -inf where it is known."""
        return np.where(self.open, np.abs(self.worth), -np.inf)

    def labelled_for_first(self, document: int) -> tuple[SumDifference, bool]:
        """What is known once this label favours the first run, and whether that means relevant."""
        relevant = bool(self.worth[document] > 0)
        rest = self.open & (np.arange(len(self.open)) != document)
        return replace(self, difference=self.difference + relevant * float(self.worth[document]), open=rest), relevant

    def exchange(self) -> SumDifference:
        """The same with the runs exchanged."""
        return replace(self, difference=-self.difference, worth=-self.worth)

    def under(self, labels: Floats) -> Floats:
        """The difference under rows of labels of the open documents: their gains, divided by the best."""
        return np.asarray(self.difference + labels @ self.worth[self.open])


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

    def exchange(self) -> TopicDifference: ...

    def under(self, labels: Floats) -> Floats: ...


@dataclass(frozen=True, eq=False)
class ComparedTopic:
    """What is known of the difference on a topic, and which documents its numbers mean.

    In AP and R the divisor changes with the labels (`PrecisionDifference`); P, CG, DCG and binary RBP add up documents
    (`SumDifference`). Others are refused: in nDCG, Q, F or graded RBP each label also changes what the others are
    worth, and RR, Success and ERR depend on what is ranked above.
    """

    qid: str
    docnos: Sequence[str]
    ranks: Ranks
    state: TopicDifference


def decidable(measure: Measure) -> bool:
    """Can the judgments that would decide by this measure be found?

    >>> from cranfield.metrics.notation import parse
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

    >>> from cranfield.metrics.notation import parse_all
    >>> decidable_measure(parse_all(["nDCG", "AP"]), 7), decidable_measure(parse_all(["P@5"]), None)
    (AP@7, P@5)
    """
    decided_by = next((measure for measure in measures if decidable(measure)), None)
    if decided_by is None:
        names = ", ".join(map(str, measures))
        lists = ", ".join(measure.name for measure in MEASURES if measure.difference)
        raise InputError(f"no list decides by {names}; there are lists for {lists} (with binary gains)")
    if decided_by.options["cutoff"] is None and depth is None:
        raise InputError(f"no pooled run tells the depth to compare at; --depth K does, or {decided_by.name}@K")
    return decided_by if decided_by.options["cutoff"] is not None else decided_by.set(cutoff=depth)


def topic_differences(new: Runs, other: Runs, qrels: Qrels, measure: Measure) -> list[ComparedTopic]:
    """The topics of the judgments, in their order."""
    grades, ranks = _grades(qrels), _ranks(new, other, number_of(measure, "cutoff"))
    if adds_up(measure):
        return _by_sums(judge(new, qrels), judge(other, qrels), measure, grades, ranks)
    kind, rel = (RecallDifference if measure.difference == "recall" else PrecisionDifference), measure.options["rel"]
    assert isinstance(rel, int | float)
    return [_by_pairs(kind, qid, grades[qid], ranks.get(qid, {}), rel) for qid in sorted(grades)]


def number_of(measure: Measure, option: str) -> int:
    """An option that is a whole number."""
    value = measure.options[option]
    assert isinstance(value, int)
    return value


def _by_pairs(kind: type[PrecisionDifference], qid: str, grades: Grades, ranks: Ranks, rel: float) -> ComparedTopic:
    docnos = [docno for docno in sorted(ranks) if (grade := grades.get(docno, UNJUDGED)) == UNJUDGED or grade >= rel]
    both = np.array([ranks[docno] for docno in docnos], np.int64).reshape(-1, 2)
    relevant = np.array([grades.get(docno, UNJUDGED) >= rel for docno in docnos], bool)
    first, second = (both if kind is PrecisionDifference else np.minimum(both, 1)).T
    total = sum(grade >= rel for grade in grades.values())
    return ComparedTopic(qid, docnos, ranks, kind(first, second, relevant, total))


def _by_sums(
    first: Judged, second: Judged, measure: Measure, grades: Mapping[str, Grades], ranks: Mapping[str, Ranks]
) -> list[ComparedTopic]:
    differences = measure.scores(first) - measure.scores(second)
    worth = _worth_of_ranks(measure, levels(first, measure)[-1].item())
    topics = []
    for qid, difference in zip(first.qids, differences, strict=True):
        there = ranks.get(qid, {})
        docnos = [docno for docno in sorted(there) if grades[qid].get(docno, UNJUDGED) == UNJUDGED]
        moves = np.array([worth[there[docno][0]] - worth[there[docno][1]] for docno in docnos], float)
        topics.append(ComparedTopic(qid, docnos, there, SumDifference(float(difference), moves, moves != 0)))
    return topics


def _worth_of_ranks(measure: Measure, grade: float) -> Floats:
    """What a document of this grade adds to the score at each rank to the cutoff, after a 0 for not retrieved."""
    depth = number_of(measure, "cutoff")
    number, same = np.arange(depth), np.full(depth, grade)
    alone = Judged(
        tags=("run",), qids=tuple(map(str, number)), ranking=number, rank=number + 1, grade=same, judgment=number,
        retrieved=np.full(depth, depth), qrels_topic=number, qrels_grade=same, qrels_row=number, highest_grade=grade,
    )  # fmt: skip
    return np.append(0.0, measure.scores(alone))


def _grades(qrels: Qrels) -> dict[str, dict[str, int]]:
    by_topic: dict[str, dict[str, int]] = {}
    names = qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], qrels.grade.tolist()
    for qid, docno, grade in zip(*names, strict=True):
        by_topic.setdefault(qid, {})[docno] = grade
    return by_topic


def _ranks(new: Runs, other: Runs, depth: int) -> dict[str, dict[str, tuple[int, int]]]:
    """Per topic and document the ranks in both runs."""
    by_topic: dict[str, dict[str, tuple[int, int]]] = {}
    for place, runs in enumerate((new, other)):
        top = runs.rows(runs.rank <= depth)
        ranks = runs.rank[runs.rank <= depth].tolist()
        for qid, docno, rank in zip(runs.topics.names[top.topic], runs.docnos.names[top.document], ranks, strict=True):
            there = by_topic.setdefault(qid, {})
            before = there.get(docno, (0, 0))
            there[docno] = (rank, before[1]) if place == 0 else (before[0], rank)
    return by_topic
