"""The grades of the first ranks of every run, and the holes that nobody judged: of one topic, and of all as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

import numpy as np
from markupsafe import Markup, escape
from numpy.typing import NDArray

from .markup import joined, said
from .table import FOLDED, framed

HOLE, NOTHING = "?", "\N{MIDDLE DOT}"  # unjudged; the ranking ends before
Tokens = NDArray[np.str_]  # (runs, topics, ranks): a grade, HOLE or NOTHING


def rank_grid(
    key: str, caption: str, runs: Sequence[str], tokens: NDArray[np.str_], rel: int, links: Sequence[Sequence[str]] = ()
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
    return framed(key, caption, heads, _grid_rows(runs, tokens, rel, links), attributes)


def _grid_rows(
    runs: Sequence[str], tokens: NDArray[np.str_], rel: int, links: Sequence[Sequence[str]]
) -> Iterator[str]:
    for run, found, own in zip_longest(runs, tokens.tolist(), links, fillvalue=()):
        name = said(run)
        cells = "".join(_cell(token, rel, href) for token, href in zip_longest(found, own, fillvalue=""))
        yield f'<tr data-name="{name}"><th scope="row">{name}</th>{cells}</tr>\n'


def _cell(token: str, rel: int, href: str) -> str:
    """A cell.

    >>> _cell("2", 1, ""), _cell("?", 1, "/a?b&c")
    ('<td class="g2">2</td>', '<td class="hole"><a href="/a?b&amp;c">?</a></td>')
    """
    text = f'<a href="{escape(href)}">{token}</a>' if href else token
    return f'<td class="{look(token, rel)}">{text}</td>'


def look(token: str, rel: int) -> str:
    """The class of a cell: relevant grades by how far they are above the lowest that is.

    >>> [look(token, 2) for token in ("?", "0", "1", "2", "3", "9", NOTHING)]
    ['hole', 'g0', 'g0', 'g1', 'g2', 'g3', 'nothing']
    """
    if token in (HOLE, NOTHING):
        return "hole" if token == HOLE else "nothing"
    return f"g{min(max(int(token) - rel + 1, 0), 3)}"


def rank_table(key: str, caption: str, runs: Sequence[str], topics: Sequence[str], tokens: Tokens) -> Markup:
    """All runs and topics as text, one cell for the first ranks of a run on a topic."""
    heads = '<th scope="col">run</th>' + "".join(f'<th scope="col">{said(topic)}</th>' for topic in topics)
    rows = (
        f'<tr data-name="{said(run)}"><th scope="row">{said(run)}</th>'
        + "".join(f"<td>{' '.join(ranks)}</td>" for ranks in of_run)
        + "</tr>\n"
        for run, of_run in zip(runs, tokens.tolist(), strict=True)
    )
    return joined([framed(key, caption, heads, rows, ' class="all-ranks"')])
