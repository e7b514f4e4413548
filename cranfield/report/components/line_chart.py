"""Lines over a common axis, each with its own colour, dashes and marks, and its name where it ends."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import NamedTuple

from markupsafe import Markup

from .marks import colour, dashes, mark
from .markup import apart, chart, label, line, short, shortened, ticks

WIDTH, HEIGHT = 460.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 140.0, 34.0, 42.0
GAP, MARGIN = 15.0, 24.0  # between names; where there are none


class Line(NamedTuple):
    """Points of a name; one without a number (`series`) is one of many. `notes` stand at the points."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    series: int | None = None
    notes: Sequence[str] = ()


class Axes(NamedTuple):
    """What is drawn along both axes, and from where to where; None is what the data need."""

    x: str
    y: str
    low: float | None = None
    high: float | None = None
    rules: Sequence[float] = ()  # dotted lines at these heights
    range: tuple[Sequence[float], Sequence[float]] | None = None  # the lowest and the highest of many lines, at their x


class _Frame(NamedTuple):
    x: tuple[float, float]
    y: tuple[float, float]
    end: float  # where the lines end, and names begin

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The place of a point."""
        right, bottom = (x - self.x[0]) / (self.x[1] - self.x[0]), (y - self.y[0]) / (self.y[1] - self.y[0])
        return LEFT + right * (self.end - LEFT), TOP + (1 - bottom) * (HEIGHT - TOP - BOTTOM)


def line_chart(key: str, lines: Sequence[Line], axes: Axes, title: str, description: str) -> Markup:
    """The chart; undefined points are left out."""
    defined = [_defined(one) for one in lines]
    frame = _frame(defined, axes)
    order = sorted(defined, key=lambda one: one.series is not None)
    body = [
        *_grid(frame, axes),
        *_range(frame, lines, axes),
        *(_path(frame, one) for one in order),
        *_names(frame, defined),
        *_notes(frame, lines),
    ]
    return chart(key, (WIDTH, HEIGHT), title, description, body)


def _defined(one: Line) -> Line:
    points = [(x, y) for x, y in zip(one.x, one.y, strict=True) if not isnan(y)]
    return one._replace(x=[x for x, _ in points], y=[y for _, y in points])


def _frame(lines: Sequence[Line], axes: Axes) -> _Frame:
    xs = [x for one in lines for x in one.x] or [0.0]
    ys = [y for one in lines for y in one.y] or [0.0]
    low = min(ys) if axes.low is None else axes.low
    high = max([*ys, *axes.rules]) if axes.high is None else axes.high
    room = 0.0 if axes.high is not None else 0.06 * (high - low)
    below = 0.0 if axes.low is not None else room
    end = WIDTH - (RIGHT if any(one.name and one.series is not None for one in lines) else MARGIN)
    return _Frame((min(xs), _beyond(min(xs), max(xs))), (low - below, _beyond(low, high + room)), end)


def _beyond(low: float, high: float) -> float:
    return high if high > low else low + 1


def _grid(frame: _Frame, axes: Axes) -> list[str]:
    bottom, end = HEIGHT - BOTTOM, frame.end
    heights = [(value, frame.at(frame.x[0], value)[1]) for value in ticks(*frame.y)]
    across = [(value, frame.at(value, frame.y[0])[0]) for value in ticks(*frame.x)]
    return [
        *(line(LEFT, y, end, y, "grid") for _, y in heights),
        *(line(LEFT, y, end, y, "rule") for y in (frame.at(frame.x[0], value)[1] for value in axes.rules)),
        *(label(LEFT - 8, y, f"{value:g}", "end") for value, y in heights),
        *(label(x, bottom + 14, f"{value:g}", "middle") for value, x in across),
        line(LEFT, bottom, end, bottom, "axis"),
        label(LEFT - 38, 8, axes.y, "start", "head"),
        label(end, HEIGHT - 8, axes.x, "end", "head"),
    ]


def _range(frame: _Frame, lines: Sequence[Line], axes: Axes) -> list[str]:
    if axes.range is None:
        return []
    x, (low, high) = list(lines[0].x), axes.range
    corners = [frame.at(*point) for point in [*zip(x, low, strict=True), *zip(x[::-1], high[::-1], strict=True)]]
    return [f'<path class="range" d="M{"L".join(f"{short(right)} {short(down)}" for right, down in corners)}z"/>']


def _path(frame: _Frame, one: Line) -> str:
    places = [frame.at(x, y) for x, y in zip(one.x, one.y, strict=True)]
    path = "".join(f"{'L' if at else 'M'}{short(x)} {short(y)}" for at, (x, y) in enumerate(places))
    if one.series is None:
        return f'<path class="context" d="{path}"/>'
    marks = "".join(mark(one.series, x, y, 3.5) for x, y in places)
    return f'<path class="series {colour(one.series)}" d="{path}"{dashes(one.series)}/>{marks}'


def _names(frame: _Frame, lines: Sequence[Line]) -> list[str]:
    """The names at the right, joined to the ends of their lines."""
    named = [one for one in lines if one.series is not None and one.name and one.y]
    ends = [frame.at(one.x[-1], one.y[-1]) for one in named]
    spread = apart([y for _, y in ends], GAP, TOP, HEIGHT - BOTTOM)
    x = frame.end + 14
    return [
        line(end[0] + 5, end[1], x - 3, y, "leader") + mark(one.series or 0, x + 3, y, 3.5)
        + label(x + 12, y, shortened(one.name, 18))
        for one, end, y in zip(named, ends, spread, strict=True)
    ]  # fmt: skip


def _notes(frame: _Frame, lines: Sequence[Line]) -> list[str]:
    """Notes above the points, as many as fit."""
    found = []
    for one in lines:
        last = -100.0
        for x, y, note in zip(one.x, one.y, one.notes or [""] * len(one.x), strict=True):
            right, top = frame.at(x, y if not isnan(y) else 0)
            if note and not isnan(y) and right - last >= 22:
                found.append(label(right, max(top - 12, 22), note, "middle", "note"))
                last = right
    return found
