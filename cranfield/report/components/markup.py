"""Text, numbers, colours and marks as markup: everything of the data is escaped, its control characters are shown.

The colours are those of cranfield.plots.palette as custom properties of CSS, for light and for dark paper; marks are
by its letters, so that no series depends on its colour.
"""

import re
from collections.abc import Iterable
from math import ceil, floor, log10

from markupsafe import Markup, escape

from cranfield.plots.palette import (
    DARK,
    DARK_GREYS,
    DARK_PAPER,
    DASHES,
    GREYS,
    LIGHT,
    MARKERS,
    PAPER,
    STATUS,
    Greys,
)
from cranfield.text import visible, visible_line

STEPS = 11  # of a heat map
BAND, DARK_BAND = "#f6f6f3", "#1f2225"
GOOD = "good"


def theme() -> str:
    """The properties: light, and dark where the reader prefers it; print is always light."""
    light, dark = _light(), _dark()
    return (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
        f"{_classes()}\n"
    )


def _light() -> str:
    statuses = {name: status.light for name, status in STATUS.items()}
    return _properties(
        PAPER, BAND, GREYS, series=LIGHT, statuses=statuses, stops=[PAPER, LIGHT[0], mix(LIGHT[0], "#000000", 0.55)]
    )


def _dark() -> str:
    statuses = {name: status.dark for name, status in STATUS.items()}
    ramp = [DARK_PAPER, mix(DARK_PAPER, DARK[0], 0.75), mix(DARK[0], "#ffffff", 0.5)]
    return _properties(DARK_PAPER, DARK_BAND, DARK_GREYS, series=DARK, statuses=statuses, stops=ramp)


def _properties(
    paper: str, band: str, greys: Greys, *, series: tuple[str, ...], statuses: dict[str, str], stops: list[str]
) -> str:
    properties = {"paper": paper, "band": band, **greys._asdict(), **statuses}
    properties |= {f"series-{at}": colour for at, colour in enumerate(series)}
    for step, colour in enumerate(ramp(stops)):
        properties |= {f"step-{step}": colour, f"on-step-{step}": ink_on(colour)}
    grades = [mix(paper, statuses[GOOD], share) for share in (0.25, 0.6, 1.0)]
    for grade, colour in enumerate(grades, 1):
        properties |= {f"grade-{grade}": colour, f"on-grade-{grade}": ink_on(colour)}
    return " ".join(f"--{name}: {value};" for name, value in properties.items())


def _classes() -> str:
    series = [f".s{at} {{ --own: var(--series-{at}); }}" for at in range(len(LIGHT))]
    steps = [f".h{at} {{ background: var(--step-{at}); color: var(--on-step-{at}); }}" for at in range(STEPS)]
    grades = [f".g{at} {{ background: var(--grade-{at}); color: var(--on-grade-{at}); }}" for at in (1, 2, 3)]
    return "\n".join([*series, *steps, *grades])


def ramp(stops: list[str]) -> list[str]:
    """STEPS colours from the first of three stops through the second to the last.

    >>> colours = ramp(["#000000", "#808080", "#ffffff"])
    >>> colours[0], colours[5], colours[-1]
    ('#000000', '#808080', '#ffffff')
    """
    half = (STEPS - 1) / 2
    return [
        mix(stops[0], stops[1], at / half) if at <= half else mix(stops[1], stops[2], at / half - 1)
        for at in range(STEPS)
    ]


def mix(one: str, other: str, share: float) -> str:
    """A colour between two.

    >>> mix("#000000", "#ff0080", 0.5)
    '#800040'
    """
    pairs = zip(_rgb(one), _rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _rgb(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def luminance(colour: str) -> float:
    """How light a colour is, as WCAG measures it.

    >>> luminance("#ffffff"), luminance("#000000")
    (1.0, 0.0)
    """
    shares = [value / 255 for value in _rgb(colour)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def ink_on(colour: str) -> str:
    """Black or white, whichever is easier to read on a colour: the contrast is 4.58 at least.

    >>> ink_on("#ffffff"), ink_on("#0072b2")
    ('#000000', '#ffffff')
    """
    return "#000000" if luminance(colour) > 0.179 else "#ffffff"


COMMAND = re.compile(r"`([^`]+)`|(?<![\w-])--[a-z][a-z-]*")
UNPRINTABLE = re.compile("[\ufffe\uffff]")  # what no document may contain and `visible` leaves


def plain_text(text: object) -> str:
    """Text of the data with its controls made visible; a number keeps its per cent sign.

    >>> plain_text("up 5 %\x1b")
    'up 5\xa0%␛'
    """
    plain = UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", visible(str(text)))
    return re.sub(r"(?<=\d) %", "\N{NO-BREAK SPACE}%", plain)


def html_text(text: object) -> str:
    """The same, escaped.

    >>> html_text("<script>")
    '&lt;script&gt;'
    """
    return str(escape(plain_text(text)))


def sentence(text: object) -> Markup:
    """A sentence in which commands, between backquotes, and the names of options stay in one piece.

    >>> print(sentence("<5 users; --min-users 3 takes them, `evaluate --per-topic` shows"))
    &lt;5 users; <code>--min-users</code> 3 takes them, <code>evaluate --per-topic</code> shows
    """
    return Markup(COMMAND.sub(lambda match: f"<code>{match[1] or match[0]}</code>", html_text(text)))


def shorten(name: str, length: int) -> str:
    """A name of this length at most; a long one loses its middle.

    >>> shorten("a-very-long-tag-of-a-run-indeed-of-ours", 15)
    'a-very-…of-ours'
    """
    name, room = visible_line(name), length - 1
    return name if len(name) <= length else f"{name[: room - room // 2]}…{name[len(name) - room // 2 :]}"


def join(parts: Iterable[str]) -> Markup:
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
    positions, below = list(places), low - gap
    for at in order:
        positions[at] = below = max(places[at], below + gap)
    above = high + gap
    for at in reversed(order):
        positions[at] = above = min(positions[at], above - gap)
    return positions


def chart(key: str, size: tuple[float, float], title: str, description: str, body: Iterable[str]) -> Markup:
    """An <svg> element with a title and a description; ids begin with `key`."""
    width, height = map(short, size)
    return join(
        [
            f'<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-labelledby="{key}-title {key}-desc">',
            f'<title id="{key}-title">{html_text(title)}</title><desc id="{key}-desc">{html_text(description)}</desc>',
            *body,
            "</svg>",
        ]
    )


def label(x: float, y: float, text: object, anchor: str = "start", kind: str = "") -> str:
    """Text at a place, vertically centred."""
    name = f' class="{kind}"' if kind else ""
    return f'<text x="{short(x)}" y="{short(y + 4)}" text-anchor="{anchor}"{name}>{html_text(text)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A straight line."""
    return f'<line class="{kind}" x1="{short(x1)}" y1="{short(y1)}" x2="{short(x2)}" y2="{short(y2)}"/>'


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


def colour(series: int) -> str:
    """The class that gives a series its colour.

    >>> colour(0), colour(len(LIGHT))
    ('s0', 's0')
    """
    return f"s{series % len(LIGHT)}"


def mark(series: int, x: float, y: float, size: float = 4) -> str:
    """The mark of a series at a place.

    >>> mark(1, 10, 20)
    '<path class="mark s1" transform="translate(10 20)scale(4)" d="M-.9-.9h1.8v1.8h-1.8z"/>'
    """
    shape = PATHS[MARKERS[series % len(MARKERS)]]
    place = f"translate({short(x)} {short(y)})scale({short(size)})"
    return f'<path class="mark {colour(series)}" transform="{place}" d="{shape}"/>'


def point(about: str, shape: str) -> str:
    """What is drawn of one value, with what is said of it: the browser's own tip, or the script's.

    >>> point("AP 0.5", "<path/>")
    '<g class="point"><title>AP 0.5</title><path/></g>'
    """
    return f'<g class="point"><title>{html_text(about)}</title>{shape}</g>'


def dashes(series: int) -> str:
    """The attribute for the dashes of a series; none for a solid line."""
    pattern = DASHES[series % len(DASHES)]
    return f' stroke-dasharray="{" ".join(short(2 * part) for part in pattern)}"' if pattern else ""
