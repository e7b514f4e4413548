"""Adjudication: settling disagreements between assessors, blind, the most important first.

An adjudicator sees the labels of a case without names, in an order drawn for each, with the notes and the evidence, and
may give any grade, even one that nobody gave, or say that it cannot be judged. Nothing is edited: each answer is an
event of its own that cites the labels seen. As in judging, all state comes from the log. With a random sample the
adjudicator sees no labels at all: it measures how often they are right, and they must not influence the answer.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any
from uuid import uuid4

from cranfield.errors import InputError
from cranfield.judging.adjudication.cases import Cases, Dispute, LetteredLabel, lettered_labels
from cranfield.judging.labels.pairs import ADJUDICATION, Evidence, Pair, is_adjudicator_event, pair_of
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.command import CommandTarget, session_command
from cranfield.judging.session.pace import Pace
from cranfield.judging.session.recording import Recording
from cranfield.judging.session.view import (
    EarlierDecision,
    RecentDecision,
    SessionView,
    decision_words,
    safe_document,
    safe_grades,
    safe_topic,
)
from cranfield.judging.session.work import PassedOnError, register_assessor
from cranfield.judging.session.worklist import Position
from cranfield.store.chain import Event
from cranfield.store.corpus import count_text_bytes
from cranfield.store.log import adjudication_events
from cranfield.store.store import Store
from cranfield.text import counted, visible_line, visible_text


class Adjudication(Recording):
    """One adjudicator settling disputes in the given order, except those they labelled themselves.

    A case that another adjudicator has settled is left to them: an answer to it is refused, and nothing is recorded.

    >>> from cranfield.formats import Document, Topic
    >>> from cranfield.judging.adjudication.cases import disputes
    >>> from cranfield.judging.labels.policies import apply_policy
    >>> from cranfield.store.log import add_assessor, append
    >>> store = Store.memory("one dispute")
    >>> store.add_documents([Document("d", text="wings")]), store.add_topics([Topic("q", "lift")])
    (1, 1)
    >>> for grade, name in enumerate(["ada", "bob"]):
    ...     add_assessor(store, name)
    ...     numbers = append(store, Event("label", "q", "d", name, grade=grade))
    >>> adjudication = Adjudication(store, "eve", disputes(apply_policy(store).by_pair))
    >>> [label.words for label in adjudication.view.labels]
    ['grade 0, not relevant', 'grade 1, relevant']
    >>> adjudication.grade(adjudication.command_target(), 1).done, apply_policy(store).labels
    (True, {('q', 'd'): 1})
    >>> store.close()
    """

    def __init__(
        self,
        store: Store,
        name: str,
        several: Sequence[Dispute],
        *,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
        ids: Callable[[], str] = lambda: uuid4().hex,
        order_policy: str = "effect",
        hides_labels: bool = False,
    ) -> None:
        super().__init__(store, name, clock, ids)
        register_assessor(store, name, "adjudicator", "adjudicate")
        self._seed, self._order_policy, self._hides_labels = seed, order_policy, hides_labels
        self._topics = {topic.qid: topic for topic in store.topics()}
        self._skipped: dict[Pair, None] = {}  # the last one last
        self._stays: Pair | None = None  # the case that stays on screen until it is settled or put off
        self._pace = Pace(partial(count_text_bytes, store), lambda: [d for _, d in self._cases.disputes])
        self.take(several)

    # Commands

    @session_command
    def grade(self, about: CommandTarget, grade: int, fast: bool = False, why: str = "") -> SessionView:
        """Settle the case on screen with a grade of the scale; `why` replaces the note."""
        self._check(grade)
        return self._settle(about, "adjudicate", why, grade=grade, fast=fast)

    @session_command
    def cannot_judge(self, about: CommandTarget, reason: str) -> SessionView:
        """Settle it as impossible to judge: where adjudications count, it then has no label."""
        if not reason.strip():
            raise InputError("no reason; type x and the reason why it cannot be judged")
        return self._settle(about, "cannot-judge", reason=reason.strip())

    @session_command
    def later(self, about: CommandTarget) -> SessionView:
        """Go on without an answer; the case comes back after the others. A settled one stays as it is."""
        pair = self._screen.current_pair
        if self._again is None:
            self._skipped.pop(pair, None)
            self._skipped[pair] = None
        self._again = self._stays = None
        return self._show()

    # What front ends ask

    @property
    def marks(self) -> tuple[Evidence, ...]:
        """The passages that the assessors marked in the document on screen."""
        return tuple(mark for marks in self.marks_by_letter().values() for mark in marks)

    def marks_by_letter(self) -> dict[str, tuple[Evidence, ...]]:
        """The passages that each assessor marked, by letter."""
        return {label.letter: label.marks(self.text) for label in self._labels()}

    @property
    def left_out(self) -> int:
        """How many cases are left out because the adjudicator labelled them."""
        return self._cases.left_out

    def progress(self) -> tuple[int, int]:
        """How many cases are settled, by anyone, and how many there are, including those the adjudicator labelled."""
        return len(self._cases.settled_pairs), len(self._cases) + self.left_out

    @property
    def answers(self) -> int:
        """How many answers of the adjudicator are current."""
        return len(self._own.done)

    @property
    def summary(self) -> str:
        """The progress in one line."""
        return str(self.view.total)

    def refresh(self) -> SessionView:
        """Take in what others have recorded. The case on screen stays, and says so if somebody has settled it."""
        self._stays = self.pair if self._again is None else None
        self._catch_up()
        return self._show(anew=False)

    def take(self, several: Sequence[Dispute]) -> SessionView:
        """Take up the disputes as they are now; the one on screen stays if it still is one."""
        self.disputes, self._last_id = several, 0
        self._cases, self._own = Cases(several, self.assessor), AssessorState(adjudicates=True)
        return self.refresh()

    # What is recorded

    def _settle(self, about: CommandTarget, kind: str, why: str = "", **more: Any) -> SessionView:
        pair = self._screen.current_pair
        labels = [{"label": letter, "event": vote.event_id, "grade": vote.grade} for letter, vote in self._labels()]
        note, evidence = why.strip() or self._own.draft(pair).note, json.dumps({"labels_seen": labels})
        return self._record(self._event(about, kind, pair, note=note, evidence=evidence, **more))

    def _event(self, about: CommandTarget, kind: str, pair: Pair, **more: Any) -> Event:
        how = {"order_policy": self._order_policy, "order_seed": self._seed, "position": self._cases.place(pair)}
        by = {"event_id": about.event_id, "input": self.input, "source": "" if kind == "adjudicate" else ADJUDICATION}
        return Event(kind, *pair, self.assessor, **{**how, **by, **self._screen.record(), **more})

    @contextmanager
    def _permission(self, pair: Pair, kind: str) -> Iterator[None]:
        """A transaction; an error where another adjudicator has settled the case meanwhile."""
        with self._store.writing():
            self._catch_up()
            if kind != "retract" and self._cases.is_settled_by_others(pair):
                raise PassedOnError("another adjudicator has already settled this case; their answer is kept")
            yield

    def _give_up(self, pair: Pair) -> None:
        self._again = self._stays = None

    def _handle_event(self, event: Event) -> None:
        super()._handle_event(event)
        self._stays = self._stays if event.kind == "note" else None
        if event.kind == "retract":
            self._again = pair_of(event)  # if another answer to it is current now
            self._skipped.pop(pair_of(event), None)

    # What comes next

    @property
    def _state(self) -> AssessorState:
        return self._own

    def _catch_up(self) -> None:
        """Take in new events of the log, of this adjudicator or of others."""
        for event in adjudication_events(self._store, after=self._last_id):
            self._last_id = event.id or self._last_id
            answer = self._cases.add(event)
            mine = event.assessor == self.assessor and pair_of(event) in self._cases.disputes
            if mine and (answer or is_adjudicator_event(event)):
                self._own.add(event)

    def _show(self, anew: bool = True) -> SessionView:
        self._again = self._again if self._again in self._cases.settled_pairs else None
        stays = self._stays if self._stays in self._cases.disputes else None
        pair = self._again or stays or self._cases.next(self._own.focus, self._skipped)
        self._screen.put_on_screen(pair, anew)
        self.view = self._view(pair)
        return self.view

    def _labels(self) -> list[LetteredLabel]:
        """The labels of the case on screen, if they are shown."""
        pair = self.pair
        return [] if pair is None or self._hides_labels else lettered_labels(self._cases.disputes[pair], self._seed)

    def _view(self, pair: Pair | None) -> SessionView:
        place = Position(self._cases.place(pair) if pair else 0, len(self._cases))
        counts, last, screen = self._cases.counts(self._skipped), self._own.done[-1:], self._screen
        return SessionView(
            topic=safe_topic(self._topics[pair[0]]) if pair else None,
            document=safe_document(screen.document)._replace(docno="", metadata={}) if screen.document else None,
            grades=safe_grades(self.grades),
            position=place,
            overall=place,
            counts=counts,
            total=counts,
            last=self._earlier_decision(last[0]) if last and pair_of(last[0]) != pair else None,
            can_undo=bool(self._own.done),
            can_redo=bool(self._own.undone),
            note=visible_text(self._own.draft(pair).note),
            unsure=False,
            terms=visible_line(screen.terms),
            eta=self._pace.time_left(self._own.timed, counts.remaining + counts.later),
            noun=self._noun,
            labels=tuple(label.display(self.grades) for label in self._labels()),
            settled=tuple(map(self._words, self._cases.answers(pair))) if pair else (),
            remark="" if pair else self._left_out_text(),
        )

    def _left_out_text(self) -> str:
        if not self.left_out:
            return ""
        labelled = "this document" if self.left_out == 1 else "these documents"
        return f"You labelled {labelled}, so another adjudicator settles {counted(self.left_out, 'disagreement')}."

    @property
    def _noun(self) -> str:
        return "document" if self._hides_labels else "disagreement"

    def _earlier_decision(self, event: Event) -> EarlierDecision:
        return EarlierDecision(visible_line(event.qid), self._cases.place(pair_of(event)), self._words(event))

    def _recent_decision(self, event: Event) -> RecentDecision:
        return RecentDecision(self._earlier_decision(event), visible_line(self._store.document(event.docno).title), "")

    def _words(self, event: Event) -> str:
        """An answer with its reason; of others it says that, but no name."""
        by = "" if event.assessor == self.assessor else ", by another adjudicator"
        return visible_line(f"{decision_words(event, self.grades)}{by}{f': {event.note}' if event.note else ''}")
