"""What a session records and what it shows then; its commands are in session.py."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar
from uuid import uuid4

from cranfield.errors import InputError
from cranfield.judging.labels.evidence import Evidence, dumped, loaded
from cranfield.judging.labels.pairs import Pair, pair_of
from cranfield.judging.session.active_time import IDLE
from cranfield.judging.session.batches import Provider
from cranfield.judging.session.near_duplicates import NearDuplicates
from cranfield.judging.session.on_screen import OnScreen
from cranfield.judging.session.pace import Pace
from cranfield.judging.session.repeats import bare, both, outward
from cranfield.judging.session.view import View, view_of
from cranfield.judging.session.work import PassedOnError, held, take_up, without_topic
from cranfield.store.events import Event
from cranfield.store.log import append, is_recorded
from cranfield.store.pools.pools import Pool
from cranfield.store.store import Store

Given = ParamSpec("Given")
S = TypeVar("S", bound="Recording")


class CommandTarget(NamedTuple):
    """What a command is about: the pair on screen when it was given, and the id that its event gets."""

    pair: Pair | None
    event_id: str


class LateError(InputError):
    """A command is about a document that is no longer on screen; nothing was recorded."""


def command(
    act: Callable[Concatenate[S, CommandTarget, Given], View],
) -> Callable[Concatenate[S, CommandTarget, Given], View]:
    """A method that is a command: repeated, it is done once; late, it is not applied to the next document."""

    @wraps(act)
    def obeyed(session: S, about: CommandTarget, /, *values: Given.args, **named: Given.kwargs) -> View:
        if session.behind:
            session.go_on()
        if session.knows(about.event_id):
            return session.view
        if about.pair != session.pair:
            raise LateError("the document of this command is no longer on screen; nothing was recorded")
        session.obeyed.add(about.event_id)
        try:
            return act(session, about, *values, **named)
        except Exception:
            if not session.behind:
                session.obeyed.remove(about.event_id)
            raise

    return obeyed


class Recording:
    """The state of a session: what is on screen, and how it changes when something is recorded.

    What a command records is on disk before the session goes on. If another program is writing to the store, a
    BusyError is raised, nothing has changed, and the same command can be given again. If the session is `behind`, the
    command is recorded already and only what comes next remains to be shown.
    """

    view: View

    def __init__(
        self, store: Store, assessor: str, pool: Pool, order: str | None = None, seed: int | None = None,
        topics: Collection[str] | None = None, clock: Callable[[], float] = time.monotonic,
        ids: Callable[[], str] = lambda: uuid4().hex, idle: float = IDLE, provider: Provider | None = None,
        more: Callable[[], Pool | None] | None = None,
    ) -> None:  # fmt: skip
        self._store, self.assessor, self.clock, self._ids, self._more = store, assessor, clock, ids, more
        self.grades = store.collection.grades
        self.input = ""  # how commands come in; set by the front end
        self._take_up = partial(take_up, store, assessor, order=order, seed=seed, topics=topics, provider=provider)
        self._screen = OnScreen(store, clock, idle)
        self._near = NearDuplicates(self._text_of)
        self.obeyed: set[str] = set()  # the ids of commands, including those that record no event
        self.behind, self._another = False, True
        self._passed_on: PassedOnError | None = None  # why nothing was recorded, until it is raised
        self._left: str | None = None  # the topic that next_topic went to, until something is recorded
        self._again: Pair | None = None  # the pair that is judged again, until then
        self._take(pool)
        self._show()

    # What is on screen

    def about(self) -> CommandTarget:
        """What a command given now is about: the pair on screen, and a new event."""
        return CommandTarget(self.pair, self._ids())

    @property
    def pair(self) -> Pair | None:
        """The pair on screen; None when everything is done."""
        return self._screen.pair

    @property
    def text(self) -> str:
        """The text of the document on screen as stored: not safe to show."""
        return self._screen.text

    @property
    def marks(self) -> tuple[Evidence, ...]:
        """The evidence marked in the document on screen."""
        return loaded(self._work.state.draft(self.pair))

    def _text_of(self, docno: str) -> str:
        return self._store.document(bare(docno)).text

    @property
    def last_event(self) -> int:
        """The number of the assessor's last event that the session has taken in."""
        return self._seen

    def refresh(self) -> View:
        """Take in what another window or program has recorded for this assessor."""
        before = self._seen
        self._catch_up()
        return self.view if self._seen == before else self._show()

    # Recording

    def knows(self, event_id: str) -> bool:
        """Whether a command was executed before, in this session or, if it is an event, in another."""
        return event_id in self.obeyed or is_recorded(self._store, event_id)

    def _decide(self, about: CommandTarget, kind: str, **more: Any) -> View:
        pair = self._screen.here
        draft, label = self._work.state.draft(pair), kind == "label"
        kept = {"note": draft.note, "unsure": draft.unsure and label, "evidence": draft.evidence if label else None}
        return self._record(self._event(about, kind, pair, **kept, **more))

    def _draft(self, about: CommandTarget, **changed: Any) -> View:
        draft = self._work.state.draft(self._screen.here)
        kept = {"note": draft.note, "unsure": draft.unsure, "evidence": draft.evidence}
        return self._record(self._event(about, "note", self._screen.here, **(kept | changed)))

    def _mark(self, about: CommandTarget, evidence: Evidence) -> View:
        return self._draft(about, evidence=dumped([*(one for one in self.marks if one != evidence), evidence]))

    def _event(self, about: CommandTarget, kind: str, pair: Pair, **more: Any) -> Event:
        work, decided = self._work, self._work.state.decided[pair[0]]
        how = {"order_policy": work.order, "order_seed": work.seed, "event_id": about.event_id, "input": self.input}
        place = len(decided) - (pair[1] in decided) + 1
        where = {"position": place, "pool": (work.provider and work.provider.pool()) or work.pool.number}
        return Event(kind, *pair, self.assessor, **{**how, **where, **self._screen.seen(), **more})

    def _record(self, event: Event) -> View:
        with self._held(event.qid):
            if not is_recorded(self._store, event.event_id):
                append(self._store, outward(event))
        self._left, self._again = None, self._again if event.kind == "note" else None
        return self._follow(anew=event.kind != "note")

    @contextmanager
    def _held(self, qid: str) -> Iterator[None]:
        """Hold a topic while something is recorded about it; leave it if it has passed to somebody else."""
        try:
            with held(self._store, self.assessor, qid):
                yield
        except PassedOnError as gone:
            self._passed_on = gone
            self._take(without_topic(self._work.pool, qid))
            self._follow(anew=True)

    # What comes next

    def _follow(self, anew: bool) -> View:
        self.behind, self._another = True, anew
        return self.go_on()

    def go_on(self) -> View:
        """Show what comes next; if the topic has passed to somebody else, so that nothing was recorded, raise that."""
        self._catch_up()
        self._show(self._another)
        self.behind = False
        gone, self._passed_on = self._passed_on, None
        if gone:
            raise gone
        return self.view

    def _take(self, pool: Pool) -> None:
        """Take up a pool as the work."""
        self._work = self._take_up(pool)
        self._seen = self._work.past[-1].id or 0 if self._work.past else 0
        self._left = self._again = None
        self._screen.recall(self._work.past)
        self._pace = Pace(lambda docno: len(self._text_of(docno)), self._work.waiting)

    def _catch_up(self) -> None:
        """Take in new events of the log, from this session or from another window of the same assessor."""
        for event in both(self._store, self.assessor, after=self._seen):
            self._seen = event.id or self._seen
            if self._work.documents.takes(pair_of(event)):
                self._work.state.add(event)

    def _show(self, anew: bool = True) -> View:
        pair = self._again or self._work.documents.next(self._left)
        if pair is None and self._more and (pool := self._more()):
            self._take(pool)
            pair = self._work.documents.next(None)
        self._screen.lay(pair, anew)
        work = self._work
        self.view = view_of(
            self._store, self.assessor, self.grades, work.documents, work.state, self._screen, self._pace
        )
        return self.view
