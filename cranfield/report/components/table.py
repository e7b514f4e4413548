"""Tables of numbers and text: the first column names the row; the head repeats where a page ends."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from cranfield.formats.text_tables import cell
from cranfield.report.components.markup import html_text, joined

FOLDED = 24  # rows of a longer table that the script shows at first
MANY = 15  # rows that are worth filtering
CLOSE = 9  # columns of a table with less room between them, if it has more


class Cell(NamedTuple):
    """The text of a cell, the number to sort by, if any, and small print below; or a picture, or a link."""

    text: str
    value: float | None = None
    below: str = ""
    picture: str = ""  # markup
    href: str = ""
    kind: str = ""  # what the script calls it


class TableBlock(NamedTuple):
    """Rows with the same columns, of which the first names the row. `key` is unique on the page.

    With `filter` the script offers to filter the rows, which it calls that. `ids` are those of the rows.
    """

    key: str
    caption: str
    rows: Sequence[Mapping[str, Any]]
    sortable: bool = True
    filter: str = ""
    ids: Sequence[str] = ()
    heads: Mapping[str, str] = {}  # what some columns are called, if not by their key
    cards: bool = False  # on a telephone each row is a card
    kind: str = "table"

    @property
    def columns(self) -> list[tuple[str, bool]]:
        """Each column's name, and whether it holds numbers."""
        return [(name, any(_number(row[name]) is not None for row in self.rows)) for name in self.rows[0]]

    @property
    def cells(self) -> list[list[Cell]]:
        """The rows as cells."""
        return [[as_cell(value) for value in row.values()] for row in self.rows]


def as_cell(value: object) -> Cell:
    """A value as a cell.

    >>> as_cell(0.25)[:2], as_cell("a")[:2], as_cell(None)[:2], as_cell(Cell("2 %", 2.0))[:2]
    (('0.2500', 0.25), ('a', None), ('-', None), ('2 %', 2.0))
    """
    return value if isinstance(value, Cell) else Cell(cell(value), _number(value))


def rounded(value: float | None, decimals: int = 2) -> Cell:
    """A number with fewer decimals.

    >>> rounded(12.345, 1)[:2], rounded(float("nan")).text
    (('12.3', 12.345), '-')
    """
    undefined = value is None or isnan(value)
    return Cell("-" if undefined else f"{value:.{decimals}f}", None if undefined else value)


def _number(value: object) -> float | None:
    if isinstance(value, Cell):
        return value.value
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if number and not isnan(value) else None  # type: ignore[arg-type]


def table(block: TableBlock) -> Markup:
    """The table in a box that scrolls where it is too wide."""
    heads = "".join(_head(block.heads.get(name, name), number) for name, number in block.columns)
    numbers = [number for _, number in block.columns]
    names = [block.heads.get(name, name) if block.cards else "" for name, _ in block.columns]
    rows = (_row(cells, numbers, names, block.ids[at] if block.ids else "") for at, cells in enumerate(block.cells))
    return framed(block.key, block.caption, heads, rows, _attributes(block))


def framed(key: str, caption: str, heads: str, rows: Any, attributes: str = "") -> Markup:
    """A table of these heads and rows, with its caption, in a box that can be scrolled by keyboard."""
    return joined(
        [
            f'<div class="scroll" role="region" aria-labelledby="{key}-caption" tabindex="0">',
            f'<table id="{key}"{attributes}>',
            f'<caption><span id="{key}-caption">{html_text(caption)}</span></caption>',
            f"<thead><tr>{heads}</tr></thead>\n<tbody>\n",
            *rows,
            "</tbody></table></div>\n",
        ]
    )  # fmt: skip


def _attributes(block: TableBlock) -> str:
    kinds = [
        *(["sortable"] if block.sortable and len(block.rows) > 1 else []),
        *(["cards"] if block.cards else []),
        *(["close"] if len(block.columns) > CLOSE else []),
    ]
    return "".join(
        [
            f' class="{" ".join(kinds)}"' if kinds else "",
            f' data-filter="{html_text(block.filter)}"' if block.filter and len(block.rows) >= MANY else "",
            f' data-fold="{FOLDED}"' if len(block.rows) > 1.2 * FOLDED else "",
        ]
    )


def _head(name: str, number: bool) -> str:
    kind = ' class="number"' if number else ""
    return f'<th scope="col"{kind}>{html_text(name)}</th>'


def _row(cells: Sequence[Cell], numbers: Sequence[bool], names: Sequence[str], key: str) -> str:
    first, *rest = zip(cells, numbers, names, strict=True)
    own = f' id="{key}"' if key else ""
    return f"<tr{own}>{_cell('th', *first)}{''.join(_cell('td', *each) for each in rest)}</tr>\n"


def _cell(tag: str, cell: Cell, number: bool, name: str) -> str:
    scope = ' scope="row"' if tag == "th" else ""
    kind = ' class="number"' if number else ""
    value = "" if cell.value is None else f' data-value="{cell.value!r}"'
    of = f' data-kind="{cell.kind}"' if cell.kind else ""
    head = f' data-head="{html_text(name)}"' if name and tag == "td" else ""
    text = f'<a href="{escape(cell.href)}">{html_text(cell.text)}</a>' if cell.href else html_text(cell.text)
    below = f"<small>{html_text(cell.below)}</small>" if cell.below else ""
    return f"<{tag}{scope}{kind}{value}{of}{head}>{cell.picture}{text}{below}</{tag}>"
