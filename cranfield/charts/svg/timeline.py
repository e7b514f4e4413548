"""A timeline as three charts over the same days: labels so far with a forecast, labels a day, and agreement."""

from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from markupsafe import Markup

from cranfield.charts.labels import ticks
from cranfield.charts.svg.markup import format_length, series_mark, shape_with_tooltip, svg, svg_label, svg_line

WIDTH, LEFT, RIGHT, TOP = 420.0, 46.0, 14.0, 26.0
PANEL_HEIGHT, PANEL_GAP, BOTTOM = 96.0, 38.0, 40.0


class TimelineDay(NamedTuple):
    """A day: the labels given, the share of equal second labels (None without any), and how many these are."""

    day: date
    labels: int
    agreement: float | None
    compared: int


class TimelineForecast(NamedTuple):
    """The labels given and in total, and the days on which all may be given: early, as likely, late."""

    start: date
    given: int
    total: int
    early: date
    likely: date
    late: date


class _Panel(NamedTuple):
    number: int
    low: float
    high: float

    @property
    def bottom(self) -> float:
        return TOP + self.number * (PANEL_HEIGHT + PANEL_GAP) + PANEL_HEIGHT

    def height_of(self, value: float) -> float:
        return self.bottom - (value - self.low) / ((self.high - self.low) or 1.0) * PANEL_HEIGHT


def timeline_chart(
    key: str, days: Sequence[TimelineDay], forecast: TimelineForecast | None, title: str, description: str
) -> Markup:
    """Draw the timeline; the days are consecutive.

    >>> days = [TimelineDay(date(2026, 3, 1), 4, None, 0), TimelineDay(date(2026, 3, 2), 6, 0.5, 2)]
    >>> str(timeline_chart("k", days, None, "t", "d")).count('class="mark')
    5
    """
    first = days[0].day
    last = max(days[-1].day, forecast.late if forecast else days[-1].day)
    span = max((last - first).days, 1)

    def x_of(day: date) -> float:
        return LEFT + (day - first).days / span * (WIDTH - LEFT - RIGHT)

    given = sum(one.labels for one in days)
    panels = [
        _Panel(0, 0.0, float(max(forecast.total if forecast else given, 1))),
        _Panel(1, 0.0, float(max(*(one.labels for one in days), 1))),
        _Panel(2, 0.0, 100.0),
    ]
    body = [
        *(piece for panel, head in zip(panels, ("labels so far", "labels a day", "same grade, %"), strict=True)
          for piece in _panel_frame(panel, head)),
        *(_forecast(panels[0], forecast, x_of) if forecast else ()),
        *_labels_so_far(panels[0], days, x_of),
        *_labels_a_day(panels[1], days, x_of),
        *_agreement_marks_svg(panels[2], days, x_of),
        *_date_labels_svg(panels[-1], first, last, x_of),
    ]  # fmt: skip
    return svg(key, (WIDTH, panels[-1].bottom + BOTTOM), title, description, body)


XOf = Callable[[date], float]


def _panel_frame(panel: _Panel, head: str) -> Iterator[str]:
    yield svg_label(LEFT - 38, panel.bottom - PANEL_HEIGHT - 14, head, "start", "head")
    for value in ticks(panel.low, panel.high, 3):
        y = panel.height_of(value)
        yield svg_line(LEFT, y, WIDTH - RIGHT, y, "grid")
        yield svg_label(LEFT - 8, y, f"{value:g}", "end")
    yield svg_line(LEFT, panel.bottom, WIDTH - RIGHT, panel.bottom, "axis")


def _forecast(panel: _Panel, forecast: TimelineForecast, x_of: XOf) -> Iterator[str]:
    start, end = panel.height_of(forecast.given), panel.height_of(forecast.total)
    x, early, likely, late = map(x_of, (forecast.start, forecast.early, forecast.likely, forecast.late))
    left, base, near, top, far = map(format_length, (x, start, early, end, late))
    path = f"M{left} {base}L{near} {top}H{far}z"
    yield f'<path class="range" d="{path}"/>'
    yield svg_line(x, start, likely, end, "rule")
    yield shape_with_tooltip(f"all labels: {forecast.likely}", series_mark(1, likely, end, 3.5))


def _labels_so_far(panel: _Panel, days: Sequence[TimelineDay], x_of: XOf) -> Iterator[str]:
    total, points = 0, list[str]()
    for one in days:
        total += one.labels
        x, y = x_of(one.day), panel.height_of(total)
        points.append(f"{format_length(x)} {format_length(y)}")
        if one.labels:
            yield shape_with_tooltip(f"{one.day}: {total} labels so far", series_mark(0, x, y, 2.5))
    yield f'<path class="series s0" d="M{"L".join(points)}"/>'


def _labels_a_day(panel: _Panel, days: Sequence[TimelineDay], x_of: XOf) -> Iterator[str]:
    for one in days:
        if one.labels:
            x, y = x_of(one.day), panel.height_of(one.labels)
            stem = svg_line(x, panel.bottom, x, y, "series s0")
            yield shape_with_tooltip(f"{one.day}: {one.labels} labels", stem + series_mark(0, x, y, 2.5))


def _agreement_marks_svg(panel: _Panel, days: Sequence[TimelineDay], x_of: XOf) -> Iterator[str]:
    for one in days:
        if one.agreement is not None:
            about = f"{one.day}: {one.agreement:.0%} of {one.compared} second labels have the same grade"
            yield shape_with_tooltip(about, series_mark(2, x_of(one.day), panel.height_of(100 * one.agreement), 3.5))


def _date_labels_svg(panel: _Panel, first: date, last: date, x_of: XOf) -> Iterator[str]:
    middle = first + timedelta(days=(last - first).days // 2)
    for day, anchor in {first: "start", middle: "middle", last: "end"}.items():
        yield svg_label(x_of(day), panel.bottom + 16, f"{day.day} {day:%b}", anchor)
    yield svg_label(WIDTH - RIGHT, panel.bottom + 34, "day", "end", "head")
