"""Text and numbers as markup: everything of the data is escaped, and its control characters are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import ceil, floor, log10

from markupsafe import Markup, escape

from cranfield.text import visible, visible_line

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
UNPRINTABLE = re.compile("[\ufffe\uffff]")  # what no document may contain and `visible` leaves


def shown(text: object) -> str:
    """Text of the data with its controls made visible; a number keeps its per cent sign.

    >>> shown("up 5 %\x1b")
    'up 5\xa0%␛'
    """
    plain = UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", visible(str(text)))
    return re.sub(r"(?<=\d) %", "\N{NO-BREAK SPACE}%", plain)


def said(text: object) -> str:
    """The same, escaped.

    >>> said("<script>")
    '&lt;script&gt;'
    """
    return str(escape(shown(text)))


def told(text: object) -> Markup:
    """A sentence in which the names of options stay in one piece.

    >>> print(told("<5 users; --min-users 3 takes them"))
    &lt;5 users; <code>--min-users</code> 3 takes them
    """
    return Markup(OPTION.sub(r"<code>\g<0></code>", said(text)))


def shortened(name: str, length: int) -> str:
    """A name of this length at most; a long one loses its middle.

    >>> shortened("a-very-long-tag-of-a-run-indeed-of-ours", 15)
    'a-very-…of-ours'
    """
    name, kept = visible_line(name), length - 1
    return name if len(name) <= length else f"{name[: kept - kept // 2]}…{name[len(name) - kept // 2 :]}"


def joined(parts: Iterable[str]) -> Markup:
    """Parts that are markup already."""
    return Markup("".join(parts))


def short(length: float) -> str:
    """A length with at most two decimals.

    >>> short(12.3456), short(7.5), short(-0.001)
    ('12.35', '7.5', '0')
    """
    number = f"{length:.2f}".rstrip("0").rstrip(".")
    return "0" if number == "-0" else number


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from `low` to `high`, about `most` of them.

    >>> ticks(0, 1), ticks(3, 47), ticks(2, 2)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [10, 20, 30, 40], [2])
    """
    if high <= low:
        return [low]
    rough = (high - low) / most
    magnitude = 10 ** floor(log10(rough))
    step = next(m * magnitude for m in (1, 2, 5, 10) if m * magnitude >= rough * 0.999)
    return [round(at * step, 10) for at in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def apart(places: list[float], gap: float, low: float, high: float) -> list[float]:
    """Places moved as little as needed, in their order, so that neighbours are `gap` apart and all within bounds.

    >>> apart([10, 11, 50], 10, 0, 60), apart([59, 60], 10, 0, 60)
    ([10, 20, 50], [50, 60])
    """
    order = sorted(range(len(places)), key=lambda at: places[at])
    found, below = list(places), low - gap
    for at in order:
        found[at] = below = max(places[at], below + gap)
    above = high + gap
    for at in reversed(order):
        found[at] = above = min(found[at], above - gap)
    return found


def chart(key: str, size: tuple[float, float], title: str, description: str, body: Iterable[str]) -> Markup:
    """An <svg> element with a title and a description; ids begin with `key`."""
    width, height = map(short, size)
    return joined(
        [
            f'<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-labelledby="{key}-title {key}-desc">',
            f'<title id="{key}-title">{said(title)}</title><desc id="{key}-desc">{said(description)}</desc>',
            *body,
            "</svg>",
        ]
    )


def label(x: float, y: float, text: object, anchor: str = "start", kind: str = "") -> str:
    """Text at a place, vertically centred."""
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{short(x)}" y="{short(y + 4)}" text-anchor="{anchor}"{name}>{said(text)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    return f'<line class="{kind}" x1="{short(x1)}" y1="{short(y1)}" x2="{short(x2)}" y2="{short(y2)}"/>'
