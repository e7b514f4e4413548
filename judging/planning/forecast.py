"""How much is left to judge, how many hours that takes, and when it is done: one forecast for all pages and commands.

It counts second labels and second showings. Very fast labels do not count as pace. The date comes from the people who
judged in the last days; the others are named, and their documents are not part of the date.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.judging.planning.progress import NOBODY, QUEUE, progress_of
from cranfield.judging.planning.sections import pace_rows
from cranfield.judging.session.pace import TimeLeft, forecast_time_left, is_very_fast, time_left_text
from cranfield.store.assignments import format_timestamp
from cranfield.text import counted, join_words

if TYPE_CHECKING:
    from cranfield.judging.planning.progress import Progress
    from cranfield.store.chain import Event
    from cranfield.store.store import Store

RECENT = 7  # days whose pace the date follows
FAST_ONLY, NO_LABEL, UNASSIGNED = "only very fast labels", "no label", "unassigned"
UNKNOWN = "hours not known yet, because there are too few timed labels"


class UndatedWork(NamedTuple):
    """Labels that the date does not include: whose they are, how many are left, and why."""

    assessor: str
    labels: int
    why: str

    @property
    def description(self) -> str:
        """Who does not count, with the labels left.

        >>> UndatedWork("bo", 4, NO_LABEL).description, UndatedWork(NOBODY, 1, UNASSIGNED).description
        ('bo (4 labels left)', '1 unassigned document')
        """
        if self.why == UNASSIGNED:
            return counted(self.labels, "unassigned document")
        return f"{self.assessor} ({counted(self.labels, 'label')} left)"


class WorkForecast(NamedTuple):
    """The labels given and left to give, the active seconds left (None: not known yet), and the days until it is done.

    `days` is None if nobody with work left judged in the last days; `without` is what `days` does not include.
    """

    given: int
    left: int
    seconds: TimeLeft | None
    days: float | None = None
    without: Sequence[UndatedWork] = ()
    moment: datetime | None = None

    @property
    def total(self) -> int:
        """All labels, with second labels and second showings."""
        return self.given + self.left

    @property
    def done_in_words(self) -> str:
        """The labels given.

        >>> WorkForecast(1200, 300, None).done_in_words
        '1,200 of 1,500 labels'
        """
        return f"{self.given:,} of {counted(self.total, 'label')}"

    @property
    def hours_in_words(self) -> str:
        """The active hours left.

        >>> one = WorkForecast(1, 9, TimeLeft(7200, 9000, 12300))
        >>> one.hours_in_words, one._replace(left=0).hours_in_words
        ('2 h to 3 h 20 min of work', 'nothing is left')
        """
        if not self.left:
            return "nothing is left"
        return f"{time_left_text(self.seconds)} of work" if self.seconds else UNKNOWN

    @property
    def date_in_words(self) -> str:
        """When all labels will be done, at the pace of the last days; empty if nothing is left.

        >>> from datetime import UTC
        >>> one = WorkForecast(1, 9, None, 3.2, (), datetime(2026, 3, 1, tzinfo=UTC))
        >>> one.date_in_words
        'done in about 4 days (5 March 2026) at the pace of the last 7 days'
        >>> one._replace(without=[UndatedWork("bo", 4, NO_LABEL)]).date_in_words
        'done in about 4 days (5 March 2026) at the pace of the last 7 days, without bo (4 labels left)'
        >>> one._replace(days=None).date_in_words
        'no date: nobody with work left judged in the last 7 days'
        """
        if not self.left:
            return ""
        if self.days is None or self.moment is None:
            return f"no date: nobody with work left judged in the last {RECENT} days"
        whole = ceil(self.days)
        day = self.moment + timedelta(days=whole)
        when = "within a day" if self.days < 1 else f"in about {counted(whole, 'day')} ({day.day} {day:%B %Y})"
        without = f", without {join_words([one.description for one in self.without])}" if self.without else ""
        return f"done {when} at the pace of the last {RECENT} days{without}"

    @property
    def day_range(self) -> tuple[float, float, float] | None:
        """The days until all is done: at the low end of the time left, as likely, at its high end; None if not known.

        >>> WorkForecast(1, 9, TimeLeft(3600, 7200, 14400), 4.0).day_range
        (2.0, 4.0, 8.0)
        """
        if self.days is None or not self.seconds or not self.seconds.likely:
            return None
        low, high = (self.days * end / self.seconds.likely for end in (self.seconds.low, self.seconds.high))
        return low, self.days, high

    @property
    def lines_in_words(self) -> list[str]:
        """The labels given, the hours left, the date, and who is not part of it; nothing if there is nothing to judge.

        >>> WorkForecast(1, 9, None).lines_in_words
        ['given: 1 of 10 labels', 'left: hours not known yet, because there are too few timed labels']
        """
        lines = {"given": self.done_in_words, "left": self.hours_in_words} if self.total else {}
        dated = [self.date_in_words, self.reasons_in_words] if self.moment else []
        return [*(f"{name}: {words}" for name, words in lines.items()), *filter(None, dated)]

    def to_json(self) -> dict[str, Any]:
        """The forecast in numbers; hours and days are null if they are not known."""
        low, likely, high = (round(one / 3600, 2) for one in self.seconds) if self.seconds else (None,) * 3
        without = [one._asdict() for one in self.without]
        days = None if self.days is None else round(self.days, 1)
        hours = {"hours left": likely, "from": low, "to": high}
        return {"given": self.given, "left": self.left, **hours, "days": days, "without": without}

    @property
    def reasons_in_words(self) -> str:
        """Why the date does not include somebody; empty if there is no date, or it includes everybody.

        >>> gone = [UndatedWork("bo", 4, NO_LABEL), UndatedWork("cy", 2, FAST_ONLY)]
        >>> WorkForecast(1, 9, None, 3.2, gone).reasons_in_words
        'In the last 7 days, bo gave no label and cy gave only very fast labels.'
        """
        gave = [f"{one.assessor} gave {one.why}" for one in self.without if one.why != UNASSIGNED]
        is_dated = gave and self.days is not None
        return f"In the last {RECENT} days, {join_words(gave, 'and')}." if is_dated else ""


def count_labels_left(row: Mapping[str, Any]) -> int:
    """The labels that an assessor has left, from a row of `pace_rows`: first and second labels, and second showings."""
    return int(row["remaining"] + row["later"] + row["repeats"])


def forecast_work(
    progress: Progress, moment: datetime, pace: Sequence[Mapping[str, Any]] | None = None
) -> WorkForecast:
    """Forecast the rest of the work, from its `pace_rows` if these are known already."""
    pace = pace_rows(progress) if pace is None else pace
    names = {row["assessor"] for row in pace}
    again = sum(len(docnos) for name in names for docnos in progress.repeats.get(name, {}).values())
    given = sum(row["judged"] + row["cannot judge"] - row["repeats"] for row in pace) + again
    rows = [row for row in pace if count_labels_left(row)]
    unknown = any(row["hours left"] is None for row in rows)
    sums = (sum(row[name] for row in rows) * 3600 for name in ("from", "hours left", "to")) if not unknown else ()
    seconds = TimeLeft(*sums) if rows and not unknown else None
    rest = {row["assessor"]: count_labels_left(row) for row in rows}
    # the days until those who work have given their labels and those of the queue; and who does not work
    recent = {name: _recent_labels(progress, name, moment) for name in progress.people}
    daily = {name: _labels_a_day(recent[name], moment) for name in progress.people}
    own = {name: rest[name] for name in rest if daily.get(name)}
    queue = rest.get(QUEUE, 0)
    at_work = sum(daily.values())
    without = [
        UndatedWork(name, left, UNASSIGNED if name == NOBODY else FAST_ONLY if recent.get(name) else NO_LABEL)
        for name, left in rest.items()
        if name not in own and name != QUEUE
    ]
    spans = [left / daily[name] for name, left in own.items()]
    if queue and at_work:
        spans.append((queue + sum(own.values())) / at_work)
    days = max(spans) if spans else None
    return WorkForecast(given, sum(map(count_labels_left, rows)), seconds, days, without, moment)


def forecast_person(progress: Progress, assessor: str, moment: datetime) -> WorkForecast:
    """Forecast the rest of one person's own work; what they may claim from the queue is not part of it."""
    return forecast_work(progress, moment, [row for row in pace_rows(progress) if row["assessor"] == assessor])


def forecast_labels(store: Store, labels: int) -> TimeLeft | None:
    """Forecast so many labels of documents that nobody has to judge yet, at the pace of all people; None if unknown."""
    if not store.has_rows("judgment_event"):
        return None
    progress = progress_of(store)
    times = [one for name in progress.people for one in progress.times[name]]
    return forecast_time_left(times, labels, fmean(one.characters for one in times)) if times else None


def forecast_pool(store: Store, number: int | None, moment: datetime) -> WorkForecast:
    """Forecast the rest of the work of one pool."""
    return forecast_work(progress_of(store, number), moment)


def _recent_labels(progress: Progress, name: str, moment: datetime) -> list[Event]:
    since = format_timestamp(moment - timedelta(days=RECENT))
    events = progress.standing.get(name, {}).values()
    return [event for event in events if event.at >= since and event.kind not in ("import", "later")]


def _labels_a_day(recent: Sequence[Event], moment: datetime) -> float:
    """Labels a day in the last days, or since the first of them; very fast ones do not count."""
    counting = [event.at for event in recent if not is_very_fast(event.seconds, event.fast)]
    if not counting:
        return 0.0
    days = (moment - datetime.fromisoformat(min(counting))).total_seconds() / 86400
    return len(counting) / min(max(days, 1.0), RECENT)
