"""The colours of figures and pages, on light and on dark paper, and the files of figures: light to import.

Series have at least 3:1 contrast with their paper, status colours and text 4.5:1, and no two series look alike to a
reader who confuses red and green. Colour never stands alone: series also differ in marker and line, a status has a
sign. On dark paper the nth series is `DARK[n]`. Pages have the colours as custom properties of CSS.
"""

from pathlib import Path
from typing import Any, NamedTuple

from cranfield.errors import InputError

LIGHT = ("#0072b2", "#d55e00", "#009e73", "#6b2050", "#c57ab8", "#5b4a00")
DARK = ("#4ba3e3", "#f28c38", "#3fd6a8", "#c2578f", "#dcb6f2", "#ead14a")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", "*", ">", "p")  # in matplotlib's letters
DASHES = ((), (6, 2), (1.5, 1.5), (6, 2, 1.5, 2))  # points on, points off; none: a solid line


class Look(NamedTuple):
    """The style of a series; no two of the first 44 share both dashes and marker."""

    color: str
    dashes: tuple[float, ...]
    marker: str


def series_look(number: int) -> Look:
    """The style of the nth series on light paper, from 0.

    >>> len({series_look(n)[1:] for n in range(44)})
    44
    """
    return Look(LIGHT[number % len(LIGHT)], DASHES[number % len(DASHES)], MARKERS[number % len(MARKERS)])


PAPER, DARK_PAPER = "#ffffff", "#16181a"


class Greys(NamedTuple):
    """The greys of one paper, from text to the faintest grid line."""

    ink: str
    soft: str  # secondary text, 4.5:1
    context: str  # what is there to compare with, 3:1
    faint: str  # bands and connecting lines
    grid: str


GREYS = Greys("#1a1a1a", "#595959", "#8a8a8a", "#d0d0d0", "#e6e6e6")
DARK_GREYS = Greys("#e8e6e3", "#b0aeaa", "#8a8a8a", "#4a4d50", "#33363a")


class Status(NamedTuple):
    """What a verdict looks like: its sign, and its colour on light and on dark paper."""

    sign: str
    light: str
    dark: str


STATUS = {
    "good": Status("✓", "#1a7f4b", "#5fd08f"),
    "unsure": Status("?", "#8a6100", "#e8b84a"),
    "bad": Status("✗", "#b3261e", "#ff8a80"),
}


STEPS = 11  # of a heat map
BAND, DARK_BAND = "#f6f6f3", "#1f2225"
GOOD = "good"


def theme_css() -> str:
    """The properties of CSS: light, and dark where the reader prefers it; print is always light."""
    lights = {name: status.light for name, status in STATUS.items()}
    darks = {name: status.dark for name, status in STATUS.items()}
    stops = [PAPER, LIGHT[0], mix_colours(LIGHT[0], "#000000", 0.55)]
    dark_stops = [DARK_PAPER, mix_colours(DARK_PAPER, DARK[0], 0.75), mix_colours(DARK[0], "#ffffff", 0.5)]
    light = _css_properties(PAPER, BAND, GREYS, series=LIGHT, statuses=lights, stops=stops)
    dark = _css_properties(DARK_PAPER, DARK_BAND, DARK_GREYS, series=DARK, statuses=darks, stops=dark_stops)
    series = [f".s{at} {{ --own: var(--series-{at}); }}" for at in range(len(LIGHT))]
    steps = [f".h{at} {{ background: var(--step-{at}); color: var(--on-step-{at}); }}" for at in range(STEPS)]
    grades = [f".g{at} {{ background: var(--grade-{at}); color: var(--on-grade-{at}); }}" for at in (1, 2, 3)]
    classes = "\n".join([*series, *steps, *grades])
    return (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
        f"{classes}\n"
    )


def _css_properties(
    paper: str, band: str, greys: Greys, *, series: tuple[str, ...], statuses: dict[str, str], stops: list[str]
) -> str:
    properties = {"paper": paper, "band": band, **greys._asdict(), **statuses}
    properties |= {f"series-{at}": colour for at, colour in enumerate(series)}
    for step, colour in enumerate(interpolate_colours(stops)):
        properties |= {f"step-{step}": colour, f"on-step-{step}": ink_on(colour)}
    grades = [mix_colours(paper, statuses[GOOD], share) for share in (0.25, 0.6, 1.0)]
    for grade, colour in enumerate(grades, 1):
        properties |= {f"grade-{grade}": colour, f"on-grade-{grade}": ink_on(colour)}
    return " ".join(f"--{name}: {value};" for name, value in properties.items())


def interpolate_colours(stops: list[str]) -> list[str]:
    """STEPS colours from the first of three stops through the second to the last.

    >>> colours = interpolate_colours(["#000000", "#808080", "#ffffff"])
    >>> colours[0], colours[5], colours[-1]
    ('#000000', '#808080', '#ffffff')
    """
    half = (STEPS - 1) / 2
    return [
        mix_colours(stops[0], stops[1], at / half) if at <= half else mix_colours(stops[1], stops[2], at / half - 1)
        for at in range(STEPS)
    ]


def mix_colours(one: str, other: str, share: float) -> str:
    """A colour between two.

    >>> mix_colours("#000000", "#ff0080", 0.5)
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


WRITTEN: dict[str, dict[str, Any]] = {  # how matplotlib writes them, without a date
    ".png": {"metadata": {"Software": None}, "dpi": "figure"},
    ".svg": {"metadata": {"Date": None, "Creator": None}},
    ".pdf": {"metadata": {"CreationDate": None, "Creator": None, "Producer": None}},
}


def check_drawable(path: Path) -> None:
    """Refuse a file that is not PNG, SVG or PDF, or that has no folder."""
    if path.suffix.lower() not in WRITTEN:
        raise InputError("unknown figure format; expected .png, .svg or .pdf", path)
    if not path.absolute().parent.is_dir():
        raise InputError("no such folder", path.parent)
