"""Adjudication: settling disagreements between assessors, blind, the most important first.

An adjudicator sees the labels of a pair without names, in an order drawn for each pair, and may give any grade, even
one that nobody gave, or say that it cannot be judged. Nothing is edited: each answer is an event of its own that cites
the labels seen. As in judging, all state comes from the log. With a random sample the adjudicator sees no labels at
all: it measures how often they are right, and they must not influence the answer.
"""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import uuid4

from cranfield.errors import InputError
from cranfield.judging.adjudication.effects import Effect
from cranfield.judging.adjudication.view import DisputeShown, SettledDispute
from cranfield.judging.labels.derive import Derived
from cranfield.judging.labels.pairs import ADJUDICATION, Pair, PairLabels, is_adjudication, pair_of
from cranfield.judging.session.active_time import IDLE, ActiveTime
from cranfield.judging.session.view import in_words, safe_document, safe_topic
from cranfield.judging.session.work import admit
from cranfield.store.events import Event
from cranfield.store.log import append, events, spelled
from cranfield.store.store import Store, sha256
from cranfield.text import visible_line


class Dispute(NamedTuple):
    """A pair to be settled, because its labels differ or it was drawn, and its effect on the system ranking."""

    pair: Pair
    votes: tuple[Event, ...]
    effect: Effect = Effect()

    @property
    def grades(self) -> list[int]:
        """The grades that were given, ascending."""
        return sorted({vote.grade for vote in self.votes if vote.grade is not None})


def disputes(found: Mapping[Pair, PairLabels]) -> list[Dispute]:
    """The pairs whose labels differ, adjudicated or not."""
    several = (Dispute(pair, tuple(ballot.votes)) for pair, ballot in found.items())
    return [dispute for dispute in several if len(dispute.grades) > 1]


def ranked(several: Sequence[Dispute]) -> list[Dispute]:
    """First those that can move the top, then by pairs of runs swapped, scores moved and distance of the grades."""

    def key(dispute: Dispute) -> tuple[bool, int, float, int]:
        effect = dispute.effect
        return not effect.moves_top, -effect.swaps, -effect.spread, dispute.grades[0] - dispute.grades[-1]

    return sorted(several, key=lambda dispute: (*key(dispute), dispute.pair))


class Adjudication:
    """One adjudicator settling disputes in the given order, except those they labelled themselves.

    >>> from cranfield.formats import Document, Topic
    >>> from cranfield.judging.labels.derive import derive
    >>> store = Store.memory("one dispute")
    >>> store.add_documents([Document("d", text="wings")]), store.add_topics([Topic("q", "lift")])
    (1, 1)
    >>> from cranfield.store.log import add_assessor
    >>> for grade, name in enumerate(["ada", "bob"]):
    ...     add_assessor(store, name)
    ...     numbers = append(store, Event("label", "q", "d", name, grade=grade))
    >>> adjudication = Adjudication(store, "eve", disputes(derive(store).by_pair))
    >>> adjudication.case.labels
    ('A: grade 0, not relevant', 'B: grade 1, relevant')
    >>> adjudication.grade(1)
    >>> adjudication.case is None, derive(store).labels
    (True, {('q', 'd'): 1})
    >>> store.close()
    """

    def __init__(
        self,
        store: Store,
        name: str,
        several: Sequence[Dispute],
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
        ids: Callable[[], str] = lambda: uuid4().hex,
        order_policy: str = "effect",
        blind: bool = False,
    ) -> None:
        self._store, self.name, self._seed, self._ids = store, name, seed, ids
        self._order_policy, self._blind = order_policy, blind
        self.grades = store.collection.grades
        admit(store, name, "adjudicator", "adjudicate")
        self.known = sum(self._own(dispute) for dispute in several)
        self._all = [dispute for dispute in several if not self._own(dispute)]
        self._place = {dispute.pair: number for number, dispute in enumerate(self._all, 1)}
        self._topics = {topic.qid: topic for topic in store.topics()}
        self._answers: dict[int, Event] = {}  # current answers of anyone, by id
        self._seen = 0  # the last event of the log taken in
        self._skipped: set[Pair] = set()
        self._first: Pair | None = None  # what undo restored
        self._again: Pair | None = None  # a settled pair that is shown again
        self._active = ActiveTime(clock, IDLE)
        self._show()

    def grade(self, grade: int, why: str = "") -> None:
        """Settle the pair on screen with a grade of the scale, and optionally a reason."""
        if grade not in self.grades:
            raise InputError(f"{grade} is not a grade here; the grades are {spelled(self.grades)}")
        if why.strip() and not any(map(str.isalpha, why)):
            raise InputError(f"{why.strip()!r} is not a reason: after a grade, type words that say why, or nothing")
        self._settle("adjudicate", grade=grade, note=why.strip())

    def cannot_judge(self, reason: str) -> None:
        """Settle it as impossible to judge: where adjudications count, it then has no label."""
        if not reason.strip():
            raise InputError("say why it cannot be judged: x and a reason")
        self._settle("cannot-judge", reason=reason.strip(), source=ADJUDICATION)

    def skip(self) -> None:
        """Go on without an answer; it comes up again next time. What is settled stays so."""
        pair = self._on_screen().pair
        if self._again is None:
            self._skipped.add(pair)
        self._again = None
        self._show()

    def again(self, number: int) -> None:
        """Show a settled case; an answer settles it again, if it was the adjudicator's own."""
        pair = next((pair for pair in self._settled() if self._place[pair] == number), None)
        if pair is None:
            raise InputError(f"{number} is not a settled case")
        self._again = pair
        self._show()

    def settled(self) -> list[SettledDispute]:
        """All settled cases in order, one line per answer."""
        self._catch_up()
        found = [(self._place[pair_of(event)], event) for event in self._standing()]
        return [
            SettledDispute(number, visible_line(event.qid), self._words(event))
            for number, event in sorted(found, key=lambda one: one[0])
        ]

    def undo(self) -> None:
        """Undo the adjudicator's last answer, of whatever session."""
        mine = [event for event in self._answers.values() if event.assessor == self.name]
        if not mine:
            raise InputError("there is nothing to undo")
        last = mine[-1]
        self._append("retract", pair_of(last), supersedes=last.id, document_sha256=last.document_sha256)
        self._first = self._again = pair_of(last)
        self._skipped.discard(self._first)
        self._show()

    def progress(self) -> tuple[int, int]:
        """How many pairs are settled, by anyone, and how many there are, including those the adjudicator labelled."""
        return len(self._settled()), len(self._all) + self.known

    def _settle(self, kind: str, **more: Any) -> None:
        dispute = self._on_screen()
        self._check_own(dispute.pair)
        seen = [{"label": letter, "event": vote.event_id, "grade": vote.grade}
                for letter, vote in _lettered(self._shuffled(dispute))]  # fmt: skip
        text = {"evidence": json.dumps({"labels_seen": seen}), "seconds": self._active.seconds()}
        self._append(kind, dispute.pair, document_sha256=self._sha256, **text, **more)
        self._first = self._again = None
        self._show()

    def _check_own(self, pair: Pair) -> None:
        """Refuse to settle again what somebody else settled."""
        names = [event.assessor for event in self._standing() if pair_of(event) == pair]
        if self._again and self.name not in names:
            raise InputError(f"{names[0]} settled this case and is the only one who can settle it again; s skips it")

    def _append(self, kind: str, pair: Pair, **more: Any) -> None:
        place, order = self._place[pair], self._order_policy
        event = Event(kind, *pair, self.name, position=place, order_policy=order, order_seed=self._seed)
        append(self._store, event._replace(event_id=self._ids(), **more))

    def _catch_up(self) -> None:
        """Take in new events of the log, from here or from another adjudicator."""
        for event in events(self._store, after=self._seen):
            self._seen = event.id or self._seen
            if event.kind == "retract":
                self._answers.pop(event.supersedes or 0, None)
            elif is_adjudication(event) and pair_of(event) in self._place:
                self._answers[self._seen] = event

    def _settled(self) -> set[Pair]:
        return {pair_of(event) for event in self._answers.values()}

    def _standing(self) -> list[Event]:
        """The last answer of each adjudicator to each pair."""
        return [*{(pair_of(event), event.assessor): event for event in self._answers.values()}.values()]

    def _words(self, event: Event) -> str:
        why = f": {event.note}" if event.note else ""
        return visible_line(f"{in_words(event, self.grades)}, by {event.assessor}{why}")

    def _on_screen(self) -> Dispute:
        if self._dispute is None:
            raise InputError("everything is done; there is nothing on screen")
        return self._dispute

    def _show(self) -> None:
        """The pair that is looked at again or that undo restored, else the first open one."""
        self._catch_up()
        settled = self._settled()
        self._again = self._again if self._again in settled else None
        queue = [it for it in self._all if it.pair not in settled and it.pair not in self._skipped]
        queue = [it for it in self._all if it.pair == self._again] or queue
        self._dispute = next((it for it in queue if it.pair == self._first), queue[0] if queue else None)
        self.case = self._case(self._dispute) if self._dispute else None
        self._active.start()

    def _case(self, dispute: Dispute) -> DisputeShown:
        qid, docno = dispute.pair
        document = self._store.document(docno)
        self._sha256 = sha256(document.text)
        labels = (f"{letter}: {in_words(vote, self.grades)}" for letter, vote in _lettered(self._shuffled(dispute)))
        place = self._place[dispute.pair]
        settled = tuple(self._words(event) for event in self._standing() if pair_of(event) == dispute.pair)
        topic = safe_topic(self._topics[qid])
        return DisputeShown(topic, safe_document(document), tuple(labels), place, len(self._all), settled)

    def _shuffled(self, dispute: Dispute) -> list[Event]:
        """The votes shown, in an order set by the seed and the pair, so that A is not always the same person."""
        if self._blind:
            return []
        key = hmac.digest(str(self._seed).encode(), "\0".join(dispute.pair).encode(), "sha256")
        return sorted(dispute.votes, key=lambda vote: hmac.digest(key, vote.assessor.encode(), "sha256"))

    def _own(self, dispute: Dispute) -> bool:
        return any(vote.assessor == self.name for vote in dispute.votes)


def _lettered(votes: Sequence[Event]) -> list[tuple[str, Event]]:
    """The votes with a letter each; after Z come numbers."""
    return [(chr(ord("A") + place) if place < 26 else str(place + 1), vote) for place, vote in enumerate(votes)]


def summary(several: Sequence[Dispute], top: int) -> str:
    """How many disagreements matter, in one sentence.

    >>> summary([Dispute(("q", "d"), (), Effect(True, 2, 0.1)), Dispute(("q", "e"), ())], 5)
    '1 of 2 disagreements can move the top 5, 1 the order of any two runs; each considered on its own.'
    """
    tops, any_ = sum(it.effect.moves_top for it in several), sum(it.effect.swaps > 0 for it in several)
    return (
        f"{tops} of {len(several)} disagreements can move the top {top}, {any_} the order of any two runs; each"
        " considered on its own."
    )


def share(done: int, of: int, derived: Derived) -> str:
    """How much is adjudicated, and what that means for the qrels, in a sentence or two.

    >>> from cranfield.judging.labels.derive import derive
    >>> with Store.memory("empty") as store:
    ...     print(share(1, 4, derive(store)))
    1 of 4 disagreements adjudicated (25.0 %). The others stay as policy primary decides them. Those adjudicated are
    not a random sample, so they say nothing about the rest; --sample draws one that does.
    """
    percent = 100 * done / of if of else 100.0
    text = f"{done} of {of} disagreements adjudicated ({percent:.1f} %)."
    if done == of:
        return text
    return (
        f"{text} The others stay as policy {derived.policy.name} decides them. Those adjudicated are not a random"
        " sample, so they say nothing about the rest; --sample draws one that does."
    )
