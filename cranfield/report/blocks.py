"""The parts of a page: sections of paragraphs, lists of facts, tables and figures; page.html.jinja renders each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from cranfield.charts.curves import LineChart
from cranfield.charts.svg.lines import line_chart

from .table import Cell, TableBlock, as_cell, rounded_cell, table

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = [
    "Block",
    "Cell",
    "Facts",
    "Figure",
    "Figures",
    "Html",
    "Section",
    "TableBlock",
    "Text",
    "Top",
    "as_cell",
    "figure_of_lines",
    "paragraph_blocks",
    "rounded_cell",
    "table",
]


class Text(NamedTuple):
    """A paragraph; `level` 3 makes it a heading."""

    text: str
    level: int = 0
    kind: str = "text"


class Facts(NamedTuple):
    """Terms with their values."""

    pairs: Sequence[tuple[str, str]]
    kind: str = "facts"


class Figure(NamedTuple):
    """An <svg> element with its caption."""

    key: str
    svg: "Markup"
    caption: str


def figure_of_lines(key: str, chart: LineChart) -> Figure:
    """A chart with what is said of it."""
    return Figure(key, line_chart(key, chart), chart.description)


class Figures(NamedTuple):
    """Figures side by side, where there is room."""

    figures: Sequence[Figure]
    kind: str = "figures"


class Html(NamedTuple):
    """A component."""

    html: "Markup"
    kind: str = "html"


class Top(NamedTuple):
    """What a verdict looks like and says; `cases` are what was lost most, with by whom."""

    level: str
    sign: str
    label: str
    sentence: str
    cases: list[tuple[str, str]]
    advice: str
    figure: Figure | None
    kind: str = "top"


Block = Text | Facts | TableBlock | Figures | Html | Top


def paragraph_blocks(lines: Sequence[str]) -> list[Block]:
    """Lines as paragraphs."""
    return [Text(as_sentence(line)) for line in lines]


def as_sentence(text: str) -> str:
    """A text with a capital at its start and an end.

    >>> as_sentence("a message"), as_sentence("A sentence.")
    ('A message.', 'A sentence.')
    """
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?", "…")) else ".")


class Section(NamedTuple):
    """A part of the page with its own heading."""

    key: str
    title: str
    blocks: Sequence[Block]
