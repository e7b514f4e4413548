"""The style of all figures: distinguishable without colour, identical bytes each time, drawn without a window.

Names are on one line, short enough, and never a box where the font has no character; labels at the ends of lines and
along axes do not overlap.
"""

import io
import re
import textwrap
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, cast
from unicodedata import bidirectional

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.transforms import ScaledTranslation, Transform

from cranfield.charts.curves import LineChart
from cranfield.charts.intervals import IntervalRow
from cranfield.charts.labels import ESCAPE, POINTS, spread_places
from cranfield.charts.labels import shorten as shorten_text
from cranfield.charts.palette import GREYS, LIGHT, PAPER, WRITTEN, check_drawable, series_look
from cranfield.errors import InputError
from cranfield.formats.whole_files import write_bytes
from cranfield.text import visible_line

BETTER, WORSE = LIGHT[:2]
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


OnAxes: TypeAlias = Axes | Sequence[Axes] | None  # on which a figure is drawn: those of somebody else, or its own


class Picture(Figure):
    """A figure that a notebook displays, with or without matplotlib's inline backend."""

    def _repr_png_(self) -> bytes:
        return figure_bytes(self, ".png")


def new_picture(
    width: float, height: float, rows: int = 1, columns: int = 1, share: bool = True
) -> tuple[Picture, list[Axes]]:
    """An empty figure of this size in inches, and its panels row by row, with shared axes by default."""
    with mpl.rc_context(SETTINGS):
        figure = Picture(figsize=(width, height), dpi=150, layout="constrained")
        FigureCanvasAgg(figure)
        share_axes = share and rows * columns > 1
        axes = figure.subplots(rows, columns, squeeze=False, sharex=share_axes, sharey=share_axes)
    return figure, [panel for row in axes for panel in row]


def make_panels(
    ax: OnAxes, width: float, height: float, rows: int = 1, columns: int = 1, *, share: bool = True
) -> tuple[Figure, list[Axes]]:
    """The panels of a figure: given axes, or those of a new figure as `picture` makes it.

    >>> make_panels(new_picture(2, 1)[1][0], 4, 4, columns=2)
    Traceback (most recent call last):
    cranfield.errors.InputError: ax contains 1 axes; expected 2, one for each panel of the figure
    """
    if ax is None:
        return new_picture(width, height, rows, columns, share)
    panels: list[Axes] = np.asarray(ax, object).ravel().tolist()
    for panel in panels:
        if not isinstance(panel, Axes):
            raise InputError(f"ax contains {panel!r}; expected matplotlib axes")
    if len(panels) != rows * columns:
        n = rows * columns
        raise InputError(f"ax contains {len(panels)} axes; expected {n}, one for each panel of the figure")
    return cast("Figure", panels[0].figure), panels


def set_title(figure: Figure, title: str, note: str = "") -> None:
    """A bold title above the figure, and below it, in grey, how to read it; both at the left, in lines that fit.

    A figure of somebody else, on whose axes is drawn, keeps its own title.
    """
    if not isinstance(figure, Picture):
        return
    width = figure.get_figwidth() * POINTS
    lines = textwrap.fill(title, int(width / (0.66 * HEAD)))
    figure.suptitle(lines, x=0.008, ha="left", fontsize=HEAD, fontweight="bold")
    if note:
        lines = textwrap.fill(note, int(width / (0.55 * SMALL)))
        figure.supxlabel(lines, x=0.008, ha="left", fontsize=SMALL, color=GREYS.soft)


def draw_legend_beside(figure: Figure, title: str, axes: Axes | None = None) -> None:
    """The key of the labelled lines and areas, right of all panels, with this heading; on given axes in these."""
    look: dict[str, Any] = {"title": title, "handlelength": 3.6, "frameon": False, "fontsize": SMALL}
    look |= {"title_fontsize": SMALL, "alignment": "left", "labelspacing": 0.6}
    if axes is None or isinstance(figure, Picture):
        figure.legend(loc="outside right upper", **look)
    else:
        axes.legend(**look)


def figure_bytes(figure: Figure, suffix: str) -> bytes:
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

    >>> save(new_picture(1, 1)[0], "curve.gif")
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: curve.gif: unknown figure format; expected .png, .svg or .pdf
    """
    path = Path(path)
    check_drawable(path)
    write_bytes(path, figure_bytes(figure, path.suffix.lower()))


def require_columns(table: Any, columns: Sequence[str], what: str) -> None:
    """Refuse what is not a table, and a table without these columns or without rows."""
    from pandas import DataFrame

    if not isinstance(table, DataFrame):
        hint = "; give its .frame" if hasattr(table, "frame") else ""
        raise InputError(f"{what} needs a DataFrame, not {type(table).__name__}{hint}")
    missing = [column for column in columns if column not in table]
    if missing:
        raise InputError(f"{what} needs the columns {', '.join(columns)}; missing: {', '.join(missing)}")
    if not len(table):
        raise InputError(f"{what} needs at least one row")


FONT = "DejaVu Sans"  # comes with matplotlib, so that a figure is the same everywhere
LEFT_TO_RIGHT = "\u200e"  # without ink; around a name written from the right, numbers beside it keep their places
ESCAPED = 22  # characters that a name with escapes needs at least


@cache
def _font_characters() -> frozenset[int]:
    """What the font can show, in regular and in bold."""
    fonts = [findfont(FontProperties(family=FONT, weight=weight)) for weight in ("normal", "bold")]
    regular, bold = (set(get_font(font).get_charmap()) for font in fonts)
    return frozenset(regular & bold | set(map(ord, "\t\n\r")))


def display_name(name: str) -> str:
    r"""A name on one line; characters that the font lacks are escaped, as control characters are.

    >>> print(display_name("$a_{b"), display_name("a\x00\tb"), display_name("\u4e2d-\u0627"))
    $a_{b a<U+0000> b <U+4E2D>-ا
    """
    return visible_line("".join(each if ord(each) in _font_characters() else f"<U+{ord(each):04X}>" for each in name))


def shorten(name: str, length: int = 24) -> str:
    """A name of about this length at most, as the font can show it.

    >>> shorten("a-very-long-tag-of-a-run-indeed-of-ours", 15), shorten("\N{CJK UNIFIED IDEOGRAPH-4E2D}" * 9, 20)
    ('a-very-…of-ours', '<U+4E2D>…<U+4E2D>')
    """
    name = display_name(name)
    name = shorten_text(name, max(length, ESCAPED) if re.search(ESCAPE, name) else length)
    runs_left = any(bidirectional(character) in ("R", "AL") for character in name)
    return f"{LEFT_TO_RIGHT}{name}{LEFT_TO_RIGHT}" if runs_left else name


Point = tuple[tuple[float, float], Transform]
LINE = 1.45  # lines of text are that many times their type size apart


def draw_lines(axes: Axes, chart: LineChart) -> None:
    """The lines that have a number, and the names of the axes."""
    for one in chart.lines:
        if one.series is not None:
            points = one.without_nan()
            axes.plot(points.x, points.y, label=one.name, **series_look(one.series)._asdict())
    axes.set(xlabel=shorten(chart.x, 44), ylabel=shorten(chart.y, 44))


def draw_intervals(axes: Axes, rows: Sequence[IntervalRow], *, length: int = 24, show_zero: bool = True) -> None:
    """From the top a line for each from low to high, and a mark, hollow where it is not significant.

    An undecided difference has a larger hollow mark with a question mark.

    Names have this length at most; with 0 there are none. Around 0, what is below has another colour and mark.
    """
    values = np.array([row[1:4] for row in rows], float).reshape(-1, 3).T
    places, significant = np.arange(len(rows)), np.array([row.significant for row in rows], bool)
    is_above, is_open = (values[0] >= 0) | (not show_zero), np.array([row.is_undecided for row in rows], bool)
    if show_zero:
        axes.axvline(0, color=GREYS.ink, linewidth=0.8, zorder=1)
    axes.hlines(places, values[1], values[2], color=np.where(is_above, BETTER, WORSE), linewidth=1.2, zorder=2)
    for side, colour, marker in ((is_above, BETTER, "o"), (~is_above, WORSE, "s")):
        hollow, undecided = side & ~significant & ~is_open, side & is_open
        for at, face, size in ((side & significant, colour, 5), (hollow, PAPER, 5), (undecided, PAPER, 9)):
            axes.plot(
                values[0][at], places[at], marker, color=face, markeredgecolor=colour, markeredgewidth=1,
                markersize=size, zorder=3,
            )  # fmt: skip
    for place in np.flatnonzero(is_open & ~np.isnan(values[0])).tolist():
        axes.text(
            values[0][place], place, "?", ha="center", va="center_baseline", fontsize=TINY, fontweight="bold", zorder=4
        )
    names = [shorten(row.name, length) for row in rows] if length else []
    axes.set_yticks(places[: len(names)], names)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def label_ends(axes: Axes, chart: LineChart, height: float) -> None:
    """Write the names right of the axes, `height` inches high, each with a sample of its line and a lead to its end.

    To be called when the axes have their limits.
    """
    lines = [one for one in (each.without_nan() for each in chart.lines) if one.y]
    to_axes, ends = axes.transData + axes.transAxes.inverted(), [(one.x[-1], one.y[-1]) for one in lines]
    heights = [float(to_axes.transform(end)[1]) for end in ends]
    for one, end, place in zip(lines, ends, spread_places(heights, LINE * SMALL / POINTS / height), strict=True):
        sample, (colour, dashes, marker) = (
            (_transform_shifted_right(axes, 9), _transform_shifted_right(axes, 33)),
            series_look(one.series or 0),
        )
        style = "-" if not dashes else (0, dashes)
        _segment(axes, (end, axes.transData), ((1, place), sample[0]), color=GREYS.faint, linewidth=0.7)
        _segment(axes, ((1, place), sample[0]), ((1, place), sample[1]), color=colour, linewidth=1.6, linestyle=style)
        axes.plot(1, place, marker, transform=_transform_shifted_right(axes, 21), color=colour, clip_on=False)
        axes.text(1, place, one.name, transform=_transform_shifted_right(axes, 38), va="center", fontsize=SMALL)


def _segment(axes: Axes, one: Point, other: Point, **style: Any) -> None:
    """A line between two points, each with its own transform."""
    arrow = {"arrowstyle": "-", "shrinkA": 0, "shrinkB": 0, **style}
    axes.annotate(
        "", one[0], other[0], xycoords=one[1], textcoords=other[1], annotation_clip=False, arrowprops=arrow, zorder=1
    )


def _transform_shifted_right(axes: Axes, points: float) -> Transform:
    """Shares of the axes, so many points further right."""
    return axes.transAxes + _shift(axes, points)


def _shift(axes: Axes, points: float) -> Transform:
    return ScaledTranslation(points / POINTS, 0, axes.figure.dpi_scale_trans)


def draw_label_beside(
    axes: Axes, at: tuple[float, float], place: float, text: str, *, side: int = 1, size: float = SMALL
) -> None:
    """A label left (0) or right (1) of the axes at the height `place`, with a lead to the point `at`, all in data."""
    edge = axes.get_yaxis_transform()
    away = _shift(axes, 26 if side else -26)
    lead = {"arrowstyle": "-", "color": GREYS.faint, "linewidth": 0.7, "shrinkA": 2, "shrinkB": 4}
    axes.annotate(
        text, at, (side, place), textcoords=edge + away, va="center", fontsize=size,
        ha="left" if side else "right", annotation_clip=False, arrowprops={**lead, "relpos": (1 - side, 0.5)},
    )  # fmt: skip
