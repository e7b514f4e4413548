"""The topics with their state; sharing them out, giving one to somebody else, and taking it back."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from cranfield.errors import CranfieldError, InputError
from cranfield.judging.planning.assign import Distribution, Takers, distribution, organise, percentage
from cranfield.judging.planning.sections import OPEN, UNASSIGNED, TopicState, topic_states
from cranfield.report.blocks import Cell, TableBlock
from cranfield.store.assignments import Role, Work, drawn_work, give_assignment, has_assignments, pooled
from cranfield.store.invitations import invitations
from cranfield.store.log import assessors
from cranfield.store.store import Store
from cranfield.text import counted, visible_line
from cranfield.web.organise.section import Done, Fields, Form, OrganiserSection, SectionRequest, ViewTable, name_in

QUEUE = "the queue"


def _values(request: SectionRequest) -> Mapping[str, Any]:
    entries = share_fields(request)
    try:
        shares = distribution(request.store, **_options(entries))
    except CranfieldError as error:
        return {"typed": entries, "wrong": str(error)}
    work = pooled(request.store)
    twice = sum(one.purpose == "overlap" for one in shares.pairs)
    again = len(shares.pairs) - twice
    documents = sum(len(work[qid]) for qid in shares.first)
    return {
        "typed": entries,
        "wrong": "",
        "topics": counted(len(shares.first), "topic"),
        "summary": f"{counted(documents, 'document')}, of which {twice:,} are judged by a second assessor"
        f" and {again:,} shown twice to the first.",
        "blocks": [TableBlock("shares", "Who gets what", _rows(shares, work))],
    }


def _rows(shares: Distribution, work: Work) -> list[dict[str, Any]]:
    """One row per assessor: the topics and documents of each role."""
    second = {
        qid: [one.docno for one in shares.pairs if (one.qid, one.purpose) == (qid, "overlap")] for qid in shares.second
    }
    names = dict.fromkeys([*shares.first.values(), *shares.second.values()])
    return [
        {
            "assessor": QUEUE if name is None else visible_line(name),
            "topics": len(own := _topics_of_taker(shares.first, name)),
            "documents": sum(len(work[qid]) for qid in own),
            "as second, topics": len(also := _topics_of_taker(shares.second, name)),
            "as second, documents": sum(len(second[qid]) for qid in also),
        }
        for name in names
    ]


def _topics_of_taker(takers: Takers, name: str | None) -> list[str]:
    return [qid for qid, taker in takers.items() if taker == name]


def _assign(store: Store, fields: Fields, base: str) -> Done:
    with store.writing():
        organise(store, **_options(fields))
    return Done("The topics are assigned. Assessors who judge now see their new work when they go on.")


def _options(fields: Fields) -> dict[str, Any]:
    names = [name_in(line) for line in fields.get("assessors", "").splitlines() if line.strip()]
    queue = fields.get("to") == "queue"
    if not queue and not names:
        raise InputError("no assessor is named; name one per line, or choose the queue")
    return {
        "assessors": [] if queue else names,
        "topics": fields.get("topics", "").split(),
        "overlap": percentage(fields.get("overlap", "").strip() or "0%"),
        "repeats": _number(fields, "repeats"),
        "seed": _number(fields, "seed"),
        "lease": round(_hours(fields) * 3600),
        "cannot_judge": bool(fields.get("cannot_judge")),
    }


def _number(fields: Fields, name: str) -> int:
    text = fields.get(name, "").strip() or "0"
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise InputError(f"{name} is {text!r}; expected a whole number from 0")
    return int(text)


def _hours(fields: Fields) -> float:
    text = fields.get("lease", "").strip() or "24"
    try:
        hours = float(text)
    except ValueError:
        hours = 0.0
    if not 0.01 <= hours <= 10_000:
        raise InputError(f"lease is {text!r}; expected hours, from 0.01 to 10,000")
    return hours


SHARING = OrganiserSection("Share out topics", "organise_share.html", _values)
ASSIGN = Form(_assign, after="topics", back="topics")


ROLES: tuple[Role, ...] = ("first", "second")


def _values_give(request: SectionRequest) -> Mapping[str, Any]:
    one = _assignment(request)
    return {
        "one": one,
        "until": f"{one.until[:16].replace('T', ' ')} UTC" if one.until else "",
        "known": [name for name, kind in assessors(request.store).items() if kind == "human"],
        "typed": request.field("assessor"),
    }


def _assignment(request: SectionRequest) -> TopicState:
    topic, role = request.field("topic"), request.field("role")
    for one in topic_states(request.store, request.moment):
        if (one.topic, one.role) == (topic, role) and one.assigned:
            return one
    raise InputError(f"topic {topic!r} has no {role or 'such'} assessor; share it out first")


def _give(store: Store, fields: Fields, base: str) -> Done:
    qid, name, role = fields.get("topic", ""), name_in(fields.get("assessor", "")), _role(fields)
    back = "back" in fields
    if not back and not name:
        raise InputError("no assessor is named; type a name, or put the topic into the queue")
    give_assignment(store, qid, role, None if back else name)
    whose = "in the queue" if back else f"{visible_line(name)}'s"
    what = "The second assessment of topic" if role == "second" else "Topic"
    return Done(f"{what} {visible_line(qid)} is now {whose}. What was recorded stays.")


def _role(fields: Fields) -> Role:
    for role in ROLES:
        if fields.get("role") == role:
            return role
    raise InputError(f"the role is {fields.get('role', '')!r}; expected first or second")


GIVING = OrganiserSection("Change an assignment", "organise_give.html", _values_give)
GIVE = Form(_give, after="topics", back="give")


DEFAULTS = {"to": "assessors", "overlap": "10%", "repeats": "2", "lease": "24", "seed": "0"}
MOST = 1000  # rows on the page; JSON and CSV have all


def _values_topics(request: SectionRequest) -> Mapping[str, Any]:
    states = topic_states(request.store, request.moment)
    rows = [one for one in states if request.field("state") in ("", one.state)]
    free = sum(one.state in (UNASSIGNED, OPEN) for one in states)
    return {
        "free": free,
        "typed": share_fields(request),
        "summary": _summary(request, states),
        "state": request.field("state"),
        "states": list(dict.fromkeys(one.state for one in states)),
        "tables": [ViewTable("assigned", [_table(rows)])] if rows else [],
        "left_out": max(len(rows) - MOST, 0),
    }


def share_fields(request: SectionRequest) -> dict[str, str]:
    """The fields of the form that shares out: as typed, else the people with a link or a topic."""
    if request.field("to"):
        return {name: request.field(name) for name in (*DEFAULTS, "assessors", "topics", "cannot_judge")}
    people = {one.assessor for one in invitations(request.store) if one.role == "judge" and not one.revoked}
    names = [name for name, kind in assessors(request.store).items() if kind == "human" and name in people]
    return {**DEFAULTS, "assessors": "\n".join(names), "topics": request.field("topics"), "cannot_judge": ""}


def _summary(request: SectionRequest, states: list[TopicState]) -> str:
    first = [one for one in states if one.role == "first"]
    documents, twice = sum(one.documents for one in first), sum(one.twice for one in first)
    if not documents:
        return "Nothing is pooled yet; build a pool with `cranfield pool build`."
    summary = f"{counted(len(first), 'topic')} with {counted(documents, 'document')}"
    if not has_assignments(request.store):
        return f"{summary}."
    share = f"{twice / documents:.0%}" if twice else "none"
    repeats = " Some documents are shown twice to their assessor." if drawn_work(request.store, "repeat") else ""
    return f"{summary}; {twice:,} of them ({share}) are judged by two assessors.{repeats}"


def _table(states: list[TopicState]) -> TableBlock:
    part = states[:MOST]
    rows = [_row(one, one.topic == before) for before, one in zip(["", *(s.topic for s in part)], part, strict=False)]
    return TableBlock("assigned", "Topics and who judges them", rows, filter="topics")


def _row(one: TopicState, again: bool) -> dict[str, Any]:
    """A row of the table; `again` for a second one of the same topic."""
    change = (
        Cell("assign", href=f"/organise/topics?{urlencode({'topics': one.topic})}#share")
        if one.state in (UNASSIGNED, OPEN)
        else Cell("change", href=f"/organise/give?{urlencode({'topic': one.topic, 'role': one.role})}")
    )
    return {
        "topic": Cell(one.topic, below="" if again else visible_line(one.title), href=change.href),
        "role": one.role,
        "state": Cell(one.state, below=f"until {one.until[:16].replace('T', ' ')} UTC" if one.until else ""),
        "assessor": "" if one.assessor is None else visible_line(one.assessor),
        "since": (one.since or "")[:10],
        "documents": one.documents,
        "left": one.left,
        "by two": one.twice,
        "change": change,
    }


TOPICS = OrganiserSection("Topics", "organise_topics.html", _values_topics, entry="Topics")
