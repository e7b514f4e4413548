"""Lines: over a common axis, and from rank to rank."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from cranfield.charts.curves import Line, LineChart
from cranfield.charts.labels import pick_spaced_places, shorten, spread_places, ticks
from cranfield.charts.svg.markup import (
    dash_attribute,
    format_length,
    series_class,
    series_mark,
    shape_with_tooltip,
    svg,
    svg_label,
    svg_line,
)

WIDTH, HEIGHT = 420.0, 300.0  # as wide as a phone, nearly, so that text stays legible
LEFT, RIGHT, TOP, BOTTOM = 46.0, 140.0, 36.0, 46.0
EM = 14.6  # the size of text on a phone
GAP, MARGIN, NOTE = 17.0, 24.0, 26.0  # between names; where there are none; between notes


class _Frame(NamedTuple):
    x: tuple[float, float]
    y: tuple[float, float]
    end: float  # where the lines end, and names begin

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """The place of a point."""
        right, bottom = (x - self.x[0]) / (self.x[1] - self.x[0]), (y - self.y[0]) / (self.y[1] - self.y[0])
        return LEFT + right * (self.end - LEFT), TOP + (1 - bottom) * (HEIGHT - TOP - BOTTOM)


def line_chart(key: str, chart: LineChart) -> Markup:
    """The chart; undefined points are left out.

    >>> str(line_chart("k", LineChart("t", "d", "x", "y", [Line("a", [1, 2], [3, 4], 0)]))).count("mark s0")
    3
    """
    lines = [one.without_nan() for one in chart.lines]
    series = [one for one in lines if one.series is not None]
    others = [one for one in lines if one.series is None]
    frame = _chart_frame(lines, chart)
    body = [
        *_grid_svg(frame, chart),
        *(
            _range_svg(frame, others)
            if chart.has_range
            else [
                shape_with_tooltip(one.name, f'<path class="context" d="{_path_data(frame, one.x, one.y)}"/>')
                for one in others
            ]
        ),
        *(_series_svg(frame, one, one.series or 0, chart) for one in series),
        *_names(frame, [one for one in series if one.name and one.y]),
        *(note for one in series for note in _notes(frame, one)),
    ]
    return svg(key, (WIDTH, HEIGHT), chart.title, chart.description, body)


def _chart_frame(lines: Sequence[Line], chart: LineChart) -> _Frame:
    xs = [x for one in lines for x in one.x] or [0.0]
    ys = [y for one in lines for y in one.y] or [0.0]
    low = min(ys) if chart.low is None else chart.low
    high = max([*ys, *chart.rules]) if chart.high is None else chart.high
    room = 0.0 if chart.high is not None else 0.06 * (high - low)
    below = 0.0 if chart.low is not None else room
    end = WIDTH - (RIGHT if any(one.name and one.series is not None for one in lines) else MARGIN)
    return _Frame((min(xs), _axis_end(min(xs), max(xs))), (low - below, _axis_end(low, high + room)), end)


def _axis_end(low: float, high: float) -> float:
    return high if high > low else low + 1


def _grid_svg(frame: _Frame, chart: LineChart) -> list[str]:
    bottom, end = HEIGHT - BOTTOM, frame.end
    heights = [(value, frame.pixel(frame.x[0], value)[1]) for value in ticks(*frame.y)]
    along = [value for value in ticks(*frame.x) if not chart.is_x_whole or float(value).is_integer()]
    crossings = [(value, frame.pixel(value, frame.y[0])[0]) for value in along]
    return [
        *(svg_line(LEFT, y, end, y, "grid") for _, y in heights),
        *(svg_line(LEFT, y, end, y, "rule") for y in (frame.pixel(frame.x[0], value)[1] for value in chart.rules)),
        *(svg_label(LEFT - 8, y, f"{value:g}", "end") for value, y in heights),
        *(svg_label(x, bottom + 15, f"{value:g}", "middle") for value, x in crossings),
        svg_line(LEFT, bottom, end, bottom, "axis"),
        svg_label(LEFT - 38, 8, chart.y, "start", "head"),
        svg_label(end, HEIGHT - 8, chart.x, "end", "head"),
    ]


def _range_svg(frame: _Frame, lines: Sequence[Line]) -> list[str]:
    """The area from the lowest to the highest of many lines of the same x."""
    low, high = ([pick(heights) for heights in zip(*(one.y for one in lines), strict=True)] for pick in (min, max))
    x = lines[0].x
    return [f'<path class="range" d="{_path_data(frame, [*x, *x[::-1]], [*low, *high[::-1]])}z"/>']


def _path_data(frame: _Frame, x: Sequence[float], y: Sequence[float]) -> str:
    places = (frame.pixel(*point) for point in zip(x, y, strict=True))
    return "M" + "L".join(f"{format_length(right)} {format_length(down)}" for right, down in places)


def _series_svg(frame: _Frame, one: Line, number: int, chart: LineChart) -> str:
    marks = [
        shape_with_tooltip(
            f"{one.name or chart.y}: {y:.4g} at {chart.x} {x:g}", series_mark(number, *frame.pixel(x, y), 3.5)
        )
        for x, y in zip(one.x, one.y, strict=True)
    ]
    path = f'd="{_path_data(frame, one.x, one.y)}"{dash_attribute(number)}'
    return f'<path class="series {series_class(number)}" {path}/>{"".join(marks)}'


def _names(frame: _Frame, lines: Sequence[Line]) -> list[str]:
    """The names at the right, joined to the ends of their lines."""
    ends = [frame.pixel(one.x[-1], one.y[-1]) for one in lines]
    x = frame.end + 14
    return [
        svg_line(end[0] + 5, end[1], x - 3, y, "leader") + series_mark(one.series or 0, x + 3, y, 3.5)
        + svg_label(x + 12, y, _shorten_name(one.name, (WIDTH - x - 12) / EM))
        for one, end, y in zip(lines, ends, spread_places([y for _, y in ends], GAP, TOP, HEIGHT - BOTTOM), strict=True)
    ]  # fmt: skip


def _notes(frame: _Frame, one: Line) -> list[str]:
    """Notes above the points, as many as fit."""
    places = [frame.pixel(*point) for point in zip(one.x, one.y, strict=True)] if one.notes else []
    return [
        svg_label(places[at][0], max(places[at][1] - 12, 22), one.notes[at], "middle", "note")
        for at in pick_spaced_places([x for x, _ in places], NOTE)
    ]


SLOPE_LEFT, SLOPE_RIGHT, SLOPE_TOP, SLOPE_BOTTOM = 184.0, 312.0, 52.0, 26.0
LEAD_START, LEAD_END = 6.0, 24.0  # from the dot, where the lead to its label begins and ends
SLOPE_GAP = 18.0  # between labels
SLOPE_ROOM = (SLOPE_LEFT - LEAD_END - 4) / EM  # of a label at the left
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

    def y_position(rank: int) -> float:
        return SLOPE_TOP + height * (rank - 1) / (last - 1)

    order = sorted(slopes, key=lambda slope: slope.series is not None)
    body = [
        *_axes_svg(heads, last, height),
        *(_line(slope, y_position(slope.before), y_position(slope.after), heads) for slope in order),
        *_labels(slopes, [y_position(slope.before) for slope in slopes], SLOPE_LEFT, "end", height),
        *_labels(slopes, [y_position(slope.after) for slope in slopes], SLOPE_RIGHT, "start", height),
    ]
    return svg(key, (WIDTH, SLOPE_TOP + height + SLOPE_BOTTOM), title, description, body)


def _axes_svg(heads: tuple[str, str], last: int, height: float) -> list[str]:
    middle, ends = (SLOPE_LEFT + SLOPE_RIGHT) / 2, zip((SLOPE_LEFT, SLOPE_RIGHT), ("end", "start"), heads, strict=True)
    return [
        *(svg_label(x, 12, head, anchor, "head") for x, anchor, head in ends),
        *(svg_line(x, SLOPE_TOP - 8, x, SLOPE_TOP + height + 8, "axis") for x in (SLOPE_LEFT, SLOPE_RIGHT)),
        svg_label(middle, SLOPE_TOP - 16, "rank 1", "middle", "faint-text"),
        svg_label(middle, SLOPE_TOP + height + 16, f"rank {last}", "middle", "faint-text"),
    ]


def _line(slope: Slope, before: float, after: float, heads: tuple[str, str]) -> str:
    about = f"{slope.name}: rank {slope.before} {heads[0]}, {slope.after} {heads[1]}"
    path = (
        f'd="M{format_length(SLOPE_LEFT)} {format_length(before)}L{format_length(SLOPE_RIGHT)} {format_length(after)}"'
    )
    if slope.series is None:
        return shape_with_tooltip(about, f'<path class="context" {path}/>')
    ends = series_mark(slope.series, SLOPE_LEFT, before) + series_mark(slope.series, SLOPE_RIGHT, after)
    return shape_with_tooltip(
        about, f'<path class="series {series_class(slope.series)}" {path}{dash_attribute(slope.series)}/>{ends}'
    )


def _labels(slopes: Sequence[Slope], places: Sequence[float], x: float, anchor: str, height: float) -> list[str]:
    """Names at the left and ranks at the right, each with a lead to its dot: of the named lines, or of all if few."""
    rows = [at for at, slope in enumerate(slopes) if slope.series is not None or len(slopes) <= FEW]
    if anchor == "start":
        rows = [at for at in rows if slopes[at].before != slopes[at].after or slopes[at].series is not None]
        rows.sort(key=lambda at: slopes[at].before)  # labels of one rank stand as their lines come in
    heights = spread_places([places[at] for at in rows], SLOPE_GAP, SLOPE_TOP, SLOPE_TOP + height)
    side = -1 if anchor == "end" else 1
    leads = [
        svg_line(x + side * LEAD_START, places[at], x + side * LEAD_END, y, "leader")
        for at, y in zip(rows, heights, strict=True)
    ]
    return leads + [
        svg_label(x + side * (LEAD_END + 4), y, _words(slopes[at], anchor), anchor, _weight(slopes[at]))
        for at, y in zip(rows, heights, strict=True)
    ]


def _weight(slope: Slope) -> str:
    return "" if slope.series is None else "strong"


def _words(slope: Slope, anchor: str) -> str:
    """A rank, with the name at the left, as long as there is room for it."""
    if anchor == "end":
        rank, room = f"  {slope.before}", SLOPE_ROOM / (1.0 if slope.series is None else 1.1)
        return f"{_shorten_name(slope.name, room - _text_width_in_ems(rank))}{rank}"
    fall = slope.after - slope.before
    return f"{slope.after}" if not fall else f"{slope.after}  ({-fall:+d})".replace("-", "\N{MINUS SIGN}")


def _shorten_name(name: str, room: float) -> str:
    """A name, shortened to so many ems.

    >>> _shorten_name("xj4wang_run1", 7.4), _shorten_name("NTU_NMLAB_BM25_Hum2", 7.4)
    ('xj4wang_run1', 'NTU_N…Hum2')
    """
    texts = (shorten(name, length) for length in range(16, 3, -1))
    return next((text for text in texts if _text_width_in_ems(text) <= room), name[:1])


def _text_width_in_ems(text: str) -> float:
    """About how wide a text is, in the font that is widest, DejaVu Sans."""
    widths = {**dict.fromkeys(" _-.ijlrtfI", 0.4), "\N{HORIZONTAL ELLIPSIS}": 1.0}
    return sum(widths.get(sign, 0.62 if sign.islower() and sign not in "mw" else 0.75) for sign in text)
