"""The pages of topics in development: an author's, who tries and judges them, and the organiser's list."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from cranfield.features.collecting.finding import development as own
from cranfield.formats import Topic
from cranfield.judging.session.view import heading
from cranfield.report.blocks import TableBlock
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.commands import Fields, whole
from cranfield.web.open_sessions import RolePage
from cranfield.web.organise.section import OrganiserSection, SectionRequest
from cranfield.web.templates import ShownText, rendered
from cranfield.web.worker import Worker


async def _develop(request: Request, worker: Worker, opened: object, assessor: str, form: str) -> Response:
    """The page; what its forms do leads back to it."""
    if request.method == "GET":
        qid = request.query_params.get("topic", "")
        return HTMLResponse(await worker.run(lambda store: _page(store, assessor, qid, form)))
    fields, command = request.state.fields, request.path_params["command"]
    await worker.run(lambda store: _obeyed(store, assessor, command, fields))
    return RedirectResponse(f"/develop?{urlencode({'topic': fields.get('topic', '').strip()})}", 303)


def _obeyed(store: Store, author: str, command: str, fields: Fields) -> None:
    qid, event = fields.get("topic", "").strip(), fields.get("event", "")[:64]
    if command == "try":
        title, description, narrative = (fields.get(name, "").strip() for name in ("title", "description", "narrative"))
        own.propose(store, Topic(qid, title, description, narrative), author, event)
    elif command == "label":
        one = own.candidate(store, qid, author)
        docno = own.next_document(store, one)
        if docno and whole(fields, "number") == len(one.labels) + 1:
            own.label(store, qid, author, docno, grade=whole(fields, "grade"), event_id=event)
    elif command in own.STATES:
        own.candidate(store, qid, author)
        own.decide(store, qid, command, fields.get("reason", ""), author)


def _page(store: Store, author: str, qid: str, form: str) -> str:
    one = own.candidate(store, qid, author) if qid else None
    docno = own.next_document(store, one) if one else None
    document = store.document(docno) if docno else None
    least = store.collection.min_relevant
    return rendered(
        "collecting/develop.html",
        form=form,
        event=uuid4().hex,
        rows=[(each, each.says(least)) for each in own.candidates(store, author)],
        one=one,
        says=one.says(least) if one else "",
        document=document,
        heading=heading(document) if document else "",
        blocks=ShownText.of(document).blocks() if document else [],
        of=own.ALL,
        grades=store.collection.grades,
    )


def _values(request: SectionRequest) -> Mapping[str, Any]:
    rows = [
        {name: visible_line(value) if isinstance(value, str) else value for name, value in row.items()}
        for row in own.candidate_rows(request.store)
    ]
    return {"blocks": [TableBlock("candidates", "Topics in development", rows)] if rows else []}


DEVELOP = RolePage(lambda store: None, _develop)
TOPICS = OrganiserSection("Topics in development", "collecting/candidates.html", _values, entry="Development")
