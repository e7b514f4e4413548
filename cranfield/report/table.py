"""Tables of numbers and text, whose first column names the row; and grids: a darker cell is a higher score or share."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from math import floor, isnan
from typing import Any, NamedTuple

import numpy as np
from markupsafe import Markup, escape
from numpy.typing import NDArray

from cranfield.arrays.rankings import Floats
from cranfield.charts.palette import STEPS
from cranfield.charts.svg.markup import html_text, join_markup, plain_text
from cranfield.formats.text_tables import format_cell
from cranfield.text import format_signed

FOLDED = 24  # rows of a longer table that the script shows at first
MANY = 15  # rows that are worth filtering
PROSE_CHARS, WORDS_CHARS = 40, 16  # of a cell that is wide, or less wide, on a phone if it has more
CLOSE = 9  # columns of a table with less room between them, if it has more


class Cell(NamedTuple):
    """The text of a cell, the number to sort by, if any, and small print below; or a picture, or a link.

    A cell with a `title` is a moment, of which the title is the full time.
    """

    text: str
    value: float | None = None
    below: str = ""
    picture: str = ""  # markup
    href: str = ""
    kind: str = ""  # what the script calls it
    title: str = ""


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
        return [(name, any(_number_or_none(row[name]) is not None for row in self.rows)) for name in self.rows[0]]

    @property
    def cells(self) -> list[list[Cell]]:
        """The rows as cells."""
        return [[as_cell(value) for value in row.values()] for row in self.rows]


def as_cell(value: object) -> Cell:
    """A value as a cell.

    >>> as_cell(0.25)[:2], as_cell("a")[:2], as_cell(None)[:2], as_cell(Cell("2 %", 2.0))[:2]
    (('0.2500', 0.25), ('a', None), ('-', None), ('2 %', 2.0))
    """
    return value if isinstance(value, Cell) else Cell(format_cell(value), _number_or_none(value))


def rounded_cell(value: float | None, decimals: int = 2) -> Cell:
    """A number with fewer decimals.

    >>> rounded_cell(12.345, 1)[:2], rounded_cell(float("nan")).text
    (('12.3', 12.345), '-')
    """
    is_undefined = value is None or isnan(value)
    return Cell("-" if is_undefined else f"{value:.{decimals}f}", None if is_undefined else value)


def signed_cell(value: float, decimals: int = 4) -> Cell:
    """A difference with its sign; none where it rounds to 0.

    >>> signed_cell(0.25).text, signed_cell(-0.00001).text
    ('+0.2500', '0.0000')
    """
    return rounded_cell(value, decimals)._replace(text=format_signed(value, decimals))


def _number_or_none(value: object) -> float | None:
    if isinstance(value, Cell):
        return None if value.title else value.value
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if number and not isnan(value) else None  # type: ignore[arg-type]


def table(block: TableBlock) -> Markup:
    """The table in a box that scrolls where it is too wide."""
    heads = "".join(_head(block.heads.get(name, name), number) for name, number in block.columns)
    numbers = [number for _, number in block.columns]
    names = [block.heads.get(name, name) if block.cards else "" for name, _ in block.columns]
    rows = (
        _html_row(cells, numbers, names, block.ids[at] if block.ids else "") for at, cells in enumerate(block.cells)
    )
    kinds = [
        *(["sortable"] if block.sortable and len(block.rows) > 1 else []),
        *(["cards"] if block.cards else []),
        *(["close"] if len(block.columns) > CLOSE else []),
    ]
    attributes = [
        f' class="{" ".join(kinds)}"' if kinds else "",
        f' data-filter="{html_text(block.filter)}"' if block.filter and len(block.rows) >= MANY else "",
        f' data-fold="{FOLDED}"' if len(block.rows) > 1.2 * FOLDED else "",
    ]
    return framed_table(block.key, block.caption, heads, rows, "".join(attributes))


def framed_table(key: str, caption: str, heads: str, rows: Any, attributes: str = "") -> Markup:
    """A table of these heads and rows, with its caption, in a box that can be scrolled by keyboard."""
    return join_markup(
        [
            f'<div class="scroll" role="region" aria-labelledby="{key}-caption" tabindex="0">',
            f'<table id="{key}"{attributes}>',
            f'<caption><span id="{key}-caption">{html_text(caption)}</span></caption>',
            f"<thead><tr>{heads}</tr></thead>\n<tbody>\n",
            *rows,
            "</tbody></table></div>\n",
        ]
    )  # fmt: skip


def _head(name: str, number: bool) -> str:
    kind = ' class="number"' if number else ""
    return f'<th scope="col"{kind}>{html_text(name)}</th>'


def _html_row(cells: Sequence[Cell], numbers: Sequence[bool], names: Sequence[str], key: str) -> str:
    first, *rest = zip(cells, numbers, names, strict=True)
    own = f' id="{key}"' if key else ""
    return f"<tr{own}>{_cell_html('th', *first)}{''.join(_cell_html('td', *each) for each in rest)}</tr>\n"


def _cell_html(tag: str, cell: Cell, number: bool, name: str) -> str:
    scope = ' scope="row"' if tag == "th" else ""
    width = "number" if number else _text_width(cell.text) if tag == "td" else ""
    kind = f' class="{width}"' if width else ""
    value = "" if cell.value is None else f' data-value="{cell.value!r}"'
    of = f' data-kind="{cell.kind}"' if cell.kind else ""
    head = f' data-head="{html_text(name)}"' if name and tag == "td" else ""
    text = f'<a href="{escape(cell.href)}">{html_text(cell.text)}</a>' if cell.href else html_text(cell.text)
    text = f'<time title="{escape(cell.title)}">{text}</time>' if cell.title else text
    below = f"<small>{html_text(cell.below)}</small>" if cell.below else ""
    return f"<{tag}{scope}{kind}{value}{of}{head}>{cell.picture}{text}{below}</{tag}>"


def _text_width(text: str) -> str:
    return "prose" if len(text) > PROSE_CHARS else "words" if len(text) > WORDS_CHARS else ""


UNDEFINED = "\N{EN DASH}"


class GridColumn(NamedTuple):
    """A column: its name, what is said of it in full, and what it leads to."""

    name: str
    about: str
    href: str


class GridRow(NamedTuple):
    """A row: its name, and the mean of its scores."""

    name: str
    mean: float


def heatmap(
    key: str, caption: str, measure: str, *, rows: Sequence[GridRow], columns: Sequence[GridColumn], scores: Floats
) -> Markup:
    """The table, with a legend. `scores` are (rows, columns); each row has them in full for the script.

    >>> rows, columns = [GridRow("a", 0.5)], [GridColumn("q", "q: why", "#q")]
    >>> page = str(heatmap("k", "c", "AP", rows=rows, columns=columns, scores=np.array([[0.5]])))
    >>> page[page.index("</th><td") : page.index("</tr>\\n</tbody>")]
    '</th><td class="number">.500</td><td class="h10">.50</td>'
    """
    top = float(np.nanmax(scores)) if np.isfinite(scores).any() else 1.0
    heads = f'<th scope="col">run</th><th scope="col" class="number">mean</th>{"".join(map(_column_head, columns))}'
    share = np.nan_to_num(np.clip(scores / (top or 1.0), 0, 1), nan=-1.0)
    steps: list[list[int]] = np.where(share < 0, -1, np.round(share * (STEPS - 1))).astype(int).tolist()
    body = _score_rows_as_html(rows, scores, steps)
    attributes = f' class="heatmap" data-measure="{html_text(measure)}"'
    cells = "".join(f'<i class="h{step}"></i>' for step in range(STEPS))
    scale = f'0 <span aria-hidden="true">{cells}</span> {html_text(plain_text(f"{top:.4g}"))}'
    legend = f'<p class="legend">{html_text(measure)} {scale}</p>\n'
    return join_markup([framed_table(key, caption, heads, body, attributes), legend])


def _column_head(column: GridColumn) -> str:
    link = f'<a href="{column.href}">{html_text(column.name)}</a>'
    return f'<th scope="col" class="topic" data-about="{html_text(column.about)}">{link}</th>'


def _score_rows_as_html(rows: Sequence[GridRow], scores: Floats, steps: list[list[int]]) -> Iterator[str]:
    for row, values, dark in zip(rows, scores.tolist(), steps, strict=True):
        cells = "".join(
            f'<td class="h{step}">{short_score(value)}</td>' if step >= 0 else f'<td class="h">{UNDEFINED}</td>'
            for value, step in zip(values, dark, strict=True)
        )
        name, mean = html_text(row.name), short_score(row.mean, 3)
        full = " ".join(map(script_number, values))
        head = f'<tr data-name="{name}" data-scores="{full}"><th scope="row">{name}</th>'
        yield f'{head}<td class="number">{mean}</td>{cells}</tr>\n'


def script_number(value: float) -> str:
    """A score for the script, which computes differences of it.

    >>> script_number(0.5), script_number(1 / 3), script_number(float("nan"))
    ('0.5', '0.333333333', '-')
    """
    return "-" if np.isnan(value) else repr(round(value, 9))


def short_score(value: float, decimals: int = 2) -> str:
    """A score in little room.

    >>> short_score(0.254), short_score(1.0), short_score(0.25449, 3), short_score(12.0), short_score(float("nan"))
    ('.25', '1.0', '.254', '12', '–')
    """
    if np.isnan(value):
        return UNDEFINED
    text = f"{value:.{decimals}f}"
    if text.startswith(("0", "-0")):
        return text.replace("0", "", 1)
    return text[:3] if text.startswith("1.0") and float(text) == 1 else f"{value:.3g}"


def overlap_map(key: str, caption: str, what: str, names: Sequence[str], shares: Floats) -> Markup:
    """The table; `shares` are (names, names) from 0 to 1, the share of the row's own that the column has.

    >>> page = str(overlap_map("k", "c", "run", ["a", "b"], np.array([[1.0, 0.5], [1.0, 1.0]])))
    >>> page[page.index("a</th><td") : page.index("</tr>", page.index("a</th><td"))]
    'a</th><td class="h"></td><td class="h5">.50</td>'
    """
    heads = f'<th scope="col">{html_text(what)}</th>' + "".join(
        f'<th scope="col" class="topic"><span>{html_text(name)}</span></th>' for name in names
    )
    steps = np.round(np.nan_to_num(shares) * (STEPS - 1)).astype(int).tolist()
    rows = (
        f'<tr><th scope="row">{html_text(name)}</th>{"".join(_share_cells(at, dark, shares[at].tolist()))}</tr>\n'
        for at, (name, dark) in enumerate(zip(names, steps, strict=True))
    )
    return join_markup([framed_table(key, caption, heads, rows, ' class="heatmap"')])


def _share_cells(own: int, dark: Sequence[int], shares: Sequence[float]) -> list[str]:
    return [
        '<td class="h"></td>' if at == own else f'<td class="h{step}">{short_score(share)}</td>'
        for at, (step, share) in enumerate(zip(dark, shares, strict=True))
    ]


def pair_map(key: str, caption: str, what: str, names: Sequence[str], values: Floats) -> Markup:
    """A table of the agreement of pairs; `values` are (names, names), NaN where there is none.

    A darker cell is a higher value; values below 0 are as light as 0.

    >>> page = str(pair_map("k", "c", "person", ["a", "b"], np.array([[np.nan, -0.1], [-0.1, np.nan]])))
    >>> page[page.index("a</th><td") : page.index("</tr>", page.index("a</th><td"))]
    'a</th><td class="h"></td><td class="h0">-.10</td>'
    """
    heads = f'<th scope="col">{html_text(what)}</th>' + "".join(
        f'<th scope="col" class="topic"><span>{html_text(name)}</span></th>' for name in names
    )
    steps = np.where(np.isnan(values), -1, np.round(np.clip(np.nan_to_num(values), 0, 1) * (STEPS - 1))).astype(int)
    rows = (
        f'<tr><th scope="row">{html_text(name)}</th>{"".join(_pair_cells(at, steps[at].tolist(), values[at].tolist()))}'
        "</tr>\n"
        for at, name in enumerate(names)
    )
    return join_markup([framed_table(key, caption, heads, rows, ' class="heatmap pairs"')])


def _pair_cells(own: int, steps: Sequence[int], values: Sequence[float]) -> list[str]:
    return [
        '<td class="h"></td>' if at == own else f'<td class="h{step if step >= 0 else ""}">{short_score(value)}</td>'
        for at, (step, value) in enumerate(zip(steps, values, strict=True))
    ]


HOLE, NOTHING = "?", "\N{MIDDLE DOT}"  # unjudged; the ranking ends before
UNDECIDED = "\N{NOT EQUAL TO}"  # labels differ, and nothing was chosen
Tokens = NDArray[np.str_]  # (runs, topics, ranks): a grade, HOLE, UNDECIDED or NOTHING


def rank_grid(
    key: str,
    caption: str,
    runs: Sequence[str],
    tokens: NDArray[np.str_],
    rel: int,
    *,
    links: Sequence[Sequence[str]] = (),
) -> Markup:
    """The grid of one topic: `tokens` are (runs, ranks), `links` what they lead to, none for one that is missing. The
    script of the report shows other topics in it.

    >>> page = str(rank_grid("k", "c", ["a"], np.array([["2", "?"]]), 1))
    >>> page[page.index("<tbody>") + 8 : page.index("</tbody>") - 1]
    '<tr data-name="a"><th scope="row">a</th><td class="g2">2</td><td class="hole">?</td></tr>'
    """
    heads = '<th scope="col">run</th>' + "".join(
        f'<th scope="col" class="rank">{rank + 1}</th>' for rank in range(tokens.shape[1])
    )
    fold = f' data-fold="{FOLDED}"' if len(runs) > 1.2 * FOLDED else ""
    attributes = f' class="ranks" data-relevant="{rel}"{fold}'
    return framed_table(key, caption, heads, _grid_rows(runs, tokens, rel, links), attributes)


def _grid_rows(
    runs: Sequence[str], tokens: NDArray[np.str_], rel: int, links: Sequence[Sequence[str]]
) -> Iterator[str]:
    for run, run_tokens, own in zip_longest(runs, tokens.tolist(), links, fillvalue=()):
        name = html_text(run)
        cells = "".join(_rank_cell(token, rel, href) for token, href in zip_longest(run_tokens, own, fillvalue=""))
        yield f'<tr data-name="{name}"><th scope="row">{name}</th>{cells}</tr>\n'


def _rank_cell(token: str, rel: int, href: str) -> str:
    """A cell.

    >>> _rank_cell("2", 1, ""), _rank_cell("?", 1, "/a?b&c")
    ('<td class="g2">2</td>', '<td class="hole"><a href="/a?b&amp;c">?</a></td>')
    """
    text = f'<a href="{escape(href)}">{token}</a>' if href else token
    return f'<td class="{cell_class(token, rel)}">{text}</td>'


def cell_class(token: str, rel: int) -> str:
    """The class of a cell: relevant grades by how far they are above the lowest that is.

    >>> [cell_class(token, 2) for token in ("?", UNDECIDED, "0", "1", "1.5", "2", "3", "9", NOTHING)]
    ['hole', 'hole', 'g0', 'g0', 'g0', 'g1', 'g2', 'g3', 'nothing']
    """
    if token in (HOLE, UNDECIDED, NOTHING):
        return "nothing" if token == NOTHING else "hole"
    return f"g{min(max(floor(float(token)) - rel + 1, 0), 3)}"


def rank_table(key: str, caption: str, runs: Sequence[str], topics: Sequence[str], tokens: Tokens) -> Markup:
    """All runs and topics as text, one cell for the first ranks of a run on a topic."""
    heads = '<th scope="col">run</th>' + "".join(f'<th scope="col">{html_text(topic)}</th>' for topic in topics)
    rows = (
        f'<tr data-name="{html_text(run)}"><th scope="row">{html_text(run)}</th>'
        + "".join(f"<td>{' '.join(ranks)}</td>" for ranks in run_tokens)
        + "</tr>\n"
        for run, run_tokens in zip(runs, tokens.tolist(), strict=True)
    )
    return join_markup([framed_table(key, caption, heads, rows, ' class="all-ranks"')])
