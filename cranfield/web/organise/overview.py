"""How much is done, how long the rest takes, who is working, and what needs attention."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from cranfield.judging.planning.overview import (
    Attention,
    Working,
    days_left,
    hours_left,
    of_disagreements,
    of_labels,
    of_people,
    of_topics,
    totals,
    working,
)
from cranfield.judging.planning.progress import Progress, progress_of
from cranfield.judging.planning.sections import pace_rows, topic_states
from cranfield.store.invitations import invitations
from cranfield.store.log import assessors, last_signs
from cranfield.text import counted
from cranfield.web.look.people import people_rows, people_table

from .section import Asked, Section, ViewTable

MOST = 12  # lines of what needs attention; the pages behind have all


def _values(asked: Asked) -> Mapping[str, Any]:
    store, moment = asked.store, asked.moment
    state = progress_of(store)
    pace = pace_rows(state)
    count, people = totals(pace), working(last_signs(store), state.kinds, pace, moment)
    given = count["judged"] + count["cannot judge"]
    lines = list(_lines(asked, state, people))
    return {
        "collection": store.collection.name,
        "count": count,
        "given": given,
        "done_share": f"{given / count['documents']:.0%}" if count["documents"] else "",
        "of": f"{given:,} of {counted(count['documents'], 'label')}",
        "hours": hours_left(pace),
        "days": days_left(state, pace, moment),
        "lines": [(one.text, _where(one)) for one in lines[:MOST]],
        "more": len(lines) - MOST,
        "tables": [ViewTable("people", people_table(people_rows(store, state, moment)))],
    }


def _now(asked: Asked) -> Mapping[str, Any]:
    """Who is judging at this moment."""
    people = working(last_signs(asked.store), assessors(asked.store), (), asked.moment)
    return {"now": ", ".join(one.assessor for one in people if one.now) or "nobody"}


def _lines(asked: Asked, state: Progress, people: list[Working]) -> Iterator[Attention]:
    yield from of_topics(topic_states(asked.store, asked.moment))
    yield from of_people(people, invitations(asked.store), asked.moment)
    yield from of_disagreements(state)
    yield from of_labels(state)


def _where(one: Attention) -> str:
    """Where something can be done about it; nowhere in the browser for a pool."""
    return "" if one.about == "pool" else f"/organise/{one.about}" + (f"#{quote(one.place)}" if one.place else "")


OVERVIEW = Section("Judging", "organise_overview.html", _values, entry="Overview", heavy=True, live=_now)
