"""Finding words in the document on the full screen."""

from __future__ import annotations

from collections.abc import Callable

from cranfield.errors import InputError
from cranfield.judging.frontends.terminal.pane import Pane
from cranfield.judging.session.highlight import finder


class SearchMatches:
    """The matches of the last search in the document; one of them is shown."""

    def __init__(self, document: Pane, say: Callable[[str], None]) -> None:
        self._document, self._say = document, say
        self.forget()

    def forget(self) -> None:
        """Another document: there are no matches yet."""
        self._hits: list[int] = []
        self._hit = 0

    @property
    def found(self) -> bool:
        """Whether there are any matches."""
        return bool(self._hits)

    def find(self, text: str) -> None:
        """Search for words and show the first match from here on."""
        pane, pattern = self._document, finder(text)
        pane.patterns.pop("find", None)
        pane.spans.pop("hit", None)
        self._hits = [match.start() for match in pattern.finditer(pane.text)] if pattern else []
        if pattern and self._hits:
            pane.patterns["find"] = pattern
            after = (number for number, hit in enumerate(self._hits) if hit >= pane.top)
            self._show(next(after, 0))
        elif pattern:
            raise InputError(f"the document does not contain {text.strip()[:60]!r}")

    def go(self, by: int) -> None:
        """Show the match this many further on."""
        self._show(self._hit + by)

    def _show(self, number: int) -> None:
        self._hit = number % len(self._hits)
        pane, start = self._document, self._hits[self._hit]
        match = pane.patterns["find"].match(pane.text, start)
        pane.spans["hit"] = [match.span()] if match else []
        pane.reveal(start)
        pane.refresh()
        self._say(f"found {self._hit + 1} of {len(self._hits)}")
