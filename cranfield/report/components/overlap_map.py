"""How much of what each contributed others contributed, too: a square in which a darker cell is a larger share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from cranfield.arrays.rankings import Floats

from .heatmap import brief
from .markup import joined, said
from .table import framed
from .theme import STEPS


def overlap_map(key: str, caption: str, what: str, names: Sequence[str], shares: Floats) -> Markup:
    """The table; `shares` are (names, names) from 0 to 1, the share of the row's own that the column has.

    >>> page = str(overlap_map("k", "c", "run", ["a", "b"], np.array([[1.0, 0.5], [1.0, 1.0]])))
    >>> page[page.index("a</th><td") : page.index("</tr>", page.index("a</th><td"))]
    'a</th><td class="h"></td><td class="h5">.50</td>'
    """
    heads = f'<th scope="col">{said(what)}</th>' + "".join(
        f'<th scope="col" class="topic"><span>{said(name)}</span></th>' for name in names
    )
    steps = np.round(np.nan_to_num(shares) * (STEPS - 1)).astype(int).tolist()
    rows = (
        f'<tr><th scope="row">{said(name)}</th>{"".join(_cells(at, dark, shares[at].tolist()))}</tr>\n'
        for at, (name, dark) in enumerate(zip(names, steps, strict=True))
    )
    return joined([framed(key, caption, heads, rows, ' class="heatmap"')])


def _cells(own: int, dark: Sequence[int], shares: Sequence[float]) -> list[str]:
    return [
        '<td class="h"></td>' if at == own else f'<td class="h{step}">{brief(share)}</td>'
        for at, (step, share) in enumerate(zip(dark, shares, strict=True))
    ]
