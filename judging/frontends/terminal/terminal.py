"""The full screen: judging in a terminal, also one of 80 by 24, over ssh, in tmux.

It shows what a session shows and hands keys to it; what a key means depends on the mode (modes.py). It works without
colour and without a mouse.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from textual.events import Key, Paste
from textual.timer import Timer
from textual.widgets import Input

from cranfield.errors import BusyError, InputError
from cranfield.judging.frontends.keys import DEFAULT, Keys
from cranfield.judging.frontends.terminal.display import Display
from cranfield.judging.frontends.terminal.document_keys import Reading
from cranfield.judging.frontends.terminal.input import Ended
from cranfield.judging.frontends.terminal.modes import Marking, Mode, Page, TopicPage, Typing
from cranfield.judging.frontends.terminal.waits import Task, Waiting, perform
from cranfield.judging.frontends.view_text import pane_text
from cranfield.judging.session.early_keys import Guard
from cranfield.judging.session.hold import PassedOnError
from cranfield.judging.session.order import ORDERS
from cranfield.judging.session.session import Session

PAUSE = 2.0  # seconds without typing after which a note is put on disk, though it is not finished


class Terminal(Display):
    """A session on the full screen. `clock` tells when a document was drawn."""

    def __init__(
        self,
        session: Session,
        keys: Keys = DEFAULT,
        guidelines: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(session, keys)
        self.guidelines, self.guard = guidelines, Guard(clock)
        self._remind = False
        self._topics: list[str] = []  # that were shown, the last one last
        self._fresh = True  # the document was not on screen yet
        self._saving: Timer | None = None
        self.failure: Exception | None = None  # what ended the program
        self.status = 0  # with which it is to end
        session.input = "key"
        session.wait_for_nobody()

    def on_mount(self) -> None:
        """The first document."""
        super().on_mount()
        self._reading = Reading(self)
        self.mode = self._reading
        if not self.session.blind:
            self._said = f"order: {ORDERS[self.session.order].about}"
        self.app_resume_signal.subscribe(self, self._back)
        self.call_after_refresh(self._anew)

    def _back(self, app: object) -> None:
        """In front of the assessor again: what passed was no reading, and what she typed was for something else."""
        self.session.waited()
        self._wait()

    # Keys

    def on_key(self, event: Key) -> None:
        """A key that no line to type in has taken."""
        event.stop()
        own = event.character and event.is_printable and event.key != "space" and "+" not in event.key
        key = event.character if event.character and own else event.key
        self.session.touch()
        if self.guard.is_drawn or key == self.keys["quit"]:
            self.hush()
            self.attempt(lambda: self.mode.key(key))

    def attempt(self, act: Callable[[], object]) -> None:
        """Do something; what is refused is told, what fails ends the program: everything recorded is on disk."""
        try:
            act()
            self.bars()
        except PassedOnError as gone:
            self.enter(self._reading)
            self._anew()
            self.refuse(str(gone))
        except (InputError, BusyError) as refusal:
            self.refuse(str(refusal))
        except Exception as error:
            self.failure = error
            self.exit()

    def on_paste(self, event: Paste) -> None:
        """What is pasted is never a key."""
        self.refuse("what is pasted is not taken for keys")

    def on_unended(self) -> None:
        """What is typed now would be pasted."""
        self.refuse("a paste has begun and does not end, so no key is obeyed; Ctrl-C quits")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The line is typed."""
        if isinstance(self.mode, Typing):
            self.attempt(partial(self.mode.end, event.value))

    def on_input_changed(self, event: Input.Changed) -> None:
        """A note is put on disk when the assessor pauses: whatever happens then, it is there."""
        self.session.touch()
        if self._saving:
            self._saving.stop()
        if isinstance(self.mode, Typing) and self.mode.kept:
            self._saving = self.set_timer(PAUSE, partial(self.attempt, self._keep))

    def _keep(self) -> None:
        """Put the note on disk that is being written; while another program is writing, try again."""
        try:
            if isinstance(self.mode, Typing):
                self.mode.keep()
        except BusyError:
            self._saving = self.set_timer(PAUSE, partial(self.attempt, self._keep))
            self.hush()
            self.say("! your note is not on disk yet: another program is writing to the store")

    async def on_ended(self, event: Ended) -> None:
        """Somebody wants the program to end, or the terminal is gone."""
        self.status = event.status
        await self.action_quit()

    async def action_quit(self) -> None:
        """End; a note that is being written is kept, and what could not be recorded is told."""
        waits = self.mode.task.key if isinstance(self.mode, Waiting) and not self.session.behind else ""
        try:
            if isinstance(self.mode, Typing):
                self.mode.keep()
        except BusyError:
            waits = self.keys["note"]
        except Exception as error:
            self.failure = error
        if waits:
            self.failure = BusyError(f"{waits} is not recorded: another program was writing to the store")
        self.exit()

    # What modes do

    def ready(self, key: str) -> bool:
        """Whether the document has been there long enough to be decided on."""
        if early := self.guard.early():
            self.refuse(f"{key} ignored: the document is hardly there (is the key held down?)")
        return not early

    def record(self, key: str, command: Callable[[], object], then: Callable[[], object] = lambda: None) -> None:
        """Do what a key asks for and, once it is on disk, what follows."""
        perform(self, Task(key, command, then))

    def decide(self, key: str, command: Callable[[], object], remind: bool = False, said: str = "") -> None:
        """Do something after which another document may be on screen."""

        def then() -> None:
            self._remind = remind
            self._anew()
            for text in filter(None, (self.session.break_due(), said)):
                self.say(text)

        self.record(key, command, then)

    def enter(self, mode: Mode) -> None:
        """Let keys mean something else."""
        self.mode = mode
        self.prompt.display = isinstance(mode, Typing)
        if isinstance(mode, Page):
            self.page.spans.clear()
            self.page.load(lambda width: "\n".join(mode.lines(width)))
        if isinstance(mode, Typing):
            self.prompt.value = mode.value
            self.prompt.cursor_position = len(mode.value)
            self.set_focus(self.prompt)
        else:
            self.set_focus(None)
        if isinstance(mode, Marking):
            mode.show()
        self.arrange()

    def leave(self) -> None:
        """Back to the document; what was typed before it is seen again is not for it."""
        if self._saving:
            self._saving.stop()
        page = isinstance(self.mode, Page)
        self.enter(self._reading)
        if page:
            self._wait()
        self.draw()

    def toggle_beside(self) -> None:
        """The topic beside the document, or not."""
        if not self.is_wide:
            raise InputError(f"there is no room beside the document; {self.keys['topic']} shows the topic")
        self._beside = not self._beside
        self.arrange()

    # Another document

    def _anew(self) -> None:
        """Another document, perhaps of another topic."""
        self._reminder, self._fresh = "", True
        self.document.patterns.clear()
        self.document.spans.clear()
        self._reading.new()
        text, self.body = pane_text(self.session.view, self.keys)
        self.document.load(text)
        self._wait()
        self.draw()
        if (topic := self.session.view.topic) and topic.qid not in self._topics[-1:]:
            self._another(topic.qid)

    def _another(self, qid: str) -> None:
        """Another topic: the whole of it when it comes up first, before any document of it."""
        if qid not in self._topics:
            self.enter(TopicPage(self, new=True))
        else:
            self.say(f"another topic: {qid}")
        self._topics.append(qid)

    def _wait(self) -> None:
        """Throw keys away until the document is on screen."""
        self.guard.waiting()
        self.call_after_refresh(self._drawn)

    def _drawn(self) -> None:
        self.guard.drawn()
        if self._fresh and not isinstance(self.mode, Page):
            self._fresh = False
            self.session.drawn()
        if self._remind:
            self._remind, self._reminder = False, self.session.reminder()
            self.bars()
