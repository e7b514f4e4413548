"""People's work on labels other than document labels: how much is done, by whom, and what is left.

Extensions return it, kind by kind; it is the same on the organiser's pages and in `cranfield progress`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield import hooks
from cranfield.judging.planning.daily import DayOfWork
from cranfield.judging.planning.overview import Attention
from cranfield.judging.session.pace import ENOUGH, LabelTime, TimeLeft, forecast_time_left, is_very_fast, time_left_text
from cranfield.store.assignments import format_timestamp
from cranfield.store.invitations import Invitation, invitations
from cranfield.text import counted, join_words

if TYPE_CHECKING:
    from datetime import datetime

    from cranfield.store.store import Store

LAST = 200  # timed labels of an assessor from which the pace is estimated
Row = dict[str, Any]


class TimedLabel(NamedTuple):
    """When a label was given here, in UTC, and how long it took; None if it was not timed."""

    at: str
    seconds: float | None


class LabellerWork(NamedTuple):
    """What one assessor has done of a kind of labels.

    `left` counts the items that this assessor has not decided; None where nobody is asked about given items. `seconds`
    are those of the assessor's last timed labels, `last` is the moment of the last sign of life, in UTC, and `labels`
    are the labels that were given in this program.
    """

    assessor: str
    kind: str
    done: int = 0
    later: int = 0
    cannot_judge: int = 0
    left: int | None = None
    seconds: Sequence[float] = ()
    last: str = ""
    labels: Sequence[TimedLabel] = ()


class LabelWork(NamedTuple):
    """A kind of labels: what is to be labelled, how much of that has labels, and by whom.

    `noun` is one label, such as "nugget label". `roles` are the links that lead to this work; a link of the role
    `settling_role` is to settle labels that differ, and `settling` says so.
    """

    task: str
    noun: str
    items: int  # to label
    labelled_by_people: int  # items with a label by a person
    labelled_by_models: int  # items with labels by models only
    differing: int  # items that people labelled differently, and that nobody has settled
    labellers: Sequence[LabellerWork]
    roles: Sequence[str] = ()
    settling: str = ""
    settling_role: str = ""
    each: bool = True  # whether everybody who does this work labels every item

    @property
    def unlabelled(self) -> int:
        """The number of items without any label."""
        return self.items - self.labelled_by_people - self.labelled_by_models


def label_work(store: Store, moment: datetime, possible: Sequence[LabelWork] | None = None) -> list[LabelWork]:
    """Return the work on labels of all extensions, with the people who have a valid link but no labels yet.

    Kinds of labels that nobody gave, and for which nobody has a link, are not among them. `possible` is what
    `possible_label_work` returns, if that is known.
    """
    links = invitations(store)
    known = possible_label_work(store) if possible is None else possible
    every = (_add_invited(one, links, format_timestamp(moment)) for one in known)
    return [one for one in every if one.labellers]


def possible_label_work(store: Store) -> list[LabelWork]:
    """Return the work on labels of all extensions, including kinds that nobody has begun."""
    return hooks.collect_from_extensions(lambda extension: extension.label_work(store))


def _add_invited(work: LabelWork, links: Sequence[Invitation], now: str) -> LabelWork:
    names = {one.assessor for one in work.labellers}
    invited = dict.fromkeys(one.assessor for one in links if one.role in work.roles and one.state(now) == "valid")
    left = work.items if work.each else work.unlabelled
    new = [LabellerWork(name, "human", left=left) for name in invited if name not in names]
    return work._replace(labellers=[*work.labellers, *new])


def item_rows(every: Sequence[LabelWork]) -> list[Row]:
    """Return one row per kind of labels: how many items people, only models, and nobody labelled.

    >>> item_rows([LabelWork("assign nuggets", "nugget label", 9, 2, 4, 1, [])])
    [{'task': 'assign nuggets', 'items': 9, 'people': 2, 'models': 4, 'unlabelled': 3, 'differ': 1}]
    """
    return [
        {"task": one.task, "items": one.items, "people": one.labelled_by_people, "models": one.labelled_by_models}
        | {"unlabelled": one.unlabelled, "differ": one.differing}
        for one in every
    ]


def labeller_rows(every: Sequence[LabelWork]) -> list[Row]:
    """Return one row per kind of labels and assessor: what is done and left, the pace, and the time left in hours.

    >>> ada = LabellerWork("ada", "human", 2, left=7, seconds=[12.0, 10.0])
    >>> [row] = labeller_rows([LabelWork("assign nuggets", "nugget label", 9, 2, 0, 0, [ada])])
    >>> row["left"], row["median seconds"], row["hours left"], row["basis"]
    (7, 11.0, None, 'fewer than 10 timed labels')
    """
    return [
        {
            "task": one.task,
            "assessor": labeller.assessor,
            "kind": labeller.kind,
            "done": labeller.done,
            "later": labeller.later,
            "cannot judge": labeller.cannot_judge,
            "left": labeller.left,
            "median seconds": round(median(labeller.seconds), 1) if labeller.seconds else None,
            "per active hour": round(3600 / fmean(labeller.seconds)) if sum(labeller.seconds) else None,
            **_hours_left(one, labeller),
            "last": labeller.last,
        }
        for one in every
        for labeller in one.labellers
    ]


def _hours_left(work: LabelWork, one: LabellerWork) -> Row:
    """The hours that an assessor's rest takes, by the assessor's own pace or everybody's; None if that is unknown."""
    if one.kind != "human" or not one.left:
        return {"hours left": 0.0 if one.left == 0 else None, "from": None, "to": None, "basis": ""}
    everybody = [seconds for each in work.labellers for seconds in each.seconds]
    basis, whose = (one.seconds, "own") if len(one.seconds) >= ENOUGH else (everybody, "everybody's")
    estimate = forecast_time_left([LabelTime(seconds, 1) for seconds in basis], one.left, 1)
    if estimate is None:
        return {"hours left": None, "from": None, "to": None, "basis": f"fewer than {ENOUGH} timed labels"}
    low, likely, high = (round(seconds / 3600, 2) for seconds in estimate)
    return {"hours left": likely, "from": low, "to": high, "basis": f"{whose} {len(basis)} labels"}


def time_left(row: Mapping[str, Any]) -> str:
    """Return the time left of a row of `labeller_rows` in words.

    >>> time_left({"left": 0}), time_left({"left": 4, "hours left": None, "basis": "fewer than 10 timed labels"})
    ('none', 'not known yet')
    """
    if not row["left"]:
        return "none" if row["left"] == 0 else ""
    if row["hours left"] is None:
        return "not known yet" if row["basis"] else ""
    return time_left_text(TimeLeft(*(row[name] * 3600 for name in ("from", "hours left", "to"))))


def counted_seconds(seconds: Iterable[float | None]) -> list[float]:
    """Return the last timed labels, without those that were too fast to have been read.

    >>> counted_seconds([None, 0.2, 8.0])
    [8.0]
    """
    return [one for one in seconds if one is not None and not is_very_fast(one, False)][-LAST:]


def daily_label_work(every: Sequence[LabelWork], assessor: str | None = None) -> list[DayOfWork]:
    """Return the days with labels, of one person or of all people.

    >>> ada = LabellerWork("ada", "human", labels=[TimedLabel("2026-03-01T09:00", 36.0)])
    >>> daily_label_work([LabelWork("sort", "hat", 1, 1, 0, 0, [ada])])
    [DayOfWork(day=datetime.date(2026, 3, 1), labels=1, seconds=36.0, hours=0.01, compared=0, equal=0)]
    """
    by_day: dict[date, list[TimedLabel]] = {}
    for work in every:
        for one in work.labellers:
            if one.kind == "human" and assessor in (None, one.assessor):
                for label in one.labels:
                    by_day.setdefault(date.fromisoformat(label.at[:10]), []).append(label)
    return [_day_of_work(day, by_day[day]) for day in sorted(by_day)]


def _day_of_work(day: date, labels: Sequence[TimedLabel]) -> DayOfWork:
    timed = [one.seconds for one in labels if one.seconds is not None]
    read = [seconds for seconds in timed if not is_very_fast(seconds, False)]
    return DayOfWork(day, len(labels), median(read) if read else None, sum(timed) / 3600, 0, 0)


def label_work_notes(every: Sequence[LabelWork], possible: Sequence[LabelWork]) -> Iterator[Attention]:
    """Return what an organiser should see to: nobody who labels, and labels that differ."""
    if possible and not every:
        tasks = join_words([one.task for one in possible], "or")
        yield Attention(f"Nobody has a link to {tasks}, and nobody has begun", "links")
    by_role: dict[tuple[str, str], list[str]] = {}
    for one in every:
        if one.differing:
            by_role.setdefault((one.settling, one.settling_role), []).append(counted(one.differing, one.noun))
    for (purpose, role), counts in by_role.items():
        settle = f"; invite somebody to {purpose}" if purpose else ""
        about = f"links?role={role}" if role else "links"
        yield Attention(f"Labels that people gave differ and are not settled: {join_words(counts)}{settle}", about)
