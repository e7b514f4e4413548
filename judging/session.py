"""The judging session: a state machine without any user interface.

Commands go in as methods, events go to the store's log, and `view` is what the assessor sees. All state comes from the
log: a session begun anew on the same store, after whatever happened to the last one, shows the same document.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from uuid import uuid4

from cranfield.errors import InputError
from cranfield.holdings import Pool
from cranfield.log import Event, add_criterion, append, spelled
from cranfield.store import Store

from .active_time import Stretch
from .batches import Provider
from .begin import begin
from .desk import Desk
from .evidence import Evidence, dumped, loaded, quoted
from .hold import PassedOnError, held, without
from .ledger import Pair, pair_of
from .looking import look, recalled
from .near import Near
from .order import order_named
from .pace import Pace
from .reasons import known_reason
from .repeats import bare, both, outward
from .view import Recalled, View

RECENT = 20  # decisions that can be asked for
IDLE = 180.0  # seconds without a command after which an assessor is taken to be away
LONG, REST = 50 * 60.0, 5 * 60.0  # seconds of work after which a break is due, and of a break


class Session:
    """One assessor judging the documents of a pool, topic after topic.

    Without `order` and `seed` a session goes on as the assessor's last one did, and begins with "hash" and 0.
    `topics` narrows the work to some topics; undo then reaches only what is in them. When everything is done, `more` is
    asked for a pool that has more. `clock` gives monotonic seconds, `ids` a new event id.

    >>> from cranfield.formats import Document, Topic
    >>> from cranfield.holdings import PooledDocument
    >>> store = Store.memory("one document")
    >>> store.add_documents([Document("d1", text="wings")]), store.add_topics([Topic("q1", "lift")])
    (1, 1)
    >>> session = Session(store, "ada", Pool("depth", {}, [PooledDocument("q1", "d1", 1, ("r",))]))
    >>> session.view.document.text, session.view.position
    ('wings', Place(number=1, of=1))
    >>> session.grade(1).done, session.view.last.words
    (True, 'grade 1, relevant')
    >>> session.undo().document.docno
    'd1'
    >>> session.grade(2)
    Traceback (most recent call last):
    cranfield.errors.InputError: 2 is no grade here; the grades are 0 not relevant, 1 relevant
    >>> store.close()
    """

    view: View

    def __init__(
        self, store: Store, assessor: str, pool: Pool, order: str | None = None, seed: int | None = None,
        topics: Collection[str] | None = None, clock: Callable[[], float] = time.monotonic,
        ids: Callable[[], str] = lambda: uuid4().hex, idle: float = IDLE, provider: Provider | None = None,
        more: Callable[[], Pool | None] | None = None,
    ) -> None:  # fmt: skip
        self._store, self.assessor, self._ids, self._more = store, assessor, ids, more
        self.grades = store.collection.grades
        self.input = ""  # how commands come in; a skin says so here
        self._begin = partial(begin, store, assessor, order=order, seed=seed, topics=topics, provider=provider)
        self._desk = Desk(store, clock, idle)
        self._stretch = Stretch(clock, LONG, REST)
        self._near = Near(self._text_of)
        self._take(pool)
        self._show()

    def _take(self, pool: Pool) -> None:
        """Take up the work that a pool is."""
        begun, self._given = self._begin(pool), pool
        self.order, self.seed, self._pool = begun.order, begun.seed, pool.number
        self._ledger, self._work, self._batches = begun.ledger, begun.work, begun.provider
        self._seen = begun.past[-1].id or 0 if begun.past else 0
        self._left: str | None = None  # the topic that next_topic went to, until something is recorded
        self._again: Pair | None = None  # what is judged anew, until then
        self._desk.recall(begun.past)
        self._pace = Pace(lambda docno: len(self._text_of(docno)), begun.waiting)

    # Commands

    def grade(self, grade: int, fast: bool = False) -> View:
        """Judge the document on screen; a grade off the scale is refused. `fast`: hardly after it was drawn."""
        if grade not in self.grades:
            raise InputError(f"{grade} is no grade here; the grades are {spelled(self.grades)}")
        return self._decide("label", grade=grade, fast=fast)

    def later(self) -> View:
        """Put the document off; it comes back at the end of its topic."""
        return self._decide("later")

    def cannot_judge(self, reason: str) -> View:
        """Set the document aside for good: for one of REASONS, or for "other: " and what it is."""
        return self._decide("cannot-judge", reason=known_reason(reason))

    def note(self, text: str) -> View:
        """Keep a note on the document on screen; it goes with the decision, and is on disk before that."""
        return self._draft(note=text.strip())

    def toggle_unsure(self) -> View:
        """Mark the coming label as unsure, or not."""
        return self._draft(unsure=not self.view.unsure)

    def quote(self, words: str) -> View:
        """Mark words of the document's text as the evidence."""
        return self._mark(quoted(self._desk.text, words))

    def mark(self, start: int, end: int) -> View:
        """Mark the characters from `start` to `end` (exclusive) of the text as it is stored."""
        return self._mark(Evidence(start, end, self._desk.text[start:end]))

    def unmark(self) -> View:
        """Take the last mark away."""
        if not self.marks:
            raise InputError("nothing is marked as evidence")
        return self._draft(evidence=dumped(self.marks[:-1]))

    def undo(self) -> View:
        """Take back the last decision that stands, of whatever session; its document is on screen again."""
        self._catch_up()
        if not self._ledger.done:
            raise InputError("there is nothing to take back")
        last = self._ledger.done[-1]
        about = {"supersedes": last.id, "document_sha256": last.document_sha256, "position": last.position}
        return self._record(self._event("retract", pair_of(last), **about))

    def redo(self) -> View:
        """Decide again what undo took back, as long as nothing else was recorded since."""
        self._catch_up()
        if not self._ledger.undone:
            raise InputError("there is nothing to bring back")
        event, retract = self._ledger.undone[-1]
        return self._record(event._replace(supersedes=retract, at="", event_id=self._ids(), id=None))

    def next_topic(self) -> View:
        """Leave the topic for another that has documents to judge; this is forgotten if no command follows there."""
        other = self._work.next_topic(self._desk.here[0])
        if other is None:
            raise InputError("there is no other topic with documents to judge")
        self._left, self._again = other, None
        return self._show()

    def again(self, number: int) -> View:
        """Judge one of `recent` anew, from 1; forgotten if no decision follows. 0: leave it as it is."""
        recent = self._recent()
        if not 0 <= number <= len(recent):
            raise InputError(f"{number} is none of your last {len(recent)} decisions")
        if not number and not self._again:
            raise InputError("nothing is being judged anew")
        self._again = pair_of(recent[number - 1]) if number else None
        return self._show()

    def criterion(self, text: str) -> View:
        """Add to the diary what counts as relevant to the topic on screen; it stays, dated."""
        if not text.strip():
            raise InputError("a criterion needs a text")
        with self._held(self._desk.here[0]):
            add_criterion(self._store, self._desk.here[0], self.assessor, text.strip())
        return self._show(anew=False)

    def terms(self, text: str) -> View:
        """Highlight these terms, with commas between them, in the documents of this topic; without any, none."""
        self._desk.set_terms(text)
        return self._show(anew=False)

    def toggle_highlight(self) -> View:
        """Highlight the terms of this topic, or not."""
        self._desk.toggle_terms()
        return self._show(anew=False)

    def toggle_docno(self) -> View:
        """Show docnos, or not; that they were shown is on record at once."""
        return self._draft() if self._desk.toggle_docno() else self._show(anew=False)

    def touch(self) -> None:
        """Tell that the assessor is there (she scrolls), so that her reading counts as active time."""
        self._desk.time.seconds()
        self._stretch.alive()

    def drawn(self) -> None:
        """Tell that the document is on screen only now: its time begins."""
        self._desk.time.start()

    # What an assessor may ask for

    @property
    def blind(self) -> bool:
        """Whether the order tells nothing of where a document came from."""
        return order_named(self.order).blind

    @property
    def text(self) -> str:
        """The text of the document on screen as it is stored: it is not safe to show."""
        return self._desk.text

    @property
    def marks(self) -> tuple[Evidence, ...]:
        """The evidence marked in the document on screen."""
        return loaded(self._ledger.draft(self._desk.pair).evidence)

    @property
    def summary(self) -> str:
        """How far the work is, in one line."""
        fast = self._ledger.fast
        return f"{self.view.total}" + (f"; {fast} graded in under 0.4 s" if fast else "")

    def _recent(self) -> list[Event]:
        return [event for event in reversed(self._ledger.done) if pair_of(event) != self._desk.pair][:RECENT]

    def recent(self) -> list[Recalled]:
        """Her last decisions that stand, the newest first; none on the document on screen."""
        return [recalled(event, self._work, self.grades, self._store) for event in self._recent()]

    def reminder(self) -> str:
        """That a near-duplicate of the document labelled last got another grade from her; else nothing."""
        return self._near.reminder(self._ledger, self._desk.pair, lambda pair: self._work.place(pair).number)

    def break_due(self) -> str:
        """That she has been at it for long: once, until she has had a break; else nothing."""
        return f"{LONG / 60:.0f} minutes without a break" if self._stretch.due() else ""

    # Events

    def _decide(self, kind: str, **more: Any) -> View:
        pair = self._desk.here
        draft, label = self._ledger.draft(pair), kind == "label"
        kept = {"note": draft.note, "unsure": draft.unsure and label, "evidence": draft.evidence if label else None}
        return self._record(self._event(kind, pair, **kept, **more))

    def _draft(self, **changed: Any) -> View:
        draft = self._ledger.draft(self._desk.here)
        kept = {"note": draft.note, "unsure": draft.unsure, "evidence": draft.evidence}
        return self._record(self._event("note", self._desk.here, **(kept | changed)))

    def _mark(self, evidence: Evidence) -> View:
        return self._draft(evidence=dumped([*(one for one in self.marks if one != evidence), evidence]))

    def _event(self, kind: str, pair: Pair, **more: Any) -> Event:
        decided = self._ledger.decided[pair[0]]
        how = {"order_policy": self.order, "order_seed": self.seed, "event_id": self._ids()}
        where = {"position": len(decided) - (pair[1] in decided) + 1, "pool": self._batches.pool() or self._pool}
        return Event(kind, *pair, self.assessor, **{**how, **where, "input": self.input, **self._desk.seen(), **more})

    def _record(self, event: Event) -> View:
        with self._held(event.qid):
            append(self._store, outward(event))
        self._left, self._again = None, self._again if event.kind == "note" else None
        self._catch_up()
        return self._show(anew=event.kind != "note")

    @contextmanager
    def _held(self, qid: str) -> Iterator[None]:
        """While something is recorded about a topic; one that passed on meanwhile is left."""
        try:
            with held(self._store, self.assessor, qid):
                yield
        except PassedOnError:
            self._take(without(self._given, qid))
            self._show()
            raise

    def _catch_up(self) -> None:
        """Take in what the log has since, from this session or from another window of the same assessor."""
        for event in both(self._store, self.assessor, after=self._seen):
            self._seen = event.id or self._seen
            if self._work.takes(pair_of(event)):
                self._ledger.add(event)

    # What is on screen

    def _text_of(self, docno: str) -> str:
        return self._store.document(bare(docno)).text

    def _show(self, anew: bool = True) -> View:
        pair = self._again or self._work.next(self._left)
        if pair is None and self._more and (pool := self._more()):
            self._take(pool)
            pair = self._work.next(None)
        self._desk.lay(pair, anew)
        self.view = look(self._store, self.assessor, self.grades, self._work, self._ledger, self._desk, self._pace)
        return self.view
