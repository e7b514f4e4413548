"""The full screen: judging in a terminal, also one of 80 by 24, over ssh, in tmux.

It shows what a session shows and hands keys to it; what a key means depends on the mode (modes.py). It works without
colour and without a mouse.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.driver import Driver
from textual.events import Key, Paste, Resize
from textual.timer import Timer
from textual.widgets import Input, Static

from cranfield.errors import InputError
from cranfield.formats import Topic

from .bars import commands_bar, grades_bar, head_bar, place_bar, status_lines
from .driver import lenient
from .evidence import shown
from .guard import Guard
from .hold import PassedOnError
from .keys import DEFAULT, Keys
from .layout import CSS
from .lines import pane_text, topic_lines
from .modes import Line, Marking, Mode, Page, Typing, topic_page
from .order import ORDERS
from .pane import Pane
from .reading import Reading
from .session import Session
from .terms import highlighter
from .text import visible_line

WIDE = 110  # columns from which the topic stays beside the document
PAUSE = 2.0  # seconds without typing after which a note is put on disk, though it is not finished


class Terminal(App[None]):
    """A session on the full screen. `clock` tells when a document was drawn."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", show=False, priority=True)]
    CSS = CSS

    def __init__(
        self,
        session: Session,
        keys: Keys = DEFAULT,
        guidelines: str = "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(ansi_color=True)  # before NO_COLOR is looked at: else it would paint black on black
        self.theme = "ansi-dark"  # the terminal's own colours, whatever they are
        self.session, self.keys, self.guidelines = session, keys, guidelines
        self.guard = Guard(clock)
        self.body = 0  # where in the pane the document's text begins
        self._beside, self._said, self._reminder, self._remind = True, "", "", False
        self._topics: list[str] = []  # that were shown, the last one last
        self._fresh = True  # the document was not on screen yet
        self._saving: Timer | None = None
        self.failure: Exception | None = None  # what ended the program
        session.input = "key"

    def get_driver_class(self) -> type[Driver]:
        """What reads the keys."""
        return lenient(super().get_driver_class())

    def compose(self) -> ComposeResult:
        """The parts of the screen, from the top."""
        self.document, self.page, self.side = Pane("document"), Pane("page"), Pane("side")
        self.prompt = Line(id="prompt", select_on_focus=False)
        yield Static(id="head")
        with Horizontal():
            with Vertical():
                yield Static(id="place")
                yield self.document
                yield self.page
            yield self.side
        for name in ("status", "grades"):
            yield Static(id=name)
        yield self.prompt
        yield Static(id="commands")

    def on_mount(self) -> None:
        """The first document."""
        self._reading = Reading(self)
        self.mode: Mode = self._reading
        self.document.moved = self.page.moved = self._bars
        self.side.load(lambda width: "\n".join(topic_lines(self.session.view, width, self.keys)[1:]))
        if not self.session.blind:
            self._said = f"order: {ORDERS[self.session.order].about}"
        self.call_after_refresh(self._anew)

    # Keys

    def on_key(self, event: Key) -> None:
        """A key that no line to type in has taken."""
        event.stop()
        own = event.character and event.is_printable and event.key != "space" and "+" not in event.key
        key = event.character if event.character and own else event.key
        self.session.touch()
        if self.guard.is_drawn or key == self.keys["quit"]:
            self._said = ""
            self._try(lambda: self.mode.key(key))

    def _try(self, act: Callable[[], object]) -> None:
        """Do something; what is refused is told, what fails ends the program: everything recorded is on disk."""
        try:
            act()
            self._bars()
        except PassedOnError as gone:
            self.enter(self._reading)
            self._anew()
            self.refuse(str(gone))
        except InputError as refusal:
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
            self._try(partial(self.mode.end, event.value))

    def on_input_changed(self, event: Input.Changed) -> None:
        """A note is put on disk when the assessor pauses: whatever happens then, it is there."""
        self.session.touch()
        if self._saving:
            self._saving.stop()
        if isinstance(self.mode, Typing) and self.mode.kept:
            self._saving = self.set_timer(PAUSE, partial(self._try, self.mode.keep))

    async def action_quit(self) -> None:
        """End; a note that is being written is kept."""
        if isinstance(self.mode, Typing):
            self._try(self.mode.keep)
        self.exit()

    # What modes do

    def say(self, text: str) -> None:
        """Tell the assessor something, beside what was said since the last key."""
        self._said = "; ".join([*[self._said] * bool(self._said), visible_line(text)])
        self._bars()

    def refuse(self, why: str) -> None:
        """Tell the assessor why a key did nothing."""
        self.bell()
        self._said = ""
        self.say(f"! {why}")

    def ready(self, key: str) -> bool:
        """Whether the document has been there long enough to be decided on."""
        if early := self.guard.early():
            self.refuse(f"{key} ignored: the document is hardly there (is the key held down?)")
        return not early

    def decide(self, command: Callable[[], object], remind: bool = False) -> None:
        """Do something after which another document may be on screen."""
        command()
        self._remind = remind
        self._anew()
        if long := self.session.break_due():
            self.say(long)

    def enter(self, mode: Mode) -> None:
        """Let keys mean something else."""
        self.mode = mode
        self.page.display = isinstance(mode, Page)
        self.document.display = not self.page.display
        self.prompt.display = isinstance(mode, Typing)
        if isinstance(mode, Page):
            self.page.spans.clear()
            self.page.load(lambda width: "\n".join(mode.lines(width)))
        if isinstance(mode, Typing):
            self.prompt.value = mode.value
            self.prompt.cursor_position = len(mode.value)
            self.prompt.focus()
        else:
            self.set_focus(None)
        if isinstance(mode, Marking):
            mode.show()
        self._bars()

    def leave(self) -> None:
        """Back to the document; what was typed before it is seen again is not for it."""
        if self._saving:
            self._saving.stop()
        page = isinstance(self.mode, Page)
        self.enter(self._reading)
        if page:
            self._wait()
        self.draw()

    def show_topic(self) -> None:
        """The topic over the document or, where there is room, beside it or not."""
        if self._wide:
            self._beside = not self._beside
            self.draw()
        else:
            self.enter(topic_page(self))

    # Drawing

    @property
    def _wide(self) -> bool:
        return self.size.width >= WIDE

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
            self._another(topic)

    def _another(self, topic: Topic) -> None:
        """Another topic: the whole of it where it is not beside the document, and only when it comes up first."""
        if topic.qid not in self._topics and not (self._wide and self._beside):
            self.enter(topic_page(self))
        elif self._topics:
            self.say(f"another topic: {topic.qid}")
        self._topics.append(topic.qid)

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
            self._bars()

    def draw(self) -> None:
        """Everything but the document's text, which stays."""
        view, pane = self.session.view, self.document
        pane.spans["title"] = [(0, self.body)]
        pane.spans["evidence"] = list(shown(self.session.marks, self.session.text, self.body))
        terms = highlighter(view.terms)
        pane.patterns = {name: pattern for name, pattern in pane.patterns.items() if name != "terms"}
        pane.patterns |= {"terms": terms} if terms else {}
        pane.refresh()
        self.side.display = self._wide and self._beside and not view.done
        if self.side.display:
            self.side.reload()
        self._bars()

    def _bars(self) -> None:
        """The lines above and below."""
        view, width = self.session.view, self.size.width
        pane = self.page if isinstance(self.mode, Page) else self.document
        texts = {
            "head": head_bar(view, width, not self.side.display),
            "place": place_bar(view, pane.seen, width if not self.side.display else width - 42),
            "status": "\n".join(status_lines(view, self._said, self._reminder, self.keys, width)),
            "grades": self.mode.label or grades_bar(view, width),
            "commands": commands_bar(self.mode.hints(), self.keys, width, isinstance(self.mode, Reading)),
        }
        for name, text in texts.items():
            self.query_one(f"#{name}", Static).update(Content(text))

    def on_resize(self, event: Resize) -> None:
        """Another size of the terminal."""
        if self.document.is_mounted and hasattr(self, "_reading"):
            self.call_after_refresh(self.draw)
