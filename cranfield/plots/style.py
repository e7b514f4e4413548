"""The style of all figures: distinguishable without colour, identical bytes each time, drawn without a window."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from cranfield.errors import InputError
from cranfield.formats.whole_files import write_bytes
from cranfield.plots.palette import DASHES, GREYS, LIGHT, MARKERS
from cranfield.text import visible_line

LINES: tuple[Any, ...] = tuple((0, dashes) if dashes else "-" for dashes in DASHES)
GREY = GREYS.soft

SETTINGS: Any = {
    "svg.hashsalt": "cranfield",
    "text.parse_math": False,  # a tag may hold dollars
    "svg.fonttype": "none",  # text stays text: it can be read aloud, searched and copied
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "0.88",
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.6,
    "path.simplify": True,
}
WRITTEN: dict[str, dict[str, Any]] = {
    ".png": {"metadata": {"Software": None}, "dpi": "figure"},
    ".svg": {"metadata": {"Date": None, "Creator": None}},
    ".pdf": {"metadata": {"CreationDate": None, "Creator": None, "Producer": None}},
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


def drawn(figure: Figure, suffix: str) -> bytes:
    """The content of the figure's file, identical each time: the layout is computed once, at the first drawing."""
    stream = io.BytesIO()
    with mpl.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+", UserWarning)  # a tag in a script that the font does not have
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
    if path.suffix.lower() not in WRITTEN:
        raise InputError("a figure is written as .png, .svg or .pdf", path)
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


def shortened(name: str, length: int = 24) -> str:
    """A name that fits, on one line, with visible controls; a long one loses its middle.

    >>> shortened("a-very-long-tag-of-a-run-indeed-of-ours", 15)
    'a-very-…of-ours'
    """
    name, kept = visible_line(name), length - 1
    return name if len(name) <= length else name[: kept - kept // 2] + "…" + name[len(name) - kept // 2 :]


def require(table: Any, columns: Sequence[str], what: str) -> None:
    """Refuse a table without these columns or without rows."""
    missing = [column for column in columns if column not in table]
    if missing:
        raise InputError(f"{what} needs the columns {', '.join(columns)}; missing: {', '.join(missing)}")
    if not len(table):
        raise InputError(f"{what} needs at least one row")
