"""The topics with their state, and the form that shares them out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from cranfield.judging.planning.sections import OPEN, UNASSIGNED, TopicState, topic_states
from cranfield.report.blocks import Cell, Table
from cranfield.store.assignments import plans
from cranfield.store.invitations import invitations
from cranfield.store.log import assessors
from cranfield.text import counted, visible_line

from .section import Asked, Section, ViewTable

DEFAULTS = {"to": "assessors", "overlap": "10%", "repeats": "2", "lease": "24", "seed": "0"}
MOST = 1000  # rows on the page; JSON and CSV have all


def _values(asked: Asked) -> Mapping[str, Any]:
    states = topic_states(asked.store, asked.moment)
    shown = [one for one in states if asked.field("state") in ("", one.state)]
    free = sum(one.state in (UNASSIGNED, OPEN) for one in states)
    return {
        "free": free,
        "typed": share_fields(asked),
        "summary": _summary(asked, states),
        "state": asked.field("state"),
        "states": list(dict.fromkeys(one.state for one in states)),
        "tables": [ViewTable("assigned", [_table(shown)])] if shown else [],
        "left_out": max(len(shown) - MOST, 0),
    }


def share_fields(asked: Asked) -> dict[str, str]:
    """The fields of the form that shares out: as typed, else the people with a link or a topic."""
    if asked.field("to"):
        return {name: asked.field(name) for name in (*DEFAULTS, "assessors", "topics", "cannot_judge")}
    invited = {one.assessor for one in invitations(asked.store) if one.role == "judge" and not one.revoked}
    known = [name for name, kind in assessors(asked.store).items() if kind == "human" and name in invited]
    return {**DEFAULTS, "assessors": "\n".join(known), "topics": asked.field("topics"), "cannot_judge": ""}


def _summary(asked: Asked, states: list[TopicState]) -> str:
    first = [one for one in states if one.role == "first"]
    documents, twice = sum(one.documents for one in first), sum(one.twice for one in first)
    if not documents:
        return "Nothing is pooled yet; build a pool with `cranfield pool build`."
    share = f"{twice / documents:.0%}" if twice else "none"
    again = sum(plan.repeats for plan in plans(asked.store))
    shown = " Some documents are shown twice to their assessor." if again else ""
    return (
        f"{counted(len(first), 'topic')} with {counted(documents, 'document')}; "
        f"{twice:,} of them ({share}) are judged by two assessors.{shown}"
    )


def _table(states: list[TopicState]) -> Table:
    rows = [_row(one) for one in states[:MOST]]
    return Table("assigned", "Topics and who judges them", rows, filter="topics")


def _row(one: TopicState) -> dict[str, Any]:
    change = _change(one)
    return {
        "topic": Cell(one.topic, below=visible_line(one.title), href=change.href),
        "role": one.role,
        "state": Cell(one.state, below=f"until {one.until[:16].replace('T', ' ')} UTC" if one.until else ""),
        "assessor": "" if one.assessor is None else visible_line(one.assessor),
        "since": (one.since or "")[:10],
        "documents": one.documents,
        "left": one.left,
        "by two": one.twice,
        "change": change,
    }


def _change(one: TopicState) -> Cell:
    if one.state in (UNASSIGNED, OPEN):
        return Cell("assign", href=f"/organise/topics?{urlencode({'topics': one.topic})}#share")
    return Cell("change", href=f"/organise/give?{urlencode({'topic': one.topic, 'role': one.role})}")


TOPICS = Section("Topics", "organise_topics.html", _values, entry="Topics")
