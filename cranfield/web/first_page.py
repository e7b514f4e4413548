"""The page of a store that does not exist yet: it creates the store, and the pages of the store take its place."""

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hmac import compare_digest, digest

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from cranfield.errors import CranfieldError, InputError
from cranfield.options.imports import is_grade
from cranfield.store.invitations import TOKEN
from cranfield.web.access import TooManyError, WrongTokens, client_address, cookie_name, given_token
from cranfield.web.application import Application, form_fields, show_asset
from cranfield.web.guard import Guard, is_from_this_site
from cranfield.web.language import ENGLISH, Language, language_of, translatable
from cranfield.web.look.page_text import page_text
from cranfield.web.organise.table import SECTIONS, SETUP
from cranfield.web.templates import render_page

SCALE = "0 = not relevant\n1 = partly relevant\n2 = relevant"
DEFAULTS = {
    "name": "",
    "description": "",
    "scale": "0 = not relevant\n1 = partly relevant\n2 = relevant",
    "lowest": "1",
}
MAX_DESCRIPTION = 4000  # characters
Create = Callable[[Mapping[str, str]], None]
Open = Callable[[str], Application]


class FirstPage:
    """A server's application before and after the store exists; `application` is the one of the store.

    `create` makes the store of what was typed in, and `open_application` opens its pages with the organiser's token.
    """

    def __init__(
        self,
        create: Create,
        open_application: Open,
        hosts: Sequence[str],
        *,
        file_name: str,
        https: bool = False,
        language: Language = ENGLISH,
    ) -> None:
        self.start_token = secrets.token_urlsafe(TOKEN)
        self.application: Application | None = None
        self._create, self._open, self._hosts, self._https = create, open_application, hosts, https
        self._file_name, self._wrong, self._key = file_name, WrongTokens(), secrets.token_bytes(32)
        self._lock, self._language = asyncio.Lock(), language
        routes = [
            Route("/", self._show),
            Route("/enter/{token}", self._enter),
            Route("/organise/create", self._make, methods=["POST"]),
            Route("/assets/{name}", show_asset),
        ]
        handlers = dict.fromkeys((HTTPException, CranfieldError), _refuse)
        starlette = Starlette(routes=routes, exception_handlers=handlers)
        starlette.state.language = language
        self._guard = Guard(starlette, hosts, partial(_message_response, language), https)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        await self._guard(scope, receive, send)

    def close(self) -> None:
        """Close the store, if it was created."""
        if self.application is not None:
            self.application.close()

    def _check(self, request: Request, token: str) -> None:
        """Refuse everybody but the organiser."""
        where = client_address(request)
        if self._wrong.must_wait(where):
            raise HTTPException(
                429, translatable("There were too many attempts with invalid links. Try again in a minute.")
            )
        if not compare_digest(token.encode(), self.start_token.encode()):
            if token:
                self._wrong.add(where, token)
            raise HTTPException(
                403, translatable("You need the organiser's link to see this page. The server prints it at its start.")
            )

    @property
    def _form(self) -> str:
        return digest(self._key, b"form", "sha256").hex()

    async def _enter(self, request: Request) -> Response:
        token = request.path_params["token"]
        self._check(request, token)
        response = HTMLResponse(render_page("enter.html", self._language, to="/"))
        secure = request.url.scheme == "https"
        response.set_cookie(cookie_name(request, None), token, httponly=True, samesite="strict", secure=secure)
        return response

    async def _show(self, request: Request) -> Response:
        self._check(request, given_token(request))
        return self._page(DEFAULTS)

    def _page(self, typed: Mapping[str, str], wrong: str = "") -> Response:
        html = render_page(
            "first.html", self._language, form=self._form, typed=typed, wrong=wrong, file_name=self._file_name
        )
        return HTMLResponse(html, 409 if wrong else 200)

    async def _make(self, request: Request) -> Response:
        self._check(request, given_token(request))
        fields = await form_fields(request)
        is_own = compare_digest(fields.get("form", "").encode(), self._form.encode())
        if not (is_own and is_from_this_site(request)):
            raise HTTPException(
                403, translatable("This form does not come from a page of this server. Nothing was created.")
            )
        async with self._lock:
            if self.application is None:
                try:
                    await asyncio.to_thread(self._create, fields)
                except CranfieldError as error:
                    return self._page({**DEFAULTS, **fields}, page_text(str(error)).text)
                self.application = await asyncio.to_thread(self._open, self.start_token)
                self._guard = self.application.asgi(self._hosts, self._https)
        return RedirectResponse(SETUP if "setup" in SECTIONS else "/", 303)


async def _refuse(request: Request, error: Exception) -> Response:
    language = language_of(request)
    if isinstance(error, TooManyError):
        return _message_response(language, 429, language.look_up(str(error)))
    if isinstance(error, HTTPException):
        return _message_response(language, error.status_code, language.look_up(error.detail))
    return _message_response(language, 409, language.look_up(str(error)))


def _message_response(language: Language, status: int, text: str) -> Response:
    return HTMLResponse(render_page("message.html", language, text=text, again=""), status)


def scale_of_lines(text: str) -> str:
    r"""The grades that are typed in one per line, as the command line takes them.

    >>> scale_of_lines("0 = not relevant\r\n\n1 = relevant")
    '0=not relevant,1=relevant'
    >>> scale_of_lines("0 = no, never\n1 = yes")
    '0=no; never,1=yes'
    """
    lines = [line.replace(",", ";") for line in text.splitlines() if line.strip()]
    for line in lines:
        grade, sign, _ = line.partition("=")
        if not sign or not is_grade(grade):
            raise InputError(f"the line {line.strip()!r:.60} of the grades; expected a line such as 0 = not relevant")
    return ",".join("=".join(part.strip() for part in line.split("=", 1)) for line in lines)
