"""What every session has: commands that act once and in time, and events on disk before the next document is shown.

What one assessor judges is in session.py; what an adjudicator settles, in judging/adjudication.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from uuid import uuid4

from cranfield.display.layout import Region
from cranfield.errors import InputError
from cranfield.formats import Document
from cranfield.judging.labels.pairs import Evidence, Pair, pair_of
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.command import CommandTarget, known_reason, session_command
from cranfield.judging.session.order import stored_docno
from cranfield.judging.session.pace import IDLE
from cranfield.judging.session.transitions import TRANSITIONS
from cranfield.judging.session.view import RecentDecision, ScreenState, SessionView, words_of
from cranfield.judging.session.work import PassedOnError
from cranfield.store.chain import Event
from cranfield.store.log import append, is_recorded, scale_in_words
from cranfield.store.store import Store
from cranfield.text import counted

RECENT = 20  # decisions that can be listed


class Recording(ABC):
    """The state of a session: what is on screen, and how it changes when something is recorded.

    What a command records is on disk before the session goes on. If another program is writing to the store, a
    BusyError is raised, nothing has changed, and the same command can be given again. If the session is `behind`, the
    command is recorded already and only what comes next remains to be shown.
    """

    view: SessionView
    grade_words = ("a grade", "grades")  # what a grade is called

    def __init__(
        self, store: Store, assessor: str, clock: Callable[[], float] = time.monotonic,
        ids: Callable[[], str] = lambda: uuid4().hex, idle: float = IDLE,
    ) -> None:  # fmt: skip
        self._store, self.assessor, self.clock, self._ids = store, assessor, clock, ids
        self.grades = store.collection.grades
        self.input = ""  # how commands come in; set by the front end
        self._screen = ScreenState(self._read, clock, idle)
        self.obeyed_ids: set[str] = set()  # the ids of commands, including those that record no event
        self.behind, self._another = False, True
        self._passed_on: PassedOnError | None = None  # why nothing was recorded, until it is raised
        self._again: Pair | None = None  # the pair that is judged again, until something is recorded
        self._last_id = 0  # the last event of the log taken in

    # What is on screen

    def command_target(self) -> CommandTarget:
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
    def layout(self) -> list[Region]:
        """Its layout."""
        return self._screen.layout

    @property
    @abstractmethod
    def marks(self) -> Sequence[Evidence]:
        """The evidence marked in the document on screen."""

    @property
    def last_event(self) -> int:
        """The number of the assessor's last event that the session has taken in."""
        return (self._state.last and self._state.last.id) or 0

    @property
    def last_event_id(self) -> str:
        """The id that the command of that event gave it."""
        return self._state.last.event_id if self._state.last else ""

    @property
    def order(self) -> str:
        """The name of the order of the documents."""
        return ""

    @property
    def blind(self) -> bool:
        """Whether the order reveals nothing about where a document came from."""
        return True

    def refresh(self) -> SessionView:
        """Take in what another window or program has recorded for this assessor."""
        before = self._last_id
        self._catch_up()
        return self.view if self._last_id == before and not self._is_outdated() else self._show()

    def recent(self) -> list[RecentDecision]:
        """The last current decisions, newest first; none on the document on screen."""
        return self.recall(self.decisions()[:RECENT])

    def recall(self, decisions: Iterable[Event]) -> list[RecentDecision]:
        """Decisions as they are listed."""
        return [self._recent_decision(event) for event in decisions]

    def decisions(self) -> list[Event]:
        """All current decisions, newest first, as `again` counts them; none on the document on screen."""
        return [event for event in reversed(self._state.done) if pair_of(event) != self.pair]

    def reminder(self) -> str:
        """What questions the last decision; else empty."""
        return ""

    def appear(self) -> None:
        """The document is on screen only now: its time begins."""
        self._screen.time.start()

    def touch(self) -> None:
        """The assessor is active (scrolls, say), so the reading counts as active time."""
        self._screen.time.seconds()

    def leave(self) -> None:
        """Something else is in front of the assessor."""
        self._screen.time.leave()

    def exclude_pause(self) -> None:
        """The time since the last sign of life was not reading."""
        self._screen.time.return_to_front()

    def report_time(self, source: str, seconds: float) -> None:
        """A page in the browser has measured so many active seconds of this document since it was shown."""
        self._screen.time.report(source, seconds)

    def stop_waiting_for_writers(self) -> None:
        """From now on a command raises BusyError at once while another program is writing."""
        self._store.patience = 0

    # Commands

    @session_command
    def grade(self, about: CommandTarget, grade: int, fast: bool = False) -> SessionView:
        """Decide with a grade; one off the scale is an error. `fast`: given right after the document was drawn."""
        self._check(grade)
        return self._record_on_current_pair(about, "label", grade=grade, fast=fast)

    @session_command
    def later(self, about: CommandTarget) -> SessionView:
        """Put the document off; it comes back at the end of its topic."""
        return self._record_on_current_pair(about, "later")

    @session_command
    def cannot_judge(self, about: CommandTarget, reason: str) -> SessionView:
        """Set the document aside for good, for one of REASONS or for "other: " and a reason in words."""
        return self._record_on_current_pair(about, "cannot-judge", reason=known_reason(reason))

    @session_command
    def note(self, about: CommandTarget, text: str) -> SessionView:
        """Keep a note on the document on screen; it is saved with the decision, and on disk before that."""
        return self._record_on_current_pair(about, "note", note=text.strip())

    @session_command
    def undo(self, about: CommandTarget) -> SessionView:
        """Undo the last current decision, of whatever session; its document is on screen again."""
        self._catch_up()
        if not self._state.done:
            raise InputError("there is nothing to undo")
        last = self._state.done[-1]
        of = {"supersedes": last.id, "document_sha256": last.document_sha256, "position": last.position}
        return self._record(self._event(about, "retract", pair_of(last), **of))

    @session_command
    def redo(self, about: CommandTarget) -> SessionView:
        """Repeat the decision that was undone, as long as nothing else has been recorded since."""
        self._catch_up()
        if not self._state.undone:
            raise InputError("there is nothing to redo")
        event, retract = self._state.undone[-1]
        return self._record(event._replace(supersedes=retract, at="", event_id=about.event_id, id=None))

    @session_command
    def again(self, about: CommandTarget, number: int) -> SessionView:
        """Judge one of `decisions` again, counted from 1; forgotten if no decision follows. 0: leave it as it is."""
        recent = self.decisions()
        if not 0 <= number <= len(recent):
            raise InputError(f"number {number} is not among your last {counted(len(recent), 'decision')}")
        if not number and not self._again:
            raise InputError("you are not judging an earlier decision again")
        self._again = pair_of(recent[number - 1]) if number else None
        return self._show()

    @session_command
    def terms(self, about: CommandTarget, text: str) -> SessionView:
        """Highlight these comma-separated terms in the documents of this topic; none if empty."""
        self._screen.set_terms(text)
        return self._show(anew=False)

    @session_command
    def mark_topic(self, about: CommandTarget) -> SessionView:
        """Highlight the words of the topic's title with their inflections in its documents, or nothing more."""
        if (topic := self.view.topic) is None:
            raise InputError("everything is done; there is no topic on screen")
        words = ", ".join(words_of(topic.title) or words_of(topic.description))
        if not words:
            raise InputError("the topic has no words to highlight")
        self._screen.set_terms("" if self._screen.terms == words else words)
        return self._show(anew=False)

    @session_command
    def toggle_highlight(self, about: CommandTarget) -> SessionView:
        """Turn highlighting on or off."""
        self._screen.toggle_terms()
        return self._show(anew=False)

    # Recording

    def knows(self, event_id: str) -> bool:
        """Whether a command was executed before, in this session or, if it is an event, in another."""
        return event_id in self.obeyed_ids or self._is_recorded(event_id)

    def _check(self, grade: int) -> None:
        if grade not in self.grades:
            one, several = self.grade_words
            raise InputError(f"{grade} is not {one} here; the {several} are {scale_in_words(self.grades)}")

    def _record_on_current_pair(self, about: CommandTarget, kind: str, **more: Any) -> SessionView:
        """Record an event on the pair on screen, with what it takes of the draft of that."""
        draft = self._state.draft(self._screen.current_pair)
        fields = {name: getattr(draft, name) for name in TRANSITIONS[kind].takes}
        return self._record(self._event(about, kind, self._screen.current_pair, **(fields | more)))

    def _is_recorded(self, event_id: str) -> bool:
        return is_recorded(self._store, event_id)

    def _append(self, event: Event) -> None:
        append(self._store, self._outward(event))

    def _read(self, docno: str) -> Document:
        """What is judged under this name."""
        return self._store.document(stored_docno(docno))

    def _record(self, event: Event) -> SessionView:
        with self._event_transaction(pair_of(event), event.kind):
            if not self._is_recorded(event.event_id):
                self._append(event)
        self._handle_event(event)
        return self._follow(anew=not TRANSITIONS[event.kind].stays)

    @contextmanager
    def _event_transaction(self, pair: Pair, kind: str) -> Iterator[None]:
        """A transaction for an event on a pair; where somebody else is in charge of it, go on to what comes next."""
        try:
            with self._permission(pair, kind):
                yield
        except PassedOnError as gone:
            self._passed_on = gone
            self._give_up(pair)
            self._follow(anew=True)

    def _handle_event(self, event: Event) -> None:
        """What an event ends: judging again, unless its pair stays."""
        self._again = self._again if TRANSITIONS[event.kind].stays else None

    # What comes next

    def _follow(self, anew: bool) -> SessionView:
        self.behind, self._another = True, anew
        return self.go_on()

    def go_on(self) -> SessionView:
        """Show what comes next; a PassedOnError where nothing was recorded."""
        self._catch_up()
        self._show(self._another)
        self.behind = False
        refusal, self._passed_on = self._passed_on, None
        if refusal:
            raise refusal
        return self.view

    # What is judged

    @property
    @abstractmethod
    def summary(self) -> str:
        """The progress in one line."""

    @property
    @abstractmethod
    def _state(self) -> AssessorState:
        """The decisions so far."""

    @abstractmethod
    def _event(self, about: CommandTarget, kind: str, pair: Pair, **more: Any) -> Event:
        """An event on a pair, with how it was shown."""

    def _outward(self, event: Event) -> Event:
        """An event as the log has it."""
        return event

    @abstractmethod
    def _permission(self, pair: Pair, kind: str) -> AbstractContextManager[None]:
        """A transaction; a PassedOnError where somebody else is in charge now."""

    @abstractmethod
    def _give_up(self, pair: Pair) -> None:
        """Leave what has passed to somebody else."""

    @abstractmethod
    def _recent_decision(self, event: Event) -> RecentDecision:
        """A decision for the list of recent ones."""

    def _is_outdated(self) -> bool:
        """Whether what is to be judged has changed since."""
        return False

    @abstractmethod
    def _catch_up(self) -> None:
        """Take in new events of the log."""

    @abstractmethod
    def _show(self, anew: bool = True) -> SessionView:
        """Show what comes next; `anew`: its time begins."""
