"""Times as people say them: "3 h ago" with the full time on hover, "14 s"."""

from datetime import datetime

from cranfield.report.blocks import Cell
from cranfield.web.language import ENGLISH, Language

FEW_MINUTES = 600  # seconds; pages that take long to compute are this old at most
DAY, HOUR, MINUTE = 86400, 3600, 60  # seconds


def distance_in_words(seconds: float, language: Language = ENGLISH) -> str:
    """How far away a moment is, before (negative) or after now.

    >>> [distance_in_words(one) for one in (-40, -1800, -3 * 3600, -86400 * 1.2, -86400 * 12)]
    ['a few minutes ago', '30 min ago', '3 h ago', '1 day ago', '12 days ago']
    >>> distance_in_words(60), distance_in_words(14 * 86400 - 5)
    ('in a few minutes', 'in 14 days')
    """
    size = abs(seconds)
    if size < FEW_MINUTES:
        return language.gettext("in a few minutes") if seconds > 0 else language.gettext("a few minutes ago")
    unit = next(one for one in (DAY, HOUR, MINUTE) if round(size / one) >= 1 and size >= 0.95 * one)
    number, is_ahead = round(size / unit), seconds > 0
    if unit == DAY:
        if is_ahead:
            return language.ngettext("in %(num)s day", "in %(num)s days", number)
        return language.ngettext("%(num)s day ago", "%(num)s days ago", number)
    if unit == HOUR:
        return language.gettext("in %(n)s h", n=number) if is_ahead else language.gettext("%(n)s h ago", n=number)
    return language.gettext("in %(n)s min", n=number) if is_ahead else language.gettext("%(n)s min ago", n=number)


def full_time(at: str) -> str:
    """A moment of a store, in full.

    >>> full_time("2026-11-28T21:41:09.123+00:00")
    '28 November 2026, 21:41 UTC'
    """
    moment = datetime.fromisoformat(at)
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def time_cell(at: str | None, now: datetime, absent: str = "", language: Language = ENGLISH) -> Cell:
    """A cell with the distance of a moment from now, which sorts by the moment and has the full time as its title.

    >>> from datetime import UTC
    >>> cell = time_cell("2026-11-28T09:00:00+00:00", datetime(2026, 11, 28, 12, tzinfo=UTC))
    >>> cell.text, cell.title, time_cell(None, datetime.now(UTC), "never").text
    ('3 h ago', '28 November 2026, 09:00 UTC', 'never')
    """
    if not at:
        return Cell(absent)
    moment = datetime.fromisoformat(at)
    seconds = (moment - now).total_seconds()
    return Cell(distance_in_words(seconds, language), moment.timestamp(), kind="whole", title=full_time(at))


def seconds_in_words(seconds: float) -> str:
    """A short time.

    >>> [seconds_in_words(one) for one in (0.2, 13.7029, 89.6, 400.0, 5400.0)]
    ['under 1 s', '14 s', '90 s', '7 min', '1.5 h']
    """
    if seconds < 1:
        return "under 1 s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


def seconds_cell(seconds: float | None) -> Cell:
    """A cell with a short time.

    >>> seconds_cell(13.7029).text, seconds_cell(None).text
    ('14 s', '-')
    """
    return Cell("-") if seconds is None else Cell(seconds_in_words(seconds), float(seconds))
