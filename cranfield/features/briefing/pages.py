"""The pages that a link for judging has besides: practice before the first topic, and questions to the organiser."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from cranfield.features.briefing.store import (
    answer,
    ask,
    gold,
    practice_of,
    practise,
    questions,
    results,
    to_practise,
    topic_questions,
)
from cranfield.judging.session.view import heading
from cranfield.report.blocks import TableBlock
from cranfield.store.log import guidelines
from cranfield.store.store import Store
from cranfield.text import visible, visible_line
from cranfield.web.commands import Fields, integer_field
from cranfield.web.open_sessions import RolePage
from cranfield.web.organise.section import Done, Form, OrganiserSection, SectionRequest
from cranfield.web.results import Worker
from cranfield.web.templates import ShownText, render


async def _practice(request: Request, worker: Worker, page: object, assessor: str, form: str) -> Response:
    """The next document to practise on with what came of the last one, or what came of all."""
    if request.method == "POST":
        await worker.run(lambda store: _grade(store, assessor, request.state.fields))
        return RedirectResponse("/practice", 303)
    return HTMLResponse(await worker.run(lambda store: _practice_page(store, assessor, form)))


def _grade(store: Store, assessor: str, fields: Fields) -> None:
    """Record a grade of the document that the page had, if it is still to be graded."""
    rest = to_practise(store, assessor)
    if rest and integer_field(fields, "number") == len(practice_of(store, assessor)) + 1:
        practise(store, assessor, rest[0], integer_field(fields, "grade"), fields.get("event", "")[:64])


def _practice_page(store: Store, assessor: str, form: str) -> str:
    rest, grades = to_practise(store, assessor), practice_of(store, assessor)
    reasons = {(one.qid, one.docno): one.reason for one in gold(store)}
    last = grades[-1] if grades else None
    one = rest[0] if rest else None
    document = store.document(one.docno) if one else None
    return render(
        "briefing/practice.html",
        form=form,
        event=uuid4().hex,
        one=one,
        number=len(grades) + 1,
        of=len(grades) + len(rest),
        heading=heading(document) if document else "",
        blocks=ShownText.from_document(document).blocks() if document else [],
        topic=next((topic for topic in store.topics() if one and topic.qid == one.qid), None),
        guidelines=visible(guidelines(store)).strip("\n"),
        grades=store.collection.grades,
        last=last,
        title=heading(store.document(last[1])) if last else "",
        reason=reasons.get(last[:2], "") if last else "",
        right=sum(grade == right for *_, grade, right in grades),
    )


async def _questions(request: Request, worker: Worker, page: object, assessor: str, form: str) -> Response:
    """What was asked about a topic and answered, and one's own questions; a form to ask."""
    if request.method == "POST":
        fields = request.state.fields
        qid = fields.get("topic", "")
        await worker.run(lambda store: ask(store, qid, assessor, fields.get("text", ""), fields.get("event", "")[:64]))
        return RedirectResponse("/questions", 303)
    qid = request.query_params.get("topic", "")
    return HTMLResponse(await worker.run(lambda store: _questions_page(store, assessor, qid, form)))


def _questions_page(store: Store, assessor: str, qid: str, form: str) -> str:
    own = [one for one in questions(store) if one.assessor == assessor]
    return render(
        "briefing/questions.html",
        form=form,
        event=uuid4().hex,
        topic=next((topic for topic in store.topics() if topic.qid == qid), None),
        rows=topic_questions(store, assessor, qid) if qid else own,
        assessor=assessor,
    )


PRACTICE = RolePage(lambda store: None, _practice)
QUESTIONS = RolePage(lambda store: None, _questions)


HEADS = {"above": "too high", "below": "too low"}


def _values(request: SectionRequest) -> Mapping[str, Any]:
    all_questions, rows = questions(request.store), results(request.store)
    table = [row | {"assessor": visible_line(str(row["assessor"]))} for row in rows]
    return {
        "open": [one for one in all_questions if not one.answer],
        "answered": [one for one in all_questions if one.answer],
        "gold": len(gold(request.store)),
        "event": uuid4().hex,
        "blocks": [TableBlock("practice", "What assessors gave while they practised", table, heads=HEADS)]
        if table
        else [],
    }


def _answer(store: Store, fields: Fields, base: str) -> Done:
    question = answer(store, integer_field(fields, "question"), fields.get("text", ""), fields.get("event", "")[:64])
    note = f"The answer to {visible_line(question.assessor)} stands with topic {visible_line(question.qid)}"
    return Done(f"{note}: everybody who judges it sees it.")


BRIEFING = OrganiserSection(
    "Practice and questions",
    "briefing/organise.html",
    _values,
    entry="Questions",
    forms={"answer": Form(_answer, "briefing", "briefing")},
)
