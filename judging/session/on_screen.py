"""The document on screen: how it is shown, and for how long."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cranfield.errors import InputError
from cranfield.formats import Document
from cranfield.judging.labels.pairs import Pair
from cranfield.judging.session.active_time import ActiveTime
from cranfield.judging.session.highlight import terms_of
from cranfield.store.chain import Event
from cranfield.store.store import sha256


class OnScreen:
    """The document on screen, the terms highlighted in it, whether its docno is shown, and the active time.

    How a document was shown belongs to its label: what was shown once stays on record until there is another document.
    """

    def __init__(self, read: Callable[[str], Document], clock: Callable[[], float], idle: float) -> None:
        self._read = read
        self.time = ActiveTime(clock, idle)
        self.pair: Pair | None = None
        self.document: Document | None = None
        self._sha256: str | None = None
        self._terms: dict[str, str] = {}  # by topic
        self._highlighting = self.docno_shown = False  # as they are now
        self._terms_seen, self._docno_seen = "", False  # as they were with this document

    def recall(self, past: Iterable[Event]) -> None:
        """Take up the terms of earlier sessions."""
        self._terms |= {event.qid: event.highlight_terms for event in past if event.highlight_terms}

    def lay(self, pair: Pair | None, anew: bool) -> None:
        """Put another document on screen, or the same one again, or (if not anew) keep the same one."""
        if anew or pair != self.pair:
            self.pair = pair
            self.document = self._read(pair[1]) if pair else None
            self._sha256 = sha256(self.document.text) if self.document else None
            self._terms_seen, self._docno_seen = "", False
            self.time.start()
        self._terms_seen = self.terms or self._terms_seen
        self._docno_seen = self._docno_seen or self.docno_shown

    @property
    def here(self) -> Pair:
        """The pair on screen; an error when everything is done."""
        if self.pair is None:
            raise InputError("everything is done; there is no document on screen")
        return self.pair

    @property
    def text(self) -> str:
        """The text of the document as stored: not safe to show."""
        return self.document.text if self.document else ""

    @property
    def terms(self) -> str:
        """The terms highlighted now."""
        return self._terms.get(self.pair[0], "") if self.pair and self._highlighting else ""

    def set_terms(self, text: str) -> None:
        """Highlight these terms in this topic from now on; none if empty."""
        self._terms[self.here[0]] = ", ".join(terms_of(text))
        self._highlighting = bool(terms_of(text))

    def toggle_terms(self) -> None:
        """Turn highlighting on or off."""
        if not self._highlighting and not self._terms.get(self.here[0]):
            raise InputError("you have not set any terms to highlight in this topic yet")
        self._highlighting = not self._highlighting

    def toggle_docno(self) -> bool:
        """Show or hide docnos; returns whether they are shown now."""
        self.docno_shown = bool(self.here) and not self.docno_shown
        self._docno_seen = self._docno_seen or self.docno_shown
        return self.docno_shown

    def seen(self) -> dict[str, Any]:
        """How the document was shown, for the record."""
        return {
            "seconds": self.time.seconds(),
            "document_sha256": self._sha256,
            "highlight_terms": self._terms_seen,
            "docno_shown": self._docno_seen,
        }
