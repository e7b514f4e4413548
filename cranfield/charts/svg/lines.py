"""Lines: over a common axis, and from rank to rank."""

from collections.abc import Sequence
from math import isnan
from typing import NamedTuple

from markupsafe import Markup

from cranfield.charts.svg.markup import (
    apart,
    chart,
    colour,
    dashes,
    label,
    line,
    mark,
    point,
    short,
    shorten,
    ticks,
)

WIDTH, HEIGHT = 420.0, 300.0  # as wide as a phone, nearly, so that text stays legible
LEFT, RIGHT, TOP, BOTTOM = 46.0, 140.0, 36.0, 46.0
EM = 14.6  # the size of text on a phone
GAP, MARGIN = 17.0, 24.0  # between names; where there are none


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
    curves = [_without_nan(one) for one in lines]
    frame = _frame(curves, axes)
    order = sorted(curves, key=lambda one: one.series is not None)
    body = [
        *_grid(frame, axes),
        *_range(frame, lines, axes),
        *(_path(frame, one, axes) for one in order),
        *_names(frame, curves),
        *_notes(frame, lines),
    ]
    return chart(key, (WIDTH, HEIGHT), title, description, body)


def _without_nan(one: Line) -> Line:
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
        *(label(x, bottom + 15, f"{value:g}", "middle") for value, x in across),
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


def _path(frame: _Frame, one: Line, axes: Axes) -> str:
    places = [frame.at(x, y) for x, y in zip(one.x, one.y, strict=True)]
    path = "".join(f"{'L' if at else 'M'}{short(x)} {short(y)}" for at, (x, y) in enumerate(places))
    if one.series is None:
        return point(one.name, f'<path class="context" d="{path}"/>')
    marks = [
        point(f"{one.name or axes.y}: {value:.4g} at {axes.x} {where:g}", mark(one.series, *place, 3.5))
        for where, value, place in zip(one.x, one.y, places, strict=True)
    ]
    return f'<path class="series {colour(one.series)}" d="{path}"{dashes(one.series)}/>{"".join(marks)}'


def _names(frame: _Frame, lines: Sequence[Line]) -> list[str]:
    """The names at the right, joined to the ends of their lines."""
    with_names = [one for one in lines if one.series is not None and one.name and one.y]
    ends = [frame.at(one.x[-1], one.y[-1]) for one in with_names]
    spread = apart([y for _, y in ends], GAP, TOP, HEIGHT - BOTTOM)
    x = frame.end + 14
    return [
        line(end[0] + 5, end[1], x - 3, y, "leader") + mark(one.series or 0, x + 3, y, 3.5)
        + label(x + 12, y, _within(one.name, (WIDTH - x - 12) / EM))
        for one, end, y in zip(with_names, ends, spread, strict=True)
    ]  # fmt: skip


def _notes(frame: _Frame, lines: Sequence[Line]) -> list[str]:
    """Notes above the points, as many as fit."""
    labels = []
    for one in lines:
        last = -100.0
        for x, y, note in zip(one.x, one.y, one.notes or [""] * len(one.x), strict=True):
            right, top = frame.at(x, y if not isnan(y) else 0)
            if note and not isnan(y) and right - last >= 26:
                labels.append(label(right, max(top - 12, 22), note, "middle", "note"))
                last = right
    return labels


SLOPE_LEFT, SLOPE_RIGHT, SLOPE_TOP, SLOPE_BOTTOM = 184.0, 312.0, 52.0, 26.0
NEAR, FAR = 6.0, 24.0  # from the dot, where the lead to its label begins and ends
SLOPE_GAP = 18.0  # between labels
SLOPE_ROOM = (SLOPE_LEFT - FAR - 4) / EM  # of a label at the left
FEW = 16  # lines that are all named


class Slope(NamedTuple):
    """A name and its two ranks; `series` is the number of its colour and mark, None for one of many."""

    name: str
    before: int
    after: int
    series: int | None = None


def slopegraph(key: str, slopes: Sequence[Slope], heads: tuple[str, str], title: str, description: str) -> Markup:
    """The graph; the named lines are drawn last.

    >>> str(slopegraph("k", [Slope("a", 1, 3, 0)], ("with", "without"), "t", "d")).count("mark s0")
    2
    """
    last = max([2, *(max(slope.before, slope.after) for slope in slopes)])
    height = min(max(SLOPE_GAP * (last - 1), 150.0), 460.0)

    def at(rank: int) -> float:
        return SLOPE_TOP + height * (rank - 1) / (last - 1)

    order = sorted(slopes, key=lambda slope: slope.series is not None)
    body = [
        *_axes(heads, last, height),
        *(_line(slope, at(slope.before), at(slope.after), heads) for slope in order),
        *_labels(slopes, [at(slope.before) for slope in slopes], SLOPE_LEFT, "end", height),
        *_labels(slopes, [at(slope.after) for slope in slopes], SLOPE_RIGHT, "start", height),
    ]
    return chart(key, (WIDTH, SLOPE_TOP + height + SLOPE_BOTTOM), title, description, body)


def _axes(heads: tuple[str, str], last: int, height: float) -> list[str]:
    ends = zip((SLOPE_LEFT, SLOPE_RIGHT), ("end", "start"), heads, strict=True)
    return [
        *(label(x, 12, head, anchor, "head") for x, anchor, head in ends),
        *(line(x, SLOPE_TOP - 8, x, SLOPE_TOP + height + 8, "axis") for x in (SLOPE_LEFT, SLOPE_RIGHT)),
        label((SLOPE_LEFT + SLOPE_RIGHT) / 2, SLOPE_TOP - 16, "rank 1", "middle", "faint-text"),
        label(
            (SLOPE_LEFT + SLOPE_RIGHT) / 2,
            SLOPE_TOP + height + 16,
            f"rank {last}",
            "middle",
            "faint-text",
        ),
    ]


def _line(slope: Slope, before: float, after: float, heads: tuple[str, str]) -> str:
    about = f"{slope.name}: rank {slope.before} {heads[0]}, {slope.after} {heads[1]}"
    path = f'd="M{short(SLOPE_LEFT)} {short(before)}L{short(SLOPE_RIGHT)} {short(after)}"'
    if slope.series is None:
        return point(about, f'<path class="context" {path}/>')
    ends = mark(slope.series, SLOPE_LEFT, before) + mark(slope.series, SLOPE_RIGHT, after)
    return point(about, f'<path class="series {colour(slope.series)}" {path}{dashes(slope.series)}/>{ends}')


def _labels(slopes: Sequence[Slope], places: Sequence[float], x: float, anchor: str, height: float) -> list[str]:
    """Names at the left and ranks at the right, each with a lead to its dot: of the named lines, or of all if few."""
    rows = [at for at, slope in enumerate(slopes) if slope.series is not None or len(slopes) <= FEW]
    if anchor == "start":
        rows = [at for at in rows if slopes[at].before != slopes[at].after or slopes[at].series is not None]
        rows.sort(key=lambda at: slopes[at].before)  # labels of one rank stand as their lines come in
    spread = apart([places[at] for at in rows], SLOPE_GAP, SLOPE_TOP, SLOPE_TOP + height)
    side = -1 if anchor == "end" else 1
    leads = [line(x + side * NEAR, places[at], x + side * FAR, y, "leader") for at, y in zip(rows, spread, strict=True)]
    return leads + [
        label(x + side * (FAR + 4), y, _words(slopes[at], anchor), anchor, _weight(slopes[at]))
        for at, y in zip(rows, spread, strict=True)
    ]


def _weight(slope: Slope) -> str:
    return "" if slope.series is None else "strong"


def _words(slope: Slope, anchor: str) -> str:
    """A rank, with the name at the left, as long as there is room for it."""
    if anchor == "end":
        rank, room = f"  {slope.before}", SLOPE_ROOM / (1.0 if slope.series is None else 1.1)
        return f"{_within(slope.name, room - _ems(rank))}{rank}"
    fall = slope.after - slope.before
    return f"{slope.after}" if not fall else f"{slope.after}  ({-fall:+d})".replace("-", "\N{MINUS SIGN}")


def _within(name: str, room: float) -> str:
    """A name, shortened to so many ems.

    >>> _within("xj4wang_run1", 7.4), _within("NTU_NMLAB_BM25_Hum2", 7.4)
    ('xj4wang_run1', 'NTU_N…Hum2')
    """
    texts = (shorten(name, length) for length in range(16, 3, -1))
    return next((text for text in texts if _ems(text) <= room), name[:1])


def _ems(text: str) -> float:
    """About how wide a text is, in the font that is widest, DejaVu Sans."""
    widths = {**dict.fromkeys(" _-.ijlrtfI", 0.4), "\N{HORIZONTAL ELLIPSIS}": 1.0}
    return sum(widths.get(sign, 0.62 if sign.islower() and sign not in "mw" else 0.75) for sign in text)
