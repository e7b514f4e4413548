"""Views and the organiser's pages and forms as answers to requests; what takes long is computed beside the server."""

import time

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from cranfield.errors import CranfieldError
from cranfield.web.look.table import HTML, VIEWS, ViewResponse, answer, navigation, refuse, values
from cranfield.web.organise.section import Done, Notices
from cranfield.web.organise.table import FORMS, SECTIONS, Content, act, content, live, page
from cranfield.web.results import ComputedResult, Results, Worker

RELOAD = "2"  # seconds after which a page without content reloads itself
NOT_YET = 202  # the status of such a page


async def view(request: Request, reader: Worker, results: Results) -> Response:
    """The view that an address names, as a page, JSON or CSV."""
    name, kind = request.path_params["name"], request.path_params.get("kind", "")
    pairs = tuple(request.query_params.multi_items())
    if name not in VIEWS or not VIEWS[name].heavy:
        return _response(await reader.run(lambda store: answer(store, name, kind, pairs)))
    try:
        result = await results.get(answer, name, kind, pairs, current=bool(kind))
    except CranfieldError as error:
        return _response(refuse(str(error), 503, kind))
    reload = f"{request.url.path}?{request.url.query}".rstrip("?")
    if result.value is None:
        empty = values(VIEWS[name].title, [], navigation=navigation(VIEWS[name].entry))
        return _response(ViewResponse(empty, HTML, NOT_YET), _state_note(result), reload)
    return _response(result.value, _state_note(result), reload if result.doing else "")


def _state_note(result: ComputedResult) -> str:
    """Why a page has no content yet, or which state of the store it shows, if not the current one."""
    if result.value is None:
        return f"This page takes a while. Now: {result.doing}. It reloads by itself until it is complete."
    if not result.as_of:
        return ""
    again = " It is being computed again." if result.doing else ""
    return f"As of {result.as_of}; the store has changed since.{again}"


def _response(content: ViewResponse, note: str = "", reload: str = "") -> Response:
    headers = {"refresh": RELOAD} if content.status == NOT_YET else None
    return Response(content.text(note, reload), content.status, headers, content.media_type)


PERIOD = 600  # seconds after which what depends on the time is computed again, even if nothing was recorded


async def show(request: Request, reader: Worker, results: Results, notices: Notices, form: str) -> Response:
    """A page of the organiser, with what the last form did."""
    name, fields = request.path_params.get("name", ""), dict(request.query_params)
    if name not in SECTIONS:
        raise HTTPException(404, "There is no such page.")
    notice = notices.take(fields.pop("said", ""))
    if SECTIONS[name].heavy:
        return await _heavy_section_page(name, reader, results, form)
    entries = tuple(fields.items())
    whole = await reader.run(lambda store: content(store, name, entries))
    return HTMLResponse(page(name, whole, form, notice), 404 if whole.wrong else 200)


async def _heavy_section_page(name: str, reader: Worker, results: Results, form: str) -> Response:
    try:
        result = await results.get(content, name, (), int(time.time() // PERIOD))
    except CranfieldError as error:
        raise HTTPException(503, str(error)) from error
    address = f"/organise/{name}" if name else "/"
    if result.value is None:
        html = page(name, Content({}), form, Done(""), note=_state_note(result), reload=address)
        return HTMLResponse(html, NOT_YET, {"refresh": RELOAD})
    now = await reader.run(lambda store: live(store, name))
    whole = result.value._replace(values={**result.value.values, **now})
    return HTMLResponse(
        page(name, whole, form, Done(""), note=_state_note(result), reload=address if result.as_of else "")
    )


async def change(request: Request, worker: Worker, notices: Notices) -> Response:
    """Do what a form of the organiser asks, and go on to the page that says so; loading it again does nothing."""
    name, fields = request.path_params["name"], request.state.fields
    if name not in FORMS:
        raise HTTPException(404, "There is no such form.")
    base = str(request.base_url).rstrip("/")
    notice, where = await worker.run(lambda store: act(store, name, fields, base))
    return RedirectResponse(f"{where}said={notices.keep(notice)}", 303)
