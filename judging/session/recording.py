"""What a session records and shows; its commands are in session.py."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from uuid import uuid4

from cranfield.judging.labels.evidence import Evidence, dumped, loaded
from cranfield.judging.labels.pairs import Pair, pair_of
from cranfield.judging.session.active_time import Stretch
from cranfield.judging.session.batches import Provider
from cranfield.judging.session.hold import PassedOnError, held, without
from cranfield.judging.session.near_duplicates import NearDuplicates
from cranfield.judging.session.on_screen import OnScreen
from cranfield.judging.session.pace import Pace
from cranfield.judging.session.repeats import bare, both, outward
from cranfield.judging.session.view import View
from cranfield.judging.session.view_of import look
from cranfield.judging.session.work import begin
from cranfield.store.events import Event
from cranfield.store.log import append
from cranfield.store.runs import Pool
from cranfield.store.store import Store

IDLE = 180.0  # seconds without a command after which an assessor is taken to be away
LONG, REST = 50 * 60.0, 5 * 60.0  # seconds of work after which a break is due, and of a break


class Recording:
    """The state of a session: what is on screen, and how it changes when something is recorded.

    What a command records is on disk before the session goes on. If another program is writing to the store, nothing is
    changed by a BusyError, and the command can be given again; unless the session is `behind`: then it is recorded, and
    `go_on` shows what comes next.
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
        self._desk = OnScreen(store, clock, idle)
        self._stretch = Stretch(clock, LONG, REST)
        self._near = NearDuplicates(self._text_of)
        self.behind, self._another = False, True
        self._passed_on: PassedOnError | None = None  # why nothing was recorded, until it is told
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

    # Recording

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
        return self._go_on(anew=event.kind != "note")

    def _go_on(self, anew: bool) -> View:
        self.behind, self._another = True, anew
        return self.go_on()

    def go_on(self) -> View:
        """Show what comes after what was recorded; that a topic was passed on, and so nothing was, is told then."""
        self._catch_up()
        self._show(self._another)
        self.behind = False
        gone, self._passed_on = self._passed_on, None
        if gone:
            raise gone
        return self.view

    @contextmanager
    def _held(self, qid: str) -> Iterator[None]:
        """While something is recorded about a topic; one that passed on meanwhile is left."""
        try:
            with held(self._store, self.assessor, qid):
                yield
        except PassedOnError as gone:
            self._passed_on = gone
            self._take(without(self._given, qid))
            self._go_on(anew=True)

    def _catch_up(self) -> None:
        """Take in what the log has since, from this session or from another window of the same assessor."""
        for event in both(self._store, self.assessor, after=self._seen):
            self._seen = event.id or self._seen
            if self._work.takes(pair_of(event)):
                self._ledger.add(event)

    # What is on screen

    @property
    def marks(self) -> tuple[Evidence, ...]:
        """The evidence marked in the document on screen."""
        return loaded(self._ledger.draft(self._desk.pair))

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
