"""How much is done, how long the rest takes, how far assessors agree, and what is unusual or needs attention."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from cranfield.judging.planning.checks import CHECKS, Check, Finding
from cranfield.judging.planning.overview import (
    Attention,
    Working,
    absence_notes,
    days_left,
    disagreement_notes,
    hours_left,
    label_notes,
    topic_notes,
    totals,
    working_people,
)
from cranfield.judging.planning.progress import Progress, progress_of
from cranfield.judging.planning.sections import pace_rows, topic_states
from cranfield.report.blocks import TableBlock, rounded_cell
from cranfield.store.invitations import invitations
from cranfield.store.log import assessors, last_signs
from cranfield.text import counted
from cranfield.web.look.judging import people_rows, people_table
from cranfield.web.organise.section import OrganiserSection, SectionRequest, ViewTable, view_table

MOST = 12  # lines of what needs attention; the pages behind have all


def _values(request: SectionRequest) -> Mapping[str, Any]:
    store, moment = request.store, request.moment
    state = progress_of(store)
    pace = pace_rows(state)
    count, people = totals(pace), working_people(last_signs(store), state.kinds, pace, moment)
    decisions = count["judged"] + count["cannot judge"]
    lines = list(_attention_lines(request, state, people))
    return {
        "collection": store.collection.name,
        "count": count,
        "given": decisions,
        "done_share": f"{decisions / count['documents']:.0%}" if count["documents"] else "",
        "of": f"{decisions:,} of {counted(count['documents'], 'label')}",
        "hours": hours_left(pace),
        "days": days_left(state, pace, moment),
        "lines": [(one.text, _attention_address(one)) for one in lines[:MOST]],
        "more": len(lines) - MOST,
        "tables": [ViewTable("people", people_table(people_rows(store, state, moment)))],
    }


def _now(request: SectionRequest) -> Mapping[str, Any]:
    """Who is judging at this moment."""
    people = working_people(last_signs(request.store), assessors(request.store), (), request.moment)
    return {"now": ", ".join(one.assessor for one in people if one.now) or "nobody"}


def _attention_lines(request: SectionRequest, state: Progress, people: list[Working]) -> Iterator[Attention]:
    yield from topic_notes(topic_states(request.store, request.moment))
    yield from absence_notes(people, invitations(request.store), request.moment)
    yield from disagreement_notes(state)
    yield from label_notes(state)


def _attention_address(one: Attention) -> str:
    """Where something can be done about it; nowhere in the browser for a pool."""
    return "" if one.about == "pool" else f"/organise/{one.about}" + (f"#{quote(one.place)}" if one.place else "")


OVERVIEW = OrganiserSection("Judging", "organise_overview.html", _values, entry="Overview", heavy=True, live=_now)


TABLES = {
    "pairs": "No document has labels by two people yet.",
    "agreement": "No document has labels by two people yet.",
    "repeats": "No documents are shown twice; Repeats, when topics are shared out, asks for that.",
    "drift": "No topic with nine labels yet.",
}


def _values_agreement(request: SectionRequest) -> Mapping[str, Any]:
    return {"tables": [view_table(request.store, name, empty) for name, empty in TABLES.items()]}


AGREEING = OrganiserSection("Agreement", "organise_tables.html", _values_agreement, entry="Agreement", heavy=True)


def _values_checks(request: SectionRequest) -> Mapping[str, Any]:
    state = progress_of(request.store)
    checks = [(_check_row(check), list(check.find(state))) for check in CHECKS.values()]
    return {
        "found": [(about, _table(about, rows)) for about, rows in checks if rows],
        "nothing": [about for about, rows in checks if not rows],
    }


def _check_row(check: Check) -> dict[str, str]:
    return {"name": check.name, "title": check.title, "rule": check.rule, "reasons": check.reasons}


def _table(about: Mapping[str, str], rows: Sequence[Finding]) -> TableBlock:
    return TableBlock(f"{about['name']}-found", "", [_row(one._asdict()) for one in rows])


def _row(finding: dict[str, Any]) -> dict[str, Any]:
    return {"assessor": finding["assessor"], "topic": finding["topic"] or "all", "found": finding["found"],
            "labels": rounded_cell(finding["labels"], 0)}  # fmt: skip


CHECKED = OrganiserSection("What is unusual", "organise_checks.html", _values_checks, entry="Unusual", heavy=True)
