"""Line mode: judging and adjudicating over two streams of text, for screen readers, any terminal, pipes and scripts."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import TextIO

from cranfield.errors import BusyError, InputError
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.frontends.keys import ADJUDICATING, COMMANDS, DEFAULT, KeyCommand, Keys, key_help
from cranfield.judging.frontends.view_text import (
    criteria_lines,
    document_lines,
    guideline_lines,
    numbered_lines_with_match,
    recent_lines,
    topic_lines,
    wrap,
)
from cranfield.judging.session.command import OTHER, REASONS, ReasonError
from cranfield.judging.session.controller import Command, Controller, Next
from cranfield.judging.session.recording import Recording
from cranfield.judging.session.session import Session
from cranfield.judging.session.view import EarlierDecision, SessionView
from cranfield.judging.session.work import PassedOnError
from cranfield.store.log import scale_in_words
from cranfield.text import SOFT_HYPHEN, visible_line

DIGITS = 9  # of the number of a decision
GRADE = re.compile(r"[+-]?\d{1,6}", re.ASCII)
REASON_PROMPT = ", ".join(f"{number} {reason}" for number, reason in enumerate((*REASONS, "other (say what)"), 1))


class LineMode:
    """Reads commands from `source`, one per line, and writes to `target`.

    A decision is acknowledged after it is on disk. The end of the input counts as `q`.
    """

    commands: Mapping[str, KeyCommand]
    prompt = "> "
    act = "judge the document"
    item = "a grade"

    def __init__(
        self, session: Recording, source: TextIO, target: TextIO, *, width: int, keys: Keys, guidelines: str
    ) -> None:
        self.controller, self._session = Controller(session), session
        self._source, self._target, self._width = source, target, width
        self._keys, self._guidelines_text = keys, guidelines
        self._names = {keys[name]: name for name, command in self.commands.items() if command.plain is not None}
        self._done = False  # whether "everything is done" was printed last
        self._going = True
        session.input = "plain"

    def run(self) -> None:
        """Go on until the assessor quits or the input ends."""
        if self.controller.order:
            self._tell(f"Order: {self.controller.order}.")
        self._next()
        while self._going and (line := self._ask(self.prompt)) is not None:
            try:
                self._obey(line)
            except (InputError, BusyError) as refusal:
                if isinstance(refusal, BusyError) and (self._session.behind or not self._source.isatty()):
                    raise  # the next input was meant for another document
                self._tell(f"Not recorded: {refusal}")
                if isinstance(refusal, PassedOnError):
                    self._next()

    def _obey(self, line: str) -> None:
        self.controller.touch()
        key, _, rest = line.partition(" ")
        name = self._names.get(key)
        if GRADE.fullmatch(line):
            self._decide(lambda about: self._session.grade(about, int(line)))
        elif name and (self.commands[name].plain or not rest):
            self._do_named()[name](rest.strip())
        else:
            what = f"{visible_line(line)[:40]!r} is not a command" if line else "Enter by itself does nothing"
            raise InputError(f"{what}; type {self.item}, or {self._keys['help']} for help")

    def _do_named(self) -> Mapping[str, Callable[[str], None]]:
        """What each command does, given the rest of its line."""
        session = self._session
        return {
            "later": lambda _: self._decide(session.later),
            "cannot_judge": self._cannot_judge,
            "undo": lambda _: self._undo(),
            "redo": lambda _: self._decide(session.redo),
            "note": self._note,
            "find": self._find,
            "highlight": lambda _: self._tell_terms(session.toggle_highlight),
            "terms": self._terms,
            "mark_topic": lambda _: self._tell_terms(session.mark_topic),
            "topic": lambda _: self._topic(),
            "document": lambda _: self._document(),
            "original": lambda _: self._document(other=True),
            "guidelines": lambda _: self._say(*guideline_lines(self._guidelines_text, self._width)),
            "last": self._last,
            "help": lambda _: self._help(),
            "quit": lambda _: self._quit(),
        }

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
        self._target.write("\n".join(lines).replace(SOFT_HYPHEN, "") + "\n")
        self._target.flush()

    def _tell(self, text: str) -> None:
        self._say(*wrap(text, self._width))

    def _next(self) -> None:
        """What comes next; the topic only if it is another one."""
        self._show(self.controller.next())

    def _show(self, following: Next) -> None:
        view, topic = following
        if topic != "same" or view.done or self._done:
            self._topic()
        self._done = view.done
        self._document()

    # Commands

    def _execute(self, command: Command) -> SessionView:
        """Execute a command about what is on screen now."""
        return command(self._session.command_target())

    def _decide(self, command: Command) -> None:
        """Decide and acknowledge; a view does not show that the document on screen was put off again."""
        view, following = self._execute(command), self.controller.next(remind=True)
        last = view.last or EarlierDecision(view.topic.qid if view.topic else "", view.position.number, "later")
        self._tell(
            f"Recorded: topic {last.qid}, {view.noun} {last.number}: {last.words}. {self._keys['undo']} undoes it."
        )
        if reminder := self.controller.reminder():
            self._tell(f"Check: {reminder}; {self._keys['undo']} undoes it.")
        if long := self.controller.break_notice():
            self._say(f"({long})")
        if self._is_over():
            self._going = False
        else:
            self._show(following)

    def _is_over(self) -> bool:
        """Whether enough has been decided."""
        return False

    def _cannot_judge(self, words: str) -> None:
        """Ask for the reason until it is one, so that no answer is taken as a grade; nothing goes back."""
        answer = words or self._ask(f"Why? {REASON_PROMPT}: ")
        while answer:
            try:
                self._decide(partial(self._session.cannot_judge, reason=self._reason(answer)))
            except ReasonError as refusal:
                self._tell(f"Not recorded: {refusal}. Press Enter to go back.")
                answer = self._ask(f"Why? {REASON_PROMPT}: ")
            else:
                return

    def _reason(self, answer: str) -> str:
        number, _, text = answer.partition(" ")
        if number == str(len(REASONS) + 1):
            return OTHER + (text.strip() or self._ask("Which reason? ") or "")
        return {str(place): reason for place, reason in enumerate(REASONS, 1)}.get(answer, answer)

    def _note(self, text: str) -> None:
        if not text:
            raise InputError(f"a note needs its text on the same line: {self._keys['note']} TEXT")
        self._execute(lambda about: self._session.note(about, text))
        self._say("The note is saved with your decision.")

    def _find(self, text: str) -> None:
        lines = numbered_lines_with_match(self._session.view, text, self._width)
        self._say(*(lines or [f"The document does not contain {visible_line(text)[:60]!r}."]))

    def _terms(self, text: str) -> None:
        terms = self._execute(lambda about: self._session.terms(about, text)).terms
        self._tell(f"Highlighted in this topic from now on: {terms}." if terms else "Nothing is highlighted.")

    def _tell_terms(self, command: Command) -> None:
        terms = self._execute(command).terms
        self._tell(f"Highlighted: {terms}." if terms else "Nothing is highlighted.")

    def _undo(self) -> None:
        self._execute(self._session.undo)
        self._say(f"Undone. {self._keys['redo']} redoes it.")
        self._next()

    def _topic(self) -> None:
        self._say(*topic_lines(self._session.view, self._width, self._keys))

    def _document(self, other: bool = False) -> None:
        if not self._session.view.done:
            self._say(*document_lines(self._session.view, self._width, other))

    def _last(self, number: str) -> None:
        if not number:
            self._say(*recent_lines(self._session.recent(), self._width, self._session.view.noun))
        elif not number.isdecimal() or len(number) > DIGITS:
            raise InputError(f"{self._keys['last']} 3 goes to the third of your last decisions")
        else:
            self._execute(lambda about: self._session.again(about, int(number)))
            if int(number):
                self._tell(f"Judge it again, or type {self._keys['last']} 0 to leave it as it is.")
            self._next()

    def _help(self) -> None:
        self._tell(f"Type {self.item} and press Enter to {self.act}: {scale_in_words(self._session.view.grades)}")
        self._say(*(f"{key:<9} {about}" for key, about in key_help(self._keys, self.commands, plain=True)))

    def _quit(self) -> None:
        self._going = False


class PlainJudging(LineMode):
    """The line mode of a session: reads commands from `source`, one per line, and writes to `target`.

    A decision is acknowledged after it is on disk. The end of the input counts as `q`.

    >>> import io
    >>> from cranfield.formats import Document, Topic
    >>> from cranfield.store.pools import Pool, PooledDocument
    >>> from cranfield.store.store import Store
    >>> store = Store.memory("one document")
    >>> store.add_documents([Document("d1", text="wings")]), store.add_topics([Topic("q1", "lift")])
    (1, 1)
    >>> session = Session(store, "ada", Pool("depth", {}, [PooledDocument("q1", "d1", 1, ("r",))]))
    >>> out = io.StringIO()
    >>> PlainJudging(session, io.StringIO("1\\n"), out).run()
    >>> print(out.getvalue().strip().splitlines()[-1])
    judged 1, later 0, cannot judge 0, remaining 0
    >>> store.close()
    """

    commands = COMMANDS

    def __init__(
        self,
        session: Session,
        source: TextIO,
        target: TextIO,
        *,
        width: int = 80,
        keys: Keys = DEFAULT,
        guidelines: str = "",
    ) -> None:
        super().__init__(session, source, target, width=width, keys=keys, guidelines=guidelines)
        self._session: Session = session

    def run(self) -> None:
        """Judge until the assessor quits or the input ends."""
        super().run()
        self._say(self._session.summary)

    def _do_named(self) -> Mapping[str, Callable[[str], None]]:
        own: Mapping[str, Callable[[str], None]] = {
            "unsure": lambda _: self._unsure(),
            "evidence": self._evidence,
            "criterion": self._criterion,
            "docno": lambda _: self._docno(),
            "next_topic": lambda _: self._next_topic(),
        }
        return {**super()._do_named(), **own}

    def _evidence(self, text: str) -> None:
        if text:
            self._execute(lambda about: self._session.quote(about, text))
            self._say("The words are marked and saved with your label.")
        else:
            view = self._execute(self._session.unmark)
            self._say(f"The last mark is removed; {len(view.evidence)} left.")

    def _criterion(self, text: str) -> None:
        if text:
            self._execute(lambda about: self._session.criterion(about, text))
        self._say("Your criteria:", *criteria_lines(self._session.view, self._width))

    def _docno(self) -> None:
        view = self._execute(self._session.toggle_docno)
        docno = view.document.docno if view.docno_shown and view.document else ""
        self._say(f"Document id: {docno}" if docno else "Document ids are not shown.")

    def _unsure(self) -> None:
        unsure = self._execute(self._session.toggle_unsure).unsure
        self._say("Your label will be marked as unsure." if unsure else "Your label will not be marked as unsure.")

    def _next_topic(self) -> None:
        self._execute(self._session.next_topic)
        self._next()


GRADE_WITH_REASON = re.compile(r"([+-]?[0-9]{1,6})\s+(.*)")


class PlainAdjudication(LineMode):
    """The line mode of an adjudication: a grade may be followed by its reason. It ends after `limit` answers.

    >>> import io
    >>> from cranfield.store.store import Store
    >>> out = io.StringIO()
    >>> with Store.memory("empty") as store:
    ...     PlainAdjudication(Adjudication(store, "eve", []), io.StringIO("1\\n"), out).run()
    >>> print(out.getvalue(), end="")
    Everything is done. u undoes the last decision, q quits.
    grade [why], ? for help >
    Not recorded: everything is done; there is no document on screen
    grade [why], ? for help >
    """

    commands = ADJUDICATING
    prompt = "grade [why], ? for help > "
    act = "settle the case; a reason may follow the grade"

    def __init__(
        self, adjudication: Adjudication, source: TextIO, target: TextIO, *, width: int = 80, keys: Keys = DEFAULT,
        guidelines: str = "", limit: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(adjudication, source, target, width=width, keys=keys, guidelines=guidelines)
        self._adjudication, self._limit, self._before = adjudication, limit, adjudication.answers

    def _obey(self, line: str) -> None:
        if match := GRADE_WITH_REASON.fullmatch(line):
            grade, why = int(match[1]), match[2]
            if not any(map(str.isalpha, why)):
                raise InputError(f"{why!r} is not a reason; after a grade, type a reason in words or press Enter")
            self._decide(lambda about: self._adjudication.grade(about, grade, why=why))
        else:
            super()._obey(line)

    def _do_named(self) -> Mapping[str, Callable[[str], None]]:
        return {**super()._do_named(), "later": lambda _: self._later()}

    def _later(self) -> None:
        self._execute(self._adjudication.later)
        self._next()

    def _is_over(self) -> bool:
        return self._limit is not None and self._adjudication.answers - self._before >= self._limit
