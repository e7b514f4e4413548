"""Scores, intervals, differences and shares, each on a line with a scale that several share."""

from collections.abc import Callable, Sequence
from math import isfinite

from markupsafe import Markup

from cranfield.charts.intervals import IntervalRow, Quartiles, value_range
from cranfield.charts.labels import shorten, ticks
from cranfield.charts.svg.lines import WIDTH
from cranfield.charts.svg.markup import (
    format_length,
    series_mark,
    shape_with_tooltip,
    svg,
    svg_label,
    svg_line,
)

BOX_WIDTH, BOX_HEIGHT, EDGE = 200.0, 18.0, 6.0


def scaled_position(value: float, span: tuple[float, float], start: float, end: float) -> float:
    """Where a number is drawn between two places, for the ends of its scale.

    >>> scaled_position(0.25, (0.0, 1.0), 100, 200), scaled_position(0.25, (0.25, 0.25), 100, 200)
    (125.0, 150.0)
    """
    share = (value - span[0]) / (span[1] - span[0]) if span[1] > span[0] else 0.5
    return start + share * (end - start)


def box_plot_svg(five: Quartiles, span: tuple[float, float], point: float | None = None) -> str:
    """The box as an <svg>, silent to screen readers: the numbers stand beside it.

    `span` are the scores at its two ends. The script moves the point, which is at `data-low` + x / width.

    >>> box_plot_svg(Quartiles(0, 0.25, 0.5, 0.75, 1), (0, 1), 0.5).count("<path")
    3
    """
    middle = BOX_HEIGHT / 2
    low, lower, median, upper, high = (format_length(_value_position(value, span)) for value in five)
    whisker = f"M{low} {middle - 3}v6m0-3H{high}m0-3v6"
    point_at = "" if point is None else _point(_value_position(point, span))
    ends = f'data-low="{span[0]:g}" data-high="{span[1]:g}"'
    return (
        f'<svg class="box" viewBox="0 0 {format_length(BOX_WIDTH)} {format_length(BOX_HEIGHT)}"'
        f' aria-hidden="true" {ends}>'
        f'<path class="whisker" d="{whisker}"/><path class="quartiles" d="M{lower} {middle - 5}H{upper}v10H{lower}z"/>'
        f'<path class="median" d="M{median} {middle - 5}v10"/>{point_at}</svg>'
    )


def _value_position(value: float, span: tuple[float, float]) -> float:
    return scaled_position(value, span, EDGE, BOX_WIDTH - EDGE)


def _point(x: float) -> str:
    return f'<circle class="point" cx="{format_length(x)}" cy="{format_length(BOX_HEIGHT / 2)}" r="4"/>'


INTERVAL_WIDTH, INTERVAL_HEIGHT, INTERVAL_EDGE = 200.0, 14.0, 6.0


def interval(value: float, low: float, high: float, scale: tuple[float, float]) -> str:
    """The interval as an <svg>, silent to screen readers; nothing where the value is unknown.

    >>> interval(0.5, 0.0, 1.0, (0.0, 1.0)).partition("<circle ")[2].partition("/>")[0]
    'class="mark" cx="100" cy="7" r="4"'
    >>> interval(float("nan"), 0.0, 1.0, (0.0, 1.0))
    ''
    """
    if not isfinite(value):
        return ""

    left, at, right = (
        format_length(scaled_position(each, scale, INTERVAL_EDGE, INTERVAL_WIDTH - INTERVAL_EDGE))
        for each in (low, value, high)
    )
    middle = format_length(INTERVAL_HEIGHT / 2)
    line = f'<path class="axis" d="M{left} {middle}H{right}"/>' if isfinite(low) and isfinite(high) else ""
    box = f"0 0 {format_length(INTERVAL_WIDTH)} {format_length(INTERVAL_HEIGHT)}"
    return (
        f'<svg class="bar interval" viewBox="{box}" aria-hidden="true">{line}'
        f'<circle class="mark" cx="{at}" cy="{middle}" r="4"/></svg>'
    )


ROW, LEFT, RIGHT, BOTTOM = 20.0, 150.0, 60.0, 44.0  # of a chart: a line's height, and the room around them


def interval_chart(key: str, estimates: Sequence[IntervalRow], x: str, title: str, description: str) -> Markup:
    """A line for each: its name, its value as a dot and as a number, its interval as a line.

    >>> str(interval_chart("k", [IntervalRow("a", 0.5, 0.25, 0.75)], "AP", "t", "d")).count("0.2500 to 0.7500")
    1
    """
    span = value_range([number for each in estimates for number in each[1:4]])
    end, bottom = WIDTH - RIGHT, ROW * len(estimates) + 4

    def x_position(number: float) -> float:
        return scaled_position(number, span, LEFT + 6, end - 6)

    body = [
        *(svg_line(x_position(tick), 0, x_position(tick), bottom, "grid") for tick in ticks(*span)),
        *(svg_label(x_position(tick), bottom + 14, f"{tick:g}", "middle") for tick in ticks(*span)),
        svg_line(LEFT, bottom, end, bottom, "axis"),
        svg_label(end, bottom + 34, x, "end", "head"),
        *(_estimate_svg(each, ROW * (row + 0.5), x_position) for row, each in enumerate(estimates)),
    ]
    return svg(key, (WIDTH, bottom + BOTTOM), title, description, body)


def _estimate_svg(each: IntervalRow, y: float, at: Callable[[float], float]) -> str:
    name = svg_label(LEFT - 4, y, shorten(each.name, 17), "end")
    if not isfinite(each.value):
        return name + svg_label(WIDTH, y, "-", "end")
    has_interval = isfinite(each.low) and isfinite(each.high)
    about = f"{each.name}: {each.value:.4f}" + (f" ({each.low:.4f} to {each.high:.4f})" if has_interval else "")
    whisker = svg_line(at(each.low), y, at(each.high), y, "axis") if has_interval else ""
    return (
        name
        + shape_with_tooltip(about, whisker + series_mark(0, at(each.value), y))
        + svg_label(WIDTH, y, f"{each.value:.3f}", "end")
    )


HALF, BAR_HEIGHT = 100.0, 14.0


def difference_bar(difference: float, largest: float) -> str:
    """The bar as an <svg>, silent to screen readers.

    >>> difference_bar(-0.5, 1.0).partition("<rect ")[2].partition("/>")[0]
    'class="down" x="50" y="2" width="50" height="10"'
    """
    width = HALF * abs(difference) / largest if difference == difference else 0.0  # noqa: PLR0124
    kind, x = ("up", HALF) if difference >= 0 else ("down", HALF - width)
    return (
        f'<svg class="bar" viewBox="0 0 {format_length(2 * HALF)} {format_length(BAR_HEIGHT)}" aria-hidden="true">'
        f'<rect class="{kind}" x="{format_length(x)}" y="2" width="{format_length(width)}" height="10"/>'
        f'<path class="axis" d="M{format_length(HALF)} 0v{format_length(BAR_HEIGHT)}"/></svg>'
    )


SHARE_WIDTH, SHARE_HEIGHT = 160.0, 12.0
KINDS = ("relevant", "other", "open")


def share_bar(parts: Sequence[float], whole: float) -> str:
    """The parts in the order of KINDS; the bar is as long as they are of `whole`.

    >>> share_bar([1, 1, 2], 8).count("<rect"), 'class="open" x="40" y="2" width="40"' in share_bar([1, 1, 2], 8)
    (3, True)
    """
    ends = [sum(parts[: at + 1]) / (whole or 1) * SHARE_WIDTH for at in range(len(parts))]
    bars = "".join(
        f'<rect class="{kind}" x="{format_length(start)}" y="2" width="{format_length(end - start)}" height="8"/>'
        for kind, start, end in zip(KINDS, [0.0, *ends], ends, strict=False)
    )
    box = f"0 0 {format_length(SHARE_WIDTH)} {format_length(SHARE_HEIGHT)}"
    return f'<svg class="share" viewBox="{box}" aria-hidden="true">{bars}</svg>'
