"""Which of two runs is better: the judgments that would decide, and how probable it is without them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from cranfield.arrays.join import judge
from cranfield.arrays.judged import Judged, ratio
from cranfield.arrays.rankings import Floats, Ints, Qrels, Runs, is_judged
from cranfield.metrics.diagnosis.difference import (
    ComparedTopic,
    TopicDifference,
    adds_up,
    decidable_measure,
    number_of,
    topic_differences,
)
from cranfield.metrics.diagnosis.unjudged import possible_grades, worths
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import MeasureLike, parse

DRAWS = 10_000  # so that a probability is right to .01
SEED = 0
EQUAL = 1e-12


@dataclass(frozen=True, eq=False)
class GradePrior:
    """Units x topics x grades: the probability of each grade of an unjudged document; topics in qrels order."""

    chances: Floats
    of: Literal["unique", "judged"]  # the documents that it was estimated from
    grades: Ints  # ascending from 0


@dataclass(frozen=True)
class Probabilities:
    """The probabilities that a run is ahead, behind or level, and the expected difference."""

    of: Literal["unique", "judged"]
    rate: float  # the share of unjudged documents taken to be relevant; NaN where there are none
    draws: int
    better: float
    worse: float
    equal: float
    expected: float


def grade_prior(judged: Judged, unit: Ints | None = None) -> GradePrior:
    """The probabilities; `unit` has for each judgment the unit that alone contributed it, -1 if there is none.

    >>> from cranfield.metrics.examples import example
    >>> grade_prior(example([1, 0, 0])).chances
    array([[[0.66666667, 0.33333333]]])
    >>> grade_prior(example([1, 1, 0]), np.array([-1, 0, 1])).chances.round(2).tolist()
    [[[0.25, 0.75]], [[0.75, 0.25]]]
    """
    labelled = is_judged(judged.qrels_grade)
    alone = labelled if unit is None else labelled & (unit >= 0)
    if unit is None or not alone.any():
        alone, unit = labelled, np.full(len(labelled), -1)
    grades, units, topics = possible_grades(judged), unit[alone], judged.qrels_topic[alone]
    grade, size = np.searchsorted(grades, np.maximum(judged.qrels_grade[alone], 0)), len(grades)
    of_unit = _shares(np.unique(units, return_inverse=True)[1], grade, (len(np.unique(units)), size))
    of_topic, of_all = _shares(topics, grade, (len(judged.qids), size)), _shares(0 * topics, grade, (1, size))
    chances = ratio(of_unit[:, None] * of_topic, of_all)
    share = chances / chances.sum(axis=2, keepdims=True)
    return GradePrior(share, "unique" if (units >= 0).all() else "judged", grades)


def _shares(group: Ints, grade: Ints, shape: tuple[int, int]) -> Floats:
    """Groups x grades: the share of each grade, smoothed with one average document in each group."""
    counts = np.zeros(shape)
    np.add.at(counts, (group, grade), 1.0)
    overall = ratio(counts.sum(axis=0), counts.sum(), undefined=1 / shape[1])
    return np.asarray((counts + overall) / (counts.sum(axis=1, keepdims=True) + 1))


def probabilities(differences: Sequence[TopicDifference], measure: Measure, prior: GradePrior) -> Probabilities:
    """The probability that the first run's mean is ahead, over drawn labels of the open documents.

    Labels are drawn for the unjudged documents. What a new run alone finds is like what a pooled unit alone
    contributed, and those documents are judged: how often they are relevant differs by topic and, widely, by unit. So
    each draw first takes a unit, and then gives each document a grade by the probabilities of its topic, scaled by how
    much better or worse that unit's unique documents are (each share smoothed with one average document). The share of
    draws in which the run is ahead is the probability that it is ahead once all is judged. Without units the
    probabilities are those of the topic's judged documents, which are too high, since many runs found most of them. It
    misleads where the run is of another kind than the pooled ones, and below the pool's depth, where fewer are
    relevant. It says nothing about other topics: that is `cranfield compare`.

    TREC-COVID, round 1, each team left out, against eight others, where judging could still decide: by P@5 (249 pairs)
    the mean square error of the probability is .08, of who is ahead as judged .19, and .10 if all units are taken to be
    alike. Of the 16 with a probability of .9 or more 94 % were ahead; of the 27 such, if all units are alike, 78 %.

    Source: the probability under labels: Carterette, Allan and Sitaraman, Minimal test collections for retrieval
    evaluation, SIGIR 2006, where all probabilities are 1/2 and the approximation is normal; units, and drawing, are
    this project's.

    >>> from cranfield.metrics.diagnosis.difference import SumDifference
    >>> from cranfield.metrics.notation import parse
    >>> difference = SumDifference(0.0, np.array([0.1]), np.array([True]))
    >>> chance = probabilities([difference], parse("P@10"), GradePrior(np.array([[[0.7, 0.3]]]), "judged", np.r_[:2]))
    >>> round(chance.better, 1), chance.worse, round(chance.equal, 1), round(chance.expected, 2)
    (0.3, 0.0, 0.7, 0.03)
    """
    worth = worths(measure, prior.grades)
    opens = np.array([difference.open.sum() for difference in differences])
    draw, total = np.random.default_rng(SEED), np.zeros(DRAWS)
    for topic, difference in enumerate(differences):
        grades = _draw_grades(prior.chances[:, topic], int(opens[topic]), draw)
        total += difference.under(ratio(worth, worth.max())[grades])
    mean = total / len(differences)
    better, worse = (float(np.mean(sign * mean > EQUAL)) for sign in (1, -1))
    share = prior.chances.mean(axis=0) @ (worth > 0)
    rate = float(share @ opens / opens.sum()) if opens.any() else np.nan
    return Probabilities(
        prior.of, rate, DRAWS, better=better, worse=worse, equal=1 - better - worse, expected=float(mean.mean())
    )


def _draw_grades(chances: Floats, documents: int, draw: np.random.Generator) -> Ints:
    """Draws x documents: grades by probabilities (units x grades); the units take turns."""
    limits = np.cumsum(chances, axis=1)[np.arange(DRAWS) % len(chances), :-1]
    return np.asarray(np.sum(draw.random((DRAWS, documents, 1)) > limits[:, None], axis=2))


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
    new: Runs, other: Runs, qrels: Qrels, measure: MeasureLike, prior: GradePrior | None = None
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

    `prior` has the probabilities of those labels, by default those of all judged documents.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = as_runs({"new": {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}, "old": {"q": {"a": 3.0, "b": 2.0}}})
    >>> comparison = compare_runs(runs.select(["new"]), runs.select(["old"]), as_qrels({"q": {"a": 1, "b": 0}}), "AP@3")
    >>> comparison.difference, comparison.least, comparison.most  # x relevant: (1 + 1) / 2 against (1 + 0) / 2
    (-0.5, -0.5, 0.5)
    >>> comparison.outcome
    'open'
    >>> [(document.docno, document.relevant) for document in comparison.to_judge]
    [('x', True)]
    >>> round(comparison.chance.better, 1)
    0.5
    """
    decided_by = decidable_measure([parse(measure)], None)
    topics = topic_differences(new, other, qrels, decided_by)
    differences = [topic.state for topic in topics]
    better, worse = (
        _greedy(topics, [each if first else each.exchange() for each in differences]) for first in (True, False)
    )
    return RunComparison(
        new.tags[0], other.tags[0], str(decided_by), depth=number_of(decided_by, "cutoff"),
        difference=float(np.mean([each.difference for each in differences])),
        least=float(np.mean([each.least() for each in differences])),
        most=float(np.mean([each.most() for each in differences])),
        unjudged=sum(int(each.open.sum()) for each in differences),
        better=better, worse=worse, shortest=adds_up(decided_by),
        chance=probabilities(differences, decided_by, prior or grade_prior(judge(new, qrels))),
    )  # fmt: skip


def _greedy(topics: Sequence[ComparedTopic], differences: list[TopicDifference]) -> tuple[DecisiveDocument, ...] | None:
    """The documents that decide for the first run if all labels favour it; None where even all of them do not."""
    least = np.array([each.least() for each in differences])
    tops = [_top(each) for each in differences]
    documents: list[DecisiveDocument] = []
    while least.mean() <= ROUNDING:
        number = max(range(len(differences)), key=lambda i: tops[i][0])
        weight, document = tops[number]
        if weight == -np.inf:
            return None
        differences[number], relevant = differences[number].labelled_for_first(document)
        least[number], tops[number] = differences[number].least(), _top(differences[number])
        topic, docno = topics[number], topics[number].docnos[document]
        documents.append(DecisiveDocument(topic.qid, docno, relevant, topic.ranks[docno]))
    return tuple(documents)


def _top(difference: TopicDifference) -> tuple[float, int]:
    weights = difference.weights()
    return (float(weights.max()), int(weights.argmax())) if len(weights) else (-np.inf, -1)
