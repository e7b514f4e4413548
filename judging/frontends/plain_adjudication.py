"""Adjudication over two streams of text: for terminals of any kind, screen readers, pipes and scripts."""

from __future__ import annotations

import re
from typing import TextIO

from cranfield.errors import BusyError, InputError
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.adjudication.view import DisputeShown
from cranfield.judging.frontends.view_text import NO_TEXT, quoted_lines, topic_text
from cranfield.judging.frontends.wrap import wrap
from cranfield.store.log import spelled
from cranfield.text import visible_line

ANSWER = re.compile(r"([+-]?[0-9]{1,6})(?:\s+(.*))?")
PROMPT = "grade [why], ? for help > "
DIGITS = 9  # of the number of a case
HELP = (
    "GRADE      settle the document with this grade, even one that nobody gave",
    "GRADE WHY  the same, with a reason, such as: 1 it is about wings",
    "x WHY      it cannot be judged",
    "s          skip: no answer; it comes up again next time",
    "u          undo your last answer, including one from an earlier session",
    "l          list the settled cases: how, by whom and why",
    "l NUMBER   show one of these again; an answer settles it again, if it was yours",
    "t          show the topic, the document and the labels again",
    "?          show this help; so does h",
    "q          quit; everything recorded is on disk",
)


class PlainAdjudication:
    """The line mode of an adjudication: reads commands from `source`, one per line, and writes to `target`.

    An answer is acknowledged after it is on disk. It ends after `limit` answers or at the end of the input.

    >>> import io
    >>> from cranfield.store.store import Store
    >>> out = io.StringIO()
    >>> with Store.memory("empty") as store:
    ...     PlainAdjudication(Adjudication(store, "eve", []), io.StringIO("1\\n"), out).run()
    0
    >>> print(out.getvalue(), end="")
    Nothing is left to adjudicate. u undoes the last answer, q quits.
    grade [why], ? for help > Not recorded: everything is done; there is nothing on screen
    grade [why], ? for help >
    """

    def __init__(
        self, adjudication: Adjudication, source: TextIO, target: TextIO, width: int = 80, limit: int | None = None
    ) -> None:
        self._adjudication, self._source, self._target, self._width = adjudication, source, target, width
        self._limit = limit
        self._answers = 0
        self._going = True

    def run(self) -> int:
        """Adjudicate until the adjudicator quits, the input ends or the limit is reached; returns the number of
        answers.
        """
        self._show()
        while self._going and (self._limit is None or self._answers < self._limit):
            line = self._ask()
            if line is None:
                break
            try:
                self._obey(line)
            except (InputError, BusyError) as refusal:
                if isinstance(refusal, BusyError) and not self._source.isatty():
                    raise  # the next input was meant for another document
                self._say(*wrap(f"Not recorded: {refusal}", self._width))
        return self._answers

    def _obey(self, line: str) -> None:
        key, _, rest = line.partition(" ")
        simple = {"s": self._skip, "u": self._undo, "t": self._show, "?": self._help, "h": self._help, "q": self._quit}
        if answer := ANSWER.fullmatch(line):
            self._grade(int(answer[1]), answer[2] or "")
        elif key == "x":
            self._adjudication.cannot_judge(rest)
            self._answered(f"cannot judge, {rest.strip()}")
        elif key == "l":
            self._list(rest.strip())
        elif line in simple:
            simple[line]()
        else:
            what = f"{visible_line(line)[:40]!r} is not a command" if line else "Enter alone does nothing"
            raise InputError(f"{what}; type a grade, or ? for help")

    def _grade(self, grade: int, why: str) -> None:
        self._adjudication.grade(grade, why)
        self._answered(f"grade {grade}, {self._adjudication.grades[grade]}{f': {why}' if why else ''}")

    def _list(self, number: str) -> None:
        if not number:
            lines = [f"{it.number}. topic {it.qid}: {it.words}" for it in self._adjudication.settled()] or [
                "No case is settled yet."
            ]
            self._say(*(row for line in lines for row in wrap(line, self._width)))
        elif not (number.isascii() and number.isdecimal()) or len(number) > DIGITS:
            raise InputError("l 3 shows case 3 again; l alone lists the settled cases")
        else:
            self._adjudication.again(int(number))
            self._show()

    def _answered(self, words: str) -> None:
        self._answers += 1
        self._say(*wrap(f"Recorded: {visible_line(words)}. u undoes it.", self._width))
        if self._limit is None or self._answers < self._limit:
            self._show()

    def _skip(self) -> None:
        self._adjudication.skip()
        self._show()

    def _undo(self) -> None:
        self._adjudication.undo()
        self._answers -= 1
        self._say("Undone.")
        self._show()

    def _help(self) -> None:
        self._say(*wrap(f"Grades: {visible_line(spelled(self._adjudication.grades))}", self._width), *HELP)

    def _quit(self) -> None:
        self._going = False

    def _show(self) -> None:
        case = self._adjudication.case
        if case is None:
            self._say("Nothing is left to adjudicate. u undoes the last answer, q quits.")
        else:
            anew = ["An answer settles it again, if it was yours; s skips it."] * bool(case.settled)
            grades = wrap(f"Grades: {spelled(self._adjudication.grades)}", self._width)
            self._say(*case_lines(case, self._width), *grades, *anew)

    def _ask(self) -> str | None:
        """The next line, None at the end of the input or at Ctrl-C."""
        self._target.write(PROMPT)
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


def case_lines(case: DisputeShown, width: int) -> list[str]:
    """What is on screen. Text of the collection is indented, so that no document can pose as the program."""
    document, what = case.document, "Disagreement" if case.labels else "Document"
    lines = ["", f"{what} {case.number} of {case.of}", *topic_text(case.topic, width)]
    shown = [*quoted_lines(document.title, width), *quoted_lines(document.text.strip("\n"), width)]
    lines += ["Document:", *(shown or [NO_TEXT])]
    labels = [row for label in case.labels for row in quoted_lines(label, width)]
    settled = [row for words in case.settled for row in quoted_lines(words, width)]
    return lines + ["Labels:", *labels] * bool(labels) + ["Settled:", *settled] * bool(settled)
