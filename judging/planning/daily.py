"""Work by day: labels, their time, and the share of documents on which two people agree."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from cranfield.judging.labels.pairs import is_adjudication
from cranfield.judging.session.pace import is_very_fast

if TYPE_CHECKING:
    from cranfield.judging.planning.progress import Progress
    from cranfield.store.chain import Event


class DayOfWork(NamedTuple):
    """The labels of a day in UTC, and what two people agreed on in that day's second labels.

    `seconds` is the median time of a label without very fast labels, None if no label was timed. `compared` counts
    second labels of the day on documents that another person had labelled, and `equal` those with the same grade.
    """

    day: date
    labels: int
    seconds: float | None
    hours: float
    compared: int
    equal: int

    @property
    def agreement(self) -> float | None:
        """The share of equal grades; None without second labels."""
        return self.equal / self.compared if self.compared else None


def daily_work(progress: Progress, assessor: str | None = None) -> list[DayOfWork]:
    """Return the days from the first to the last label, of one person or of all people; days between may be empty."""
    names = progress.people if assessor is None else [assessor]
    by_day: dict[date, list[Event]] = {}
    for name in names:
        for event in progress.standing.get(name, {}).values():
            if event.kind in ("label", "cannot-judge") and not is_adjudication(event):
                by_day.setdefault(_day(event), []).append(event)
    if not by_day:
        return []
    compared: dict[date, list[bool]] = {}
    for one, other in _consecutive_labels(progress):
        if assessor in (None, one.assessor, other.assessor):
            compared.setdefault(_day(other), []).append(one.grade == other.grade)
    known = {*by_day, *compared}
    first, last = min(known), max(known)
    days = (first + timedelta(days=number) for number in range((last - first).days + 1))
    return [_day_of_work(day, by_day.get(day, []), compared.get(day, [])) for day in days]


def _day(event: Event) -> date:
    return date.fromisoformat(event.at[:10])


def _day_of_work(day: date, events: list[Event], compared: list[bool]) -> DayOfWork:
    timed = [event for event in events if event.seconds is not None]
    seconds = [event.seconds or 0.0 for event in timed if not is_very_fast(event.seconds, event.fast)]
    hours = sum(event.seconds or 0.0 for event in timed) / 3600
    return DayOfWork(day, len(events), median(seconds) if seconds else None, hours, len(compared), sum(compared))


def _consecutive_labels(progress: Progress) -> Iterator[tuple[Event, Event]]:
    by_pair: dict[tuple[str, str], list[Event]] = {}
    for name in progress.people:
        for pair, event in progress.labels(name).items():
            by_pair.setdefault(pair, []).append(event)
    for events in by_pair.values():
        yield from pairwise(sorted(events, key=lambda event: (event.at, event.id or 0)))


def join_days(*several: list[DayOfWork]) -> list[DayOfWork]:
    """Return the days from the first to the last of several kinds of work; days between may be empty.

    The median time of a day with several kinds is the mean of their medians, weighted by their labels.

    >>> one, other = DayOfWork(date(2026, 3, 1), 1, 9.0, 0.1, 1, 1), DayOfWork(date(2026, 3, 3), 2, None, 0.0, 0, 0)
    >>> [day.labels for day in join_days([one], [other])], join_days([one], [one])[0].seconds
    ([1, 0, 2], 9.0)
    """
    by_day: dict[date, list[DayOfWork]] = {}
    for day in (day for days in several for day in days):
        by_day.setdefault(day.day, []).append(day)
    if not by_day:
        return []
    first, last = min(by_day), max(by_day)
    every = (first + timedelta(days=number) for number in range((last - first).days + 1))
    return [_join_day(day, by_day.get(day, [])) for day in every]


def _join_day(day: date, parts: list[DayOfWork]) -> DayOfWork:
    timed = [(one.seconds, one.labels) for one in parts if one.seconds is not None]
    labels = sum(number for _, number in timed)
    return DayOfWork(
        day,
        sum(one.labels for one in parts),
        sum(seconds * number for seconds, number in timed) / labels if labels else None,
        sum(one.hours for one in parts),
        sum(one.compared for one in parts),
        sum(one.equal for one in parts),
    )
