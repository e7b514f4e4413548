"""The parts of a page: sections of paragraphs, lists of facts, tables and figures; page.html.jinja renders each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.formats.text_tables import cell

if TYPE_CHECKING:
    from markupsafe import Markup


class Cell(NamedTuple):
    """The text of a cell, the number to sort by, if any, and small print below."""

    text: str
    value: float | None = None
    below: str = ""


class Text(NamedTuple):
    """A paragraph; `level` 3 makes it a heading."""

    text: str
    level: int = 0
    kind: str = "text"


class Facts(NamedTuple):
    """Terms with their values."""

    pairs: Sequence[tuple[str, str]]
    kind: str = "facts"


class Table(NamedTuple):
    """Rows with the same columns, of which the first names the row. `key` is unique on the page."""

    key: str
    caption: str
    rows: Sequence[Mapping[str, Any]]
    sortable: bool = True
    kind: str = "table"

    @property
    def columns(self) -> list[tuple[str, bool]]:
        """Each column's name, and whether it holds numbers."""
        return [(name, any(_number(row[name]) is not None for row in self.rows)) for name in self.rows[0]]

    @property
    def cells(self) -> list[list[Cell]]:
        """The rows as cells."""
        return [[as_cell(value) for value in row.values()] for row in self.rows]


class Figure(NamedTuple):
    """An <svg> element with its caption."""

    key: str
    svg: Markup
    caption: str
    kind: str = "figure"


Block = Text | Facts | Table | Figure


class Section(NamedTuple):
    """A part of the page with its own heading."""

    key: str
    title: str
    blocks: Sequence[Block]


def as_cell(value: object) -> Cell:
    """A value as a cell.

    >>> as_cell(0.25), as_cell("a"), as_cell(None), as_cell(Cell("2 %", 2.0))
    (Cell(text='0.2500', value=0.25, below=''), Cell(text='a', value=None, below=''),
     Cell(text='-', value=None, below=''), Cell(text='2 %', value=2.0, below=''))
    """
    return value if isinstance(value, Cell) else Cell(cell(value), _number(value))


def rounded(value: float | None, decimals: int = 2) -> Cell:
    """A number with fewer decimals.

    >>> rounded(12.345, 1), rounded(float("nan")).text
    (Cell(text='12.3', value=12.345, below=''), '-')
    """
    undefined = value is None or isnan(value)
    return Cell("-" if undefined else f"{value:.{decimals}f}", None if undefined else value)


def _number(value: object) -> float | None:
    if isinstance(value, Cell):
        return value.value
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if number and not isnan(value) else None  # type: ignore[arg-type]
