"""The cases of an adjudication: disagreements in the order in which settling them matters, blind, and their answers.

What matters is the effect that settling each one differently would have on the system ranking.
Every grade that somebody gave a pair, and that the qrels do not have, is tried in its place, while all other labels
stay as they are. For that the scores are exact. The approximation is in trying one at a time: disagreements that move
nothing individually may do so together. So it shows where to begin, not where to stop.
"""

import hmac
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.judging.labels.pairs import Evidence, Pair, PairLabels, evidence_of, is_adjudication, pair_of
from cranfield.judging.labels.policies import Decisions
from cranfield.judging.session.view import LabelShown, decision_words
from cranfield.judging.session.worklist import Counts
from cranfield.metrics.correlation.coefficients import pair_order_signs
from cranfield.metrics.evaluate import AGGREGATES
from cranfield.metrics.measure import Measure
from cranfield.store.chain import Event
from cranfield.text import counted, visible_line, visible_text

ROWS = 2_000_000  # judged positions scored at once
DIGITS = 10  # decimals; scores that differ less are tied


class Effect(NamedTuple):
    """The effect of the worst settlement of a disagreement: the greater, the earlier it should be settled."""

    moves_top: bool = False  # whether the runs at the top, or their order, change
    swaps: int = 0  # pairs of runs that swap places
    spread: float = 0.0  # largest difference between the score changes of two runs


class Regrading(NamedTuple):
    """A judgment of a topic (a row of the `qrels_...` columns of Judged) that becomes another grade."""

    judgment: int
    grade: int


def effects(
    judged: Judged,
    disputes: Mapping[Pair, Sequence[int]],
    pairs: Sequence[Pair],
    measure: Measure,
    *,
    top: int = 5,
    progress: Callable[[int], object] | None = None,
) -> dict[Pair, Effect]:
    """The effect of each disputed pair, given the other grades it might have; `pairs` are those of the judgments.

    A pair without a judgment has no effect, as it cannot be regraded. The highest grade, to which ERR is relative, is
    that of all judgments and disputes, and stays fixed.
    """
    highest = max((grade for grades in disputes.values() for grade in grades), default=0)
    judged = replace(judged, highest_grade=max(judged.highest_grade, highest))
    row = {pair: number for number, pair in enumerate(pairs)}
    base = measure.scores(judged).reshape(judged.shape)
    worst: dict[Pair, Effect] = dict.fromkeys(disputes, Effect())
    for topic in np.unique(judged.qrels_topic).tolist():
        topic_rows = np.flatnonzero(judged.qrels_topic == topic)
        first, qid = int(topic_rows[0]), judged.qids[topic]
        regradings = [(pair, Regrading(row[pair] - first, grade)) for pair, grades in disputes.items() if pair[0] == qid
                 for grade in grades if pair in row]  # fmt: skip
        scores = flipped_scores(judged.select_topics(np.array([topic])), [flip for _, flip in regradings], measure)
        for (pair, _), column in zip(regradings, scores.T, strict=True):
            effect = _effect(base, topic, column, measure=measure, tags=judged.tags, top=top)
            worst[pair] = max(worst[pair], effect)
        if progress:
            progress(1)
    return worst


def flipped_scores(judged: Judged, flips: Sequence[Regrading], measure: Measure) -> Floats:
    """The scores (runs, regradings) on one topic, each regrading on its own.

    >>> from cranfield.metrics.examples import example
    >>> from cranfield.metrics.notation import parse
    >>> flipped_scores(example([0, 1]), [Regrading(0, 1), Regrading(1, 0)], parse("AP"))
    array([[1., 0.]])
    """
    if not measure.sees_nonrelevant:
        # judgments that no regrading changes and that count like unjudged ones go: much less to score
        keep: Mask = judged.qrels_grade > 0
        keep[[flip.judgment for flip in flips]] = True
        place = np.cumsum(keep) - 1
        judged = judged.select_judgments(keep)
        flips = [Regrading(int(place[flip.judgment]), flip.grade) for flip in flips]
    size = max(1, ROWS // max(len(judged.rank), 1))
    parts = [flips[start : start + size] for start in range(0, len(flips), size)]
    scores = [
        measure.scores(_copy_topic_with_flips(judged, part)).reshape(len(judged.tags), len(part)) for part in parts
    ]
    return np.hstack([np.empty((len(judged.tags), 0)), *scores])


def _copy_topic_with_flips(judged: Judged, flips: Sequence[Regrading]) -> Judged:
    """One topic as many: each with one judgment regraded."""
    many, judgments = len(flips), len(judged.qrels_grade)
    variant = np.arange(many)
    grades = np.tile(judged.qrels_grade, many)
    grades[variant * judgments + [flip.judgment for flip in flips]] = [flip.grade for flip in flips]
    ranking = (judged.ranking[:, None] * many + variant).ravel()
    order = np.argsort(ranking, kind="stable")

    def spread(values: Ints) -> Ints:
        return np.asarray(np.repeat(values, many)[order])

    judgment = (judged.judgment[:, None] + variant * judgments).ravel()[order]
    return replace(
        judged, qids=tuple(map(str, variant)), ranking=ranking[order], rank=spread(judged.rank),
        judgment=judgment, grade=grades[judgment], retrieved=np.repeat(judged.retrieved, many),
        qrels_topic=np.repeat(variant, judgments), qrels_grade=grades, qrels_row=np.tile(judged.qrels_row, many),
        qrels_stratum=None, subtopics=None,
    )  # fmt: skip


def _effect(
    base: Floats, topic: int, scores: Floats, *, measure: Measure, tags: Sequence[str], top: int
) -> Effect:  # fmt: skip
    changed_scores = base.copy()
    changed_scores[:, topic] = scores
    before, after = (np.round(AGGREGATES[measure.aggregate](it), DIGITS) for it in (base, changed_scores))
    swaps = int(np.sum(pair_order_signs(before) * pair_order_signs(after) < 0)) // 2
    moves_top = best_runs(before, tags, top) != best_runs(after, tags, top)
    return Effect(moves_top, swaps, float(np.nan_to_num(np.ptp(after - before))))


def best_runs(scores: Floats, tags: Sequence[str], top: int) -> list[str]:
    """The best runs, best first; tied runs by name, undefined ones last.

    >>> best_runs(np.array([0.1, np.nan, 0.3, 0.1]), ["b", "x", "c", "a"], 3)
    ['c', 'a', 'b']
    """
    values = np.nan_to_num(-scores, nan=np.inf).tolist()
    return [tag for _, tag in sorted(zip(values, tags, strict=True))[:top]]


class Dispute(NamedTuple):
    """A pair to be settled, because its labels differ or it was drawn, and its effect on the system ranking."""

    pair: Pair
    votes: tuple[Event, ...]
    effect: Effect = Effect()

    @property
    def grades(self) -> list[int]:
        """The grades that were given, ascending."""
        return sorted({vote.grade for vote in self.votes if vote.grade is not None})


def disputes(by_pair: Mapping[Pair, PairLabels]) -> list[Dispute]:
    """The pairs whose labels differ, adjudicated or not."""
    several = (Dispute(pair, tuple(ballot.votes)) for pair, ballot in by_pair.items())
    return [dispute for dispute in several if len(dispute.grades) > 1]


def rank_disputes(several: Sequence[Dispute]) -> list[Dispute]:
    """First those that can move the top, then by pairs of runs swapped, scores moved and distance of the grades."""

    def key(dispute: Dispute) -> tuple[bool, int, float, int]:
        effect = dispute.effect
        return not effect.moves_top, -effect.swaps, -effect.spread, dispute.grades[0] - dispute.grades[-1]

    return sorted(several, key=lambda dispute: (*key(dispute), dispute.pair))


def summary(several: Sequence[Dispute], top: int) -> str:
    """How many disagreements matter, in one sentence.

    >>> summary([Dispute(("q", "d"), (), Effect(True, 2, 0.1)), Dispute(("q", "e"), ())], 5)
    '1 of 2 disagreements can change the top 5, and 1 can change the order of two runs, if each is settled on its own.'
    """
    tops, any_ = sum(it.effect.moves_top for it in several), sum(it.effect.swaps > 0 for it in several)
    return (
        f"{tops} of {counted(len(several), 'disagreement')} can change the top {top}, and {any_} can change the "
        "order of two runs, if each is settled on its own."
    )


def adjudicated_share_sentence(number: int, of: int, outcome: Decisions) -> str:
    """How much is adjudicated, and what that means for the qrels, in a sentence or two.

    >>> from cranfield.judging.labels.policies import apply_policy
    >>> from cranfield.store.store import Store
    >>> with Store.memory("empty") as store:
    ...     print(adjudicated_share_sentence(1, 4, apply_policy(store)))
    1 of 4 disagreements are adjudicated (25.0%). Policy primary decides the others. The adjudicated disagreements are
    not a random sample, so they do not represent the others; for a random sample, use --sample.
    """
    percent = 100 * number / of if of else 100.0
    text = f"{number} of {counted(of, 'disagreement')} are adjudicated ({percent:.1f}%)."
    if number == of:
        return text
    return (
        f"{text} Policy {outcome.policy.name} decides the others. The adjudicated disagreements are not a random"
        " sample, so they do not represent the others; for a random sample, use --sample."
    )


class LetteredLabel(NamedTuple):
    """A label and the letter that stands for its assessor."""

    letter: str
    vote: Event

    def marks(self, text: str) -> tuple[Evidence, ...]:
        """The passages of a text that the assessor marked; an import keeps something else there."""
        marks = evidence_of(self.vote) if self.vote.kind == "label" else ()
        return tuple(mark for mark in marks if text[mark.start : mark.end] == mark.quote)

    def display(self, grades: Mapping[int, str]) -> LabelShown:
        """The label as it is shown."""
        marks = evidence_of(self.vote) if self.vote.kind == "label" else ()
        quotes = tuple(visible_line(mark.quote) for mark in marks)
        return LabelShown(self.letter, decision_words(self.vote, grades), visible_text(self.vote.note).strip(), quotes)


def lettered_labels(dispute: Dispute, seed: int) -> list[LetteredLabel]:
    """The labels in an order set by the seed and the pair, so that A is not always the same person.

    >>> votes = tuple(Event("label", "q", "d", name, grade=grade) for grade, name in enumerate(["ada", "bob"]))
    >>> [(letter, vote.grade) for letter, vote in lettered_labels(Dispute(("q", "d"), votes), 0)]
    [('A', 0), ('B', 1)]
    """
    key = hmac.digest(str(seed).encode(), "\0".join(dispute.pair).encode(), "sha256")
    votes = sorted(dispute.votes, key=lambda vote: hmac.digest(key, vote.assessor.encode(), "sha256"))
    letters = (chr(ord("A") + place) if place < 26 else str(place + 1) for place in count())  # after Z, numbers
    return list(map(LetteredLabel, letters, votes))


class Cases:
    """The disputes that an adjudicator may settle: all but those they labelled themselves.

    >>> votes = tuple(Event("label", "q", "d", name, grade=grade) for grade, name in enumerate(["ada", "bob"]))
    >>> cases = Cases([Dispute(("q", "d"), votes)], "eve")
    >>> answer = Event("adjudicate", "q", "d", "fay", grade=1, id=7)
    >>> cases.add(answer), cases.settled_pairs, cases.is_settled_by_others(("q", "d"))
    (True, {('q', 'd')}, True)
    >>> cases.add(Event("retract", "q", "d", "fay", supersedes=7)), cases.settled_pairs
    (True, set())
    """

    def __init__(self, several: Sequence[Dispute], adjudicator: str) -> None:
        self._adjudicator = adjudicator
        self.disputes = {it.pair: it for it in several if adjudicator not in {vote.assessor for vote in it.votes}}
        self.left_out = len(several) - len(self.disputes)
        self._places = {pair: number for number, pair in enumerate(self.disputes, 1)}
        self._answers: dict[int, Event] = {}  # current answers by their number in the log

    def __len__(self) -> int:
        return len(self.disputes)

    def place(self, pair: Pair) -> int:
        """The number of a case, from 1."""
        return self._places[pair]

    def add(self, event: Event) -> bool:
        """Take in an event; whether it is an answer to a case, or undoes one."""
        if event.kind == "retract":
            return self._answers.pop(event.supersedes or 0, None) is not None
        if not is_adjudication(event) or pair_of(event) not in self.disputes:
            return False
        self._answers[event.id or 0] = event
        return True

    @property
    def settled_pairs(self) -> set[Pair]:
        """The cases that somebody settled."""
        return {pair_of(event) for event in self._answers.values()}

    def answers(self, pair: Pair) -> list[Event]:
        """The last answer of each adjudicator to a case."""
        return [*{event.assessor: event for event in self._answers.values() if pair_of(event) == pair}.values()]

    def is_settled_by_others(self, pair: Pair) -> bool:
        """Whether a case is settled, but not by this adjudicator."""
        names = {event.assessor for event in self.answers(pair)}
        return bool(names) and self._adjudicator not in names

    def next(self, focus: Pair | None, put_off: Collection[Pair]) -> Pair | None:
        """The case to settle now: the one undone last, then the open ones in their order, then the skipped ones."""
        past = self.settled_pairs
        if focus in self.disputes and focus not in past and focus not in put_off:
            return focus
        waiting = (pair for pair in self.disputes if pair not in past and pair not in put_off)
        return next(waiting, next((pair for pair in put_off if pair in self.disputes and pair not in past), None))

    def counts(self, put_off: Collection[Pair]) -> Counts:
        """How many cases are in each state."""
        past = self.settled_pairs
        grades = {pair_of(event) for event in self._answers.values() if event.grade is not None}
        later = len([pair for pair in put_off if pair in self.disputes and pair not in past])
        return Counts(len(grades), later, len(past - grades), len(self) - len(past) - later)
