"""Text, numbers and marks as markup: everything of the data is escaped, its control characters are shown."""

import re
from collections.abc import Iterable

from markupsafe import Markup, escape

from cranfield.charts.palette import LIGHT, series_look
from cranfield.text import visible_text

COMMAND = re.compile(r"`([^`]+)`|(?<![\w-])--[a-z][a-z-]*")
MOMENT = re.compile(r"\b\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?(?: UTC)?)?\b")
RTL_CHARS = r"\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"  # Hebrew, Arabic and their neighbours
RIGHT_TO_LEFT = re.compile(rf"[{RTL_CHARS}]+(?:[ _-]+[{RTL_CHARS}]+)*")
RIGHT_TO_LEFT_TEXT = re.compile(rf"[\W\d_]*[{RTL_CHARS}]")
UNPRINTABLE = re.compile("[\ufffe\uffff]")  # what no document may contain and `visible` leaves


def plain_text(text: object) -> str:
    """Text of the data with its controls made visible; a number keeps its per cent sign.

    >>> plain_text("up 5 %\x1b")
    'up 5\xa0%␛'
    """
    plain = UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", visible_text(str(text)))
    return re.sub(r"(?<=\d) %", "\N{NO-BREAK SPACE}%", plain)


def html_text(text: object) -> str:
    """The same, escaped.

    >>> html_text("<script>")
    '&lt;script&gt;'
    """
    return str(escape(plain_text(text)))


def sentence_markup(text: object) -> Markup:
    """A sentence in which commands, between backquotes, and the names of options stay in one piece.

    Names that are written from right to left are isolated, so that they do not move the numbers next to them.

    >>> print(sentence_markup("<5 users; --min-users 3 takes them, `evaluate --per-topic` shows"))
    &lt;5 users; <code>--min-users</code> 3 takes them, <code>evaluate --per-topic</code> shows
    >>> print(sentence_markup("by \u05d0\u05d1; 4 differ").encode("ascii", "xmlcharrefreplace").decode())
    by <bdi>&#1488;&#1489;</bdi>; 4 differ
    """
    marked = COMMAND.sub(lambda match: f"<code>{match[1] or match[0]}</code>", html_text(text))
    return Markup(marked if RIGHT_TO_LEFT_TEXT.match(marked) else RIGHT_TO_LEFT.sub(r"<bdi>\g<0></bdi>", marked))


def fact_markup(text: object) -> Markup:
    """The value of a fact, in which dates and times stay in one line.

    >>> print(fact_markup("since 2026-01-31 15:37 UTC & later"))
    since <span class="whole">2026-01-31 15:37 UTC</span> &amp; later
    """
    return Markup(MOMENT.sub(lambda match: f'<span class="whole">{match[0]}</span>', html_text(text)))


def join_markup(parts: Iterable[str]) -> Markup:
    """Parts that are markup already."""
    return Markup("".join(parts))


def format_length(length: float) -> str:
    """A length with at most two decimals.

    >>> format_length(12.3456), format_length(7.5), format_length(-0.001)
    ('12.35', '7.5', '0')
    """
    number = f"{length:.2f}".rstrip("0").rstrip(".")
    return "0" if number == "-0" else number


def svg(key: str, size: tuple[float, float], title: str, description: str, body: Iterable[str]) -> Markup:
    """An <svg> element with a title and a description; ids begin with `key`."""
    width, height = map(format_length, size)
    return join_markup(
        [
            f'<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-labelledby="{key}-title {key}-desc">',
            f'<title id="{key}-title">{html_text(title)}</title><desc id="{key}-desc">{html_text(description)}</desc>',
            *body,
            "</svg>",
        ]
    )


def svg_label(x: float, y: float, text: object, anchor: str = "start", kind: str = "") -> str:
    """Text at a place, vertically centred."""
    name = f' class="{kind}"' if kind else ""
    return (
        f'<text x="{format_length(x)}" y="{format_length(y + 4)}" text-anchor="{anchor}"{name}>{html_text(text)}</text>'
    )


def svg_line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    start = f'x1="{format_length(x1)}" y1="{format_length(y1)}"'
    return f'<line class="{kind}" {start} x2="{format_length(x2)}" y2="{format_length(y2)}"/>'


PATHS = {  # within a square from -1 to 1
    "o": "M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0z",
    "s": "M-.9-.9h1.8v1.8h-1.8z",
    "^": "M0-1.1L1.1.9H-1.1z",
    "D": "M0-1.2L1.2 0 0 1.2-1.2 0z",
    "v": "M0 1.1L1.1-.9H-1.1z",
    "P": "M-.4-1.1h.8v.7h.7v.8h-.7v.7h-.8v-.7h-.7v-.8h.7z",
    "X": "M-1.1-.6L-.6-1.1 0-.5.6-1.1 1.1-.6.5 0 1.1.6.6 1.1 0 .5-.6 1.1-1.1.6-.5 0z",
    "<": "M-1.1 0L.9-1.1V1.1z",
    "*": "M0-1.3L.3-.4 1.2-.4.5.2.8 1.1 0 .6-.8 1.1-.5.2-1.2-.4-.3-.4z",
    ">": "M1.1 0L-.9 1.1V-1.1z",
    "p": "M0-1.1L1.05-.34.65.9H-.65L-1.05-.34z",
}


def series_class(series: int) -> str:
    """The class that gives a series its colour.

    >>> series_class(0), series_class(len(LIGHT))
    ('s0', 's0')
    """
    return f"s{series % len(LIGHT)}"


def series_mark(series: int, x: float, y: float, size: float = 4) -> str:
    """The mark of a series at a place.

    >>> series_mark(1, 10, 20)
    '<path class="mark s1" transform="translate(10 20)scale(4)" d="M-.9-.9h1.8v1.8h-1.8z"/>'
    """
    shape = PATHS[series_look(series).marker]
    place = f"translate({format_length(x)} {format_length(y)})scale({format_length(size)})"
    return f'<path class="mark {series_class(series)}" transform="{place}" d="{shape}"/>'


def shape_with_tooltip(about: str, shape: str) -> str:
    """What is drawn of one value, with what is said of it: the browser's own tip, or the script's.

    >>> shape_with_tooltip("AP 0.5", "<path/>")
    '<g class="point"><title>AP 0.5</title><path/></g>'
    """
    return f'<g class="point"><title>{html_text(about)}</title>{shape}</g>'


def dash_attribute(series: int) -> str:
    """The attribute for the dashes of a series; none for a solid line."""
    pattern = " ".join(format_length(2 * part) for part in series_look(series).dashes)
    return f' stroke-dasharray="{pattern}"' if pattern else ""
