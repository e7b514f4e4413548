"""The judging session: a state machine without any user interface.

Commands are methods, events go to the store's log, and `view` is what the assessor sees. All state comes from the log:
a new session on the same store shows the same document, whatever happened to the last one.

A near-duplicate that the assessor graded is named before the grade, and can be shown beside the document; one graded
differently is a reminder after it.
"""

import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple
from uuid import uuid4

from cranfield.errors import InputError
from cranfield.formats import Document
from cranfield.judging.labels.pairs import Evidence, Pair, dump_evidence, evidence_of, find_quotation, pair_of
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.command import CommandTarget, session_command
from cranfield.judging.session.order import event_in_log, order_named, session_events, stored_docno
from cranfield.judging.session.pace import FAST, IDLE, Pace
from cranfield.judging.session.recording import Recording
from cranfield.judging.session.view import RecentDecision, SessionView, recent_decision, view_of
from cranfield.judging.session.work import drop_topic, take_up, topic_transaction
from cranfield.judging.session.worklist import Provider
from cranfield.store.chain import Event
from cranfield.store.corpus import count_text_bytes, titles
from cranfield.store.log import add_criterion
from cranfield.store.pools import Pool
from cranfield.store.store import Store
from cranfield.store.withdrawals import names_and_withdrawals

SIMILAR = 0.95
LENGTH = 3  # words in a shingle
MOST = 5000  # words of a document that are compared

Shingles = frozenset[int]


def shingles(text: str) -> Shingles:
    """The hashes of all sequences of three words; of all words where there are fewer. Valid within one process only.

    >>> len(shingles("One two, three four")), len(shingles("one")), len(shingles(""))
    (2, 1, 0)
    """
    words = [match[0].lower() for match, _ in zip(re.finditer(r"\w+", text), range(MOST), strict=False)]
    if len(words) <= LENGTH:
        return frozenset([hash(tuple(words))] if words else [])
    return frozenset(map(hash, zip(words, words[1:], words[2:], strict=False)))


def similarity(one: Shingles, other: Shingles) -> float:
    """The share of shingles in common (Dice): one word changed in a hundred leaves 0.97. Two empty texts have 0.

    >>> one = "the chain must be cleaned and oiled before it is put back on the wheel with both hands " * 1
    >>> similarity(shingles(one), shingles(one)), similarity(shingles(""), shingles(""))
    (1.0, 0.0)
    """
    size = len(one) + len(other)
    return 2 * len(one & other) / size if size else 0.0


class Twin(NamedTuple):
    """A near-duplicate that the assessor has graded: how similar (from 0 to 1), its docno, its place and its grade."""

    similarity: float
    docno: str
    number: int
    grade: int


class DuplicateFinder:
    """The documents of one topic by their shingles; texts are read when first needed and not kept."""

    def __init__(self, text_of: Callable[[str], str]) -> None:
        self._text_of = text_of
        self._qid = ""
        self._known: dict[str, Shingles] = {}

    def most_similar_document(self, qid: str, docno: str, others: Iterable[str]) -> tuple[float, str] | None:
        """The most similar of the others, if it is a near-duplicate."""
        if qid != self._qid:
            self._qid, self._known = qid, {}
        mine = self._shingles(docno)
        best = max(((similarity(mine, self._shingles(other)), other) for other in others), default=None)
        return best if best and best[0] >= SIMILAR else None

    def reminder(self, state: AssessorState, here: Pair | None, number: Callable[[Pair], int]) -> str:
        """That a near-duplicate of the document labelled last got another grade; empty while that is `here`.

        `number` gives the position of a document in its topic.
        """
        last = state.done[-1] if state.done else None
        if last is None or last.grade is None or pair_of(last) == here:
            return ""
        states = {docno: state.decision((last.qid, docno)) for docno in state.decided[last.qid]}
        grades = {docno: state.grade for docno, state in states.items() if state and state.grade is not None}
        twin = stored_docno(last.docno)
        others = [docno for docno, grade in grades.items() if grade != last.grade and stored_docno(docno) != twin]
        if (best := self.most_similar_document(last.qid, last.docno, others)) is None:
            return ""
        share, other, place = int(100 * best[0]), best[1], number((last.qid, best[1]))
        return f"a {share}% similar document ({place}) was graded {grades[other]}: keep {last.grade} or revise"

    def twin(self, state: AssessorState, here: Pair, number: Callable[[Pair], int]) -> Twin | None:
        """The most similar of the documents of the topic that have a grade, if it is a near-duplicate of `here`."""
        qid, docno = here
        states = {
            other: state.decision((qid, other))
            for other in state.decided[qid]
            if stored_docno(other) != stored_docno(docno)
        }
        grades = {other: event.grade for other, event in states.items() if event and event.grade is not None}
        if (best := self.most_similar_document(qid, docno, grades)) is None:
            return None
        return Twin(best[0], best[1], number((qid, best[1])), grades[best[1]])

    def _shingles(self, docno: str) -> Shingles:
        if docno not in self._known:
            self._known[docno] = shingles(self._text_of(docno))
        return self._known[docno]


class PooledRecording(Recording):
    """The state of a session of pooled documents."""

    def __init__(
        self, store: Store, assessor: str, pool: Pool, *, order: str | None = None, seed: int | None = None,
        topics: Collection[str] | None = None, clock: Callable[[], float] = time.monotonic,
        ids: Callable[[], str] = lambda: uuid4().hex, idle: float = IDLE, provider: Provider | None = None,
        more: Callable[[], Pool | None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(store, assessor, clock, ids, idle)
        self._more = more
        self._take_up = partial(take_up, store, assessor, order=order, seed=seed, topics=topics, provider=provider)
        self._near = DuplicateFinder(lambda docno: self.document_of(docno).text)
        self._start_topic: str | None = None  # the topic that next_topic went to, until something is recorded
        self._take_up_pool(pool)
        self._show()

    @property
    def marks(self) -> tuple[Evidence, ...]:
        """The evidence marked in the document on screen."""
        return evidence_of(self._work.state.draft(self.pair))

    def document_of(self, docno: str) -> Document:
        """A document of the work, as stored: not safe to show."""
        return self._store.document(stored_docno(docno))

    @property
    def _state(self) -> AssessorState:
        return self._work.state

    @property
    def last_event(self) -> int:
        """The number of the assessor's last event that the session has taken in."""
        return self._last_id

    # Recording

    def _mark(self, about: CommandTarget, evidence: Evidence) -> SessionView:
        return self._record_on_current_pair(
            about, "note", evidence=dump_evidence([*(one for one in self.marks if one != evidence), evidence])
        )

    def _event(self, about: CommandTarget, kind: str, pair: Pair, **more: Any) -> Event:
        work, docnos = self._work, self._work.state.decided[pair[0]]
        how = {"order_policy": work.order, "order_seed": work.seed, "event_id": about.event_id, "input": self.input}
        place = len(docnos) - (pair[1] in docnos) + 1
        where = {"position": place, "pool": (work.provider and work.provider.pool()) or work.pool.number}
        return Event(kind, *pair, self.assessor, **{**how, **where, **self._screen.record(), **more})

    def _outward(self, event: Event) -> Event:
        return event_in_log(event)

    @contextmanager
    def _permission(self, pair: Pair, kind: str) -> Iterator[None]:
        """Hold the topic while something is recorded about it."""
        with topic_transaction(self._store, self.assessor, pair[0]):
            yield

    def _give_up(self, pair: Pair) -> None:
        self._take_up_pool(drop_topic(self._work.pool, pair[0]))

    def _handle_event(self, event: Event) -> None:
        self._start_topic = None
        super()._handle_event(event)

    # What comes next

    def _take_up_pool(self, pool: Pool) -> None:
        self._work, self._names_and_withdrawals = self._take_up(pool), names_and_withdrawals(self._store)
        self._last_id = self._work.past[-1].id or 0 if self._work.past else 0
        self._start_topic = self._again = None
        self._screen.recall(self._work.past)
        self._pace = Pace(lambda docno: count_text_bytes(self._store, stored_docno(docno)), self._work.waiting)

    def _is_outdated(self) -> bool:
        """Whether something was renamed or withdrawn, or counts again, since the work was taken up."""
        return names_and_withdrawals(self._store) != self._names_and_withdrawals

    def _catch_up(self) -> None:
        """Take in new events of the log, from this session or from another window of the same assessor."""
        for event in session_events(self._store, self.assessor, after=self._last_id):
            self._last_id = event.id or self._last_id
            if self._work.documents.has_pair(pair_of(event)):
                self._work.state.add(event)

    def _recent_decision(self, event: Event) -> RecentDecision:
        docno = stored_docno(event.docno)
        return recent_decision(event, self._work.documents, self.grades, titles(self._store, [docno])[docno])

    def _show(self, anew: bool = True) -> SessionView:
        if self._is_outdated():
            self._take_up_pool(self._work.pool)
        pair = self._again or self._work.documents.next(self._start_topic)
        if pair is None and self._more and (pool := self._more()):
            self._take_up_pool(pool)
            pair = self._work.documents.next(None)
        self._screen.put_on_screen(pair, anew)
        work = self._work
        self.view = view_of(
            self._store,
            self.assessor,
            self.grades,
            documents=work.documents,
            state=work.state,
            screen=self._screen,
            pace=self._pace,
        )
        return self.view


class Session(PooledRecording):
    """One assessor judging the documents of a pool, topic by topic.

    Without `order` and `seed` a session continues as the assessor's last one did; the first uses "hash" and 0. `topics`
    restricts the work to some topics; undo then reaches only those. When everything is done, `more` is asked for a pool
    with more work. `clock` gives monotonic seconds, `ids` a new event id.

    Every command says what it is `about`: repeated, it is done once; late, it is not applied to the next document.

    >>> from cranfield.formats import Document, Topic
    >>> from cranfield.store.pools import Pool, PooledDocument
    >>> from cranfield.store.store import Store
    >>> store = Store.memory("one document")
    >>> store.add_documents([Document("d1", text="wings")]), store.add_topics([Topic("q1", "lift")])
    (1, 1)
    >>> session = Session(store, "ada", Pool("depth", {}, [PooledDocument("q1", "d1", 1, ("r",))]))
    >>> session.view.document.text, session.view.position
    ('wings', Position(number=1, of=1))
    >>> about = session.command_target()
    >>> session.grade(about, 1).done, session.view.last.words
    (True, 'grade 1, relevant')
    >>> session.grade(about, 1) is session.view
    True
    >>> session.undo(session.command_target()).document.docno
    'd1'
    >>> session.grade(session.command_target(), 2)
    Traceback (most recent call last):
    cranfield.errors.InputError: 2 is not a grade here; the grades are 0 not relevant, 1 relevant
    >>> store.close()
    """

    # Commands

    @session_command
    def toggle_unsure(self, about: CommandTarget) -> SessionView:
        """Mark the next label as unsure, or not."""
        return self._record_on_current_pair(about, "note", unsure=not self.view.unsure)

    @session_command
    def quote(self, about: CommandTarget, words: str) -> SessionView:
        """Mark words of the document's text as the evidence."""
        return self._mark(about, find_quotation(self.text, words))

    @session_command
    def mark(self, about: CommandTarget, start: int, end: int) -> SessionView:
        """Mark the characters from `start` to `end` (exclusive) of the text as it is stored."""
        return self._mark(about, Evidence(start, end, self.text[start:end]))

    @session_command
    def unmark(self, about: CommandTarget) -> SessionView:
        """Remove the last mark."""
        if not self.marks:
            raise InputError("no evidence is marked")
        return self._record_on_current_pair(about, "note", evidence=dump_evidence(self.marks[:-1]))

    @session_command
    def next_topic(self, about: CommandTarget) -> SessionView:
        """Go to another topic with documents to judge; forgotten if no command follows there."""
        other = self._work.documents.next_topic(self._screen.current_pair[0])
        if other is None:
            raise InputError("no other topic has documents to judge")
        self._start_topic, self._again = other, None
        return self._show()

    @session_command
    def criterion(self, about: CommandTarget, text: str) -> SessionView:
        """Note what counts as relevant to the topic on screen; it is kept, with the date."""
        if not text.strip():
            raise InputError("a criterion needs a text")
        with self._event_transaction(self._screen.current_pair, "note"):
            add_criterion(self._store, self._screen.current_pair[0], self.assessor, text.strip())
        return self._follow(anew=False)

    @session_command
    def toggle_docno(self, about: CommandTarget) -> SessionView:
        """Show or hide docnos; that they were shown is recorded at once."""
        if not self._screen.docno_shown:
            self._record_on_current_pair(about, "note", docno_shown=True)
        self._screen.toggle_docno()
        return self._show(anew=False)

    # What front ends ask and report

    @property
    def order(self) -> str:
        """The name of the order of the documents."""
        return self._work.order

    @property
    def seed(self) -> int:
        """The seed of the order."""
        return self._work.seed

    @property
    def blind(self) -> bool:
        """Whether the order reveals nothing about where a document came from."""
        return order_named(self.order).blind

    @property
    def summary(self) -> str:
        """The progress in one line."""
        fast = self._work.state.fast
        return f"{self.view.total}" + (f"; {fast} graded in under {FAST:g} s" if fast else "")

    @property
    def twin(self) -> Twin | None:
        """A near-duplicate of the document on screen that has a grade; none while a document is judged again."""
        if self.pair is None or self._again:
            return None
        return self._near.twin(self._work.state, self.pair, lambda pair: self._work.documents.place(pair).number)

    def reminder(self) -> str:
        """That a near-duplicate of the document labelled last got another grade; else empty."""
        return self._near.reminder(self._work.state, self.pair, lambda pair: self._work.documents.place(pair).number)
