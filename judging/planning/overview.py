"""The state of judging at a glance: how much is done, how long the rest takes, who is working, what needs attention."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil
from typing import Any, NamedTuple

from cranfield.judging.planning.progress import NOBODY, QUEUE, Progress
from cranfield.judging.session.active_time import IDLE
from cranfield.judging.session.pace import TimeLeft, in_words
from cranfield.store.assignments import stamp
from cranfield.text import counted

RECENT = 7  # days whose pace a forecast in days goes by
COUNTS = ("documents", "judged", "cannot judge", "later", "remaining")


class Working(NamedTuple):
    """An assessor: the last sign, whether that is now, and the documents left, of those put off."""

    assessor: str
    last: str
    now: bool
    left: int


def totals(pace: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """The labels to give and how many are given, over the rows of `pace_rows`; a document judged twice counts twice."""
    found = Counter[str]()
    for row in pace:
        found.update({name: row[name] for name in COUNTS})
    return {name: found[name] for name in COUNTS}


def hours_left(pace: Sequence[Mapping[str, Any]]) -> str:
    """The active hours that the rest takes, in words; why that is unknown where it is.

    >>> row = {"assessor": "ada", "remaining": 3, "later": 0, "hours left": 1.0, "from": 0.5, "to": 2.0}
    >>> hours_left([row]), hours_left([row, row | {"assessor": "bo", "hours left": None}])
    ('30 min to 2 h of work', 'not known yet: too few timed decisions')
    """
    open_rows = [row for row in pace if row["remaining"] + row["later"]]
    if not open_rows:
        return "nothing is left"
    if any(row["hours left"] is None for row in open_rows):
        return "not known yet: too few timed decisions"
    low, likely, high = (sum(row[name] for row in open_rows) * 3600 for name in ("from", "hours left", "to"))
    return f"{in_words(TimeLeft(low, likely, high))} of work"


def days_left(progress: Progress, pace: Sequence[Mapping[str, Any]], moment: datetime) -> str:
    """In how many days all is done if everyone goes on as in the last week; empty where nothing is left."""
    daily = {name: _daily(progress, name, moment) for name in progress.people}
    left = {row["assessor"]: row["remaining"] + row["later"] for row in pace if row["remaining"] + row["later"]}
    if not left:
        return ""
    if NOBODY in left:
        return f"no date: {counted(left[NOBODY], 'document')} to be judged by nobody"
    daily[QUEUE] = sum(daily.values())
    idle = [name for name in left if not daily.get(name)]
    if idle:
        return f"no date: nothing judged in the last {RECENT} days by {', '.join(_named(name) for name in idle)}"
    longest = max(left, key=lambda name: left[name] / daily[name])
    return f"{_days(left[longest] / daily[longest])} to the end at the pace of the last {RECENT} days"


def _named(name: str) -> str:
    return "anyone" if name == QUEUE else name


def _days(days: float) -> str:
    return "less than a day" if days < 1 else f"about {counted(ceil(days), 'day')}"


def _daily(progress: Progress, name: str, moment: datetime) -> float:
    """Decisions a day in the last week, or since the first of them."""
    since = stamp(moment - timedelta(days=RECENT))
    recent = [event.at for event in progress.standing.get(name, {}).values() if event.at >= since]
    if not recent:
        return 0.0
    days = (moment - datetime.fromisoformat(min(recent))).total_seconds() / 86400
    return len(recent) / min(max(days, 1.0), RECENT)


def working(
    signs: Mapping[str, str], kinds: Mapping[str, str], pace: Iterable[Mapping[str, Any]], moment: datetime
) -> list[Working]:
    """The people with work or labels, the latest sign first."""
    left = {row["assessor"]: row["remaining"] + row["later"] for row in pace}
    since = stamp(moment - timedelta(seconds=IDLE))
    people = [name for name, kind in kinds.items() if kind == "human" and (name in signs or left.get(name))]
    found = [Working(name, signs.get(name, ""), signs.get(name, "") >= since, left.get(name, 0)) for name in people]
    return sorted(found, key=lambda one: one.last, reverse=True)
