"""The shortest list of documents to judge that would decide whether one run is better than another.

Bounded is the difference of the two means over all labels of what the runs have unjudged down to the measure's cutoff.
If the least difference is above 0, or the greatest below, judging cannot change who is ahead. Otherwise documents are
taken by how much their label could do, over all topics, each labelled as suits one side, until the worst case of the
others cannot turn the sign; once for either side.

That is how few judgments may do, if every label speaks for that side; each that speaks against it asks for more, so
judge the list and ask again. Of measures that add up documents no list is shorter. Of AP and R the list is greedy, by
MTC's weights: a shorter one may exist, and the bounds of AP are not always reached, so that it may ask for a few
documents too many, never for too few. Ahead is not significantly better: that is `cranfield compare`.

Source: Carterette, Allan and Sitaraman, Minimal test collections for retrieval evaluation, SIGIR 2006.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from cranfield.arrays.join import judge
from cranfield.arrays.rankings import Qrels, Runs
from cranfield.metrics.diagnosis.chance import Chance, Prior, chance, prior
from cranfield.metrics.diagnosis.contests import Contest, Topic, adds_up, contests, number_of, to_decide
from cranfield.metrics.notation import MeasureLike, parse

ROUNDING = 1e-12  # what counts as no difference


class Listed(NamedTuple):
    """A document to judge, and the label that would speak for the side the list is for."""

    qid: str
    docno: str
    relevant: bool  # of the best grade there is, or not at all
    ranks: tuple[int, int]  # in the new run and in the other, 0 where it is not there


@dataclass(frozen=True)
class Decision:
    """Is a run better than another, and what would have to be judged to know?"""

    run: str
    against: str
    measure: str
    depth: int
    difference: float  # of the mean scores, as judged
    least: float
    most: float
    unjudged: int  # documents whose labels may matter; with all of them judged it is decided
    better: tuple[Listed, ...] | None  # None: no labels were found that make it so
    worse: tuple[Listed, ...] | None
    shortest: bool  # whether there are no shorter lists
    chance: Chance

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


def decide(new: Runs, other: Runs, qrels: Qrels, measure: MeasureLike, given: Prior | None = None) -> Decision:
    """Compare one run with another under all labels of what they have unjudged down to the measure's cutoff.

    `given` has the chances of those labels; where it is missing, those of all judged documents.

    >>> from cranfield.metrics.inputs import as_qrels, as_runs
    >>> runs = as_runs({"new": {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}, "old": {"q": {"a": 3.0, "b": 2.0}}})
    >>> found = decide(runs.select(["new"]), runs.select(["old"]), as_qrels({"q": {"a": 1, "b": 0}}), "AP@3")
    >>> found.difference, found.least, found.most, found.outcome  # x relevant: (1 + 1) / 2 against (1 + 0) / 2
    (-0.5, -0.5, 0.5, 'open')
    >>> [(document.docno, document.relevant) for document in found.to_judge]
    [('x', True)]
    >>> round(found.chance.better, 1)
    0.5
    """
    asked = to_decide([parse(measure)], None)
    topics = contests(new, other, qrels, asked)
    duels = [topic.contest for topic in topics]
    better, worse = (_greedy(topics, [duel if first else duel.turned() for duel in duels]) for first in (True, False))
    return Decision(
        new.tags[0], other.tags[0], str(asked), number_of(asked, "cutoff"),
        float(np.mean([duel.difference for duel in duels])),
        float(np.mean([duel.least() for duel in duels])),
        float(np.mean([duel.most() for duel in duels])),
        sum(int(duel.open.sum()) for duel in duels),
        better, worse, adds_up(asked),
        chance(duels, asked, given or prior(judge(new, qrels))),
    )  # fmt: skip


def _greedy(topics: Sequence[Topic], duels: list[Contest]) -> tuple[Listed, ...] | None:
    """The documents that decide for the first run if all labels speak for it; None where even all of them do not."""
    least = np.array([duel.least() for duel in duels])
    tops = [_top(duel) for duel in duels]
    listed: list[Listed] = []
    while least.mean() <= ROUNDING:
        number = max(range(len(duels)), key=lambda i: tops[i][0])
        weight, document = tops[number]
        if weight == -np.inf:
            return None
        duels[number], relevant = duels[number].told_for_first(document)
        least[number], tops[number] = duels[number].least(), _top(duels[number])
        topic, docno = topics[number], topics[number].docnos[document]
        listed.append(Listed(topic.qid, docno, relevant, topic.ranks[docno]))
    return tuple(listed)


def _top(duel: Contest) -> tuple[float, int]:
    weights = duel.weights()
    return (float(weights.max()), int(weights.argmax())) if len(weights) else (-np.inf, -1)
