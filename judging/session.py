"""The judging session: a state machine without any user interface.

Commands go in as methods, events go to the store's log, and `view` is what the assessor sees. All state comes from the
log: a session begun anew on the same store, after whatever happened to the last one, shows the same document.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any
from uuid import uuid4

from cranfield.errors import InputError, StoreError
from cranfield.formats import Document
from cranfield.holdings import Pool
from cranfield.log import Event, add_assessor, append, assessors, events, spelled
from cranfield.store import Store, sha256

from .active_time import ActiveTime
from .ledger import JUDGED, Ledger, Pair, pair_of
from .order import order_named
from .text import visible, visible_line
from .view import Counts, Decision, Place, View, in_words, safe_document, safe_topic

REASONS = ("unreadable", "wrong language", "topic unclear")  # or "other: " and a text
OTHER = "other: "
IDLE = 180.0  # seconds without a command after which an assessor is taken to be away


class Session:
    """One assessor judging the documents of a pool, topic after topic.

    Without `order` and `seed` a session goes on as the assessor's last one did, and begins with "hash" and 0.
    `topics` narrows the work to some topics; undo then reaches only what is in them. `clock` gives monotonic seconds,
    `ids` a new event id.

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
    """

    view: View

    def __init__(
        self,
        store: Store,
        assessor: str,
        pool: Pool,
        order: str | None = None,
        seed: int | None = None,
        topics: Collection[str] | None = None,
        clock: Callable[[], float] = time.monotonic,
        ids: Callable[[], str] = lambda: uuid4().hex,
        idle: float = IDLE,
    ) -> None:
        self._store, self.assessor, self._pool, self._ids = store, assessor, pool.number, ids
        self.grades = store.collection.grades
        pooled = _by_topic(pool, topics)
        scope = {(qid, docno) for qid, docnos in pooled.items() for docno in docnos}
        past = [event for event in events(store, assessor) if pair_of(event) in scope]
        self.order, self.seed = _order(past, order, seed)
        self._lay_out(pooled)
        _admit(store, assessor)
        self._ledger = Ledger(past)
        self._seen = past[-1].id or 0 if past else 0
        self._left: str | None = None  # the topic that next_topic went to, until something is recorded
        self._active = ActiveTime(clock, idle)
        self._show()

    def _lay_out(self, pooled: dict[str, list[str]]) -> None:
        """The topics in the store's order, and the documents of each in this session's."""
        arrange = order_named(self.order)
        self._topics = {topic.qid: topic for topic in self._store.topics() if topic.qid in pooled}
        self._order = {qid: arrange(pooled[qid], qid, self.seed) for qid in self._topics}
        self._place = {(q, d): n for q, docnos in self._order.items() for n, d in enumerate(docnos, 1)}
        self._overall = {pair: n for n, pair in enumerate(self._place, 1)}

    # Commands

    def grade(self, grade: int) -> View:
        """Judge the document on screen; a grade that is not on the scale is refused."""
        if grade not in self.grades:
            raise InputError(f"{grade} is no grade here; the grades are {spelled(self.grades)}")
        return self._decide("label", grade=grade)

    def later(self) -> View:
        """Put the document off; it comes back at the end of its topic."""
        return self._decide("later")

    def cannot_judge(self, reason: str) -> View:
        """Set the document aside for good: for one of REASONS, or for "other: " and what it is."""
        if reason not in REASONS and not (reason.startswith(OTHER) and reason.removeprefix(OTHER).strip()):
            raise InputError(f"{reason!r} is no reason; they are {', '.join(REASONS)}, or {OTHER.strip()} and a text")
        return self._decide("cannot-judge", reason=reason)

    def note(self, text: str) -> View:
        """Put down a note on the document on screen; it replaces an earlier one and goes with the decision."""
        return self._draft(text.strip(), self.view.unsure)

    def toggle_unsure(self) -> View:
        """Mark the coming label as unsure, or not."""
        return self._draft(self._draft_of(self._on_screen())[0], not self.view.unsure)

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
        qids = list(self._topics)
        here = qids.index(self._on_screen()[0])
        other = next((qid for qid in qids[here + 1 :] + qids[:here] if self._open(qid)), None)
        if other is None:
            raise InputError("there is no other topic with documents to judge")
        self._left = other
        return self._show()

    def touch(self) -> None:
        """Tell that the assessor is there (she scrolls), so that her reading counts as active time."""
        self._active.seconds()

    # Events

    def _decide(self, kind: str, grade: int | None = None, reason: str = "") -> View:
        pair = self._on_screen()
        note, unsure = self._draft_of(pair)
        unsure = unsure and kind == "label"
        return self._record(self._event(kind, pair, grade=grade, reason=reason, unsure=unsure, note=note))

    def _draft(self, note: str, unsure: bool) -> View:
        return self._record(self._event("note", self._on_screen(), note=note, unsure=unsure))

    def _event(self, kind: str, pair: Pair, **more: Any) -> Event:
        position = len(self._ledger.decided[pair[0]] - {pair[1]}) + 1
        fixed = {"order_policy": self.order, "order_seed": self.seed, "pool": self._pool, "event_id": self._ids()}
        seen = {"seconds": self._active.seconds(), "position": position, "document_sha256": self._sha256}
        return Event(kind, *pair, self.assessor, **{**fixed, **seen, **more})

    def _record(self, event: Event) -> View:
        append(self._store, event)
        self._left = None
        self._catch_up()
        return self._show(anew=event.kind != "note")

    def _catch_up(self) -> None:
        """Take in what the log has since, from this session or from another window of the same assessor."""
        for event in events(self._store, self.assessor, after=self._seen):
            self._seen = event.id or self._seen
            if pair_of(event) in self._place:
                self._ledger.add(event)

    # What is on screen

    def _on_screen(self) -> Pair:
        if self._pair is None:
            raise InputError("everything is done; there is no document on screen")
        return self._pair

    def _show(self, anew: bool = True) -> View:
        self._pair = self._next()
        document = self._store.document(self._pair[1]) if self._pair else None
        self._sha256 = sha256(document.text) if document else None
        if anew:
            self._active.start()
        self.view = self._look(self._pair, document)
        return self.view

    def _next(self) -> Pair | None:
        """What undo brought back, else the next document of the topic last worked on, else of the first one open."""
        if self._ledger.focus and self._left is None:
            return self._ledger.focus
        last = self._ledger.last.qid if self._ledger.last else None
        candidates = (qid for qid in (self._left, last, *self._topics) if qid and self._open(qid))
        qid = next(candidates, None)
        return None if qid is None else (qid, self._first_open(qid))

    def _open(self, qid: str) -> bool:
        counts = self._counts([qid])
        return counts.remaining + counts.later > 0

    def _first_open(self, qid: str) -> str:
        """The first undecided document; when there is none, the one that was put off longest ago."""
        states = {docno: self._ledger.state((qid, docno)) for docno in self._order[qid]}
        undecided = (docno for docno, state in states.items() if state is None)
        put_off = ((state.id or 0, docno) for docno, state in states.items() if state and state.kind == "later")
        return next(undecided, None) or min(put_off)[1]

    def _look(self, pair: Pair | None, document: Document | None) -> View:
        note, unsure = self._draft_of(pair) if pair else ("", False)
        return View(
            topic=safe_topic(self._topics[pair[0]]) if pair else None,
            document=safe_document(document) if document else None,
            grades=self.grades,
            position=Place(self._place[pair], len(self._order[pair[0]])) if pair else Place(0, 0),
            overall=Place(self._overall[pair] if pair else 0, len(self._overall)),
            counts=self._counts([pair[0]] if pair else []),
            total=self._counts(self._order),
            last=self._last_decision(),
            can_undo=bool(self._ledger.done),
            can_redo=bool(self._ledger.undone),
            note=visible(note),
            unsure=unsure,
        )

    def _last_decision(self) -> Decision | None:
        last = self._ledger.done[-1] if self._ledger.done else None
        if last is None or pair_of(last) == self._pair:
            return None
        return Decision(visible_line(last.qid), self._place[pair_of(last)], in_words(last, self.grades))

    def _draft_of(self, pair: Pair) -> tuple[str, bool]:
        """The note and the unsure mark of a pair."""
        draft = self._ledger.drafts.get(pair)
        return (draft.note, draft.unsure) if draft else ("", False)

    def _counts(self, qids: Iterable[str]) -> Counts:
        tally: Counter[str] = Counter()
        documents = 0
        for qid in qids:
            tally.update(self._ledger.counts[qid])
            documents += len(self._order[qid])
        judged = sum(tally[kind] for kind in JUDGED)
        return Counts(
            judged, tally["later"], tally["cannot-judge"], documents - judged - tally["later"] - tally["cannot-judge"]
        )


def _admit(store: Store, assessor: str) -> None:
    """Make the assessor known; a name under which a model or an import has labels is refused."""
    if not assessor.strip():
        raise InputError("an assessor needs a name")
    add_assessor(store, assessor)
    if (kind := assessors(store)[assessor]) != "human":
        raise StoreError(f"{assessor!r} has labels of another kind ({kind}); judge under a name of your own")


def _by_topic(pool: Pool, topics: Collection[str] | None) -> dict[str, list[str]]:
    """The pooled docnos of each topic wanted."""
    pooled: dict[str, list[str]] = {}
    for document in pool.documents:
        pooled.setdefault(document.qid, []).append(document.docno)
    for qid in topics or ():
        if qid not in pooled:
            raise InputError(f"topic {qid!r} is not in the pool; its topics are {', '.join(list(pooled)[:10])}")
    return {qid: docnos for qid, docnos in pooled.items() if not topics or qid in topics}


def _order(past: Sequence[Event], order: str | None, seed: int | None) -> tuple[str, int]:
    """The order asked for, else that of the last event, else by hash with seed 0."""
    policy, number = next(((e.order_policy, e.order_seed) for e in reversed(past) if e.order_policy), ("hash", 0))
    return order or policy, seed if seed is not None else number or 0
