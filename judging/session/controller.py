"""What comes when while an assessor judges, without any user interface: every front end asks this controller.

It has no timer and draws nothing. A front end reports when a document is drawn and passes on commands; it learns
whether a key came too early, what to show next, and what to mention with it.
"""

from collections.abc import Callable
from typing import Generic, Literal, NamedTuple, TypeVar

from cranfield.errors import BusyError
from cranfield.judging.session.command import CommandTarget
from cranfield.judging.session.order import ORDERS
from cranfield.judging.session.pace import FAST, Stretch
from cranfield.judging.session.recording import Recording
from cranfield.judging.session.view import SessionView

HELD = 0.15  # seconds after the draw in which a key is taken as held down, or as meant for the document before
MAX_WORK_SECONDS, BREAK_SECONDS = 50 * 60.0, 5 * 60.0  # seconds of work after which a break is due; seconds of a break
SOON = 0.3  # seconds after which waiting is mentioned

S = TypeVar("S", bound=Recording)
Command = Callable[[CommandTarget], SessionView]


class Next(NamedTuple):
    """What to show next: the view, and whether its topic is new, another one seen before, or the same."""

    view: SessionView
    topic: Literal["new", "other", "same"]


class Waiting(NamedTuple):
    """A command to be recorded as soon as no other program is writing, what it is about, and since when it waits."""

    key: str
    command: Command
    about: CommandTarget
    then: Callable[[], object]
    since: float


class Controller(Generic[S]):
    """A session and its timing. `clock` measures when a document was drawn.

    >>> from cranfield.formats import Document, Topic
    >>> from cranfield.judging.session.session import Session
    >>> from cranfield.store.pools import Pool, PooledDocument
    >>> from cranfield.store.store import Store
    >>> store = Store.memory("two documents")
    >>> store.add_documents([Document("d1"), Document("d2")]), store.add_topics([Topic("q1", "lift")])
    (2, 1)
    >>> now = 0.0
    >>> pooled = [PooledDocument("q1", docno, 1, ("r",)) for docno in ("d1", "d2")]
    >>> controller = Controller(Session(store, "ada", Pool("depth", {}, pooled), clock=lambda: now))
    >>> controller.next().topic, controller.is_drawn, controller.is_too_early()
    ('new', False, True)
    >>> controller.appear()
    >>> now = 0.1; controller.is_too_early()
    True
    >>> now = 0.3; controller.is_too_early(), controller.is_fast_decision()
    (False, True)
    >>> session = controller.session
    >>> controller.perform("1", lambda about: session.grade(about, 1), lambda: print(controller.next().topic))
    same
    True
    >>> store.close()
    """

    def __init__(self, session: S, clock: Callable[[], float] | None = None) -> None:
        self.session = session
        self.clock = clock or session.clock
        self.waiting: Waiting | None = None
        self._appeared: float | None = None  # when the document was drawn
        self._quiet_since = 0.0  # when a key last came too early
        self._unread = True  # the document was not on screen yet
        self._remind = False
        self._topics: list[str] = []  # those shown so far, the latest last
        self._stretch = Stretch(session.clock, MAX_WORK_SECONDS, BREAK_SECONDS)

    # What to show

    @property
    def order(self) -> str:
        """A description of the order, where it is not blind."""
        return "" if self.session.blind else ORDERS[self.session.order].about

    def next(self, remind: bool = False) -> Next:
        """What is to be shown next; `remind`: a reminder may follow the decision before it."""
        self._unread, self._remind = True, remind
        self.hide_document()
        return Next(self.session.view, self._topic())

    def _topic(self) -> Literal["new", "other", "same"]:
        topic, before = self.session.view.topic, self._topics
        if topic is None or topic.qid in before[-1:]:
            return "same"
        self._topics = [*before, topic.qid]
        return "other" if topic.qid in before else "new"

    def reminder(self) -> str:
        """That a near-duplicate of the document just labelled has another grade: once, and never before the grade."""
        remind, self._remind = self._remind, False
        return self.session.reminder() if remind else ""

    def break_notice(self) -> str:
        """That a break is due: once, until there has been one; else empty."""
        return f"{MAX_WORK_SECONDS / 60:.0f} minutes without a break" if self._stretch.is_break_due() else ""

    # When it is on screen

    @property
    def is_drawn(self) -> bool:
        """Whether the document is on screen; until then, every key was meant for the one before."""
        return self._appeared is not None

    def hide_document(self) -> None:
        """The document is no longer on screen, or not yet."""
        self._appeared = None

    def appear(self, document: bool = True) -> None:
        """The screen is drawn: the document, whose time begins, or a page that covers it."""
        self._appeared = self._quiet_since = self.clock()
        if self._unread and document:
            self._unread = False
            self.session.appear()

    def come_back(self) -> None:
        """The assessor is back from another program: the time away was not reading, and keys were not meant for us."""
        self.session.exclude_pause()
        self.hide_document()

    def touch(self) -> None:
        """A sign of life: what passes is active time."""
        self.session.touch()
        self._stretch.alive()

    def is_too_early(self) -> bool:
        """Whether a decision now comes too early and is to be ignored.

        A terminal cannot see a key released. A key that repeats is ignored as long as it does: each ignored one
        restarts the time.
        """
        if self._appeared is None:
            return True
        now, since = self.clock(), self._quiet_since
        if now - since >= HELD:
            return False
        self._quiet_since = now
        return True

    def is_fast_decision(self) -> bool:
        """Whether a decision now is recorded as a fast one."""
        return self._appeared is None or self.clock() - self._appeared < FAST

    # Commands

    def perform(self, key: str, command: Command, then: Callable[[], object]) -> bool:
        """Execute the command of a key and, once it is on disk, what follows; False: another program is writing."""
        return self._try_to_run_command(Waiting(key, command, self.session.command_target(), then, self.clock()))

    def retry(self) -> bool:
        """Try again what waits, which is recorded once, however often it is tried; False: it still waits."""
        self.session.exclude_pause()
        return self.waiting is None or self._try_to_run_command(self.waiting)

    def _try_to_run_command(self, waiting: Waiting) -> bool:
        self.waiting = waiting
        try:
            waiting.command(waiting.about)
        except BusyError:
            return False
        except Exception:
            self.waiting = None
            raise
        self.waiting = None
        waiting.then()
        return True

    def waiting_time(self) -> float | None:
        """For how many seconds a command has waited, once that is long enough to mention."""
        seconds = self.clock() - self.waiting.since if self.waiting else 0.0
        return seconds if seconds >= SOON else None
