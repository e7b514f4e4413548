"""The session of one assessor who labels answers: a nugget and an answer, or a sentence and documents, at a time.

It is a session like that of judging (commands that act once and in time, a label on disk before the next item is shown,
undo, redo, later, notes) on other items: the digits are the labels, and the log is that of the task.
"""

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import uuid4

from cranfield.features.answers.judging.tasks import LabelTask, NamedItems
from cranfield.features.answers.store.answers import answers_that_count
from cranfield.features.answers.store.labels import Item, LabelEvent, LabelLog
from cranfield.formats import Document
from cranfield.judging.labels.pairs import Evidence, Pair
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.command import CommandTarget
from cranfield.judging.session.order import DocumentOrder
from cranfield.judging.session.pace import IDLE, Pace
from cranfield.judging.session.recording import Recording
from cranfield.judging.session.view import RecentDecision, SessionView, recent_decision, safe_document, view_of
from cranfield.judging.session.work import PassedOnError, register_assessor
from cranfield.judging.session.worklist import Worklist
from cranfield.store.chain import Event
from cranfield.store.log import is_recorded
from cranfield.store.pools import PooledDocument
from cranfield.store.store import Store

AS_LISTED = DocumentOrder("as listed", True, lambda documents, qid, seed: [document.docno for document in documents])
ADAPTIVE = DocumentOrder("as the labels ask", True, None)
Begin = Callable[[Store, int, Collection[str] | None], LabelTask]


class AnswerLabelling(Recording):
    """One assessor labelling the items of a task, topic by topic; without `seed` it goes on as the last session did.

    >>> from cranfield.formats import Topic
    >>> from cranfield.features.answers.formats.answers import Answer, Sentence
    >>> from cranfield.features.answers.judging.tasks import Assigning
    >>> from cranfield.features.answers.store.answers import add_answers
    >>> from cranfield.features.answers.store.labels import NUGGET_LABELS
    >>> from cranfield.features.answers.store.nuggets import NuggetEdit, edit_nuggets
    >>> store = Store.memory("one answer")
    >>> store.add_topics([Topic("q", "lift")])
    1
    >>> added = add_answers(store, [Answer("rag", "q", [Sentence("Wings lift.")])])
    >>> from cranfield.store.log import add_assessor
    >>> add_assessor(store, "ada")
    >>> numbers = edit_nuggets(store, [NuggetEdit("vital", "q", "ada", "wings give lift")])
    >>> session = AnswerLabelling(store, "bob", Assigning, NUGGET_LABELS)
    >>> session.view.document.title, session.view.document.text
    ('Nugget: wings give lift', 'Answer 1 of 1:\\n\\nWings lift.')
    >>> session.grade(session.command_target(), 2).done, NUGGET_LABELS.labels(store)
    (True, {(1, 1): 'support'})
    >>> store.close()
    """

    grade_words = ("a label", "labels")

    def __init__(
        self, store: Store, assessor: str, begin: Begin, log: LabelLog, *, seed: int | None = None,
        topics: Collection[str] | None = None, clock: Callable[[], float] = time.monotonic,
        ids: Callable[[], str] = lambda: uuid4().hex, idle: float = IDLE,
    ) -> None:  # fmt: skip
        super().__init__(store, assessor, clock, ids, idle)
        register_assessor(store, assessor)
        self._begin, self._log, self._topics, self._seed = begin, log, topics, seed
        self._take_up()
        self.scale = self._task.scale
        self.grades = dict(self.scale.grades)
        self._show()

    # What front ends ask

    @property
    def marks(self) -> tuple[Evidence, ...]:
        """Nothing is marked in answers."""
        return ()

    @property
    def last_event(self) -> int:
        """The number of the assessor's last event that the session has taken in."""
        return self._last_id

    @property
    def summary(self) -> str:
        """The progress in one line."""
        return f"{self.view.total}"

    # Recording

    def _event(self, about: CommandTarget, kind: str, pair: Pair, **more: Any) -> Event:
        decisions = self._own.decided[pair[0]]
        how = {"position": len(decisions) - (pair[1] in decisions) + 1, "order_seed": self._seed}
        details = {"event_id": about.event_id, "input": self.input, **self._screen.record(), **more}
        return Event(kind, *pair, self.assessor, **{**how, **details})

    def _append(self, event: Event) -> None:
        label = None if event.grade is None else self._task.scale.labels[event.grade]
        fields = {name: value for name, value in event._asdict().items() if name in SHARED}
        self._log.append(self._store, [LabelEvent(item=self._names.item(event.docno), label=label, **fields)])

    def _is_recorded(self, event_id: str) -> bool:
        return is_recorded(self._store, event_id, self._log.table)

    @contextmanager
    def _permission(self, pair: Pair, kind: str) -> Iterator[None]:
        """A transaction; an error where somebody has changed what is labelled meanwhile."""
        with self._store.writing():
            if kind != "retract" and (why := self._why_gone(self._names.item(pair[1]))):
                raise PassedOnError(f"{why}; nothing was recorded")
            yield

    def _why_gone(self, item: Item) -> str:
        """Why an item is no longer labelled; else empty."""
        withdrawn = {*item[: self._log.answers]} - answers_that_count(self._store).keys()
        return "this answer has just been withdrawn" if withdrawn else self._task.why_gone(item)

    def _give_up(self, pair: Pair) -> None:
        self._take_up()

    # What comes next

    def _take_up(self) -> None:
        """Take up the items as they are now, with all that the assessor has said of them."""
        past = self._log.events(self._store, self.assessor)
        if self._seed is None:
            self._seed = next((event.order_seed for event in reversed(past) if event.order_seed is not None), 0)
        self._task = task = self._begin(self._store, self._seed, self._topics)
        self._names, items = NamedItems(task), task.to_label()
        self._own, self._last_id, self._again = AssessorState(), 0, None
        self._qid_of = {item[0]: qid for qid, several in items.items() for item in several}
        pooled = {
            qid: [PooledDocument(qid, self._names.name(item), 1, ()) for item in several]
            for qid, several in items.items()
        }
        self._there = {document.docno: None for documents in pooled.values() for document in documents}
        for event in past:
            self._take(event)
        order, provider = (ADAPTIVE, self._names) if task.adaptive else (AS_LISTED, None)
        self._work = Worklist(self._store.topics(), pooled, order, seed=self._seed, state=self._own, provider=provider)
        self._pace = Pace(lambda name: len(self._read(name).text), partial(list, self._there))

    def _take(self, event: LabelEvent) -> bool:
        """Take in an event, if it is about one of the items; whether it is."""
        self._last_id = event.id or self._last_id
        qid, name = self._qid_of.get(event.item[0], ""), self._names.name(event.item)
        if is_ours := name in self._there or (self._task.adaptive and bool(qid)):
            fields = {name: value for name, value in event._asdict().items() if name in SHARED}
            self._own.add(Event(qid=qid, docno=name, grade=self._task.scale.grade_of.get(event.label or ""), **fields))
        return is_ours

    def _catch_up(self) -> None:
        """Take in new events of the log, from this session or from another window of the same assessor."""
        for event in self._log.events(self._store, self.assessor, self._last_id):
            if self._take(event) and self._task.adaptive:
                self._work.has_pair((self._qid_of[event.item[0]], self._names.name(event.item)))

    @property
    def _state(self) -> AssessorState:
        return self._own

    def _read(self, docno: str) -> Document:
        return self._task.document(self._names.item(docno))

    def _recent_decision(self, event: Event) -> RecentDecision:
        return recent_decision(event, self._work, self.grades, self._read(event.docno).title)

    def _show(self, anew: bool = True) -> SessionView:
        pair = self._again or self._work.next(None)
        self._screen.put_on_screen(pair, anew)
        view = view_of(
            self._store,
            self.assessor,
            self.grades,
            documents=self._work,
            state=self._own,
            screen=self._screen,
            pace=self._pace,
        )
        parts = tuple(map(safe_document, self._task.parts(self._names.item(pair[1])))) if pair else ()
        self.view = replace(view, noun=self._task.noun, parts=parts, part_noun="answer", remark=self._task.remark)
        return self.view


SHARED = tuple(name for name in LabelEvent._fields if name in Event._fields)
