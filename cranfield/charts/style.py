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
from typing import Any, NamedTuple
from unicodedata import bidirectional

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.transforms import ScaledTranslation, Transform

from cranfield.arrays.rankings import Floats
from cranfield.charts.palette import DASHES, GREYS, LIGHT, MARKERS, WRITTEN, check_drawable
from cranfield.errors import InputError
from cranfield.formats.whole_files import write_bytes
from cranfield.text import visible_line

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
        return draw(self, ".png")


def picture(
    width: float, height: float, rows: int = 1, columns: int = 1, share: bool = True
) -> tuple[Picture, list[Axes]]:
    """An empty figure of this size in inches, and its panels row by row, with shared axes by default."""
    with mpl.rc_context(SETTINGS):
        figure = Picture(figsize=(width, height), dpi=150, layout="constrained")
        FigureCanvasAgg(figure)
        share_axes = share and rows * columns > 1
        axes = figure.subplots(rows, columns, squeeze=False, sharex=share_axes, sharey=share_axes)
    return figure, [panel for row in axes for panel in row]


def set_title(figure: Figure, title: str, note: str = "") -> None:
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


def draw(figure: Figure, suffix: str) -> bytes:
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
    write_bytes(path, draw(figure, path.suffix.lower()))


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


FONT = "DejaVu Sans"  # comes with matplotlib, so that a figure is the same everywhere
LEFT_TO_RIGHT = "\u200e"  # without ink; around a name written from the right, numbers beside it keep their places
ESCAPED = 22  # characters that a name with escapes needs at least
MARK = r"<U\+[0-9A-F]{4,6}>"


@cache
def _characters() -> frozenset[int]:
    """What the font can show, in regular and in bold."""
    fonts = [findfont(FontProperties(family=FONT, weight=weight)) for weight in ("normal", "bold")]
    regular, bold = (set(get_font(font).get_charmap()) for font in fonts)
    return frozenset(regular & bold | set(map(ord, "\t\n\r")))


def display_name(name: str) -> str:
    r"""A name on one line; characters that the font lacks are escaped, as control characters are.

    >>> print(display_name("$a_{b"), display_name("a\x00\tb"), display_name("\u4e2d-\u0627"))
    $a_{b a<U+0000> b <U+4E2D>-ا
    """
    return visible_line("".join(each if ord(each) in _characters() else f"<U+{ord(each):04X}>" for each in name))


def shorten(name: str, length: int = 24) -> str:
    """A name of about this length at most; a long one loses its middle, never part of an escaped character.

    >>> shorten("a-very-long-tag-of-a-run-indeed-of-ours", 15), shorten("\N{CJK UNIFIED IDEOGRAPH-4E2D}" * 9, 20)
    ('a-very-…of-ours', '<U+4E2D>…<U+4E2D>')
    """
    name = display_name(name)
    units = re.findall(f"{MARK}|.", name)
    room = (length if len(units) == len(name) else max(length, ESCAPED)) - 1
    if len(name) > room + 1:
        name = _fitting(units, room - room // 2) + "…" + _fitting(units[::-1], room // 2, -1)
    runs_left = any(bidirectional(character) in ("R", "AL") for character in name)
    return f"{LEFT_TO_RIGHT}{name}{LEFT_TO_RIGHT}" if runs_left else name


def _fitting(units: list[str], room: int, step: int = 1) -> str:
    """The first units that fit, put in order."""
    fitting: list[str] = []
    for unit in units:
        room -= len(unit)
        if room < 0:
            break
        fitting.append(unit)
    return "".join(fitting[::step])


Point = tuple[tuple[float, float], Transform]
LINE = 1.45  # lines of text are that many times their type size apart


class End(NamedTuple):
    """Where a line ends, in data, and what to write there; `look` is the line's."""

    at: tuple[float, float]
    text: str
    look: Look


def spread(places: Sequence[float], gap: float, low: float = 0, high: float = 1) -> list[float]:
    """Places that are at least `gap` apart, in the same order, as near to the given ones as that allows.

    They stay between `low` and `high` where there is room for all.

    >>> spread([0.5, 0.5, 0.9], 0.1), spread([0, 0.02], 0.1), spread([0.5, 0.6, 0.7], 0.6)
    ([0.45, 0.55, 0.9], [0.0, 0.1], [-0.1, 0.5, 1.1])
    """
    order = np.argsort(places, kind="stable")
    steps = gap * np.arange(len(places))
    room = high - low - gap * (len(places) - 1)
    start = low if room >= 0 else low + room / 2
    positions = np.clip(_rising(np.asarray(places, float)[order] - steps), start, start + max(room, 0)) + steps
    result = np.empty(len(places))
    result[order] = positions.round(6)
    return [float(place) for place in result]


def _rising(values: Floats) -> Floats:
    """The rising values with the least squares from the given ones: falling neighbours share their mean."""
    blocks: list[tuple[float, int]] = []
    for value in values.tolist():
        blocks.append((value, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (last, n), (before, m) = blocks.pop(), blocks.pop()
            blocks.append(((before * m + last * n) / (m + n), m + n))
    return np.repeat([mean for mean, _ in blocks], [count for _, count in blocks])


def label_ends(axes: Axes, ends: Sequence[End], height: float) -> None:
    """Write the labels right of the axes, `height` inches high, each with a sample of its line and a lead to its end.

    To be called when the axes have their limits.
    """
    to_axes = axes.transData + axes.transAxes.inverted()
    heights = [float(to_axes.transform(end.at)[1]) for end in ends]
    for end, place in zip(ends, spread(heights, LINE * SMALL / POINTS / height), strict=True):
        axis, sample = axes.transData, (_right(axes, 9), _right(axes, 33))
        colour, line, marker = end.look
        _segment(axes, (end.at, axis), ((1, place), sample[0]), color=GREYS.faint, linewidth=0.7)
        _segment(axes, ((1, place), sample[0]), ((1, place), sample[1]), color=colour, linewidth=1.6, linestyle=line)
        axes.plot(1, place, marker, transform=_right(axes, 21), color=colour, clip_on=False)
        axes.text(1, place, end.text, transform=_right(axes, 38), va="center", fontsize=SMALL)


def _segment(axes: Axes, one: Point, other: Point, **style: Any) -> None:
    """A line between two points, each with its own transform."""
    arrow = {"arrowstyle": "-", "shrinkA": 0, "shrinkB": 0, **style}
    axes.annotate(
        "", one[0], other[0], xycoords=one[1], textcoords=other[1], annotation_clip=False, arrowprops=arrow, zorder=1
    )


def _right(axes: Axes, points: float) -> Transform:
    """Shares of the axes, so many points further right."""
    return axes.transAxes + _shift(axes, points)


def _shift(axes: Axes, points: float) -> Transform:
    return ScaledTranslation(points / POINTS, 0, axes.figure.dpi_scale_trans)


def label_side(
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


def labelled_places(count: int, inches: float, size: float = SMALL) -> list[int]:
    """Which of `count` places along an axis have room for a label: all, or every second, fifth, tenth ...

    >>> labelled_places(5, 2), labelled_places(100, 2)[:4]
    ([0, 1, 2, 3, 4], [0, 10, 20, 30])
    """
    most = max(int(inches * POINTS / (size * 1.25)), 1)
    steps = [number * 10**power for power in range(9) for number in (1, 2, 5)]
    step = next(step for step in steps if count <= most * step)
    return list(range(0, count, step))
