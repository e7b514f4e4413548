"""Views and the organiser's pages and forms as answers to requests; what takes long is computed beside the server."""

import time

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from cranfield.errors import CranfieldError
from cranfield.store.connection import StoreGoneError
from cranfield.web.language import Language, language_of, translatable
from cranfield.web.look.table import HTML, VIEWS, ViewResponse, answer, page_values, refusal_page, shown_view
from cranfield.web.look.view import Navigation, address
from cranfield.web.navigation import navigation
from cranfield.web.organise.section import Done, Notices
from cranfield.web.organise.table import FORMS, SECTIONS, Content, content, live, page_html, submit_form
from cranfield.web.results import ComputedResult, Results, Worker

RELOAD = "2"  # seconds after which a page without content reloads itself
NOT_YET = 202  # the status of such a page


async def view(request: Request, reader: Worker, results: Results) -> Response:
    """The view that an address names, as a page, JSON or CSV."""
    name, kind = request.path_params["name"], request.path_params.get("kind", "")
    if (shown := await reader.run(lambda store: shown_view(store, name))) != name:
        ending, asked = f".{kind}" if kind else "", request.url.query
        return RedirectResponse(f"{address(f'{shown}{ending}')}{f'?{asked}' if asked else ''}", 303)
    language = language_of(request)
    pairs, entry = tuple(request.query_params.multi_items()), VIEWS[name].entry if name in VIEWS else ""
    if name not in VIEWS or not VIEWS[name].heavy:
        found, bar = await reader.run(
            lambda store: (answer(store, name, kind, pairs, language), navigation(store, entry, language))
        )
        return _response(language, found, bar)
    bar = await reader.run(lambda store: navigation(store, entry, language))
    try:
        result = await results.get(answer, name, kind, pairs, language, current=bool(kind))
    except StoreGoneError:
        raise
    except CranfieldError as error:
        return _response(language, refusal_page(str(error), 503, kind, language), bar)
    reload = f"{request.url.path}?{request.url.query}".rstrip("?")
    if result.value is None:
        empty = page_values(language.look_up(VIEWS[name].title), [], language)
        return _response(language, ViewResponse(empty, HTML, NOT_YET), bar, _state_note(language, result), reload)
    return _response(language, result.value, bar, _state_note(language, result), reload if result.doing else "")


def _state_note(language: Language, result: ComputedResult) -> str:
    """Why a page has no content yet, or which state of the store it shows, if not the current one."""
    if result.value is None:
        return language.gettext(
            "Computing this page takes a while. Current step: %(step)s. The page reloads until it is complete.",
            step=result.doing,
        )
    if not result.as_of:
        return ""
    if result.doing:
        again = translatable("As of %(time)s; the store has changed since. The page is being computed again.")
        return language.gettext(again, time=result.as_of)
    return language.gettext("As of %(time)s; the store has changed since.", time=result.as_of)


def _response(language: Language, content: ViewResponse, bar: Navigation, note: str = "", reload: str = "") -> Response:
    headers = {"refresh": RELOAD} if content.status == NOT_YET else None
    return Response(content.text(bar, note, reload, language), content.status, headers, content.media_type)


PERIOD = 600  # seconds after which what depends on the time is computed again, even if nothing was recorded


async def show(request: Request, reader: Worker, results: Results, notices: Notices, form: str) -> Response:
    """A page of the organiser, with what the last form did."""
    name, fields = request.path_params.get("name", ""), dict(request.query_params)
    language = language_of(request)
    if name not in SECTIONS:
        raise HTTPException(404, translatable("There is no such page."))
    notice = notices.take(fields.pop("said", ""))
    if SECTIONS[name].heavy:
        return await _heavy_section_page(name, reader, results, form, language)
    entries = tuple(fields.items())
    entry = SECTIONS[name].entry
    whole, bar = await reader.run(
        lambda store: (content(store, name, entries, language=language), navigation(store, entry, language))
    )
    return HTMLResponse(
        page_html(name, whole, form, notice, language=language, navigation=bar), 404 if whole.wrong else 200
    )


async def _heavy_section_page(name: str, reader: Worker, results: Results, form: str, language: Language) -> Response:
    try:
        result = await results.get(content, name, (), int(time.time() // PERIOD), language)
    except StoreGoneError:
        raise
    except CranfieldError as error:
        raise HTTPException(503, str(error)) from error
    address, entry = f"/organise/{name}" if name else "/", SECTIONS[name].entry
    now, bar = await reader.run(lambda store: (live(store, name, language), navigation(store, entry, language)))
    if result.value is None:
        html = page_html(
            name,
            Content({}),
            form,
            Done(""),
            language=language,
            navigation=bar,
            note=_state_note(language, result),
            reload=address,
        )
        return HTMLResponse(html, NOT_YET, {"refresh": RELOAD})
    whole = result.value._replace(values={**result.value.values, **now})
    return HTMLResponse(
        page_html(
            name,
            whole,
            form,
            Done(""),
            language=language,
            navigation=bar,
            note=_state_note(language, result),
            reload=address if result.as_of else "",
        )
    )


async def change(request: Request, worker: Worker, notices: Notices) -> Response:
    """Do what a form of the organiser asks, and go on to the page that says so; loading it again does nothing."""
    name, fields = request.path_params["name"], request.state.fields
    if name not in FORMS:
        raise HTTPException(404, translatable("There is no such form."))
    base = str(request.base_url).rstrip("/")
    language = language_of(request)
    notice, where = await worker.run(lambda store: submit_form(store, name, fields, base, language))
    return RedirectResponse(f"{where}said={notices.keep(notice)}", 303)
