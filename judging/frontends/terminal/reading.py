"""What keys do on the full screen while a document is read, whether to judge it or to adjudicate."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol

from cranfield.errors import InputError
from cranfield.judging.frontends.keys import COMMANDS, KeyCommand, Keys, key_help
from cranfield.judging.frontends.terminal.modes import (
    Hints,
    InputLine,
    Marking,
    Mode,
    NewTopicPage,
    Page,
    ReasonMenu,
    RecentPage,
    SearchMatches,
    TopicPage,
    Typing,
)
from cranfield.judging.frontends.terminal.pane import Pane, scroll_by_key
from cranfield.judging.frontends.view_text import guideline_lines, label_lines, topic_lines, wrap
from cranfield.judging.session.controller import Command, Controller
from cranfield.judging.session.recording import Recording
from cranfield.judging.session.session import Session
from cranfield.store.log import scale_in_words


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

    def decide(self, key: str, command: Command, remind: bool = False, message: str = "") -> None:
        """The same for a command that may bring up another document."""

    def decide_if_ready(self, key: str, command: Command, remind: bool = False, message: str = "") -> None:
        """The same, unless the document has only just appeared."""

    def toggle_beside(self) -> None:
        """Show or hide the topic beside the document."""

    def toggle_original(self) -> None:
        """Show the lines of the document as they are, or let its prose flow."""

    def exit(self) -> None:
        """End the program."""


class ReadingMode:
    """A document is on screen: digits grade it, other keys are the commands."""

    label = ""
    item = "grade"
    commands: Mapping[str, KeyCommand]

    def __init__(
        self,
        controller: Controller[Recording],
        keys: Keys,
        guidelines: str,
        *,
        screen: Screen,
        document: Pane,
        page: Pane,
        line: InputLine,
    ) -> None:
        self.controller, self.session, self.keys, self.guidelines = controller, controller.session, keys, guidelines
        self.screen, self.document, self._page, self._line = screen, document, page, line
        self.finding = SearchMatches(document, screen.say)
        self._minus = ""
        self._named = {keys[name]: act for name, act in self.acts().items()}

    def acts(self) -> dict[str, Callable[[], object]]:
        """What each command does."""
        screen, session, keys = self.screen, self.session, self.keys
        return {
            "later": lambda: screen.decide_if_ready(keys["later"], session.later),
            "cannot_judge": self.choose_reason,
            "undo": self._undo,
            "redo": lambda: screen.decide_if_ready(keys["redo"], session.redo, remind=True),
            "note": self._note,
            "find": lambda: self.type("Find", "", self.finding.find),
            "next_hit": lambda: self._hit(1),
            "previous_hit": lambda: self._hit(-1),
            "highlight": self._highlight,
            "terms": self._terms,
            "mark_topic": self._mark_topic,
            "topic": self._topic,
            "topic_beside": screen.toggle_beside,
            "document": self.document.to_start,
            "original": screen.toggle_original,
            "guidelines": lambda: self.show_page(partial(guideline_lines, self.guidelines)),
            "last": self.show_recent,
            "help": lambda: self.show_page(self.help_lines),
            "quit": screen.exit,
        }

    def hints(self) -> Hints:
        """The keys that do something now, the most useful first."""
        view, keys = self.session.view, self.keys
        hits = ["next_hit", "previous_hit"] * self.finding.has_matches
        other = ["document"] * bool(view.parts)
        names = [*other, "later", "cannot_judge", "topic", *hits, "unsure", "note", "evidence", "find", "criterion",
                 "highlight", "last", "guidelines", "next_topic"]  # fmt: skip
        names = [] if view.done else [name for name in names if name in self.commands]
        names = ["undo"] * view.can_undo + ["redo"] * view.can_redo + names
        return [(keys[name], self.commands[name].brief) for name in names]

    def reset_for_document(self) -> None:
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
            self.screen.say("minus typed; now type the digit of the grade")
        elif key in self._named:
            self._named[key]()
        elif key == "escape":
            self.screen.decide(key, lambda about: self.session.again(about, 0))
        elif not scroll_by_key(self.document, key):
            raise InputError(f"{key} has no effect; {self.keys['help']} lists the keys")

    def _grade(self, grade: int) -> None:
        session = self.session
        if grade not in session.grades:
            raise InputError(f"{grade}; expected a {self.item}: {scale_in_words(session.grades)}")
        fast = self.controller.is_fast_decision()
        self.screen.decide_if_ready(str(grade), lambda about: session.grade(about, grade, fast), remind=True)

    # What commands ask for

    def type(
        self, label: str, value: str, then: Callable[[str], object], keep: Callable[[str], object] | None = None
    ) -> None:
        """Ask for a line of text about the document."""
        self.require_document()
        self.screen.enter(
            Typing(self._line, self.document, self.screen.leave, label=label, value=value, then=then, keep=keep)
        )

    def show_page(self, lines: Callable[[int], list[str]]) -> None:
        """Show a text over the document."""
        self.screen.enter(Page(lines, self._page, self._away, self.screen.leave))

    def show_topic(self, new: bool = False) -> None:
        """Show all of the topic over the document."""
        page = NewTopicPage if new else TopicPage
        parts = (self._topic_lines, self._page, self._away, self.screen.leave)
        self.screen.enter(page(*parts, quit_key=self.keys["quit"], exit=self.screen.exit))

    def show_recent(self) -> None:
        """Show the last decisions over the document; any of them can be judged again."""
        recent, noun = self.session.recent(), self.session.view.noun
        self.screen.enter(
            RecentPage(recent, self._page, self._away, leave=self.screen.leave, choose=self._judge_anew, noun=noun)
        )

    def choose_reason(self) -> None:
        """Ask why the document cannot be judged."""
        self.require_document()
        other = partial(self.type, "Why you cannot judge", "")
        self.screen.enter(ReasonMenu(self.document, self.screen.leave, self._cannot_judge, other))

    def keep_note(self, text: str) -> None:
        """Save a note, even while it is being written."""
        if text.strip() != self.session.view.note:
            self.session.note(self.session.command_target(), text)

    def help_lines(self, width: int) -> list[str]:
        """What each key does."""
        grades = ("0-9", f"the {self.item}: {scale_in_words(self.session.grades)}")
        paging = ("Space", "scrolls; Enter, the arrows and the page keys also scroll")
        lines = ["Keys", ""]
        for key, about in (grades, paging, *key_help(self.keys, self.commands, plain=False)):
            first, *more = wrap(about, width - 7)
            lines += [f"{key:<7}{first}", *(" " * 7 + row for row in more)]
        return lines

    def require_document(self) -> None:
        """Raise an error where there is no document."""
        if self.session.view.done:
            raise InputError("everything is done; there is no document on screen")

    @property
    def _away(self) -> tuple[str, str]:
        return self.keys["quit"], self.keys["topic"]

    def _topic_lines(self, width: int) -> list[str]:
        view = self.session.view
        return [*topic_lines(view, width, self.keys)[1:], *label_lines(view, width)]

    def _cannot_judge(self, reason: str) -> None:
        session = self.session
        self.screen.decide(self.keys["cannot_judge"], lambda about: session.cannot_judge(about, reason))

    def _judge_anew(self, number: int) -> None:
        text = "judge it again, or Esc to leave it as it is"
        self.screen.decide("enter", lambda about: self.session.again(about, number), message=text)

    # The commands

    def _undo(self) -> None:
        text = f"undone; {self.keys['redo']} redoes it"
        self.screen.decide_if_ready(self.keys["undo"], self.session.undo, message=text)

    def _note(self) -> None:
        def note(text: str) -> None:
            if text.strip() != self.session.view.note:
                self.screen.record(self.keys["note"], lambda about: self.session.note(about, text))

        self.type(self.commands["note"].brief.capitalize(), self.session.view.note, note, self.keep_note)

    def _highlight(self) -> None:
        try:
            self.session.toggle_highlight(self.session.command_target())
        except InputError:
            self._terms()
        self.screen.draw()

    def _mark_topic(self) -> None:
        self.session.mark_topic(self.session.command_target())
        self.screen.draw()

    def _terms(self) -> None:
        def terms(text: str) -> None:
            self.session.terms(self.session.command_target(), text)
            self.screen.draw()

        self.type("Your terms, separated by commas", self.session.view.terms, terms)

    def _topic(self) -> None:
        self.require_document()
        self.show_topic()

    def _hit(self, by: int) -> None:
        if not self.finding.has_matches:
            raise InputError(f"you have not searched in this document; press {self.keys['find']} to find words")
        self.finding.show_match(by)


class Judging(ReadingMode):
    """An assessor judges the document on screen."""

    commands = COMMANDS
    session: Session

    def acts(self) -> dict[str, Callable[[], object]]:
        screen, session, keys = self.screen, self.session, self.keys
        return {
            **super().acts(),
            "unsure": lambda: screen.record(keys["unsure"], session.toggle_unsure),
            "evidence": self.choose_evidence,
            "criterion": self._criterion,
            "docno": lambda: screen.record(keys["docno"], session.toggle_docno),
            "next_topic": lambda: screen.decide(keys["next_topic"], session.next_topic),
        }

    def choose_evidence(self) -> None:
        """Ask for the sentences that decide."""
        self.require_document()
        self.screen.enter(Marking(self.document, self.session.text, self.screen.body, leave=self.screen.leave,
                                  mark=self._mark, unmark=self._remove_mark))  # fmt: skip

    def _criterion(self) -> None:
        def say_noted() -> None:
            self.screen.say(f"noted; to see your criteria with the topic, press {self.keys['topic']}")
            self.screen.draw()

        def criterion(text: str) -> None:
            self.screen.record(self.keys["criterion"], lambda about: self.session.criterion(about, text), say_noted)

        self.type("Counts as relevant if", "", criterion)

    def _mark(self, first: int, last: int) -> None:
        key = self.keys["evidence"]
        self.screen.record(key, lambda about: self.session.mark(about, first, last), self.screen.leave)

    def _remove_mark(self) -> None:
        self.screen.record("backspace", self.session.unmark)
