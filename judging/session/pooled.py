"""What a session of pooled documents records and what it shows then; its commands are in session.py."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from uuid import uuid4

from cranfield.judging.labels.evidence import Evidence, dumped, loaded
from cranfield.judging.labels.pairs import Pair, pair_of
from cranfield.judging.session.active_time import IDLE
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.batches import Provider
from cranfield.judging.session.command import CommandTarget
from cranfield.judging.session.near_duplicates import NearDuplicates
from cranfield.judging.session.order import bare, both, outward
from cranfield.judging.session.pace import Pace
from cranfield.judging.session.recording import Recording
from cranfield.judging.session.view import RecentDecision, View, recalled, view_of
from cranfield.judging.session.work import held, take_up, without_topic
from cranfield.store.chain import Event
from cranfield.store.corpus import text_bytes, titles
from cranfield.store.pools import Pool
from cranfield.store.store import Store


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
        self._near = NearDuplicates(self._text_of)
        self._left: str | None = None  # the topic that next_topic went to, until something is recorded
        self._take(pool)
        self._show()

    @property
    def marks(self) -> tuple[Evidence, ...]:
        """The evidence marked in the document on screen."""
        return loaded(self._work.state.draft(self.pair))

    def _text_of(self, docno: str) -> str:
        return self._store.document(bare(docno)).text

    @property
    def _state(self) -> AssessorState:
        return self._work.state

    @property
    def last_event(self) -> int:
        """The number of the assessor's last event that the session has taken in."""
        return self._seen

    # Recording

    def _decide(self, about: CommandTarget, kind: str, **more: Any) -> View:
        pair = self._screen.here
        draft, label = self._work.state.draft(pair), kind == "label"
        kept = {"note": draft.note, "unsure": draft.unsure and label, "evidence": draft.evidence if label else None}
        return self._record(self._event(about, kind, pair, **kept, **more))

    def _mark(self, about: CommandTarget, evidence: Evidence) -> View:
        return self._draft(about, evidence=dumped([*(one for one in self.marks if one != evidence), evidence]))

    def _event(self, about: CommandTarget, kind: str, pair: Pair, **more: Any) -> Event:
        work, decided = self._work, self._work.state.decided[pair[0]]
        how = {"order_policy": work.order, "order_seed": work.seed, "event_id": about.event_id, "input": self.input}
        place = len(decided) - (pair[1] in decided) + 1
        where = {"position": place, "pool": (work.provider and work.provider.pool()) or work.pool.number}
        return Event(kind, *pair, self.assessor, **{**how, **where, **self._screen.seen(), **more})

    def _outward(self, event: Event) -> Event:
        return outward(event)

    @contextmanager
    def _allowed(self, pair: Pair, kind: str) -> Iterator[None]:
        """Hold the topic while something is recorded about it."""
        with held(self._store, self.assessor, pair[0]):
            yield

    def _give_up(self, pair: Pair) -> None:
        self._take(without_topic(self._work.pool, pair[0]))

    def _recorded(self, event: Event) -> None:
        self._left = None
        super()._recorded(event)

    # What comes next

    def _take(self, pool: Pool) -> None:
        """Take up a pool as the work."""
        self._work = self._take_up(pool)
        self._seen = self._work.past[-1].id or 0 if self._work.past else 0
        self._left = self._again = None
        self._screen.recall(self._work.past)
        self._pace = Pace(lambda docno: text_bytes(self._store, bare(docno)), self._work.waiting)

    def _catch_up(self) -> None:
        """Take in new events of the log, from this session or from another window of the same assessor."""
        for event in both(self._store, self.assessor, after=self._seen):
            self._seen = event.id or self._seen
            if self._work.documents.takes(pair_of(event)):
                self._work.state.add(event)

    def _recalled(self, event: Event) -> RecentDecision:
        docno = bare(event.docno)
        return recalled(event, self._work.documents, self.grades, titles(self._store, [docno])[docno])

    def _show(self, anew: bool = True) -> View:
        pair = self._again or self._work.documents.next(self._left)
        if pair is None and self._more and (pool := self._more()):
            self._take(pool)
            pair = self._work.documents.next(None)
        self._screen.lay(pair, anew)
        work = self._work
        self.view = view_of(
            self._store,
            self.assessor,
            self.grades,
            documents=work.documents,
            state=work.state,
            shown=self._screen,
            pace=self._pace,
        )
        return self.view
