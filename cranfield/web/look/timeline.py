"""The timeline of the work: labels so far with the forecast and its range, labels a day, and agreement by day."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from math import ceil
from typing import Any

from cranfield.charts.svg.timeline import TimelineDay, TimelineForecast, timeline_chart
from cranfield.judging.planning.daily import DayOfWork
from cranfield.judging.planning.forecast import WorkForecast, forecast_work
from cranfield.judging.planning.progress import progress_of
from cranfield.report.blocks import Block, Facts, Figure, Figures, Text
from cranfield.store.store import Store
from cranfield.web.language import translatable
from cranfield.web.look.person import day_row, day_table, days_of_work, has_labels
from cranfield.web.look.view import LookView, Query, Row

MAX_FORECAST_DAYS = 365  # of the chart; the text has the date
NOTHING_YET = translatable(
    "Nobody has labelled anything yet. To let people start, create judging links on the Links page."
)


def _timeline_rows(store: Store, query: Query) -> Sequence[Row]:
    return [day_row(one) for one in days_of_work(store, progress_of(store))]


def _document(store: Store, query: Query) -> Mapping[str, Any]:
    state = progress_of(store)
    days = [day_row(one) for one in days_of_work(store, state)]
    return {"forecast": forecast_work(state, datetime.now(UTC)).to_json(), "days": days}


def _parts(store: Store, query: Query) -> Sequence[Block]:
    state, moment = progress_of(store), datetime.now(UTC)
    days, forecast = days_of_work(store, state), forecast_work(state, moment)
    if not days:
        return [Text(NOTHING_YET)]
    left = "; ".join(filter(None, [forecast.hours_in_words, forecast.date_in_words]))
    shown = [TimelineDay(one.day, one.labels, one.agreement, one.compared) for one in days]
    ahead = forecast_of_chart(days, forecast, moment.date())
    about = query.language.gettext(
        "Labels so far, labels per day, and the share of second labels with the same grade, by day in UTC."
    )
    caption = " ".join(
        [about, *([query.language.gettext("The shaded area is the range of the forecast.")] if ahead else [])]
    )
    chart = timeline_chart("timeline", shown, ahead, query.language.gettext("Labels by day"), caption)
    return [
        *(
            [Facts([(translatable("Done"), forecast.done_in_words), (translatable("Left"), left)])]
            if forecast.total
            else []
        ),
        Figures([Figure("timeline", chart, caption)]),
        day_table(days),
    ]


def forecast_of_chart(days: Sequence[DayOfWork], forecast: WorkForecast, today: date) -> TimelineForecast | None:
    """Return the forecast with its range as days; None if it is not known or too far ahead for a chart.

    >>> from cranfield.judging.session.pace import TimeLeft
    >>> days = [DayOfWork(date(2026, 3, 1), 6, None, 0.0, 0, 0)]
    >>> known = WorkForecast(6, 4, TimeLeft(3600, 7200, 14400), 4.0)
    >>> [str(day) for day in forecast_of_chart(days, known, date(2026, 3, 2))[3:]]
    ['2026-03-04', '2026-03-06', '2026-03-10']
    >>> forecast_of_chart(days, known._replace(days=None), date(2026, 3, 2)) is None
    True
    """
    ends = forecast.day_range
    if ends is None or not forecast.left or ends[-1] > MAX_FORECAST_DAYS:
        return None
    start, given = max(today, days[-1].day), sum(one.labels for one in days)
    early, likely, late = (start + timedelta(days=ceil(end)) for end in ends)
    return TimelineForecast(start, given, given + forecast.left, early, likely, late)


TIMELINE = LookView(
    translatable("Timeline"),
    _timeline_rows,
    (),
    _parts,
    _document,
    entry=translatable("Timeline"),
    heavy=True,
    group=translatable("People"),
    has_data=has_labels,
)
