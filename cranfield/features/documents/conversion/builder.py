"""Text as it is written piece by piece, with its layout: which stretch is a heading, a cell, a quotation.

What stands between two stretches is decided where the next text comes: the strongest gap that was asked for.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cranfield.errors import CranfieldError

LONGEST = 32 << 20  # bytes of the text of a file
SPACES = re.compile(r"[ \t\n\r\f]+")
BLANK, CELL, LINE, PARAGRAPH = " ", "\t", "\n", "\n\n"
INDENT = "  "  # of a list in a list
CELLS = ("td", "th")
HOLDERS = frozenset((*CELLS, "tr", "table", "li", "quote"))
STRENGTH = {"": 0, BLANK: 1, CELL: 2, LINE: 3, PARAGRAPH: 4}


class SkipError(CranfieldError):
    """Why a file is skipped; the kind of reason first, what else is known after a colon."""


class Converted(NamedTuple):
    """What a file holds: `layout` is what `cranfield.display` reads, `metadata` what the file says of itself."""

    text: str
    title: str = ""
    layout: Sequence[list[Any]] = ()
    metadata: Mapping[str, Any] = {}
    pictures: Mapping[str, Sequence[str]] = {}  # by SHA-256: the type of each, and the picture in base64


class TextBuilder:
    r"""A text and its layout.

    >>> made = TextBuilder()
    >>> for word in ("one", "two"):
    ...     place = made.begin("li")
    ...     made.flow(f" {word}\n ")
    ...     made.end(place, LINE)
    >>> made.text, made.layout
    ('one\ntwo', [[0, 3, 'li'], [4, 7, 'li']])
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._gap = ""
        self._marks: list[list[Any]] = []
        self.pictures: dict[str, tuple[str, str]] = {}  # that are in the file, by SHA-256
        self._waiting: dict[int, str] = {}  # marks that begin with the next text, and what is written there first

    @property
    def text(self) -> str:
        """All of it; a gap at the end is not there."""
        return "".join(self._pieces)

    @property
    def layout(self) -> list[list[Any]]:
        """The stretches that have ended, each after those that it lies in."""
        return [mark for mark in self._marks if mark[1] is not None]

    def gap(self, what: str) -> None:
        """Ask for a gap before the next text; none is at the beginning of an item, a quotation or a cell."""
        if any(self._marks[place][2] in HOLDERS for place in self._waiting):
            return
        if STRENGTH[what] > STRENGTH[self._gap]:
            self._gap = what

    def flow(self, text: str) -> None:
        """Text in which any white space is a blank, as in HTML."""
        words = SPACES.sub(" ", text)
        if words.startswith(" "):
            self.gap(BLANK)
        if stripped := words.strip(" "):
            self.add(stripped)
        if words.endswith(" "):
            self.gap(BLANK)

    def add(self, text: str) -> None:
        """Text as it is."""
        if text:
            self._settle()
            self._put(text)

    def begin(self, kind: str, first: str = "", **attributes: Any) -> int:
        """Begin a stretch with the next text, before which `first` is written; its place, to end it with."""
        self._marks.append([None, None, kind, *([attributes] if attributes else [])])
        self._waiting[len(self._marks) - 1] = first
        return len(self._marks) - 1

    def whole(self, kind: str, text: str, gap: str = "", **attributes: Any) -> None:
        """A stretch of its own, between gaps."""
        self.gap(gap)
        place = self.begin(kind, **attributes)
        self.add(text)
        self.end(place, gap)

    def end(self, place: int, gap: str = "", even_empty: bool = False) -> None:
        """End a stretch, which without text is none unless `even_empty`, and ask for a gap after it."""
        if even_empty and self._marks[place][0] is None:
            self._settle()
        if self._marks[place][0] is None:
            del self._waiting[place]
        else:
            self._marks[place][1] = self._length
        if self._marks[place][2] in CELLS:  # what was asked for inside it ends with it
            self._gap = ""
        self.gap(gap)

    def _settle(self) -> None:
        """Write the gap, and begin what waits for text."""
        if self._length:
            self._put(self._gap)
        self._gap = ""
        for place, first in self._waiting.items():
            self._marks[place][0] = self._length
            self._put(first)
        self._waiting.clear()

    def _put(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)
        if self._length > LONGEST:
            raise SkipError(f"too large: more than {LONGEST >> 20}M of text")
