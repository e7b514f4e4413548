"""Line mode: judging and adjudicating over two streams of text, for screen readers, any terminal, pipes and scripts."""

import re
from collections.abc import Callable, Mapping
from typing import TextIO

from cranfield.errors import InputError
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.frontends.keys import ADJUDICATING, COMMANDS, DEFAULT, Keys
from cranfield.judging.frontends.line_mode import LineMode
from cranfield.judging.frontends.view_text import criteria_lines
from cranfield.judging.session.session import Session


class Plain(LineMode):
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
    >>> Plain(session, io.StringIO("1\\n"), out).run()
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
            self._do(lambda about: self._session.quote(about, text))
            self._say("Marked; it is saved with your label.")
        else:
            view = self._do(self._session.unmark)
            self._say(f"The last mark is removed; {len(view.evidence)} left.")

    def _criterion(self, text: str) -> None:
        if text:
            self._do(lambda about: self._session.criterion(about, text))
        self._say("Your criteria:", *criteria_lines(self._session.view, self._width))

    def _docno(self) -> None:
        view = self._do(self._session.toggle_docno)
        docno = view.document.docno if view.docno_shown and view.document else ""
        self._say(f"Document id: {docno}" if docno else "Document ids are not shown.")

    def _unsure(self) -> None:
        unsure = self._do(self._session.toggle_unsure).unsure
        self._say("Your label will be marked as unsure." if unsure else "Your label will not be marked as unsure.")

    def _next_topic(self) -> None:
        self._do(self._session.next_topic)
        self._next()


WITH_REASON = re.compile(r"([+-]?[0-9]{1,6})\s+(.*)")


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
        if match := WITH_REASON.fullmatch(line):
            grade, why = int(match[1]), match[2]
            if not any(map(str.isalpha, why)):
                raise InputError(f"{why!r} is not a reason: after a grade, type words that say why, or nothing")
            self._decide(lambda about: self._adjudication.grade(about, grade, why=why))
        else:
            super()._obey(line)

    def _do_named(self) -> Mapping[str, Callable[[str], None]]:
        return {**super()._do_named(), "later": lambda _: self._later()}

    def _later(self) -> None:
        self._do(self._adjudication.later)
        self._next()

    def _is_over(self) -> bool:
        return self._limit is not None and self._adjudication.answers - self._before >= self._limit
