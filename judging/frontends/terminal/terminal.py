"""The full screen: judging in a terminal of 80 by 24 or more, also over ssh and in tmux.

It shows what a session shows and passes keys on. What a key means depends on the mode (reading.py, modes.py),
what comes when is up to the controller. It works without colour and without a mouse.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import ClassVar

from textual.events import Key, Paste
from textual.timer import Timer
from textual.widgets import Input

from cranfield.display.layout import STAND_OUT, move_regions
from cranfield.display.reflow import Display, other_display
from cranfield.errors import BusyError, InputError
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.frontends.keys import ADJUDICATING, DEFAULT, Keys
from cranfield.judging.frontends.terminal.display import SessionDisplay
from cranfield.judging.frontends.terminal.driver import EndRequest
from cranfield.judging.frontends.terminal.modes import Marking, Mode, Page, Typing, WaitingToRecord
from cranfield.judging.frontends.terminal.reading import Judging, ReadingMode
from cranfield.judging.frontends.view_text import pane_text
from cranfield.judging.labels.pairs import Evidence
from cranfield.judging.session.controller import Command, Controller
from cranfield.judging.session.recording import Recording
from cranfield.judging.session.work import PassedOnError
from cranfield.text import visible_position_map

PAUSE = 2.0  # seconds without typing after which an unfinished note is saved
AGAIN = 0.05  # seconds between two tries to record something


class Terminal(SessionDisplay):
    """A session on the full screen. `clock` measures when a document was drawn."""

    reading: ClassVar[type[ReadingMode]] = Judging

    def __init__(
        self,
        session: Recording,
        keys: Keys = DEFAULT,
        guidelines: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(session, keys)
        self.controller, self._guidelines = Controller(session, clock), guidelines
        self._saving: Timer | None = None
        self._lines: Display = "auto"  # how the lines of documents are displayed
        self.failure: Exception | None = None  # what ended the program
        self.status = 0  # its exit status
        session.input = "key"
        session.stop_waiting_for_writers()

    def on_mount(self) -> None:
        """The first document."""
        super().on_mount()
        self._reading = self.reading(
            self.controller,
            self.keys,
            self._guidelines,
            screen=self,
            document=self.document,
            page=self.page,
            line=self.line,
        )
        self.mode = self._reading
        self._message = f"order: {self.controller.order}" if self.controller.order else ""
        self.app_resume_signal.subscribe(self, self._back)
        self.call_after_refresh(self._next)

    def _back(self, app: object) -> None:
        """The program is in the foreground again."""
        self.controller.come_back()
        self.call_after_refresh(self._appear)

    def on_app_blur(self) -> None:
        """Another window is in front of the terminal."""
        self.session.leave()

    def on_app_focus(self) -> None:
        """The terminal is in front again."""
        self.session.exclude_pause()

    # Keys

    def on_key(self, event: Key) -> None:
        """A key that no input line has taken."""
        event.stop()
        own = event.character and event.is_printable and event.key != "space" and "+" not in event.key
        key = event.character if event.character and own else event.key
        self.controller.touch()
        if self.controller.is_drawn or key == self.keys["quit"]:
            self.clear_messages()
            self.attempt(lambda: self.mode.key(key))

    def attempt(self, act: Callable[[], object]) -> None:
        """Do something; refusals are shown, a failure ends the program: everything recorded is on disk."""
        try:
            act()
            self.show_bars()
        except PassedOnError as gone:
            self.enter(self._reading)
            self._next()
            self.refuse(str(gone))
        except (InputError, BusyError) as refusal:
            self.refuse(str(refusal))
        except Exception as error:
            self.failure = error
            self.exit()

    def on_paste(self, event: Paste) -> None:
        """Pasted text is never keys."""
        self.refuse("pasted text is ignored; press the keys instead")

    def on_open_paste(self) -> None:
        """What is typed now would be pasted."""
        self.refuse("a paste is still in progress, so keys are ignored; press Ctrl-C to quit")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The line is typed."""
        if isinstance(self.mode, Typing):
            self.attempt(partial(self.mode.end, event.value))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Save a note when the assessor pauses, so that it is there whatever happens then."""
        self.controller.touch()
        if self._saving:
            self._saving.stop()
        if isinstance(self.mode, Typing) and self.mode.keeps:
            self._saving = self.set_timer(PAUSE, partial(self.attempt, self._save_note))

    def _save_note(self) -> None:
        """Save the note that is being written; while another program is writing, try again later."""
        try:
            if isinstance(self.mode, Typing):
                self.mode.keep()
        except BusyError:
            self._saving = self.set_timer(PAUSE, partial(self.attempt, self._save_note))
            self.clear_messages()
            self.say("! your note is not saved yet, because another program is writing to the store")

    async def on_end_request(self, event: EndRequest) -> None:
        """The program is asked to end, or the terminal is gone."""
        self.status = event.status
        await self.action_quit()

    async def action_quit(self) -> None:
        """End; keep a note that is being written, and report what could not be recorded."""
        waits = self.mode.pending if isinstance(self.mode, WaitingToRecord) and not self.session.behind else ""
        try:
            if isinstance(self.mode, Typing):
                self.mode.keep()
        except BusyError:
            waits = self.keys["note"]
        except Exception as error:
            self.failure = error
        if waits:
            self.failure = BusyError(f"{waits} was not recorded, because another program was writing to the store")
        self.exit()

    # What modes do

    def record(self, key: str, command: Command, then: Callable[[], object] | None = None) -> None:
        """Execute the command of a key and, once it is on disk, what follows; wait while another program is writing."""

        def finish() -> None:
            self.clear_messages()
            (then or self.draw)()

        if not self.controller.perform(key, command, finish):
            self._wait_to_record(key)

    def _wait_to_record(self, key: str) -> None:
        self.mode = WaitingToRecord(key, self.mode, self.document, self.controller.waiting_time)
        self.set_timer(AGAIN, partial(self.attempt, self._again))

    def _again(self) -> None:
        if isinstance(self.mode, WaitingToRecord):
            key, self.mode = self.mode.pending, self.mode.before
            if not self.controller.retry():
                self._wait_to_record(key)

    def decide(self, key: str, command: Command, remind: bool = False, message: str = "") -> None:
        """Execute a command that may bring up another document."""

        def finish() -> None:
            self._next(remind)
            for text in filter(None, (self.controller.break_notice(), message)):
                self.say(text)

        self.record(key, command, finish)

    def decide_if_ready(self, key: str, command: Command, remind: bool = False, message: str = "") -> None:
        """The same, if the document has been there long enough to be judged."""
        if self.controller.is_too_early():
            self.refuse(f"{key} was ignored, because the document has only just appeared (is the key held down?)")
        else:
            self.decide(key, command, remind, message)

    def enter(self, mode: Mode) -> None:
        """Switch to a mode."""
        self.mode = mode
        self.line.display = isinstance(mode, Typing)
        if isinstance(mode, Page):
            self.page.spans.clear()
            self.page.load(lambda width: "\n".join(mode.lines(width)))
        if isinstance(mode, Typing):
            self.line.value = mode.value
            self.line.cursor_position = len(mode.value)
            self.set_focus(self.line)
        else:
            self.set_focus(None)
        if isinstance(mode, Marking):
            mode.show()
        self.arrange_panes()

    def leave(self) -> None:
        """Back to the document; keys typed before it is drawn again are not meant for it."""
        if self._saving:
            self._saving.stop()
        page = isinstance(self.mode, Page)
        self.enter(self._reading)
        if page:
            self._ignore_keys()
        self.draw()

    def toggle_beside(self) -> None:
        """Show or hide the topic beside the document."""
        if not self.is_wide:
            raise InputError(f"the screen is too narrow; press {self.keys['topic']} to see the topic")
        self._beside = not self._beside
        self.arrange_panes()

    def toggle_original(self) -> None:
        """Change the display of the document's lines; every place in it stays what it is."""
        document = self.session.view.document
        has_layout = bool(self.session.layout)
        other = other_display(document.text, self._lines, is_laid_out=has_layout) if document else None
        if other is None:
            raise InputError("the document has one line")
        self._lines = other
        text, self.body = pane_text(self.session.view, self.keys, self._lines)
        self.document.exchange(text)
        self._set_headings()
        self.draw()
        self.say({"auto": "prose flows", "lines": "original lines", "flow": "all lines flow"}[other])

    def _set_headings(self) -> None:
        """Headings of the document stand out, unless its lines are shown as they are."""
        layout = (
            move_regions(self.session.layout, visible_position_map(self.session.text)) if self._lines != "lines" else []
        )
        stand_out = ((one.start + self.body, one.end + self.body) for one in layout if one.kind in STAND_OUT)
        self.document.spans["heading"] = [*stand_out]

    # Another document

    def _next(self, remind: bool = False) -> None:
        """Show what comes next: another document, and first the whole of a new topic."""
        following = self.controller.next(remind)
        self._reminder = ""
        self.document.patterns.clear()
        self.document.spans.clear()
        self._reading.reset_for_document()
        text, self.body = pane_text(following.view, self.keys, self._lines)
        self.document.load(text)
        self._set_headings()
        self._ignore_keys()
        self.draw()
        if following.topic == "new":
            self._reading.show_topic(new=True)
        elif following.topic == "other" and following.view.topic:
            self.say(f"another topic: {following.view.topic.qid}")

    def _ignore_keys(self) -> None:
        """Ignore keys until the document is on screen."""
        self.controller.hide_document()
        self.call_after_refresh(self._appear)

    def _appear(self) -> None:
        self.controller.appear(document=not isinstance(self.mode, Page))
        if reminder := self.controller.reminder():
            self._reminder = reminder
            self.show_bars()


class Adjudicating(ReadingMode):
    """An adjudicator settles the case on screen."""

    commands = ADJUDICATING


class AdjudicationTerminal(Terminal):
    """An adjudication on the full screen; it ends after `limit` answers."""

    reading = Adjudicating

    def __init__(
        self, adjudication: Adjudication, keys: Keys = DEFAULT, guidelines: str = "",
        clock: Callable[[], float] = time.monotonic, limit: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(adjudication, keys, guidelines, clock)
        self._adjudication, self._limit, self._before = adjudication, limit, adjudication.answers

    def _evidence(self) -> Mapping[str, Sequence[Evidence]]:
        marks = self._adjudication.marks_by_letter()
        return {f"evidence {letter}": passages for letter, passages in marks.items() if passages}

    def _next(self, remind: bool = False) -> None:
        if self._limit is not None and self._adjudication.answers - self._before >= self._limit:
            self.exit()
        else:
            super()._next(remind)
