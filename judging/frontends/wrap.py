"""Wrapping a text into rows, one after the other, so that the first are there before the last are computed."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

Span = tuple[int, int]  # from, to (exclusive)

WORDS = re.compile(r"\s+|\S+")
WIDE = re.compile(  # all but the blocks where every character takes one cell and only a space breaks a line
    r"[^\x00-\u02ff\u0370-\u0482\u048a-\u0590\u1e00-\u1fff"
    r"\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u21ff\u2400-\u2426]"
)


def wrap(text: str, width: int) -> list[str]:
    r"""The rows of a text in a column `width` cells wide, keeping its line breaks; CJK characters take two cells.

    >>> wrap("one two three\n\n  indented", 10)
    ['one two', 'three', '', '  indented']
    >>> wrap("漢字漢字", 5)
    ['漢字', '漢字']
    """
    return [text[start:end] for start, end in rows(text, width)]


def rows(text: str, width: int) -> Iterator[Span]:
    """Where the rows of a text begin and end."""
    width, start = max(width, 2), 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield from _line(text, start, end, width)
        start = end + 1


def _line(text: str, start: int, end: int, width: int) -> Iterator[Span]:
    """The rows of one line that are not blank, or a single empty one."""
    if end == start:
        yield start, start
        return
    cut, inked = _wide if WIDE.search(text, start, end) else _narrow, False
    for first, last in cut(text, start, end, width):
        if ink := len(text[first:last].rstrip()):
            inked = True
            yield first, first + ink
    if not inked:
        yield start, start


def _narrow(text: str, start: int, end: int, width: int) -> Iterator[Span]:
    """Rows of characters that take one cell each: found with searches, not character by character."""
    while end - start > width:
        cut = text.rfind(" ", start, start + width + 1)
        cut = start + width if cut < 0 else cut
        yield start, cut
        start = cut
        while start < end and text[start] == " ":
            start += 1
    yield start, end


def _wide(text: str, start: int, end: int, width: int) -> Iterator[Span]:
    row, used, place = start, 0, start
    for first, last, size in _pieces(text, start, end, width):
        if used + size > width:
            yield row, place
            row, used = first, 0
        if used == 0 and row > start and text[first:last].isspace():
            row = last
        else:
            used += size
        place = last
    yield row, end


def _pieces(text: str, start: int, end: int, width: int) -> Iterator[tuple[int, int, int]]:
    """Words and the spaces between them, each with its width; what is wider than a row in several pieces."""
    for match in WORDS.finditer(text, start, end):
        first, used = match.start(), 0
        for place in range(match.start(), match.end()):
            size = cells(text[place])
            if used + size > width:
                yield first, place, used
                first, used = place, 0
            used += size
        yield first, match.end(), used


@lru_cache(100_000)
def cells(character: str) -> int:
    r"""How many cells of a terminal a character takes.

    >>> cells("a"), cells("漢"), cells("\u0301")
    (1, 2, 0)
    """
    if character.isascii():
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class WrappedRows:
    """The rows of a text, computed as far as they are needed.

    >>> some = WrappedRows("one two three four", 5)
    >>> some.grow(1), len(some.spans), some.complete
    (None, 1, False)
    >>> some.grow(), some.spans, some.complete
    (None, [(0, 3), (4, 7), (8, 13), (14, 18)], True)
    >>> some.row_of(9)
    2
    """

    def __init__(self, text: str, width: int) -> None:
        self.text, self.complete = text, False
        self.spans: list[Span] = []
        self._more = rows(text, width)

    def grow(self, by: int | None = None) -> None:
        """Compute this many more rows, or all."""
        while by is None or by > 0:
            span = next(self._more, None)
            if span is None:
                self.complete = True
                return
            self.spans.append(span)
            by = None if by is None else by - 1

    def row_of(self, offset: int) -> int:
        """The row that shows an offset of the text."""
        while not self.complete and (not self.spans or self.spans[-1][1] <= offset):
            self.grow(500)
        return max(bisect_right(self.spans, offset, key=lambda span: span[0]) - 1, 0)
