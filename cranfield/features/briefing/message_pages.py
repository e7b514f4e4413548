"""Pages for messages: the organiser sends them, and an assessor dismisses them."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from cranfield.errors import InputError
from cranfield.features.briefing.messages import (
    dismiss_message,
    open_messages,
    people_with_judging_page,
    send_message,
)
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.commands import Fields, integer_field
from cranfield.web.language import Language, language_of, translatable
from cranfield.web.look.person import PERSON, people_in
from cranfield.web.look.view import address
from cranfield.web.open_sessions import RolePage
from cranfield.web.organise.section import Done, Form, OrganiserSection, SectionRequest
from cranfield.web.results import Worker
from cranfield.web.templates import render_page


def _values(request: SectionRequest) -> Mapping[str, Any]:
    people, name = people_with_judging_page(request.store), request.field("assessor")
    is_known = name in people_in(request.store)
    return {
        "people": people,
        "assessor": name,
        "without_page": name if is_known and name not in people else "",
        "text": request.field("text"),
        "event": uuid4().hex,
        "back": address("person", assessor=name) if is_known else "",
    }


def _send(store: Store, fields: Fields, base: str, language: Language) -> Done:
    name, is_to_all = fields.get("assessor", ""), "all" in fields
    people = people_with_judging_page(store)
    if not is_to_all and name not in people and name in people_in(store):
        raise InputError(f"{name!r:.60} has no judging page to show the message; make a link for them first")
    names = people if is_to_all else [name]
    number = send_message(store, names, fields.get("text", ""), fields.get("event", "")[:64])
    if is_to_all:
        said = language.ngettext(
            "The message was sent to %(num)s person. The judging page shows it until they dismiss it.",
            "The message was sent to %(num)s people. The judging page shows it until they dismiss it.",
            number,
        )
    else:
        said = language.gettext(
            "The message was sent to %(name)s. The judging page shows it until they dismiss it.",
            name=visible_line(name),
        )
    return Done(said)


MESSAGE = OrganiserSection(
    translatable("Send a message"),
    "briefing/message.html",
    _values,
    entry=translatable("Person"),
    has_data=PERSON.has_data,
    forms={"message": Form(_send, "message", "message")},
)


async def _messages(request: Request, worker: Worker, page: object, assessor: str, form: str) -> Response:
    """The open messages to an assessor; a form dismisses one and leads back to judging."""
    if request.method == "POST":
        number = integer_field(request.state.fields, "number")
        await worker.run(lambda store: dismiss_message(store, assessor, number))
        return RedirectResponse("/judge", 303)
    rows = await worker.run(lambda store: open_messages(store, assessor))
    return HTMLResponse(render_page("briefing/messages.html", language_of(request), form=form, rows=rows))


MESSAGES = RolePage(lambda store: None, _messages)
