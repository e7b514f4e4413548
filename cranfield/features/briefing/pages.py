"""The pages that a link for judging has besides: practice before the first topic, and questions to the organiser."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from cranfield.errors import InputError
from cranfield.features.briefing.store import (
    PracticeStep,
    answer,
    ask,
    gold,
    labelled_topics,
    practice_steps,
    practise,
    questions,
    results,
    set_gold,
    topic_questions,
)
from cranfield.judging.session.view import document_heading
from cranfield.report.blocks import TableBlock
from cranfield.store.log import guidelines
from cranfield.store.store import Store
from cranfield.text import counted, visible_line
from cranfield.web.commands import Fields, integer_field
from cranfield.web.guidelines import guidelines_markup
from cranfield.web.language import Language, language_of, translatable
from cranfield.web.look.view import has_rows
from cranfield.web.open_sessions import RolePage
from cranfield.web.organise.section import Done, Form, OrganiserSection, SectionRequest, SetUpStep
from cranfield.web.results import Worker
from cranfield.web.templates import ShownText, render_page


async def _practice(request: Request, worker: Worker, page: object, assessor: str, form: str) -> Response:
    """The next document to practise on, or a graded one with its right grade, or the results of all."""
    if request.method == "POST":
        number = await worker.run(lambda store: _grade(store, assessor, form, request.state.fields))
        return RedirectResponse(f"/practice?graded={number}", 303)
    query = dict(request.query_params)
    language = language_of(request)
    return HTMLResponse(await worker.run(lambda store: _practice_page(store, assessor, form, query, language)))


def _grade(store: Store, assessor: str, form: str, fields: Fields) -> int:
    """Record a grade of the document that the page had, unless it is graded and not to be graded again; its number."""
    steps, number = practice_steps(store, assessor), integer_field(fields, "number")
    step = steps[number - 1] if 0 < number <= len(steps) else None
    if step is None or fields.get("document") != _opaque(step, form):
        raise InputError(
            "the organiser has changed the practice documents; load the page again to practise on the new ones"
        )
    if step.given is None or "again" in fields:
        practise(store, assessor, step, integer_field(fields, "grade"), fields.get("event", "")[:64])
    return number


def _opaque(step: PracticeStep, form: str) -> str:
    """A name for a document that tells nobody its docno."""
    return sha256("\n".join((form, step.qid, step.docno)).encode()).hexdigest()[:16]


def _practice_page(store: Store, assessor: str, form: str, query: Fields, language: Language) -> str:
    steps = practice_steps(store, assessor)
    graded = sum(step.given is not None for step in steps)
    again, shown = _graded_number(query, "again", graded), _graded_number(query, "graded", graded)
    number = again or shown or graded + 1
    step = steps[number - 1] if number <= len(steps) else None
    document = store.document(step.docno) if step else None
    text = ShownText.titled(document) if document else None
    return render_page(
        "briefing/practice.html",
        language,
        form=form,
        event=uuid4().hex,
        step=step,
        opaque=_opaque(step, form) if step else "",
        number=number,
        graded=graded,
        again=bool(again),
        explained=bool(shown and not again),
        of=len(steps),
        heading=document_heading(document) if document else "",
        blocks=text.blocks() if text else [],
        titled=text is not None and text.is_titled,
        topic=next((topic for topic in store.topics() if step and topic.qid == step.qid), None),
        guidelines=guidelines_markup(guidelines(store)),
        grades=store.collection.grades,
        right=sum(step.given == step.right for step in steps),
    )


def _graded_number(query: Fields, name: str, graded: int) -> int:
    """The number of a graded document in the address; 0 if there is none."""
    text = query.get(name, "")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 0
    return number if number <= graded else 0


async def _questions(request: Request, worker: Worker, page: object, assessor: str, form: str) -> Response:
    """What was asked about a topic and answered, and one's own questions; a form to ask."""
    if request.method == "POST":
        fields = request.state.fields
        qid = fields.get("topic", "")
        await worker.run(lambda store: ask(store, qid, assessor, fields.get("text", ""), fields.get("event", "")[:64]))
        return RedirectResponse("/questions", 303)
    qid = request.query_params.get("topic", "")
    language = language_of(request)
    return HTMLResponse(await worker.run(lambda store: _questions_page(store, assessor, qid, form, language)))


def _questions_page(store: Store, assessor: str, qid: str, form: str, language: Language) -> str:
    own = [one for one in questions(store) if one.assessor == assessor]
    return render_page(
        "briefing/questions.html",
        language,
        form=form,
        event=uuid4().hex,
        topic=next((topic for topic in store.topics() if topic.qid == qid), None),
        rows=topic_questions(store, assessor, qid) if qid else own,
        assessor=assessor,
    )


PRACTICE = RolePage(lambda store: None, _practice)
QUESTIONS = RolePage(lambda store: None, _questions)


HEADS = {"above": "too high", "below": "too low", "changed": "changed after the right grade was shown"}


def _values(request: SectionRequest) -> Mapping[str, Any]:
    all_questions, rows = questions(request.store), results(request.store)
    table = [row | {"assessor": visible_line(str(row["assessor"]))} for row in rows]
    return {
        "open": [one for one in all_questions if not one.answer],
        "answered": [one for one in all_questions if one.answer],
        "gold": len(gold(request.store)),
        "gold_choices": labelled_topics(request.store),
        "event": uuid4().hex,
        "blocks": [TableBlock("practice", translatable("Practice grades by assessor"), table, heads=HEADS)]
        if table
        else [],
    }


def _answer(store: Store, fields: Fields, base: str, language: Language) -> Done:
    question = answer(store, integer_field(fields, "question"), fields.get("text", ""), fields.get("event", "")[:64])
    said = language.gettext(
        "The answer to %(name)s is shown with topic %(topic)s, to everybody who judges the topic.",
        name=visible_line(question.assessor),
        topic=visible_line(question.qid),
    )
    return Done(said)


def _set_practice(store: Store, fields: Fields, base: str, language: Language) -> Done:
    topic, separator, name = fields.get("gold", "").partition("\t")  # a browser would send "\n" as "\r\n"
    if not separator:
        raise InputError("no topic is chosen; choose a topic that somebody has labelled")
    number = set_gold(store, topic, name)
    said = language.ngettext(
        "Assessors will now practise on topic %(topic)s (%(num)s document).",
        "Assessors will now practise on topic %(topic)s (%(num)s documents).",
        number,
        topic=visible_line(topic),
    )
    return Done(said)


BRIEFING = OrganiserSection(
    translatable("Practice and questions"),
    "briefing/organise.html",
    _values,
    entry=translatable("Questions"),
    has_data=has_rows("pool"),
    forms={
        "answer": Form(_answer, "briefing", "briefing"),
        "practice": Form(_set_practice, "briefing", "briefing"),
    },
    step=SetUpStep(
        translatable("Practice"),
        translatable("Before assessors judge their first topic, they can practise on a topic that you have judged."),
        lambda store: counted(len(documents), "practice document") if (documents := gold(store)) else "",
    ),
)
