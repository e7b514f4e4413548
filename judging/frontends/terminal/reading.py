"""What the keys of the full screen do while a document is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Protocol

from cranfield.errors import InputError
from cranfield.judging.frontends.keys import COMMANDS, Keys, helped
from cranfield.judging.frontends.terminal.finding import Finding
from cranfield.judging.frontends.terminal.modes import Hints, InputLine, Marking, Mode, ReasonMenu, Typing
from cranfield.judging.frontends.terminal.pages import Page, RecentPage, TopicPage
from cranfield.judging.frontends.terminal.pane import Pane, scroll
from cranfield.judging.frontends.view_text import guideline_lines, topic_lines
from cranfield.judging.frontends.wrap import wrap
from cranfield.judging.session.controller import Command, Controller
from cranfield.store.log import spelled


class Screen(Protocol):
    """What reading needs of the full screen."""

    body: int  # where in the pane the document's text begins

    def enter(self, mode: Mode) -> None:
        """Switch to a mode."""

    def leave(self) -> None:
        """Back to the document."""

    def draw(self) -> None:
        """Redraw all but the text of the document."""

    def say(self, text: str) -> None:
        """Show a message."""

    def record(self, key: str, command: Command, then: Callable[[], object] | None = None) -> None:
        """Execute the command of a key and, once it is on disk, what follows: by default redrawing."""

    def decide(self, key: str, command: Command, remind: bool = False, said: str = "") -> None:
        """The same for a command that may bring up another document."""

    def decide_if_ready(self, key: str, command: Command, remind: bool = False, said: str = "") -> None:
        """The same, unless the document has only just appeared."""

    def toggle_beside(self) -> None:
        """Show or hide the topic beside the document."""

    def exit(self) -> None:
        """End the program."""


class Reading:
    """A document is on screen: digits grade it, other keys are the commands in DO."""

    label = ""

    def __init__(
        self,
        controller: Controller,
        keys: Keys,
        guidelines: str,
        screen: Screen,
        document: Pane,
        page: Pane,
        line: InputLine,
    ) -> None:
        self.controller, self.session, self.keys, self.guidelines = controller, controller.session, keys, guidelines
        self.screen, self.document, self._page, self._line = screen, document, page, line
        self.finding = Finding(document, screen.say)
        self._minus = ""
        self._commands = {key: DO[name] for name, key in keys.items()}

    def hints(self) -> Hints:
        """The keys that do something now, the most useful first."""
        view, keys = self.session.view, self.keys
        hits = ["next_hit", "previous_hit"] * self.finding.found
        names = ["later", "cannot_judge", "topic", *hits, "unsure", "note", "evidence", "find", "criterion",
                 "highlight", "last", "guidelines", "next_topic"]  # fmt: skip
        names = [] if view.done else names
        names = ["undo"] * view.can_undo + ["redo"] * view.can_redo + names
        return [(keys[name], COMMANDS[name].brief) for name in names]

    def new(self) -> None:
        """Another document: nothing has been found in it yet."""
        self.finding.forget()
        self._minus = ""

    def key(self, key: str) -> None:
        """Obey a key or explain it."""
        minus, self._minus = self._minus, ""
        if len(key) == 1 and key in "0123456789":
            self._grade(int(minus + key))
        elif key == "-" and min(self.session.grades) < 0:
            self._minus = key
            self.screen.say("minus: now type the digit of the grade")
        elif key in self._commands:
            self._commands[key](self)
        elif key == "escape":
            self.screen.decide(key, lambda about: self.session.again(about, 0))
        elif not scroll(self.document, key):
            raise InputError(f"{key} does nothing here; {self.keys['help']} shows what the keys do")

    def _grade(self, grade: int) -> None:
        session = self.session
        if grade not in session.grades:
            raise InputError(f"{grade} is not a grade here; the grades are {spelled(session.grades)}")
        fast = self.controller.fast()
        self.screen.decide_if_ready(str(grade), lambda about: session.grade(about, grade, fast), remind=True)

    # What commands ask for

    def type(
        self, label: str, value: str, done: Callable[[str], object], keep: Callable[[str], object] | None = None
    ) -> None:
        """Ask for a line of text about the document."""
        self.on_screen()
        self.screen.enter(Typing(self._line, self.document, self.screen.leave, label, value, done, keep))

    def show_page(self, lines: Callable[[int], list[str]]) -> None:
        """Show a text over the document."""
        self.screen.enter(Page(lines, self._page, self._away, self.screen.leave))

    def show_topic(self, new: bool = False) -> None:
        """Show all of the topic over the document."""
        self.screen.enter(TopicPage(self._topic_lines, self._page, self._away, self.screen.leave, new))

    def show_recent(self) -> None:
        """Show the last decisions over the document; any of them can be judged again."""
        recent = self.session.recent()
        self.screen.enter(RecentPage(recent, self._page, self._away, self.screen.leave, self._judge_anew))

    def choose_reason(self) -> None:
        """Ask why the document cannot be judged."""
        self.on_screen()
        other = partial(self.type, "What keeps you from judging", "")
        self.screen.enter(ReasonMenu(self.document, self.screen.leave, self._cannot_judge, other))

    def choose_evidence(self) -> None:
        """Ask for the sentences that decide."""
        self.on_screen()
        self.screen.enter(Marking(self.document, self.session.text, self.screen.body, self.screen.leave,
                                  self._mark, self._unmark))  # fmt: skip

    def keep_note(self, text: str) -> None:
        """Save a note, even while it is being written."""
        if text.strip() != self.session.view.note:
            self.session.note(self.session.about(), text)

    def help_lines(self, width: int) -> list[str]:
        """What each key does."""
        grades = ("0-9", f"the grade: {spelled(self.session.grades)}")
        paging = ("Space", "scrolls, as do Enter, the arrows and the page keys")
        lines = ["Keys", ""]
        for key, about in (grades, paging, *helped(self.keys, plain=False)):
            first, *more = wrap(about, width - 7)
            lines += [f"{key:<7}{first}", *(" " * 7 + row for row in more)]
        return lines

    def on_screen(self) -> None:
        """Raise an error where there is no document."""
        if self.session.view.done:
            raise InputError("everything is done; there is no document on screen")

    @property
    def _away(self) -> tuple[str, str]:
        return self.keys["quit"], self.keys["topic"]

    def _topic_lines(self, width: int) -> list[str]:
        return topic_lines(self.session.view, width, self.keys)[1:]

    def _cannot_judge(self, reason: str) -> None:
        session = self.session
        self.screen.decide(self.keys["cannot_judge"], lambda about: session.cannot_judge(about, reason))

    def _judge_anew(self, number: int) -> None:
        text = "judge it again, or Esc to leave it as it is"
        self.screen.decide("enter", lambda about: self.session.again(about, number), said=text)

    def _mark(self, first: int, last: int) -> None:
        key = self.keys["evidence"]
        self.screen.record(key, lambda about: self.session.mark(about, first, last), self.screen.leave)

    def _unmark(self) -> None:
        self.screen.record("backspace", self.session.unmark)


# The commands


def _undo(reading: Reading) -> None:
    text = f"undone; {reading.keys['redo']} redoes it"
    reading.screen.decide_if_ready(reading.keys["undo"], reading.session.undo, said=text)


def _note(reading: Reading) -> None:
    key = reading.keys["note"]

    def note(text: str) -> None:
        if text.strip() != reading.session.view.note:
            reading.screen.record(key, lambda about: reading.session.note(about, text))

    reading.type("Note", reading.session.view.note, note, reading.keep_note)


def _highlight(reading: Reading) -> None:
    try:
        reading.session.toggle_highlight(reading.session.about())
    except InputError:
        _terms(reading)
    reading.screen.draw()


def _terms(reading: Reading) -> None:
    def terms(text: str) -> None:
        reading.session.terms(reading.session.about(), text)
        reading.screen.draw()

    reading.type("Your terms, separated by commas", reading.session.view.terms, terms)


def _criterion(reading: Reading) -> None:
    def noted() -> None:
        reading.screen.say(f"noted; {reading.keys['topic']} shows your criteria with the topic")
        reading.screen.draw()

    def criterion(text: str) -> None:
        reading.screen.record(reading.keys["criterion"], lambda about: reading.session.criterion(about, text), noted)

    reading.type("Counts as relevant if", "", criterion)


def _topic(reading: Reading) -> None:
    reading.on_screen()
    reading.show_topic()


def _hit(reading: Reading, by: int) -> None:
    if not reading.finding.found:
        raise InputError(f"nothing has been searched for in this document; {reading.keys['find']} finds words")
    reading.finding.go(by)


DO: Mapping[str, Callable[[Reading], None]] = MappingProxyType(
    {
        "later": lambda reading: reading.screen.decide_if_ready(reading.keys["later"], reading.session.later),
        "cannot_judge": Reading.choose_reason,
        "unsure": lambda reading: reading.screen.record(reading.keys["unsure"], reading.session.toggle_unsure),
        "undo": _undo,
        "redo": lambda reading: reading.screen.decide_if_ready(reading.keys["redo"], reading.session.redo, remind=True),
        "note": _note,
        "evidence": Reading.choose_evidence,
        "find": lambda reading: reading.type("Find", "", reading.finding.find),
        "next_hit": lambda reading: _hit(reading, 1),
        "previous_hit": lambda reading: _hit(reading, -1),
        "highlight": _highlight,
        "terms": _terms,
        "criterion": _criterion,
        "topic": _topic,
        "topic_beside": lambda reading: reading.screen.toggle_beside(),
        "document": lambda reading: reading.document.to_start(),
        "guidelines": lambda reading: reading.show_page(partial(guideline_lines, reading.guidelines)),
        "last": Reading.show_recent,
        "docno": lambda reading: reading.screen.record(reading.keys["docno"], reading.session.toggle_docno),
        "next_topic": lambda reading: reading.screen.decide(reading.keys["next_topic"], reading.session.next_topic),
        "help": lambda reading: reading.show_page(reading.help_lines),
        "quit": lambda reading: reading.screen.exit(),
    }
)
