"""Adjudication over two streams of text: for terminals of any kind, screen readers, pipes and scripts."""

from __future__ import annotations

import re
from typing import TextIO

from cranfield.errors import BusyError, InputError
from cranfield.log import spelled

from .adjudication import Adjudication, Case
from .text import visible_line
from .wrap import wrap

GRADE = re.compile(r"[+-]?\d{1,6}", re.ASCII)
INDENT = "  "
HELP = (
    "a grade  settles the document with it, also with one that nobody gave",
    "x WHY    it cannot be judged",
    "s        skip: no answer; it is there again the next time",
    "u        undo: take the last answer back, also one of an earlier session",
    "t        the topic, the document and the labels again",
    "h        this help",
    "q        quit; everything recorded is on disk",
)


class Adjudicating:
    """The line mode of an adjudication: reads a command a line from `source`, writes to `target`.

    An answer is acknowledged after it is on disk. After `limit` answers, or at the end of the input, it ends.

    >>> import io
    >>> from cranfield.store import Store
    >>> out = io.StringIO()
    >>> with Store.memory("empty") as store:
    ...     Adjudicating(Adjudication(store, "eve", []), io.StringIO("1\\n"), out).run()
    0
    >>> print(out.getvalue(), end="")
    Nothing is left to adjudicate. u takes the last answer back, q quits.
    > Not recorded: everything is done; there is nothing on screen
    >
    """

    def __init__(
        self, adjudication: Adjudication, source: TextIO, target: TextIO, width: int = 80, limit: int | None = None
    ) -> None:
        self._it, self._source, self._target, self._width = adjudication, source, target, width
        self._limit = limit
        self._answers = 0
        self._going = True

    def run(self) -> int:
        """Adjudicate until the adjudicator quits, the input ends or the limit is reached; how many answers stand."""
        self._show()
        while self._going and (self._limit is None or self._answers < self._limit):
            line = self._ask()
            if line is None:
                break
            try:
                self._obey(line)
            except (InputError, BusyError) as refusal:
                if isinstance(refusal, BusyError) and not self._source.isatty():
                    raise  # what is said next was meant for another document
                self._say(*wrap(f"Not recorded: {refusal}", self._width))
        return self._answers

    def _obey(self, line: str) -> None:
        key, _, rest = line.partition(" ")
        simple = {"s": self._skip, "u": self._undo, "t": self._show, "h": self._help, "q": self._quit}
        if GRADE.fullmatch(line):
            self._it.grade(int(line))
            self._answered(f"grade {int(line)}, {self._it.grades[int(line)]}")
        elif key == "x":
            self._it.cannot_judge(rest)
            self._answered(f"cannot judge, {rest.strip()}")
        elif line in simple:
            simple[line]()
        else:
            what = f"{visible_line(line)[:40]!r} is no command" if line else "Enter alone does nothing"
            raise InputError(f"{what}; type a grade, or h for help")

    def _answered(self, words: str) -> None:
        self._answers += 1
        self._say(*wrap(f"Recorded: {visible_line(words)}. u takes it back.", self._width))
        if self._limit is None or self._answers < self._limit:
            self._show()

    def _skip(self) -> None:
        self._it.skip()
        self._show()

    def _undo(self) -> None:
        self._it.undo()
        self._answers -= 1
        self._say("Taken back.")
        self._show()

    def _help(self) -> None:
        self._say(*wrap(f"Grades: {visible_line(spelled(self._it.grades))}", self._width), *HELP)

    def _quit(self) -> None:
        self._going = False

    def _show(self) -> None:
        case = self._it.case
        if case is None:
            self._say("Nothing is left to adjudicate. u takes the last answer back, q quits.")
        else:
            self._say(*case_lines(case, self._width), *wrap(f"Grades: {spelled(self._it.grades)}", self._width))

    def _ask(self) -> str | None:
        """The next line, None at the end of the input or at Ctrl-C."""
        self._target.write("> ")
        self._target.flush()
        try:
            line = self._source.readline()
        except KeyboardInterrupt:
            line = ""
        if not line:
            self._say()
        return line.strip() if line else None

    def _say(self, *lines: str) -> None:
        self._target.write("\n".join(lines) + "\n")
        self._target.flush()


def case_lines(case: Case, width: int) -> list[str]:
    """What is on screen. What the collection says is set in, so that no document can pretend to be the program."""
    topic, document = case.topic, case.document
    what = "Disagreement" if case.labels else "Document"
    lines = ["", f"{what} {case.number} of {case.of}", f"Topic {topic.qid}", *_quoted(topic.title, width)]
    for name, text in (("Description", topic.description), ("Narrative", topic.narrative)):
        if text.strip():
            lines += [f"{name}:", *_quoted(text, width)]
    shown = [*_quoted(document.title, width), *_quoted(document.text, width)]
    lines += ["Document:", *(shown or ["The store has no text of this document."])]
    labels = [row for label in case.labels for row in _quoted(label, width)]
    return [*lines, "Labels:", *labels] if labels else lines


def _quoted(text: str, width: int) -> list[str]:
    rows = wrap(text.strip("\n"), width - len(INDENT)) if text.strip() else []
    return [(INDENT + row).rstrip() for row in rows]
