"""A view of the store as an answer to a request; what takes long is computed beside the server."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from cranfield.errors import CranfieldError
from cranfield.web.look.answer import HTML, Answer, answer, refused, values
from cranfield.web.look.table import VIEWS, navigation
from cranfield.web.results import Found, Results
from cranfield.web.worker import Worker

RELOAD = "2"  # seconds after which a page without content reloads itself
NOT_YET = 202  # the status of such a page


async def view(request: Request, reader: Worker, results: Results) -> Response:
    """The view that an address names, as a page, JSON or CSV."""
    name, kind = request.path_params["name"], request.path_params.get("kind", "")
    asked = tuple(request.query_params.multi_items())
    if name not in VIEWS or not VIEWS[name].heavy:
        return _response(await reader.run(lambda store: answer(store, name, kind, asked)))
    try:
        found = await results.get(answer, name, kind, asked, current=bool(kind))
    except CranfieldError as error:
        return _response(refused(str(error), 503, kind))
    reload = f"{request.url.path}?{request.url.query}".rstrip("?")
    if found.value is None:
        waits = f"This page takes a while. Now: {found.doing}. It reloads by itself until it is complete."
        return _response(_not_yet(name), waits, reload)
    return _response(found.value, _note(found), reload if found.doing else "")


def _not_yet(name: str) -> Answer:
    """A page without content."""
    return Answer(values(VIEWS[name].title, [], navigation=navigation(VIEWS[name].entry)), HTML, NOT_YET)


def _note(found: Found) -> str:
    """Which state of the store a page shows, if not the current one."""
    if not found.as_of:
        return ""
    again = " It is being computed again." if found.doing else ""
    return f"As of {found.as_of}; the store has changed since.{again}"


def _response(found: Answer, note: str = "", reload: str = "") -> Response:
    headers = {"refresh": RELOAD} if found.status == NOT_YET else None
    return Response(found.text(note, reload), found.status, headers, found.media_type)
