"""The full screen of an adjudicator: that of judging, with the labels to decide between."""

import time
from collections.abc import Callable, Mapping, Sequence

from cranfield.judging.adjudication.adjudication import Adjudication
from cranfield.judging.frontends.keys import ADJUDICATING, DEFAULT, Keys
from cranfield.judging.frontends.terminal.reading import Reading
from cranfield.judging.frontends.terminal.terminal import Terminal
from cranfield.judging.labels.evidence import Evidence


class Adjudicating(Reading):
    """An adjudicator settles the case on screen."""

    commands = ADJUDICATING


class AdjudicationTerminal(Terminal):
    """An adjudication on the full screen; it ends after `limit` answers."""

    reading = Adjudicating

    def __init__(
        self, adjudication: Adjudication, keys: Keys = DEFAULT, guidelines: str = "",
        clock: Callable[[], float] = time.monotonic, limit: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(adjudication, keys, guidelines, clock)
        self._adjudication, self._limit, self._before = adjudication, limit, adjudication.answers

    def _evidence(self) -> Mapping[str, Sequence[Evidence]]:
        marks = self._adjudication.marks_by_letter()
        return {f"evidence {letter}": found for letter, found in marks.items() if found}

    def _next(self, remind: bool = False) -> None:
        if self._limit is not None and self._adjudication.answers - self._before >= self._limit:
            self.exit()
        else:
            super()._next(remind)
