"""The web application: its routes, and what every request has to bring."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial, update_wrapper, wraps
from hmac import compare_digest
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from cranfield import hooks
from cranfield.charts.palette import theme_css
from cranfield.errors import BusyError, CranfieldError, InputError, StoreError
from cranfield.store.connection import DatabaseError, StoreGoneError
from cranfield.store.invitations import ended_invitation
from cranfield.text import visible_line
from cranfield.web import judge_page, organiser_pages
from cranfield.web.access import Access, TooManyError, Visitor, WrongTokens, client_address, cookie_name, given_token
from cranfield.web.commands import commands_of
from cranfield.web.guard import BROKEN, GONE, Guard, TooLargeError, body, is_from_this_site
from cranfield.web.language import ENGLISH, Language, language_of, translatable
from cranfield.web.look.page_text import page_text, without_folder
from cranfield.web.look.times import full_time
from cranfield.web.open_sessions import (
    OpenAdjudications,
    OpenSession,
    OpenSessions,
    RolePage,
    deciding_roles,
    further_roles,
    invited_roles,
    judging_roles,
    open_tasks,
    page_before_judging,
    roles_with_judging,
)
from cranfield.web.organise.section import Notices
from cranfield.web.results import Results, Worker
from cranfield.web.templates import asset_text, components_css, render_page

KEYS = "keys"  # the cookie of a browser's own keys
FOREVER = 10 * 365 * 24 * 3600  # seconds that a cookie lasts; the invitation decides for how long it is valid
ASSETS = {
    "icon.svg": "image/svg+xml",
    **dict.fromkeys(("web.css", "tables.css", "look.css", "organise.css"), "text/css"),
    **dict.fromkeys(
        ("texts.js", "forms.js", "active_time.js", "display.js", "judge.js", "find.js", "organise.js", "page.js"),
        "text/javascript",
    ),
}
Handler = Callable[["Application", Request, Visitor], Awaitable[Response]]


class Refusal(NamedTuple):
    """What is answered to an error: the status, the text where it is not the error's, the seconds to wait."""

    error: type[Exception]
    status: int
    text: str = ""
    wait: str = ""


UNWRITTEN = translatable(
    "The store could not be read or written: the disk may be full. Tell the organiser, then load the page again to see"
    " what was recorded."
)
NO_LINK = translatable(
    "You need a link from the organiser to see this page. Open the link that the organiser sent you."
)
ASK_FOR_LINK = translatable("Ask the organiser, who sent you the link, for a new one. Your labels are kept.")
UNKNOWN_LINK = translatable(
    "This link is not valid here. Copy the whole link, or ask the organiser for a new one. If you are the organiser,"
    " use the link that the server printed when it last started."
)
OLDER = translatable(
    "A newer link was opened in this browser after this page was loaded, so nothing was recorded. Copy what you"
    " typed, then reload the page to continue with the newer link."
)
REFUSALS = (
    Refusal(ClientDisconnect, 400, translatable("The browser disconnected before the form was complete.")),
    Refusal(
        TooManyError,
        429,
        translatable("There were too many attempts with invalid links from this address. Try again in a minute."),
        "60",
    ),
    Refusal(BusyError, 503, wait="1"),
    Refusal(StoreGoneError, 410, GONE),
    Refusal(CranfieldError, 409),
    Refusal(DatabaseError, 507, UNWRITTEN),
    Refusal(Exception, 500, BROKEN),
)


class FileAccess(NamedTuple):
    """The folder of the server whose files the organiser may import, if any, and the largest upload in bytes."""

    folder: Path | None = None
    largest_upload: int = 1 << 30


class Application:
    """What all requests share: the thread of the store, the open sessions, and who may come in."""

    def __init__(
        self,
        worker: Worker,
        sessions: OpenSessions | None = None,
        wrong: WrongTokens | None = None,
        reader: Worker | None = None,
        adjudications: OpenAdjudications | None = None,
        *,
        start_token: str = "",
        files: FileAccess | None = None,
        language: Language = ENGLISH,
    ) -> None:
        self.worker, self.reader = worker, reader or worker
        self.store_path = worker.run_and_wait(lambda store: store.path)
        self.results = Results(self.reader)
        self.sessions = sessions or worker.run_and_wait(OpenSessions)
        self.adjudications = adjudications or worker.run_and_wait(OpenAdjudications)
        self.tasks = worker.run_and_wait(open_tasks)
        self.pages: Mapping[str, RolePage] = {role.name: role.page for role in judging_roles() if role.page}
        self.open_pages = {role: worker.run_and_wait(page.open) for role, page in self.pages.items()}
        self.access = Access(worker, wrong or WrongTokens(), start_token)
        self.files, self.language = files or FileAccess(), language
        self.notices = Notices()
        self.closing: list[Callable[[], None]] = [self.results.close]  # what is to be done at the end

    def asgi(self, hosts: Sequence[str], https: bool = False) -> Guard:
        """The application that a server runs; a request for another host name is refused.

        `https`: browsers use it, also where a proxy passes their requests on without.
        """
        routes = [
            Route("/", self._page(_home)),
            Route("/enter/{token}", self._enter),
            *(route for role in deciding_roles() for route in self._deciding_routes(role)),
            *(route for role in self.pages for route in self._role_routes(role)),
            *hooks.collect_from_extensions(lambda extension: extension.routes(self)),
            Route("/organise/{name}", self._page(_organise)),
            Route("/organise/{name}", self._form(_change), methods=["POST"]),
            Route("/look/{name}.{kind}", self._page(_look)),
            Route("/look/{name}", self._page(_look)),
            Route("/active/{role}", self._form(_active), methods=["POST"]),
            Route("/assets/{name}", show_asset),
        ]
        handlers = dict.fromkeys((HTTPException, *(one.error for one in REFUSALS)), _refuse)
        starlette = Starlette(routes=routes, exception_handlers=handlers)
        starlette.state.language = self.language
        starlette.state.store_path = self.store_path
        return Guard(starlette, hosts, partial(_message_page, self.language), https)

    def _deciding_routes(self, role: str) -> Sequence[Route]:
        return (
            Route(f"/{role}", self._page(_decide)),
            Route(f"/{role}/text/{{document}}/{{block}}", self._page(_text)),
            Route(f"/{role}/labels", self._page(_labels)),
            Route(f"/{role}/{{command}}", self._form(_obey), methods=["POST"]),
        )

    def _role_routes(self, role: str) -> Sequence[Route]:
        answer = partial(_role_page, role=role)
        update_wrapper(answer, _role_page)
        return (
            Route(f"/{role}", self._page(answer)),
            Route(f"/{role}/{{command}}", self._form(answer), methods=["POST"]),
        )

    def close(self) -> None:
        """Close the store after what is under way; what takes long is ended."""
        for end in self.closing:
            end()
        for worker in {self.reader, self.worker}:
            worker.close()

    async def _enter(self, request: Request) -> Response:
        """Take the token of a link into a cookie. The page goes on by itself: a cookie of the same site is not sent
        with what another site's link leads to."""
        visitor = await self.access.visitor(token := request.path_params["token"], client_address(request))
        if visitor is None:
            raise HTTPException(403, await self._explain_invalid_link(token))
        response = HTMLResponse(render_page("enter.html", self.language, to=f"/{visitor.role or ''}"))
        response.set_cookie(
            cookie_name(request, visitor.role), token, max_age=FOREVER, httponly=True, samesite="strict",
            secure=request.url.scheme == "https",
        )  # fmt: skip
        return response

    def _page(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """A page for whoever has a token."""

        @wraps(handler)
        async def answer(request: Request) -> Response:
            return await handler(self, request, await self._visitor(request))

        return answer

    def _form(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """What changes something: sent by a form of this site, of the visitor's own page."""

        @wraps(handler)
        async def answer(request: Request) -> Response:
            visitor = await self._visitor(request)
            request.state.fields = fields = await form_fields(request)
            self.check_form(request, visitor, fields)
            return await handler(self, request, visitor)

        return answer

    def check_form(self, request: Request, visitor: Visitor, fields: Mapping[str, str]) -> None:
        """Refuse a form that is not of a page of this server and of this visitor."""
        if not is_from_this_site(request):
            raise HTTPException(
                403, translatable("This form does not come from a page of this server. Nothing was recorded.")
            )
        if not compare_digest(fields.get("form", "").encode(), visitor.form_token(self.access.key).encode()):
            raise HTTPException(403, OLDER)

    async def organiser(self, request: Request) -> Visitor:
        """The organiser, who sent the request; nobody else may use the page."""
        visitor = await self._visitor(request)
        _require_organiser(visitor)
        return visitor

    async def _visitor(self, request: Request) -> Visitor:
        visitor = await self.access.visitor(token := given_token(request), client_address(request))
        if visitor is None:
            raise HTTPException(403, await self._explain_invalid_link(token) if token else NO_LINK)
        return _visitor_of_page(visitor, request.url.path.split("/")[1])

    async def _explain_invalid_link(self, token: str) -> str:
        """Why a link does not work, and whom to ask."""
        ended = await self.worker.run(lambda store: ended_invitation(store, token))
        if ended is None:
            return UNKNOWN_LINK
        language = self.language
        purpose = language.look_up(invited_roles().get(ended.role, ended.role))
        values = {"name": visible_line(ended.assessor), "purpose": purpose}
        if ended.revoked:
            end = language.gettext(
                "This link for %(name)s, to %(purpose)s, was revoked on %(time)s.",
                time=full_time(ended.revoked),
                **values,
            )
        else:
            end = language.gettext(
                "This link for %(name)s, to %(purpose)s, expired on %(time)s.",
                time=full_time(ended.expires or ""),
                **values,
            )
        return f"{end} {language.look_up(ASK_FOR_LINK)}"


def _visitor_of_page(visitor: Visitor, page: str) -> Visitor:
    """The visitor of a page: a link for judging leads to pages of other roles as well."""
    return visitor._replace(role=page) if visitor.role == "judge" and page in roles_with_judging() else visitor


async def form_fields(request: Request) -> dict[str, str]:
    """The fields of a form."""
    try:
        content = (await body(request)).decode()
        return dict(parse_qsl(content, keep_blank_values=True, max_num_fields=50))
    except TooLargeError:
        raise HTTPException(413, translatable("This form is too long. Nothing was recorded.")) from None
    except TimeoutError:
        raise HTTPException(408, translatable("The form took too long to arrive. Nothing was recorded.")) from None
    except ValueError:
        raise HTTPException(400, translatable("The server does not accept this form. Nothing was recorded.")) from None


async def _home(app: Application, request: Request, visitor: Visitor) -> Response:
    """The organiser's first page; an assessor goes on to what the link is for."""
    return await _organise(app, request, visitor) if visitor.role is None else RedirectResponse(f"/{visitor.role}", 303)


async def _organise(app: Application, request: Request, visitor: Visitor) -> Response:
    _require_organiser(visitor)
    return await organiser_pages.show(request, app.reader, app.results, app.notices, visitor.form_token(app.access.key))


async def _change(app: Application, request: Request, visitor: Visitor) -> Response:
    """Do what a form of the organiser asks."""
    _require_organiser(visitor)
    return await organiser_pages.change(request, app.worker, app.notices)


async def _look(app: Application, request: Request, visitor: Visitor) -> Response:
    """A view: a page, or the same as JSON or CSV."""
    _require_organiser(visitor)
    return await organiser_pages.view(request, app.reader, app.results)


def _require_organiser(visitor: Visitor) -> None:
    if visitor.assessor is not None:
        raise HTTPException(403, translatable("This page is for the organiser."))


async def _decide(app: Application, request: Request, visitor: Visitor) -> Response:
    """The page on which an assessor judges, or an adjudicator settles disagreements."""
    form, asked_for = visitor.form_token(app.access.key), [*request.query_params]
    tasks, assessor = app.tasks.get(visitor.role or ""), visitor.assessor
    if tasks and assessor and (whose := request.query_params.get("choose")):
        await app.worker.run(lambda _: tasks.choose(assessor, whose))
        return RedirectResponse(f"/{visitor.role}", 303)
    if visitor.role == "judge" and (
        first := await app.worker.run(lambda store: page_before_judging(store, assessor or ""))
    ):
        return RedirectResponse(f"/{first}", 303)
    try:
        return await _run_in_session(app, request, visitor, lambda screen: judge_page.page(screen, form, asked_for))
    except StoreError:
        if visitor.role == "judge" and (
            roles := await app.worker.run(lambda store: further_roles(store, assessor or ""))
        ):
            return RedirectResponse(f"/{next(iter(roles))}", 303)
        raise


async def _text(app: Application, request: Request, visitor: Visitor) -> Response:
    """More of a long document, which is named as its own page names it."""
    document, block = request.path_params["document"], request.path_params["block"]
    return await _run_in_session(app, request, visitor, lambda screen: judge_page.text(screen, document, block))


async def _labels(app: Application, request: Request, visitor: Visitor) -> Response:
    """All that an assessor has decided."""
    form, query = visitor.form_token(app.access.key), dict(request.query_params)
    return await _run_in_session(app, request, visitor, lambda screen: judge_page.labels(screen, form, query))


async def _obey(app: Application, request: Request, visitor: Visitor) -> Response:
    """Execute a command; the script of the page gets the next document in the answer, a browser without one is
    sent to the page, so that nothing is sent again when it is reloaded."""
    name, fields = request.path_params["command"], request.state.fields
    role = _role_for_page(visitor, request.url.path.split("/")[1])
    if name == "keys":
        return await _keys(app, request, visitor)
    if name not in commands_of(role):
        raise HTTPException(404, translatable("There is no such command."))
    quick = "x-part" in request.headers
    form = visitor.form_token(app.access.key)
    act = partial(judge_page.answer, command=name, fields=fields, form=form, quick=quick)
    response = await _run_in_session(app, request, visitor, act)
    return response if quick else RedirectResponse(f"/{visitor.role}", 303)


async def _keys(app: Application, request: Request, visitor: Visitor) -> Response:
    """Keep the keys of this browser in a cookie; what is wrong with them is said, and they stay as they were."""
    own = request.state.fields.get("keys", "").strip()
    form, quick, wrong = visitor.form_token(app.access.key), "x-part" in request.headers, False

    def act(screen: OpenSession) -> str:
        nonlocal wrong
        try:
            screen.set_own_keys(own)
            screen.refused = ""
            saved, reset = translatable("Your keys are saved."), translatable("The keys are reset to the defaults.")
            screen.say(app.language.look_up(saved if own else reset))
        except InputError as error:
            wrong, screen.refused = True, "own"
            reason = app.language.translate_message(page_text(str(error)).text)
            screen.say(app.language.gettext("The keys are unchanged: %(error)s.", error=reason))
        return judge_page.render_changing_part(screen, form) if quick else ""

    answer = await _run_in_session(app, request, visitor, act)
    response = answer if quick else RedirectResponse(f"/{visitor.role}", 303)
    if not wrong:
        response.set_cookie(KEYS, quote(own), max_age=FOREVER, httponly=True, samesite="strict")
    return response


async def _active(app: Application, request: Request, visitor: Visitor) -> Response:
    """A page was read, or is left: the time it was in front."""
    visitor, fields = _visitor_of_page(visitor, request.path_params["role"]), request.state.fields
    role = _role_for_page(visitor, request.path_params["role"])
    if role in app.open_pages:
        opened, assessor = app.open_pages[role], _role_assessor(visitor, role)
        if opened is None:
            raise HTTPException(404, translatable("This page does not record active time."))
        await app.worker.run(lambda _: opened.active(assessor, fields))
        return HTMLResponse("")
    return await _run_in_session(app, request, visitor, lambda screen: judge_page.record_activity(screen, fields))


async def _run_in_session(
    app: Application, request: Request, visitor: Visitor, act: Callable[[OpenSession], str]
) -> Response:
    """What is made of the visitor's session, in the thread of the store; each link has one role."""
    first, assessor = request.url.path.split("/")[1], visitor.assessor
    role = _role_for_page(visitor, request.path_params["role"] if first == "active" else first)
    sessions = app.tasks.get(role, app.sessions)
    if role == "adjudicate":
        sessions = app.adjudications
        await app.adjudications.update(app.results, waits=request.method == "GET")
    own_keys = unquote(request.cookies.get(KEYS, ""))

    def judging_address(screen: OpenSession) -> str:
        with suppress(InputError):  # of a version with other commands
            screen.set_own_keys(own_keys)
        screen.language = app.language
        return act(screen)

    return HTMLResponse(await app.worker.run(lambda store: sessions.act(assessor or "", judging_address)))


async def _role_page(app: Application, request: Request, visitor: Visitor, role: str) -> Response:
    """The page of a role, and the commands of its forms."""
    form = visitor.form_token(app.access.key)
    return await app.pages[role].answer(request, app.worker, app.open_pages[role], _role_assessor(visitor, role), form)


def _role_assessor(visitor: Visitor, role: str) -> str:
    """The assessor of a role; nobody else."""
    if visitor.role != role or visitor.assessor is None:
        raise HTTPException(403, translatable("This page is not for your link; ask the organiser for another one."))
    return visitor.assessor


def _role_for_page(visitor: Visitor, page: str) -> str:
    """The role of a visitor on a page of that role; nobody else may use the page."""
    _role_assessor(visitor, page)
    return page


async def show_asset(request: Request) -> Response:
    """A style sheet, script or picture of the pages."""
    name = request.path_params["name"]
    if name not in ASSETS:
        raise HTTPException(404, translatable("There is no such page."))
    text = theme_css() + components_css() if name == "tables.css" else asset_text(name)
    return Response(text, media_type=ASSETS[name])


async def _refuse(request: Request, error: Exception) -> Response:
    """The page of what is wrong with a request, or why it has to wait."""
    language = language_of(request)
    if isinstance(error, HTTPException):
        return _message_page(language, error.status_code, text_of_status(error), dict(error.headers or {}))
    refusal = next(one for one in REFUSALS if isinstance(error, one.error))
    headers, again = {"retry-after": refusal.wait} if refusal.wait else None, request.method == "GET"
    text = refusal.text or page_text(without_folder(str(error), request.app.state.store_path)).text
    return _message_page(language, refusal.status, text, headers, refusal.wait if again else "")


def text_of_status(error: HTTPException) -> str:
    """What a page says of an error of the server itself, or of the text that it was raised with."""
    phrases = {
        HTTPStatus.NOT_FOUND.phrase: translatable("There is no such page."),
        HTTPStatus.METHOD_NOT_ALLOWED.phrase: translatable("This page does not take this form."),
    }
    return phrases.get(error.detail, error.detail)


def _message_page(
    language: Language, status: int, text: str, headers: dict[str, str] | None = None, again: str = ""
) -> Response:
    shown = language.translate_message(text)
    return HTMLResponse(render_page("message.html", language, text=shown, again=again), status, headers)
