"""The shortest list of documents whose judgments would decide whether one run is better than another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from cranfield.arrays.join import judge
from cranfield.arrays.rankings import Qrels, Runs
from cranfield.metrics.diagnosis.difference import (
    ComparedTopic,
    TopicDifference,
    adds_up,
    decidable_measure,
    number_of,
    topic_differences,
)
from cranfield.metrics.diagnosis.probability import GradePrior, Probabilities, grade_prior, probabilities
from cranfield.metrics.notation.parse import MeasureLike, parse

ROUNDING = 1e-12  # smaller differences count as none


class DecisiveDocument(NamedTuple):
    """A document to judge, and the label that favours the run the list is for."""

    qid: str
    docno: str
    relevant: bool  # of the best grade, or not relevant at all
    ranks: tuple[int, int]  # in the new run and in the other, 0 where not retrieved


@dataclass(frozen=True)
class RunComparison:
    """Is a run better than another, and what would have to be judged to decide?"""

    run: str
    against: str
    measure: str
    depth: int
    difference: float  # of the mean scores, as judged
    least: float
    most: float
    unjudged: int  # documents whose labels may matter; with all of them judged the comparison is decided
    better: tuple[DecisiveDocument, ...] | None  # None: no such labels were found
    worse: tuple[DecisiveDocument, ...] | None
    shortest: bool  # whether there are no shorter lists
    chance: Probabilities

    @property
    def outcome(self) -> Literal["better", "worse", "equal", "open"]:
        """What is already certain."""
        if self.least > ROUNDING or self.most < -ROUNDING:
            return "better" if self.least > ROUNDING else "worse"
        return "equal" if max(-self.least, self.most) <= ROUNDING else "open"

    @property
    def to_judge(self) -> tuple[DecisiveDocument, ...]:
        """The shorter of the lists, the most decisive document first; empty where all is decided."""
        if self.outcome != "open":
            return ()
        return min((side for side in (self.better, self.worse) if side is not None), key=len, default=())


def compare_runs(
    new: Runs, other: Runs, qrels: Qrels, measure: MeasureLike, given: GradePrior | None = None
) -> RunComparison:
    """Compare one run with another under all labels of what they have unjudged down to the measure's cutoff.

    The difference of the two means is bounded over all labels of the runs' unjudged documents down to the measure's
    cutoff. If the least difference is above 0, or the greatest below, judging cannot change which run is ahead.
    Otherwise documents are taken in the order of how much their label could change, over all topics, each labelled in
    favour of one run, until the worst case of the others cannot reverse the sign; once for each run.

    That is the fewest judgments that may suffice, if every label favours that run; each that does not requires more, so
    judge the list and diagnose again. For measures that add up documents no list is shorter. For AP and R the list is
    greedy, by MTC's weights: a shorter one may exist, and the bounds of AP are not always reached, so it may have a few
    documents too many, never too few. Being ahead is not being significantly better: that is `cranfield compare`.

    Source: Carterette, Allan and Sitaraman, Minimal test collections for retrieval evaluation, SIGIR 2006.

    `given` has the probabilities of those labels, by default those of all judged documents.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = as_runs({"new": {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}, "old": {"q": {"a": 3.0, "b": 2.0}}})
    >>> found = compare_runs(runs.select(["new"]), runs.select(["old"]), as_qrels({"q": {"a": 1, "b": 0}}), "AP@3")
    >>> found.difference, found.least, found.most, found.outcome  # x relevant: (1 + 1) / 2 against (1 + 0) / 2
    (-0.5, -0.5, 0.5, 'open')
    >>> [(document.docno, document.relevant) for document in found.to_judge]
    [('x', True)]
    >>> round(found.chance.better, 1)
    0.5
    """
    asked = decidable_measure([parse(measure)], None)
    topics = topic_differences(new, other, qrels, asked)
    differences = [topic.known for topic in topics]
    better, worse = (
        _greedy(topics, [each if first else each.turned() for each in differences]) for first in (True, False)
    )
    return RunComparison(
        new.tags[0], other.tags[0], str(asked), number_of(asked, "cutoff"),
        float(np.mean([each.difference for each in differences])),
        float(np.mean([each.least() for each in differences])),
        float(np.mean([each.most() for each in differences])),
        sum(int(each.open.sum()) for each in differences),
        better, worse, adds_up(asked),
        probabilities(differences, asked, given or grade_prior(judge(new, qrels))),
    )  # fmt: skip


def _greedy(topics: Sequence[ComparedTopic], differences: list[TopicDifference]) -> tuple[DecisiveDocument, ...] | None:
    """The documents that decide for the first run if all labels favour it; None where even all of them do not."""
    least = np.array([each.least() for each in differences])
    tops = [_top(each) for each in differences]
    listed: list[DecisiveDocument] = []
    while least.mean() <= ROUNDING:
        number = max(range(len(differences)), key=lambda i: tops[i][0])
        weight, document = tops[number]
        if weight == -np.inf:
            return None
        differences[number], relevant = differences[number].labelled_for_first(document)
        least[number], tops[number] = differences[number].least(), _top(differences[number])
        topic, docno = topics[number], topics[number].docnos[document]
        listed.append(DecisiveDocument(topic.qid, docno, relevant, topic.ranks[docno]))
    return tuple(listed)


def _top(known: TopicDifference) -> tuple[float, int]:
    weights = known.weights()
    return (float(weights.max()), int(weights.argmax())) if len(weights) else (-np.inf, -1)
