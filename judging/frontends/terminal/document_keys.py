"""What the keys of the full screen do while a document is read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cranfield.errors import InputError
from cranfield.judging.frontends.keys import COMMANDS, helped
from cranfield.judging.frontends.terminal.modes import Hints, Marking, Page, Reason, Recall, TopicPage, Typing, scroll
from cranfield.judging.frontends.view_text import guideline_lines
from cranfield.judging.frontends.wrap import wrap
from cranfield.judging.session.highlight import finder
from cranfield.store.log import spelled

if TYPE_CHECKING:
    from cranfield.judging.frontends.terminal.terminal import Terminal

DECISIONS = ("later", "undo", "redo")


class Reading:
    """A document is on screen: digits grade it."""

    label = ""

    def __init__(self, it: Terminal) -> None:
        self._it, self._minus = it, ""
        self._hits: list[int] = []
        self._hit = 0
        self._commands = {key: name for name, key in it.keys.items()}

    def hints(self) -> Hints:
        """The keys that do something now, the most needed first."""
        view, keys = self._it.session.view, self._it.keys
        hits = ["next_hit", "previous_hit"] * bool(self._hits)
        names = ["later", "cannot_judge", "topic", *hits, "unsure", "note", "evidence", "find", "criterion",
                 "highlight", "last", "guidelines", "next_topic"]  # fmt: skip
        names = [] if view.done else names
        names = ["undo"] * view.can_undo + ["redo"] * view.can_redo + names
        return [(keys[name], COMMANDS[name].brief) for name in names]

    def new(self) -> None:
        """Another document: nothing is found in it yet."""
        self._hits, self._minus = [], ""

    def key(self, key: str) -> None:
        """Obey a key or explain it."""
        minus, self._minus = self._minus, ""
        if len(key) == 1 and key in "0123456789":
            self._grade(int(minus + key))
        elif key == "-" and min(self._it.session.grades) < 0:
            self._minus = key
            self._it.say("minus: now the digit of the grade")
        elif key in self._commands:
            self._command(self._commands[key])
        elif key == "escape":
            self._it.decide(key, lambda: self._it.session.again(0))
        elif not scroll(self._it.document, key):
            raise InputError(f"{key} does nothing here; {self._it.keys['help']} tells what the keys do")

    def _grade(self, grade: int) -> None:
        session = self._it.session
        if grade not in session.grades:
            raise InputError(f"{grade} is no grade here; the grades are {spelled(session.grades)}")
        if self._it.ready(str(grade)):
            fast = self._it.guard.fast()
            self._it.decide(str(grade), lambda: session.grade(grade, fast), remind=True)

    def _command(self, name: str) -> None:
        if name in DECISIONS:
            if self._it.ready(self._it.keys[name]):
                told = f"taken back, {self._it.keys['redo']} brings it back" if name == "undo" else ""
                self._it.decide(self._it.keys[name], getattr(self._it.session, name), name == "redo", told)
        else:
            getattr(self, "_" + name)()

    def _cannot_judge(self) -> None:
        self._on_screen()
        self._it.enter(Reason(self._it))

    def _unsure(self) -> None:
        self._it.record(self._it.keys["unsure"], self._it.session.toggle_unsure, self._it.draw)

    def _note(self) -> None:
        self._on_screen()
        typing = Typing(self._it, "Note", self._it.session.view.note, self._noted, self._keep)
        self._it.enter(typing)

    def _noted(self, text: str) -> None:
        self._it.record(self._it.keys["note"], lambda: self._keep(text), self._it.draw)

    def _keep(self, text: str) -> None:
        if text.strip() != self._it.session.view.note:
            self._it.session.note(text)

    def _evidence(self) -> None:
        self._on_screen()
        self._it.enter(Marking(self._it))

    def _find(self) -> None:
        self._on_screen()
        self._it.enter(Typing(self._it, "Find", "", self._look_for))

    def _look_for(self, text: str) -> None:
        pane, pattern = self._it.document, finder(text)
        pane.patterns.pop("find", None)
        pane.spans.pop("hit", None)
        self._hits = [match.start() for match in pattern.finditer(pane.text)] if pattern else []
        if pattern and self._hits:
            pane.patterns["find"] = pattern
            after = (number for number, hit in enumerate(self._hits) if hit >= pane.top)
            self._go(next(after, 0))
        elif pattern:
            raise InputError(f"the document does not have {text.strip()[:60]!r}")

    def _go(self, number: int) -> None:
        self._hit = number % len(self._hits)
        pane, start = self._it.document, self._hits[self._hit]
        match = pane.patterns["find"].match(pane.text, start)
        pane.spans["hit"] = [match.span()] if match else []
        pane.reveal(start)
        pane.refresh()
        self._it.say(f"found {self._hit + 1} of {len(self._hits)}")

    def _next_hit(self, by: int = 1) -> None:
        if not self._hits:
            raise InputError(f"nothing was looked for in this document; {self._it.keys['find']} finds words")
        self._go(self._hit + by)

    def _previous_hit(self) -> None:
        self._next_hit(-1)

    def _highlight(self) -> None:
        try:
            self._it.session.toggle_highlight()
        except InputError:
            self._terms()
        self._it.draw()

    def _terms(self) -> None:
        self._on_screen()
        before = self._it.session.view.terms
        self._it.enter(Typing(self._it, "Your terms, commas between", before, self._it.session.terms))

    def _criterion(self) -> None:
        self._on_screen()
        self._it.enter(Typing(self._it, "Counts as relevant if", "", self._counts))

    def _counts(self, text: str) -> None:
        self._it.record(self._it.keys["criterion"], partial(self._it.session.criterion, text), self._counted)

    def _counted(self) -> None:
        self._it.say(f"noted; {self._it.keys['topic']} shows your criteria beside the topic")
        self._it.draw()

    def _topic(self) -> None:
        self._on_screen()
        self._it.enter(TopicPage(self._it))

    def _topic_beside(self) -> None:
        self._it.toggle_beside()

    def _document(self) -> None:
        self._it.document.move(-(10**9))

    def _guidelines(self) -> None:
        self._it.enter(Page(self._it, lambda width: guideline_lines(self._it.guidelines, width)))

    def _last(self) -> None:
        self._it.enter(Recall(self._it))

    def _docno(self) -> None:
        self._it.record(self._it.keys["docno"], self._it.session.toggle_docno, self._it.draw)

    def _next_topic(self) -> None:
        self._it.decide(self._it.keys["next_topic"], self._it.session.next_topic)

    def _help(self) -> None:
        self._it.enter(Page(self._it, self._help_lines))

    def _help_lines(self, width: int) -> list[str]:
        grades = ("0-9", f"the grade: {spelled(self._it.session.grades)}")
        paging = ("Space", "as Enter, the arrows and the page keys: scrolls, and nothing else")
        lines = ["Keys", ""]
        for key, about in (grades, paging, *helped(self._it.keys, plain=False)):
            first, *more = wrap(about, width - 7)
            lines += [f"{key:<7}{first}", *(" " * 7 + row for row in more)]
        return lines

    def _quit(self) -> None:
        self._it.exit()

    def _on_screen(self) -> None:
        if self._it.session.view.done:
            raise InputError("everything is done; there is no document on screen")
