"""A table of scores, rows by columns, in which a darker cell is a higher score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from cranfield.arrays.rankings import Floats

from .markup import joined, said, shown
from .table import framed
from .theme import STEPS

UNDEFINED = "\N{EN DASH}"


class Column(NamedTuple):
    """A column: its name, what is said of it in full, and what it leads to."""

    name: str
    about: str
    href: str


class Row(NamedTuple):
    """A row: its name, and the mean of its scores."""

    name: str
    mean: float


def heatmap(
    key: str, caption: str, measure: str, rows: Sequence[Row], columns: Sequence[Column], scores: Floats
) -> Markup:
    """The table, with a legend. `scores` are (rows, columns); each row has them in full for the script.

    >>> page = str(heatmap("k", "c", "AP", [Row("a", 0.5)], [Column("q", "q: why", "#q")], np.array([[0.5]])))
    >>> page[page.index("</th><td") : page.index("</tr>\\n</tbody>")]
    '</th><td class="number">.500</td><td class="h10">.50</td>'
    """
    top = _top(scores)
    heads = f'<th scope="col">run</th><th scope="col" class="number">mean</th>{"".join(map(_head, columns))}'
    body = _body(rows, scores, _steps(scores, top))
    attributes = f' class="heatmap" data-measure="{said(measure)}"'
    return joined([framed(key, caption, heads, body, attributes), _legend(top, measure)])


def _top(scores: Floats) -> float:
    """The score of the darkest cell."""
    return float(np.nanmax(scores)) if np.isfinite(scores).any() else 1.0


def _steps(scores: Floats, top: float) -> list[list[int]]:
    """How dark each cell is, from 0; -1 where the score is undefined."""
    share = np.nan_to_num(np.clip(scores / (top or 1.0), 0, 1), nan=-1.0)
    steps: list[list[int]] = np.where(share < 0, -1, np.round(share * (STEPS - 1))).astype(int).tolist()
    return steps


def _head(column: Column) -> str:
    link = f'<a href="{column.href}">{said(column.name)}</a>'
    return f'<th scope="col" class="topic" data-about="{said(column.about)}">{link}</th>'


def _body(rows: Sequence[Row], scores: Floats, steps: list[list[int]]) -> Iterator[str]:
    for row, values, dark in zip(rows, scores.tolist(), steps, strict=True):
        cells = "".join(
            f'<td class="h{step}">{brief(value)}</td>' if step >= 0 else f'<td class="h">{UNDEFINED}</td>'
            for value, step in zip(values, dark, strict=True)
        )
        name, mean = said(row.name), brief(row.mean, 3)
        full = " ".join(map(exact, values))
        head = f'<tr data-name="{name}" data-scores="{full}"><th scope="row">{name}</th>'
        yield f'{head}<td class="number">{mean}</td>{cells}</tr>\n'


def exact(value: float) -> str:
    """A score for the script, which computes differences of it.

    >>> exact(0.5), exact(1 / 3), exact(float("nan"))
    ('0.5', '0.333333333', '-')
    """
    return "-" if np.isnan(value) else repr(round(value, 9))


def brief(value: float, decimals: int = 2) -> str:
    """A score in little room.

    >>> brief(0.254), brief(1.0), brief(0.25449, 3), brief(12.0), brief(float("nan"))
    ('.25', '1.0', '.254', '12', '–')
    """
    if np.isnan(value):
        return UNDEFINED
    text = f"{value:.{decimals}f}"
    if text.startswith(("0", "-0")):
        return text.replace("0", "", 1)
    return text[:3] if text.startswith("1.0") and float(text) == 1 else f"{value:.3g}"


def _legend(top: float, measure: str) -> str:
    cells = "".join(f'<i class="h{step}"></i>' for step in range(STEPS))
    return (
        f'<p class="legend">{said(measure)} 0 <span aria-hidden="true">{cells}</span> {said(shown(f"{top:.4g}"))}</p>\n'
    )
