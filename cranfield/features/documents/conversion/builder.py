"""Text as it is written piece by piece, with its layout: which stretch is a heading, a cell, a quotation.

What stands between two stretches is decided where the next text comes: the strongest gap that was asked for. In the end
the columns of tables stand below each other.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple
from unicodedata import combining, east_asian_width

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


class SlowError(SkipError):
    """Why a file was not converted now: it took too long, or was killed; another try may succeed."""


class Conversion(NamedTuple):
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
        self._n_waiting_holders = 0

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
        if self._n_waiting_holders:
            return
        if STRENGTH[what] > STRENGTH[self._gap]:
            self._gap = what

    def flow(self, text: str) -> None:
        """Text in which any white space is a blank, as in HTML."""
        words = SPACES.sub(" ", text)
        if words.startswith(" "):
            self.gap(BLANK)
        if inner := words.strip(" "):
            self.add(inner)
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
        self._n_waiting_holders += kind in HOLDERS
        return len(self._marks) - 1

    def add_block(self, kind: str, text: str, gap: str = "", **attributes: Any) -> None:
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
            self._n_waiting_holders -= self._marks[place][2] in HOLDERS
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
        self._n_waiting_holders = 0

    def _put(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)
        if self._length > LONGEST:
            raise SkipError(f"too large: more than {LONGEST >> 20}M of text")


COLUMN_GAP = 2  # columns between cells
WIDEST = 120  # columns of a table; a wider one keeps its tabs


class Pad(NamedTuple):
    """A tab of the text, and how many blanks stand in its place."""

    place: int
    blanks: int


def align(content: Conversion) -> Conversion:
    r"""The same with blanks for the tabs between the cells of tables, as far as these fit on a line.

    >>> first, second = [[0, 6, "tr"], [0, 4, "td"], [5, 6, "td"]], [[7, 10, "tr"], [7, 8, "td"], [9, 10, "td"]]
    >>> layout = [[0, 10, "table"], *first, *second]
    >>> wide = align(Conversion("Wide\t1\nx\t2", layout=layout))
    >>> wide.text, [wide.text[start:end] for start, end, kind in wide.layout if kind == "td"]
    ('Wide  1\nx     2', ['Wide', '1', 'x', '2'])
    """
    pads = sorted(pad for table in _tables(content) for pad in _pads(content.text, table))
    if not pads:
        return content
    ends = [0, *(pad.place for pad in pads), len(content.text)]
    pieces = [content.text[start:end] for start, end in pairwise(ends)]
    text = pieces[0] + "".join(" " * pad.blanks + piece[1:] for pad, piece in zip(pads, pieces[1:], strict=True))
    places = [pad.place for pad in pads]
    more = [0, *accumulate(pad.blanks - 1 for pad in pads)]

    def move(place: int) -> int:
        return place + more[bisect_right(places, place - 1)]

    return content._replace(text=text, layout=[[move(start), move(end), *kind] for start, end, *kind in content.layout])


def _tables(content: Conversion) -> Iterator[list[list[list[Any]]]]:
    """The cells of each table, by row; of a table in another only the outer one's."""
    end, rows = -1, list[list[list[Any]]]()
    for mark in sorted(content.layout, key=lambda mark: (mark[0], -mark[1])):
        if mark[2] == "table" and mark[0] >= end:
            yield rows
            end, rows = mark[1], []
        elif mark[2] == "tr" and mark[1] <= end:
            rows.append([])
        elif mark[2] in CELLS and rows and mark[1] <= end:
            rows[-1].append(mark)
    yield rows


def _pads(text: str, rows: Sequence[Sequence[list[Any]]]) -> Iterator[Pad]:
    cells = [[text[cell[0] : cell[1]] for cell in row] for row in rows]
    if any("\n" in cell or CELL in cell for row in cells for cell in row):
        return
    columns = max(map(len, cells), default=0)
    widths = [max((width(row[at]) for row in cells if at < len(row)), default=0) for at in range(columns)]
    if sum(widths) + COLUMN_GAP * columns > WIDEST:
        return
    for row, marks in zip(cells, rows, strict=True):
        for at, (one, after) in enumerate(pairwise(marks)):
            if text[one[1] : after[0]] == CELL:
                yield Pad(one[1], widths[at] - width(row[at]) + COLUMN_GAP)


def width(text: str) -> int:
    """The columns of a text on a terminal.

    >>> width("abc"), width("e\u0301"), width("\u65e5\u672c")
    (3, 1, 4)
    """
    return sum(2 if east_asian_width(one) in "WF" else 1 for one in text if not combining(one))
