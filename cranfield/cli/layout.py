"""Tables that fit a width. Numbers stay whole, and tags as long as anything else can give way.

In order: heads are stacked word over word, prose is wrapped, numbers are rounded to three decimals, columns are left
out, and only then are tags broken.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import NamedTuple

from cranfield.formats.text_tables import Row, is_number, line_of, width
from cranfield.text import counted

GAP = 2
BLANKS = re.compile(r"\s+(?!%|\d+$)")  # where prose may be broken: not before a number's sign, nor a last number
PARTS = re.compile(r"\s+|(?<=[,)(])|(?=[(@])")  # where the name of a measure may be broken, too
JOINTS = re.compile(r"(?<=[-_./])")  # where a tag is broken first
NUMBER = re.compile(r"[-+<]?[\d.,]*\d[%*]?,?")
NAMED = 3
Paint = Callable[[int, str, str], str]


class Column(NamedTuple):
    """A column: its head, its cells, whether it holds numbers, and the same cells rounded."""

    head: str
    cells: list[str]
    number: bool
    rounded: list[str]

    def least(self, heads: re.Pattern[str] | None, cells: re.Pattern[str] | None) -> int:
        """The narrowest this column can be if heads and cells break only there."""
        head = max(map(width, heads.split(self.head) if heads else [self.head]))
        if cells is None or self.number:
            return max(head, *map(width, self.cells), 0)
        return max(head, *(width(word) for text in self.cells for word in cells.split(text)), 0)

    @property
    def unbreakable(self) -> int:
        """The narrowest this column can be if tags are broken as well, but no number."""
        if self.number:
            return self.least(PARTS, None)
        return max([4, *(width(word) for text in self.cells for word in text.split() if NUMBER.fullmatch(word))])


class Fitted(NamedTuple):
    """Columns, their widths, and what was done to make them fit."""

    columns: list[Column]
    widths: list[int]
    left_out: list[str]
    rounded: bool

    @property
    def note(self) -> str:
        """What was left out or rounded, in one line; empty if nothing was."""
        more = len(self.left_out) - NAMED
        names = self.left_out if more <= 1 else [*self.left_out[:NAMED], counted(more, "more column")]
        if not names:
            return "Rounded to fit the width. --wide shows all." if self.rounded else ""
        also = ", the rest rounded" if self.rounded else ""
        return f"Left out to fit the width: {', '.join(names)}{also}. --wide shows all."


def fitted(rows: Sequence[Row], room: int, spare: Sequence[str] | None = None) -> Fitted:
    """The table as wide as it is or, where that exceeds the room, made narrower.

    Columns are left out in the order of `spare`; without it, those of numbers from the right, save the first.

    >>> rows = [{"run": "bm25", "AP": 0.25, "P@10": 0.5, "unique relevant": 3}]
    >>> [fitted(rows, room).widths for room in (37, 36, 28, 21)]
    [[4, 6, 6, 15], [4, 6, 6, 8], [4, 5, 5, 8], [4, 6, 6]]
    >>> fitted(rows, 21).note, fitted(rows, 28).note
    ('Left out to fit the width: unique relevant. --wide shows all.', 'Rounded to fit the width. --wide shows all.')
    """
    columns = [_column(rows, name) for name in (rows[0] if rows else ())]
    order = spare if spare is not None else [one.head for one in columns if one.number][:0:-1]
    order = [name for name in order if any(one.head == name for one in columns)]
    for count in range(len(order) + 1):
        left = [one for one in columns if one.head not in order[:count]]
        gone = [one.head for one in columns if one.head in order[:count]]
        for rounded in (False, True):
            shown = [one._replace(cells=one.rounded) for one in left] if rounded else left
            widths = _widths(shown, room)
            if widths:
                return Fitted(shown, widths, gone, rounded and shown != left)
    return Fitted(shown, _broken(shown, room), gone, shown != left)


def _column(rows: Sequence[Row], name: str) -> Column:
    cells = [line_of(row[name]) for row in rows]
    rounded = [
        f"{row[name]:.3f}" if isinstance(row[name], float) and text != "-" else text
        for row, text in zip(rows, cells, strict=True)
    ]
    return Column(name, cells, is_number(rows, name), rounded)


def _widths(columns: Sequence[Column], room: int) -> list[int]:
    """Widths at which only heads and prose are broken; none if there are none."""
    for heads, cells in ((None, None), (BLANKS, None), (BLANKS, BLANKS), (PARTS, BLANKS)):
        least = [column.least(heads, cells) for column in columns]
        if _total(least) <= room:
            return _shrunk([column.least(heads, None) for column in columns], least, room)
    return []


def _broken(columns: Sequence[Column], room: int) -> list[int]:
    """Widths at which tags are broken, too."""
    return _shrunk([column.least(PARTS, None) for column in columns], [column.unbreakable for column in columns], room)


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _shrunk(widths: list[int], least: Sequence[int], room: int) -> list[int]:
    """The widths, the widest made narrower until they fit or all are at their least."""
    widths = [*widths]
    while _total(widths) > room:
        shrinkable = [at for at, size in enumerate(widths) if size > least[at]]
        if not shrinkable:
            break
        widths[max(shrinkable, key=lambda at: widths[at])] -= 1
    return widths


def _pad(text: str, size: int, right: bool, painted: str) -> str:
    blanks = " " * (size - width(text))
    return blanks + painted if right else painted + blanks


def _cut(text: str, size: int, breaks: re.Pattern[str]) -> list[str]:
    """The text in lines of at most this width, broken where it may be; a longer word at its joints.

    >>> _cut("bm25-weighted by far", 8, BLANKS), _cut('nDCG(gains="exp")@10', 12, PARTS), _cut("17.48 %", 4, BLANKS)
    (['bm25-', 'weighted', 'by far'], ['nDCG(', 'gains="exp")', '@10'], ['17.48 %'])
    """
    if width(text) <= size:
        return [text]
    lines, row = [], ""
    for piece in _pieces(text, size, breaks):
        if row and width(row + piece.rstrip()) > size:
            lines.append(row.rstrip())
            row = ""
        row += piece
    return [*lines, row.rstrip()]


def _pieces(text: str, size: int, breaks: re.Pattern[str]) -> Iterator[str]:
    places = [0, *(match.end() for match in breaks.finditer(text)), len(text)]
    for first, last in pairwise(places):
        word = text[first:last]
        if width(word.rstrip()) <= size or "%" in word:
            yield word
        else:
            yield from (part for joint in JOINTS.split(word) for part in _chopped(joint, size))


def _chopped(word: str, size: int) -> Iterator[str]:
    """A word without joints, cut at this width."""
    row = ""
    for character in word:
        if width((row + character).rstrip()) > size:
            yield row
            row = ""
        row += character
    yield row


def table_lines(fitted: Fitted, paint: Paint) -> Iterator[str]:
    """The lines of the table, the head first; `paint` colours a text of a row (-1: the head) and a column."""
    heads = [_cut(column.head, size, PARTS) for column, size in zip(fitted.columns, fitted.widths, strict=True)]
    tallest = max(map(len, heads), default=0)
    yield from _lines(fitted, -1, [[""] * (tallest - len(head)) + head for head in heads], paint)
    for number, row in enumerate(zip(*(column.cells for column in fitted.columns), strict=True)):
        cells = [_cut(text, size, BLANKS) for text, size in zip(row, fitted.widths, strict=True)]
        yield from _lines(fitted, number, cells, paint)


def _lines(fitted: Fitted, row: int, cells: list[list[str]], paint: Paint) -> Iterator[str]:
    """The lines of one row; cells of fewer lines than others end in blank ones."""
    for texts in zip_longest(*cells, fillvalue=""):
        parts = [
            _pad(text, size, column.number, paint(row, column.head, text) if text else "")
            for column, size, text in zip(fitted.columns, fitted.widths, texts, strict=True)
        ]
        yield (" " * GAP).join(parts).rstrip()
