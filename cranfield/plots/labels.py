"""Labels that do not overlap: at the ends of lines, and along axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import ScaledTranslation, Transform

from cranfield.arrays.rankings import Floats
from cranfield.plots.palette import GREYS
from cranfield.plots.style import POINTS, SMALL, Look

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
    kept = np.clip(_rising(np.asarray(places, float)[order] - steps), start, start + max(room, 0)) + steps
    result = np.empty(len(places))
    result[order] = kept.round(6)
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


def label_ends(axes: Axes, ends: Sequence[End], height: float, size: float = SMALL) -> None:
    """Write the labels right of the axes, `height` inches high, each with a sample of its line and a lead to its end.

    To be called when the axes have their limits.
    """
    to_axes = axes.transData + axes.transAxes.inverted()
    wanted = [float(to_axes.transform(end.at)[1]) for end in ends]
    for end, place in zip(ends, spread(wanted, LINE * size / POINTS / height), strict=True):
        axis, sample = axes.transData, (_right(axes, 9), _right(axes, 33))
        colour, line, marker = end.look
        _segment(axes, (end.at, axis), ((1, place), sample[0]), color=GREYS.faint, linewidth=0.7)
        _segment(axes, ((1, place), sample[0]), ((1, place), sample[1]), color=colour, linewidth=1.6, linestyle=line)
        axes.plot(1, place, marker, transform=_right(axes, 21), color=colour, clip_on=False)
        axes.text(1, place, end.text, transform=_right(axes, 38), va="center", fontsize=size)


def _segment(axes: Axes, one: Point, other: Point, **style: Any) -> None:
    """A line between two points, each with its own transform."""
    drawn = {"arrowstyle": "-", "shrinkA": 0, "shrinkB": 0, **style}
    axes.annotate(
        "", one[0], other[0], xycoords=one[1], textcoords=other[1], annotation_clip=False, arrowprops=drawn, zorder=1
    )


def _right(axes: Axes, points: float) -> Transform:
    """Shares of the axes, so many points further right."""
    return axes.transAxes + _shift(axes, points)


def _shift(axes: Axes, points: float) -> Transform:
    return ScaledTranslation(points / POINTS, 0, axes.figure.dpi_scale_trans)


def label_side(
    axes: Axes, at: tuple[float, float], place: float, text: str, side: int = 1, size: float = SMALL
) -> None:
    """A label left (0) or right (1) of the axes at the height `place`, with a lead to the point `at`, all in data."""
    edge = axes.get_yaxis_transform()
    away = _shift(axes, 26 if side else -26)
    lead = {"arrowstyle": "-", "color": GREYS.faint, "linewidth": 0.7, "shrinkA": 2, "shrinkB": 4}
    axes.annotate(
        text, at, (side, place), textcoords=edge + away, va="center", fontsize=size,
        ha="left" if side else "right", annotation_clip=False, arrowprops={**lead, "relpos": (1 - side, 0.5)},
    )  # fmt: skip


def named(count: int, inches: float, size: float = SMALL) -> list[int]:
    """Which of `count` places along an axis have room for a label: all, or every second, fifth, tenth ...

    >>> named(5, 2), named(100, 2)[:4]
    ([0, 1, 2, 3, 4], [0, 10, 20, 30])
    """
    most = max(int(inches * POINTS / (size * 1.25)), 1)
    steps = [number * 10**power for power in range(9) for number in (1, 2, 5)]
    step = next(step for step in steps if count <= most * step)
    return list(range(0, count, step))
