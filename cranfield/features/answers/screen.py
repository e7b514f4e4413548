"""Answers on the full screen: labelling them, and making and editing the nuggets of topics.

Nuggets stand there with the answer that is read and a line for the words. Keys that need no words act at once; others
begin a line, which has the same commands as line mode.
"""

import io
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.driver import Driver
from textual.events import Key
from textual.widgets import Input, Static

from cranfield.errors import BusyError, InputError
from cranfield.features.answers.judging.editing import NuggetEditing
from cranfield.features.answers.plain import HELP, PlainEditing
from cranfield.judging.frontends.keys import LABELLING
from cranfield.judging.frontends.terminal.display import spread_texts
from cranfield.judging.frontends.terminal.driver import EndRequest, make_driver_lenient
from cranfield.judging.frontends.terminal.modes import InputLine
from cranfield.judging.frontends.terminal.pane import Pane, scroll_by_key
from cranfield.judging.frontends.terminal.reading import ReadingMode
from cranfield.judging.frontends.terminal.terminal import Terminal
from cranfield.judging.frontends.view_text import indented_lines, topic_text
from cranfield.text import visible_line

WORDLESS_KEYS = ("u", "U", "]", "[", "N", "P")  # keys that need no words
TEXT_KEYS = ("n", "v", "o", "e", "m", "d")
BAR = """n new  v vital  o okay  e reword  m merge  d drop  u undo  U redo  ] next answer
N next topic  P topic before  t topic  Tab other part  ? help  q quit"""
LAYOUT = """
#head { height: 1; text-style: reverse; }
#place { height: 1; text-style: dim; }
#status { height: auto; max-height: 3; }
#commands { height: 2; }
#line { display: none; height: 1; border: none; padding: 0; background: transparent; }
#line > .input--cursor { color: ansi_default; background: ansi_default; text-style: reverse; }
"""


class EditTerminal(App[None]):
    """An editing session on the whole screen."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    CSS = LAYOUT
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", show=False, priority=True),
        Binding("tab", "other", show=False, priority=True),
    ]

    def __init__(self, session: NuggetEditing) -> None:
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"  # the terminal's own colours
        self._session, self._out = session, io.StringIO()
        self._lines = PlainEditing(session, io.StringIO(), self._out)
        session.input = "key"
        session.wait_for_nobody()
        self._over = ""  # what covers the answer: topic or help
        self.failure: Exception | None = None  # what ended the program
        self.status = 0  # its exit status

    def get_driver_class(self) -> type[Driver]:
        """The driver that reads the keys."""
        return make_driver_lenient(super().get_driver_class())

    def compose(self) -> ComposeResult:
        """The parts of the screen, from the top."""
        self.nuggets, self.answer = Pane("nuggets"), Pane("answer")
        self.line = InputLine(id="line", select_on_focus=False)
        self._scrolling = self.answer
        yield Static(id="head")
        yield self.nuggets
        yield Static(id="place")
        yield self.answer
        yield Static(id="status")
        yield self.line
        yield Static(Content(BAR), id="commands")

    def on_mount(self) -> None:
        """The first topic."""
        self.nuggets.load(lambda width: "\n".join(self._lines.lines(width)))
        self.answer.load(self._footer_text)
        self.app_resume_signal.subscribe(self, lambda app: self._session.time.return_to_front())
        self._draw()

    def on_app_blur(self) -> None:
        """Another window is in front of the terminal."""
        self._session.time.leave()

    def on_app_focus(self) -> None:
        """The terminal is in front again."""
        self._session.time.return_to_front()

    def _footer_text(self, width: int) -> str:
        view = self._session.view
        if self._over == "help":
            return "\n".join(f"{key:<11} {about}" for key, about in HELP.items())
        if self._over == "topic" or not view.answer:
            return "\n".join(topic_text(view.topic, width))
        return "\n".join(indented_lines(view.answer.partition("\n\n")[2], width))

    def _draw(self, status: str = "") -> None:
        """Draw everything as it is now."""
        view, width = self._session.view, self.size.width
        right = f"topic {view.place.number} of {view.place.of} "
        self._static("head", spread_texts(f" {view.topic.qid}  {view.topic.title}", right, width))
        place = view.answer.partition(":")[0] if view.answer else "Topic"
        self._static("place", f"  {self._over.capitalize() or place} · {self._lines.counts()}")
        self._static("status", status)
        self.nuggets.reload()

    def _static(self, name: str, text: str) -> None:
        self.query_one(f"#{name}", Static).update(Content(text))

    # Keys

    def on_key(self, event: Key) -> None:
        """A key that the line has not taken."""
        event.stop()
        self._session.time.seconds()
        key = event.character if event.character and event.is_printable and event.key != "space" else event.key
        if self.line.display:
            if key == "escape":
                self._close()
        elif key == "q":
            self.exit()
        elif key in WORDLESS_KEYS:
            self._obey(key)
        elif key in TEXT_KEYS:
            self._type(f"{key} ")
        elif key in ("t", "?", "escape"):
            what = {"t": "topic", "?": "help"}.get(key, "")
            self._over = "" if what == self._over else what
            self.answer.load(self._footer_text)
            self._draw()
        elif not scroll_by_key(self._scrolling, key):
            self._draw(f"! {visible_line(key)} has no effect; ? lists the keys")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Something is typed into the line."""
        self._session.time.seconds()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The line is typed."""
        self._close()
        if event.value.strip()[1:].strip():
            self._obey(event.value.strip())

    def action_other(self) -> None:
        """Scroll the other part from now on."""
        self._scrolling = self.nuggets if self._scrolling is self.answer else self.answer

    def on_end_request(self, event: EndRequest) -> None:
        """The program is asked to end, or the terminal is gone."""
        self.status = event.status
        self.exit()

    def _type(self, value: str) -> None:
        self.line.display = True
        self.line.value, self.line.cursor_position = value, len(value)
        self.set_focus(self.line)

    def _close(self) -> None:
        self.line.display = False
        self.set_focus(None)

    def _obey(self, line: str) -> None:
        """Do what a line asks; where it is refused, the words stay in the line."""
        before = self._session.view.topic.qid, self._session.view.answers
        self._out.seek(self._out.truncate(0))
        try:
            self._lines.obey(line)
            lines = [text for text in self._out.getvalue().splitlines() if text.startswith(("Recorded", "Undone"))]
            self._over = ""
            if before != (self._session.view.topic.qid, self._session.view.answers):
                self.answer.load(self._footer_text)
            self._draw(" ".join(lines))
        except (InputError, BusyError) as refusal:
            self.bell()
            self._lines.look_again()
            self._draw(f"! {refusal}")
            if line[0] in TEXT_KEYS:
                self._type(line)
        except Exception as error:
            self.failure = error
            self.exit()


class Labelling(ReadingMode):
    """An assessor labels what is on screen."""

    commands = LABELLING


class LabellingTerminal(Terminal):
    """A session that labels answers on the full screen."""

    reading = Labelling
