"""Line mode: judging over two streams of text, for screen readers, dumb terminals, pipes and scripts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TextIO

from cranfield.errors import InputError
from cranfield.log import spelled

from .lines import document_lines, topic_lines
from .session import OTHER, REASONS, Session
from .text import visible_line, wrap
from .view import View

GRADE = re.compile(r"[+-]?\d{1,6}", re.ASCII)
REASON_PROMPT = ", ".join(f"{number} {reason}" for number, reason in enumerate((*REASONS, "other and what"), 1))


class Plain:
    """The line mode of a session: reads commands from `source`, one a line, and writes to `target`.

    A decision is acknowledged after it is on disk. The end of the input is a `q`.

    >>> import io
    >>> from cranfield.formats import Document, Topic
    >>> from cranfield.holdings import Pool, PooledDocument
    >>> from cranfield.store import Store
    >>> store = Store.memory("one document")
    >>> store.add_documents([Document("d1", text="wings")]), store.add_topics([Topic("q1", "lift")])
    (1, 1)
    >>> session = Session(store, "ada", Pool("depth", {}, [PooledDocument("q1", "d1", 1, ("r",))]))
    >>> out = io.StringIO()
    >>> Plain(session, io.StringIO("1\\n"), out).run()
    >>> print(out.getvalue().strip().splitlines()[-1])
    judged 1, later 0, cannot judge 0, remaining 0
    """

    def __init__(self, session: Session, source: TextIO, target: TextIO, width: int = 80) -> None:
        self._session, self._source, self._target, self._width = session, source, target, width
        self._printed: str | None = ""  # the topic that was printed last
        self._going = True

    def run(self) -> None:
        """Judge until the assessor quits or the input ends."""
        self._show()
        while self._going and (line := self._ask("> ")) is not None:
            try:
                self._obey(line)
            except InputError as refusal:
                self._tell(f"Not recorded: {refusal}")
        self._say(str(self._session.view.total))

    def _obey(self, line: str) -> None:
        key, _, rest = line.partition(" ")
        command = COMMANDS.get(key)
        if GRADE.fullmatch(line):
            self._decide(self._session.grade(int(line)))
        elif command and (command.takes or not rest):
            command.do(self, rest.strip())
        else:
            what = f"{visible_line(line)[:40]!r} is no command" if line else "Enter alone does nothing"
            raise InputError(f"{what}; type a grade, or h for help")

    # Input and output

    def _ask(self, prompt: str) -> str | None:
        """The next line, None at the end of the input."""
        self._target.write(prompt)
        self._target.flush()
        line = self._read()
        if not line or not self._source.isatty():
            self._say()
        self._going = bool(line)
        return line.strip() if line else None

    def _read(self) -> str:
        """A line with its end; nothing at the end of the input or at Ctrl-C."""
        try:
            return self._source.readline()
        except KeyboardInterrupt:
            return ""

    def _say(self, *lines: str) -> None:
        self._target.write("\n".join(lines) + "\n")
        self._target.flush()

    def _tell(self, text: str) -> None:
        self._say(*wrap(text, self._width))

    def _show(self) -> None:
        """What is on screen now; the topic only where it is another."""
        view = self._session.view
        qid = view.topic.qid if view.topic else None
        if qid != self._printed or view.done:
            self._say(*topic_lines(view, self._width))
        self._printed = qid
        self._document()

    # Commands

    def _decide(self, view: View) -> None:
        """Acknowledge a decision; what a view does not tell of the document on screen is that it was put off again."""
        here = (view.topic.qid if view.topic else "", view.position.number, "later")
        qid, number, words = view.last or here
        self._tell(f"Recorded: topic {qid}, document {number}: {words}. u takes it back.")
        self._show()

    def _cannot_judge(self, given: str) -> None:
        answer = given or self._ask(f"Why? {REASON_PROMPT}: ")
        if answer is None:
            return
        number, _, text = answer.partition(" ")
        if number == str(len(REASONS) + 1):
            reason = OTHER + (text.strip() or self._ask("What is it? ") or "")
        else:
            reason = {str(known): reason for known, reason in enumerate(REASONS, 1)}.get(answer, answer)
        self._decide(self._session.cannot_judge(reason))

    def _note(self, text: str) -> None:
        if not text:
            raise InputError("a note needs its text on the same line: n TEXT")
        self._session.note(text)
        self._say("Noted; it goes with your decision.")

    def _unsure(self) -> None:
        unsure = self._session.toggle_unsure().unsure
        self._say("Your label will be marked as unsure." if unsure else "Your label will not be marked as unsure.")

    def _undo(self) -> None:
        self._session.undo()
        self._say("Taken back. U brings it back.")
        self._show()

    def _next_topic(self) -> None:
        self._session.next_topic()
        self._show()

    def _topic(self) -> None:
        self._say(*topic_lines(self._session.view, self._width))

    def _document(self) -> None:
        if not self._session.view.done:
            self._say(*document_lines(self._session.view, self._width))

    def _help(self) -> None:
        grades = f"A grade and Enter judges the document: {spelled(self._session.grades)}"
        self._tell(grades)
        self._say(*(f"{key:<7} {command.about}" for key, command in COMMANDS.items()))

    def _quit(self) -> None:
        self._going = False


class Command(NamedTuple):
    """A command of the line mode; `takes` tells whether a text may follow it on the line."""

    about: str
    do: Callable[[Plain, str], None]
    takes: bool = False


COMMANDS = {
    "s": Command(
        "later: the document comes back at the end of its topic", lambda it, _: it._decide(it._session.later())
    ),
    "x": Command("cannot judge; asks why, or x 1", lambda it, text: it._cannot_judge(text), takes=True),
    "n": Command("n TEXT: a note on the document", lambda it, text: it._note(text), takes=True),
    "?": Command("mark the coming label as unsure, or not", lambda it, _: it._unsure()),
    "u": Command("undo: take the last decision back, also one of an earlier session", lambda it, _: it._undo()),
    "U": Command("redo what was undone", lambda it, _: it._decide(it._session.redo())),
    "N": Command("go to the next topic, leaving this one open", lambda it, _: it._next_topic()),
    "t": Command("the topic again", lambda it, _: it._topic()),
    "d": Command("the document again", lambda it, _: it._document()),
    "h": Command("this help", lambda it, _: it._help()),
    "q": Command("quit; everything recorded is on disk", lambda it, _: it._quit()),
}
