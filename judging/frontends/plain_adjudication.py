"""Adjudication over two streams of text: for terminals of any kind, screen readers, pipes and scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TextIO

from cranfield.errors import InputError
from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.frontends.keys import ADJUDICATING, DEFAULT, Keys
from cranfield.judging.frontends.line_mode import LineMode

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
        if found := WITH_REASON.fullmatch(line):
            grade, why = int(found[1]), found[2]
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
