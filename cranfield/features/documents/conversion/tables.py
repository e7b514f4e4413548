"""Tables whose columns stand below each other, wherever a text is read line by line."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple
from unicodedata import combining, east_asian_width

from cranfield.features.documents.conversion.builder import CELL, CELLS, Converted

BETWEEN = 2  # columns between cells
WIDEST = 120  # columns of a table; a wider one keeps its tabs


class Pad(NamedTuple):
    """A tab of the text, and how many blanks stand in its place."""

    place: int
    blanks: int


def aligned(found: Converted) -> Converted:
    r"""The same with blanks for the tabs between the cells of tables, as far as these fit on a line.

    >>> first, second = [[0, 6, "tr"], [0, 4, "td"], [5, 6, "td"]], [[7, 10, "tr"], [7, 8, "td"], [9, 10, "td"]]
    >>> layout = [[0, 10, "table"], *first, *second]
    >>> wide = aligned(Converted("Wide\t1\nx\t2", layout=layout))
    >>> wide.text, [wide.text[start:end] for start, end, kind in wide.layout if kind == "td"]
    ('Wide  1\nx     2', ['Wide', '1', 'x', '2'])
    """
    pads = sorted(pad for table in _tables(found) for pad in _pads(found.text, table))
    if not pads:
        return found
    ends = [0, *(pad.place for pad in pads), len(found.text)]
    pieces = [found.text[start:end] for start, end in pairwise(ends)]
    text = pieces[0] + "".join(" " * pad.blanks + piece[1:] for pad, piece in zip(pads, pieces[1:], strict=True))
    places = [pad.place for pad in pads]
    more = [0, *accumulate(pad.blanks - 1 for pad in pads)]

    def moved(place: int) -> int:
        return place + more[bisect_right(places, place - 1)]

    return found._replace(text=text, layout=[[moved(start), moved(end), *kind] for start, end, *kind in found.layout])


def _tables(found: Converted) -> Iterator[list[list[list[Any]]]]:
    """The cells of each table, by row; of a table in another only the outer one's."""
    end, rows = -1, list[list[list[Any]]]()
    for mark in sorted(found.layout, key=lambda mark: (mark[0], -mark[1])):
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
    if sum(widths) + BETWEEN * columns > WIDEST:
        return
    for row, marks in zip(cells, rows, strict=True):
        for at, (one, after) in enumerate(pairwise(marks)):
            if text[one[1] : after[0]] == CELL:
                yield Pad(one[1], widths[at] - width(row[at]) + BETWEEN)


def width(text: str) -> int:
    """The columns of a text on a terminal.

    >>> width("abc"), width("e\u0301"), width("\u65e5\u672c")
    (3, 1, 4)
    """
    return sum(2 if east_asian_width(one) in "WF" else 1 for one in text if not combining(one))
