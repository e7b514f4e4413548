"""The parts of the full screen, and how they are drawn; what keys do is in terminal.py, reading.py and modes.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.driver import Driver
from textual.events import Resize
from textual.widgets import Static

from cranfield.invisible import SOFT_HYPHEN
from cranfield.judging.frontends.keys import Keys
from cranfield.judging.frontends.terminal.bars import (
    commands_bar,
    grades_bar,
    head_bar,
    labels_bar,
    place_bar,
    status_lines,
)
from cranfield.judging.frontends.terminal.driver import lenient
from cranfield.judging.frontends.terminal.layout import CSS, SIDE
from cranfield.judging.frontends.terminal.modes import InputLine, Mode, WaitingToRecord
from cranfield.judging.frontends.terminal.pages import Page, TopicPage
from cranfield.judging.frontends.terminal.pane import Pane
from cranfield.judging.frontends.terminal.reading import Reading
from cranfield.judging.frontends.view_text import label_lines, topic_lines
from cranfield.judging.labels.evidence import Evidence, shown
from cranfield.judging.session.highlight import highlighter
from cranfield.judging.session.recording import Recording
from cranfield.text import visible_line

LABELS = 5  # lines that labels may take below a document
TALL = 20  # lines from which the grades stay below a topic
WIDE = 110  # columns from which the topic stays beside the document


class SessionDisplay(App[None]):
    """What a session shows, on the whole screen."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]
    CSS = CSS
    mode: Mode

    def __init__(self, session: Recording, keys: Keys) -> None:
        super().__init__(ansi_color=True)  # before NO_COLOR is read: otherwise it would paint black on black
        self.theme = "ansi-dark"  # the terminal's own colours
        self.session, self.keys = session, keys
        self.body = 0  # where in the pane the document's text begins
        self._beside, self._said, self._reminder = True, "", ""

    def get_driver_class(self) -> type[Driver]:
        """The driver that reads the keys."""
        return lenient(super().get_driver_class())

    def compose(self) -> ComposeResult:
        """The parts of the screen, from the top."""
        self.document, self.page, self.topic = Pane("document"), Pane("page"), Pane("topic")
        self.line = InputLine(id="line", select_on_focus=False)
        yield Static(id="head")
        with Horizontal():
            with Vertical():
                yield Static(id="place")
                yield self.document
                yield self.page
            with Vertical(id="side") as self.side:
                yield self.topic
                yield Static(id="more")
        for name in ("status", "labels", "grades"):
            yield Static(id=name)
        yield self.line
        yield Static(id="commands")

    def on_mount(self) -> None:
        """Connect the parts."""
        self.document.moved = self.page.moved = self.topic.moved = self.bars
        self.topic.load(self._beside_lines)

    def _beside_lines(self, width: int) -> str:
        """What is beside the document: the labels to decide between, then the topic."""
        view = self.session.view
        return "\n".join([*label_lines(view, width), *topic_lines(view, width, self.keys)[not view.labels :]])

    def say(self, text: str) -> None:
        """Show a message, beside the others since the last key."""
        self._said = "; ".join([*[self._said] * bool(self._said), visible_line(text)])
        self.bars()

    def hush(self) -> None:
        """Clear the messages."""
        self._said = ""

    def refuse(self, why: str) -> None:
        """Show why a key did nothing."""
        self.bell()
        self.hush()
        self.say(f"! {why}")

    def draw(self) -> None:
        """Redraw all but the text of the document."""
        view, pane = self.session.view, self.document
        pane.spans["title"] = [(0, self.body)]
        pane.spans = {name: spans for name, spans in pane.spans.items() if not name.startswith("evidence")}
        pane.spans |= {name: list(shown(it, self.session.text, self.body)) for name, it in self._evidence().items()}
        terms = highlighter(view.terms)
        pane.patterns = {name: pattern for name, pattern in pane.patterns.items() if name != "terms"}
        pane.patterns |= {"terms": terms} if terms else {}
        pane.refresh()
        self.arrange()

    def _evidence(self) -> Mapping[str, Sequence[Evidence]]:
        """The marked passages: one's own, or those of each letter."""
        return {"evidence": self.session.marks}

    def arrange(self) -> None:
        """The document or a page, and the topic beside the document where there is room."""
        self.page.display = isinstance(self.mode, Page)
        self.document.display = not self.page.display
        self.side.display = self.is_wide and self._beside and self.document.display and not self.session.view.done
        if self.side.display:
            self.topic.reload()
        self.bars()

    @property
    def is_wide(self) -> bool:
        """Whether there is room for the topic beside the document."""
        return self.size.width >= WIDE

    def bars(self) -> None:
        """The lines above and below."""
        view, width = self.session.view, self.size.width
        waits = isinstance(self.mode, WaitingToRecord) and not self.mode.has_waited
        reading = isinstance(self.mode, Reading) or waits
        pane = self.page if self.page.display else self.document
        texts = {
            "head": head_bar(view, width, not self.side.display),
            "place": place_bar(view, pane.seen, width - SIDE * self.side.display),
            "more": "" if self.topic.at_end else f"  ... {self.keys['topic']} shows all of it",
            "status": "\n".join(status_lines(view, self._said, self._reminder, self.keys, width)),
            "labels": labels_bar(view, width, LABELS) if self.document.display else "",
            "grades": self._grades(width),
            "commands": commands_bar(self.mode.hints(), self.keys, width, reading),
        }
        for name, text in texts.items():
            self.query_one(f"#{name}", Static).update(Content(text.replace(SOFT_HYPHEN, "")))
        self.query_one("#labels").display = bool(texts["labels"])

    def _grades(self, width: int) -> str:
        """The grades, or what stands in their place; of a topic both, where there is room."""
        label, grades = self.mode.label, grades_bar(self.session.view, width)
        both = isinstance(self.mode, TopicPage) and self.size.height >= TALL
        return f"{label.strip()}\n{grades}".strip() if both else label or grades

    def on_resize(self, event: Resize) -> None:
        """The terminal has another size."""
        if self.document.is_mounted and hasattr(self, "mode"):
            self.call_after_refresh(self.draw)
