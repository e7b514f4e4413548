"""The style of all figures: distinguishable without colour, identical bytes each time, drawn without a window."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from cranfield.errors import InputError
from cranfield.formats.whole_files import write_bytes
from cranfield.plots.files import WRITTEN, check_drawable
from cranfield.plots.palette import DASHES, GREYS, LIGHT, MARKERS

LINES: tuple[Any, ...] = tuple((0, dashes) if dashes else "-" for dashes in DASHES)
POINTS = 72  # of an inch
TINY, SMALL, TEXT, HEAD = 6.5, 8, 9, 11  # type sizes in points: ticks of many, labels, axes, the title
WIDEST, HIGHEST = 16.0, 20.0  # inches

SETTINGS: Any = {
    "svg.hashsalt": "cranfield",
    "text.parse_math": False,  # a tag may hold dollars
    "svg.fonttype": "none",  # text stays text: it can be read aloud, searched and copied
    "font.family": "DejaVu Sans",
    "font.size": TEXT,
    "text.color": GREYS.ink,
    "axes.titlesize": TEXT,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 8,
    "axes.labelcolor": GREYS.soft,
    "axes.labelsize": SMALL,
    "axes.edgecolor": GREYS.context,
    "axes.linewidth": 0.7,
    "xtick.color": GREYS.context,
    "ytick.color": GREYS.context,
    "xtick.labelcolor": GREYS.soft,
    "ytick.labelcolor": GREYS.soft,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "lines.markeredgewidth": 0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": GREYS.grid,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.7,
    "figure.constrained_layout.h_pad": 0.06,
    "figure.constrained_layout.w_pad": 0.06,
    "path.simplify": True,
}


class Picture(Figure):
    """A figure that a notebook displays, with or without matplotlib's inline backend."""

    def _repr_png_(self) -> bytes:
        """The image that Jupyter displays."""
        return drawn(self, ".png")


def picture(
    width: float, height: float, rows: int = 1, columns: int = 1, share: bool = True
) -> tuple[Picture, list[Axes]]:
    """An empty figure of this size in inches, and its panels row by row, with shared axes by default."""
    with mpl.rc_context(SETTINGS):
        figure = Picture(figsize=(width, height), dpi=150, layout="constrained")
        FigureCanvasAgg(figure)
        shared = share and rows * columns > 1
        axes = figure.subplots(rows, columns, squeeze=False, sharex=shared, sharey=shared)
    return figure, [panel for row in axes for panel in row]


def titled(figure: Figure, title: str, note: str = "") -> None:
    """A bold title above the figure, and below it, in grey, how to read it; both at the left, in lines that fit."""
    width = figure.get_figwidth() * POINTS
    lines = textwrap.fill(title, int(width / (0.66 * HEAD)))
    figure.suptitle(lines, x=0.008, ha="left", fontsize=HEAD, fontweight="bold")
    if note:
        lines = textwrap.fill(note, int(width / (0.55 * SMALL)))
        figure.supxlabel(lines, x=0.008, ha="left", fontsize=SMALL, color=GREYS.soft)


def key_beside(figure: Figure, title: str) -> None:
    """The key of the labelled lines and areas, right of all panels, with this heading."""
    figure.legend(
        loc="outside right upper", title=title, handlelength=3.6, frameon=False, fontsize=SMALL, title_fontsize=SMALL,
        alignment="left", labelspacing=0.6,
    )  # fmt: skip


def drawn(figure: Figure, suffix: str) -> bytes:
    """The content of the figure's file, identical each time: the layout is computed once, at the first drawing."""
    stream = io.BytesIO()
    with mpl.rc_context(SETTINGS):
        if figure.get_layout_engine() is not None:
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
        figure.savefig(stream, format=suffix[1:], **WRITTEN[suffix])
    return stream.getvalue()


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure as PNG, SVG or PDF, by the file name.

    >>> save(picture(1, 1)[0], "curve.gif")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: curve.gif: a figure is written as .png, .svg or .pdf
    """
    path = Path(path)
    check_drawable(path)
    write_bytes(path, drawn(figure, path.suffix.lower()))


class Look(NamedTuple):
    """The style of a run; no two of the first 44 share both line style and marker."""

    color: str
    linestyle: Any
    marker: str


def look(number: int) -> Look:
    """The style of the nth run, from 0.

    >>> len({look(n)[1:] for n in range(44)})
    44
    """
    return Look(LIGHT[number % len(LIGHT)], LINES[number % len(LINES)], MARKERS[number % len(MARKERS)])


def require(table: Any, columns: Sequence[str], what: str) -> None:
    """Refuse a table without these columns or without rows."""
    missing = [column for column in columns if column not in table]
    if missing:
        raise InputError(f"{what} needs the columns {', '.join(columns)}; missing: {', '.join(missing)}")
    if not len(table):
        raise InputError(f"{what} needs at least one row")
