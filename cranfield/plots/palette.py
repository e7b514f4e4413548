"""The colours of figures and of the report page, on light and on dark paper, and the files of figures: light to import.

Series have at least 3:1 contrast with their paper, status colours and text 4.5:1, and no two series look alike to a
reader who confuses red and green. Colour never stands alone: series also differ in marker and line, a status has a
sign. On dark paper the nth series is `DARK[n]`.
"""

from pathlib import Path
from typing import Any, NamedTuple

from cranfield.errors import InputError

LIGHT = ("#0072b2", "#d55e00", "#009e73", "#6b2050", "#c57ab8", "#5b4a00")
DARK = ("#4ba3e3", "#f28c38", "#3fd6a8", "#c2578f", "#dcb6f2", "#ead14a")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", "*", ">", "p")  # in matplotlib's letters
DASHES = ((), (6, 2), (1.5, 1.5), (6, 2, 1.5, 2))  # points on, points off; none: a solid line

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


WRITTEN: dict[str, dict[str, Any]] = {  # how matplotlib writes them, without a date
    ".png": {"metadata": {"Software": None}, "dpi": "figure"},
    ".svg": {"metadata": {"Date": None, "Creator": None}},
    ".pdf": {"metadata": {"CreationDate": None, "Creator": None, "Producer": None}},
}


def check_drawable(path: Path) -> None:
    """Refuse a file that is not PNG, SVG or PDF, or that has no folder."""
    if path.suffix.lower() not in WRITTEN:
        raise InputError("a figure is written as .png, .svg or .pdf", path)
    if not path.absolute().parent.is_dir():
        raise InputError("no such folder", path.parent)
