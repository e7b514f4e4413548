"""The shortest list of documents to judge that would decide whether one run is better than another in AP.

Bounded is the difference of mean AP at a depth over all labels of what the two runs have unjudged down to it. If the
least difference is above 0, or the greatest below, judging cannot change who is ahead. Otherwise documents are taken by
MTC's weights, over all topics, each labelled as suits one side, until the worst case of the others cannot turn the
sign; once for either side.

That is how few judgments may do, if every label speaks for that side; each that speaks against it asks for more, so
judge the list and ask again. The list is greedy: a shorter one may exist, and the bounds are not always reached, so
that it may ask for a few documents too many, never for too few. Ahead is not significantly better: that is `cranfield
compare`.

Source: Carterette, Allan and Sitaraman, Minimal test collections for retrieval evaluation, SIGIR 2006.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from cranfield.rankings import Qrels, Runs

from .duel import Duel

Grades = Mapping[str, Mapping[str, int]]
Ranks = Mapping[str, Mapping[str, tuple[int, int]]]
ROUNDING = 1e-12  # what counts as no difference


class Listed(NamedTuple):
    """A document to judge, and the label that would speak for the side the list is for."""

    qid: str
    docno: str
    relevant: bool
    ranks: tuple[int, int]  # in the new run and in the other, 0 where it is not there


@dataclass(frozen=True)
class Decision:
    """Is a run better than another, and what would have to be judged to know?"""

    run: str
    against: str
    depth: int
    difference: float  # of mean AP@depth, as judged
    least: float
    most: float
    unjudged: int  # documents whose labels may matter; with all of them judged it is decided
    better: tuple[Listed, ...] | None  # None: no labels were found that make it so
    worse: tuple[Listed, ...] | None

    @property
    def outcome(self) -> Literal["better", "worse", "equal", "open"]:
        """What is known already."""
        if self.least > ROUNDING or self.most < -ROUNDING:
            return "better" if self.least > ROUNDING else "worse"
        return "equal" if max(-self.least, self.most) <= ROUNDING else "open"

    @property
    def to_judge(self) -> tuple[Listed, ...]:
        """The shorter of the lists, the most telling document first; empty where it is decided."""
        if self.outcome != "open":
            return ()
        return min((side for side in (self.better, self.worse) if side is not None), key=len, default=())


def decide(new: Runs, other: Runs, qrels: Qrels, depth: int, rel: int = 1) -> Decision:
    """Compare one run with another under all labels of what they have unjudged in their first `depth` documents.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = as_runs({"new": {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}, "old": {"q": {"a": 3.0, "b": 2.0}}})
    >>> found = decide(runs.select(["new"]), runs.select(["old"]), as_qrels({"q": {"a": 1, "b": 0}}), 3)
    >>> found.difference, found.least, found.most, found.outcome  # x relevant: (1 + 1) / 2 against (1 + 0) / 2
    (-0.5, -0.5, 0.5, 'open')
    >>> [(document.docno, document.relevant) for document in found.to_judge]
    [('x', True)]
    """
    grades, ranks = _grades(qrels), _ranks(new, other, depth)
    known = {
        qid: [d for d in sorted(ranks.get(qid, ())) if not 0 <= grades[qid].get(d, -1) < rel] for qid in sorted(grades)
    }
    duels = [_duel(grades[qid], ranks.get(qid, {}), docnos, rel) for qid, docnos in known.items()]
    sides = [
        _greedy([duel if first else duel.turned() for duel in duels], list(known.items()), ranks)
        for first in (True, False)
    ]
    least, most = (float(np.mean([bound(duel) for duel in duels])) for bound in (Duel.least, Duel.most))
    return Decision(
        new.tags[0],
        other.tags[0],
        depth,
        float(np.mean([duel.difference for duel in duels])),
        least,
        most,
        sum(int(duel.open.sum()) for duel in duels),
        *sides,
    )


def _greedy(
    duels: list[Duel], documents: Sequence[tuple[str, Sequence[str]]], ranks: Ranks
) -> tuple[Listed, ...] | None:
    """The documents that decide for the first run if all labels speak for it; None where even all of them do not."""
    least = np.array([duel.least() for duel in duels])
    tops = [_top(duel) for duel in duels]
    listed: list[Listed] = []
    while least.mean() <= ROUNDING:
        topic = max(range(len(duels)), key=lambda i: tops[i][0])
        weight, document = tops[topic]
        if weight == -np.inf:
            return None
        duels[topic], relevant = duels[topic].told_for_first(document)
        least[topic], tops[topic] = duels[topic].least(), _top(duels[topic])
        qid, docnos = documents[topic]
        listed.append(Listed(qid, docnos[document], relevant, ranks[qid][docnos[document]]))
    return tuple(listed)


def _top(duel: Duel) -> tuple[float, int]:
    weights = duel.weights()
    return (float(weights.max()), int(weights.argmax())) if len(weights) else (-np.inf, -1)


def _duel(grades: Mapping[str, int], ranks: Mapping[str, tuple[int, int]], docnos: Sequence[str], rel: int) -> Duel:
    first, second = np.array([ranks[docno] for docno in docnos], np.int64).reshape(-1, 2).T
    relevant = np.array([grades.get(docno, -1) >= rel for docno in docnos], bool)
    return Duel(first, second, relevant, sum(grade >= rel for grade in grades.values()))


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
