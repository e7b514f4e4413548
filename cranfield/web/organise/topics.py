"""The topics with their state; sharing them out, giving one to somebody else, and taking it back."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from cranfield.errors import CranfieldError, InputError
from cranfield.judging.planning.assign import (
    Distribution,
    Takers,
    assign_topics_to_assessors,
    parse_percentage,
    plan_distribution,
)
from cranfield.judging.planning.sections import OPEN, UNASSIGNED, TopicState, topic_states
from cranfield.report.blocks import Cell, TableBlock
from cranfield.store.assignments import (
    Role,
    Work,
    documents_drawn_for,
    give_assignment,
    has_assignments,
    pooled_documents_by_topic,
)
from cranfield.store.invitations import invitations
from cranfield.store.log import assessors
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.language import Language, translatable
from cranfield.web.look.page_text import page_text
from cranfield.web.look.times import full_time, time_cell
from cranfield.web.look.view import has_rows
from cranfield.web.organise.section import (
    Done,
    Fields,
    Form,
    OrganiserSection,
    SectionRequest,
    ViewTable,
    parse_name_field,
)

QUEUE = translatable("the queue")


def _values(request: SectionRequest) -> Mapping[str, Any]:
    entries = share_fields(request)
    try:
        shares = plan_distribution(request.store, **_assignment_options(entries))
    except CranfieldError as error:
        return {"typed": entries, "wrong": request.language.translate_message(page_text(str(error)).text)}
    work = pooled_documents_by_topic(request.store)
    twice = sum(one.purpose == "overlap" for one in shares.pairs)
    again = len(shares.pairs) - twice
    documents = sum(len(work[qid]) for qid in shares.first)
    numbers = {"twice": f"{twice:,}", "again": f"{again:,}"}
    return {
        "typed": entries,
        "wrong": "",
        "topics": request.language.ngettext("%(num)s topic", "%(num)s topics", len(shares.first)),
        "summary": request.language.ngettext(
            "%(num)s document, of which %(twice)s are judged by a second assessor and %(again)s are shown twice to the"
            " first.",
            "%(num)s documents, of which %(twice)s are judged by a second assessor and %(again)s are shown twice to the"
            " first.",
            documents,
            **numbers,
        ),
        "drawn": _drawn_documents_text(twice, again, request.language),
        "blocks": [TableBlock("shares", translatable("Who gets what"), _workload_rows(shares, work, request.language))],
    }


def _drawn_documents_text(twice: int, again: int, language: Language) -> str:
    if twice and again:
        return language.gettext("The documents for the overlap and the repeats are chosen at random.")
    if twice:
        return language.gettext("The documents for the overlap are chosen at random.")
    return language.gettext("The documents for the repeats are chosen at random.") if again else ""


def _workload_rows(shares: Distribution, work: Work, language: Language) -> list[dict[str, Any]]:
    """One row per assessor: the topics and documents of each role."""
    second = {
        qid: [one.docno for one in shares.pairs if (one.qid, one.purpose) == (qid, "overlap")] for qid in shares.second
    }
    names = dict.fromkeys([*shares.first.values(), *shares.second.values()])
    return [
        {
            "assessor": language.look_up(QUEUE) if name is None else visible_line(name),
            "topics": len(own := _topics_given_to(shares.first, name)),
            "documents": sum(len(work[qid]) for qid in own),
            "as second, topics": len(also := _topics_given_to(shares.second, name)),
            "as second, documents": sum(len(second[qid]) for qid in also),
        }
        for name in names
    ]


def _topics_given_to(takers: Takers, name: str | None) -> list[str]:
    return [qid for qid, taker in takers.items() if taker == name]


def _assign(store: Store, fields: Fields, base: str, language: Language) -> Done:
    with store.writing():
        assign_topics_to_assessors(store, **_assignment_options(fields))
    return Done(
        language.gettext(
            "The topics are assigned. Assessors who are judging now see their new documents when they continue."
        )
    )


def _assignment_options(fields: Fields) -> dict[str, Any]:
    names = [parse_name_field(line) for line in fields.get("assessors", "").splitlines() if line.strip()]
    queue = fields.get("to") == "queue"
    if not queue and not names:
        raise InputError(translatable("no assessor is named; name one per line, or choose the queue"))
    return {
        "assessors": [] if queue else names,
        "topics": fields.get("topics", "").split(),
        "overlap": parse_percentage(fields.get("overlap", "").strip() or "0%"),
        "repeats": _parse_number(fields, "repeats"),
        "seed": _parse_number(fields, "seed"),
        "lease": round(_hours(fields) * 3600),
        "cannot_judge": bool(fields.get("cannot_judge")),
    }


def _parse_number(fields: Fields, name: str) -> int:
    text = fields.get(name, "").strip() or "0"
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise InputError(f"{name} is {text!r}; expected a whole number of at least 0")
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


SHARING = OrganiserSection(
    translatable("Share out topics"), "organise_share.html", _values, entry=translatable("Assignments")
)
ASSIGN = Form(_assign, after="topics", back="topics")


ROLES: tuple[Role, ...] = ("first", "second")


def _values_give(request: SectionRequest) -> Mapping[str, Any]:
    one = _assignment(request)
    return {
        "one": one,
        "until": full_time(one.until) if one.until else "",
        "known": [name for name, kind in assessors(request.store).items() if kind == "human"],
        "typed": request.field("assessor"),
    }


def _assignment(request: SectionRequest) -> TopicState:
    topic, role = request.field("topic"), request.field("role")
    for one in topic_states(request.store, request.moment):
        if (one.topic, one.role) == (topic, role) and one.assigned:
            return one
    wrong = (
        request.language.gettext(
            "topic %(topic)s has no %(role)s assessor; share it out first", topic=repr(topic), role=role
        )
        if role
        else request.language.gettext("topic %(topic)s has no such assessor; share it out first", topic=repr(topic))
    )
    raise InputError(wrong)


def _give(store: Store, fields: Fields, base: str, language: Language) -> Done:
    qid, name, role = fields.get("topic", ""), parse_name_field(fields.get("assessor", "")), _role(fields)
    back = "back" in fields
    if not back and not name:
        raise InputError(translatable("no assessor is named; type a name, or put the topic into the queue"))
    give_assignment(store, qid, role, None if back else name)
    if back and role == "second":
        said = language.gettext(
            "The second assessment of topic %(topic)s is now in the queue. Recorded decisions are kept.",
            topic=visible_line(qid),
        )
    elif back:
        said = language.gettext(
            "Topic %(topic)s is now in the queue. Recorded decisions are kept.", topic=visible_line(qid)
        )
    elif role == "second":
        said = language.gettext(
            "The second assessment of topic %(topic)s is now assigned to %(name)s. Recorded decisions are kept.",
            topic=visible_line(qid),
            name=visible_line(name),
        )
    else:
        said = language.gettext(
            "Topic %(topic)s is now assigned to %(name)s. Recorded decisions are kept.",
            topic=visible_line(qid),
            name=visible_line(name),
        )
    return Done(said)


def _role(fields: Fields) -> Role:
    for role in ROLES:
        if fields.get("role") == role:
            return role
    raise InputError(f"the role is {fields.get('role', '')!r}; expected first or second")


GIVING = OrganiserSection(
    translatable("Change an assignment"), "organise_give.html", _values_give, entry=translatable("Assignments")
)
GIVE = Form(_give, after="topics", back="give")


DEFAULTS = {"to": "assessors", "overlap": "10%", "repeats": "2", "lease": "24", "seed": "0"}
PAGE_TOPICS = 25  # topics on a page; JSON and CSV have all
FILTERS = ("search", "state", "assessor")


class AssignedTopic(NamedTuple):
    """A topic with its assessors: the state of the first assessment and, where there is one, of the second."""

    first: TopicState
    second: TopicState | None = None

    @property
    def states(self) -> list[TopicState]:
        """Both assessments."""
        return [self.first, *([self.second] if self.second else [])]

    def matches(self, search: str, state: str, assessor: str) -> bool:
        """Whether the topic has all words of a search, and one of its assessments the state and the assessor."""
        text = f"{self.first.topic} {self.first.title}".casefold()
        found = all(word in text for word in search.casefold().split())
        one = any(state in ("", each.state) and assessor in ("", each.assessor) for each in self.states)
        return found and one


def _assigned_topics(states: Sequence[TopicState]) -> list[AssignedTopic]:
    by_topic: dict[str, list[TopicState]] = {}
    for state in states:
        by_topic.setdefault(state.topic, []).append(state)
    return [AssignedTopic(*two[:2]) for two in by_topic.values()]


def _values_topics(request: SectionRequest) -> Mapping[str, Any]:
    states = topic_states(request.store, request.moment)
    asked = {name: request.field(name) for name in FILTERS}
    rows = [one for one in _assigned_topics(states) if one.matches(**asked)]
    free = sum(one.state in (UNASSIGNED, OPEN) for one in states)
    page, pages = _page_number(request, len(rows))
    part = rows[(page - 1) * PAGE_TOPICS : page * PAGE_TOPICS]
    return {
        "free": free,
        "shares_now": free and (not has_assignments(request.store) or bool(request.field("to"))),
        "typed": share_fields(request),
        "summary": _summary(request, states),
        "asked": asked,
        "states": list(dict.fromkeys(one.state for one in states)),
        "names": list(dict.fromkeys(one.assessor for one in states if one.assessor)),
        "tables": [ViewTable("assigned", [_topics_table(part, request.moment, request.language)])] if part else [],
        "found": request.language.ngettext("%(num)s topic", "%(num)s topics", len(rows)),
        "page": page,
        "pages": pages,
        "query": urlencode({name: text for name, text in asked.items() if text}),
    }


def _page_number(request: SectionRequest, rows: int) -> tuple[int, int]:
    """The number of the page that is asked for, and of the last page."""
    pages, text = max(1, -(-rows // PAGE_TOPICS)), request.field("page", "1")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 1
    return min(max(number, 1), pages), pages


def share_fields(request: SectionRequest) -> dict[str, str]:
    """The fields of the form that shares out: as typed, else the people with a link or a topic."""
    if request.field("to"):
        return {name: request.field(name) for name in (*DEFAULTS, "assessors", "topics", "cannot_judge")}
    people = {one.assessor for one in invitations(request.store) if one.role == "judge" and not one.revoked}
    names = [name for name, kind in assessors(request.store).items() if kind == "human" and name in people]
    return {**DEFAULTS, "assessors": "\n".join(names), "topics": request.field("topics"), "cannot_judge": ""}


def _summary(request: SectionRequest, states: list[TopicState]) -> str:
    language, first = request.language, [one for one in states if one.role == "first"]
    documents, twice = sum(one.documents for one in first), sum(one.twice for one in first)
    if not documents:
        return language.gettext("There is no pool yet, so there are no topics to assign.")
    topics = language.ngettext("%(num)s topic", "%(num)s topics", len(first))
    if not has_assignments(request.store):
        return language.ngettext(
            "%(topics)s with %(num)s document.", "%(topics)s with %(num)s documents.", documents, topics=topics
        )
    share = f"{twice / documents:.0%}" if twice else language.gettext("none")
    numbers = {"twice": f"{twice:,}", "share": share}
    summary = language.ngettext(
        "%(topics)s with %(num)s document; %(twice)s of them (%(share)s) are judged by two assessors.",
        "%(topics)s with %(num)s documents; %(twice)s of them (%(share)s) are judged by two assessors.",
        documents,
        topics=topics,
        **numbers,
    )
    repeats = language.gettext("Some documents are shown twice to their assessor.")
    return f"{summary} {repeats}" if documents_drawn_for(request.store, "repeat") else summary


def _topics_table(part: Sequence[AssignedTopic], moment: datetime, language: Language) -> TableBlock:
    is_second = any(one.second for one in part)
    caption = translatable("Topics and their assessors. by two: documents that both assessors judge")
    return TableBlock(
        "assigned", caption, [_topic_row(one, is_second, moment, language) for one in part], sortable=False
    )


def _topic_row(one: AssignedTopic, is_second: bool, moment: datetime, language: Language) -> dict[str, Any]:
    """A row of the table; with the columns of second assessors if some topic has one."""
    second = {
        "second assessor": _assessor_cell(one.second, moment, language) if one.second else "",
        "left of second": one.second.left if one.second else None,
        "by two": one.first.twice,
    }
    return {
        "topic": Cell(one.first.topic, below=visible_line(one.first.title), href=_change_address(one.first)),
        "assessor": _assessor_cell(one.first, moment, language),
        "documents": one.first.documents,
        "left": one.first.left,
        **(second if is_second else {}),
        "change": Cell(
            language.gettext("assign") if one.first.state in (UNASSIGNED, OPEN) else language.gettext("change"),
            href=_change_address(one.first),
        ),
    }


def _assessor_cell(one: TopicState, moment: datetime, language: Language) -> Cell:
    """Who has the topic, its state, and when a claim ends; that of a second assessor leads to its change."""
    until = time_cell(one.until, moment, language=language).text if one.until else ""
    words = language.look_up(one.state)
    is_claim = one.until is not None and datetime.fromisoformat(one.until) > moment
    state = language.gettext("%(state)s, ends %(time)s", state=words, time=until) if is_claim else f"{words} {until}"
    state = state.strip()
    name = language.gettext("nobody") if one.assessor is None else visible_line(one.assessor)
    return Cell(name, below=state, href=_change_address(one) if one.role == "second" else "")


def _change_address(one: TopicState) -> str:
    if one.state in (UNASSIGNED, OPEN):
        return f"/organise/topics?{urlencode({'topics': one.topic})}#share"
    return f"/organise/give?{urlencode({'topic': one.topic, 'role': one.role})}"


TOPICS = OrganiserSection(
    translatable("Assignments"),
    "organise_topics.html",
    _values_topics,
    entry=translatable("Assignments"),
    has_data=has_rows("pool"),
)
