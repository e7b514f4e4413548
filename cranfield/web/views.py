"""What the organiser can look at: each view is a page with a table, and the same as JSON and CSV."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from cranfield.judging.planning.progress import progress_of
from cranfield.judging.planning.progress_sections import SECTIONS
from cranfield.store.assignments import assignments
from cranfield.store.invitations import invitations
from cranfield.store.store import Store, now
from cranfield.text import visible_line

Row = Mapping[str, Any]


class TableView(NamedTuple):
    """A table of a store: its title, and its rows."""

    title: str
    rows: Callable[[Store], Sequence[Row]]


def _section(name: str) -> Callable[[Store], Sequence[Row]]:
    """A table of `cranfield progress`."""
    return lambda store: SECTIONS[name](progress_of(store))


def _topics(store: Store) -> Sequence[Row]:
    """The topics, with who judges them."""
    given = {(one.qid, one.role): one for one in assignments(store)}
    return [
        {"topic": topic.qid, "title": topic.title}
        | {
            role: "" if (one := given.get((topic.qid, role))) is None else one.assessor or "in the queue"
            for role in ("first", "second")
        }
        | {"documents": one.documents if (one := given.get((topic.qid, "first"))) else None}
        | {"unfinished": one.unfinished if one else None}
        for topic in store.topics()
    ]


def _links(store: Store) -> Sequence[Row]:
    """The links that were given out."""
    return [
        {"assessor": one.assessor, "role": one.role, "invited": one.at[:16], "expires": (one.expires or "never")[:16]}
        | {"state": one.state(now())}
        for one in invitations(store)
    ]


VIEWS: Mapping[str, TableView] = MappingProxyType(
    {
        "links": TableView("Links", _links),
        "work": TableView("Work, by assessor and topic", _section("work")),
        "pace": TableView("Pace and time left", _section("pace")),
        "agreement": TableView("Agreement so far, not corrected for chance", _section("agreement")),
        "repeats": TableView("Repeats: how far assessors agree with themselves", _section("repeats")),
        "drift": TableView("Drift: the first, second and last third of each topic", _section("drift")),
        "topics": TableView("Topics and who judges them", _topics),
    }
)


def shown(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Rows that are safe to show."""
    return [
        {name: visible_line(value) if isinstance(value, str) else value for name, value in row.items()} for row in rows
    ]
