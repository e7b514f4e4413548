"""What holds for every request and answer: bounded bodies that arrive in time, and headers that keep pages inert."""

import asyncio
import logging
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from traceback import extract_tb

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cranfield.web.language import translatable

LOG = logging.getLogger("cranfield.web")
LARGEST = 256 * 1024  # bytes of a form
SLOWEST = 20.0  # seconds in which a form has to arrive
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
        " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:/?#@\[\]\s]+)(?::(\d{1,5}))?", re.IGNORECASE)
UNSENT = translatable("The browser sent no host name, or a host name that this server does not serve.")
BROKEN = translatable("The server failed. Everything recorded so far is safe. Reload the page to see it.")
GONE = translatable(
    "The store is no longer where the server opened it: its file was moved, replaced or deleted. Nothing was recorded"
    " now. Tell the person who runs the server; they can move the file back."
)
Failed = Callable[[int, str], ASGIApp]


class Guard:
    """Answers only under the given names, adds the headers to every answer, and ends every error here.

    `page` makes a page of a status and a text. `https`: browsers use it, so links and cookies are for it.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str], page: Failed, https: bool = False) -> None:
        self.app, self.hosts, self.page, self.https = app, frozenset(map(host_in_url, hosts)), page, https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        has_begun = False
        if self.https:
            scope = {**scope, "scheme": "https"}

        async def guard(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                names = {name for name, _ in message["headers"]}
                more = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *(one for one in more if one[0] not in names)]
                if has_two_lengths(scope):
                    message["headers"] = [*message["headers"], (b"connection", b"close")]
            await send(message)

        try:
            # Another site's name may lead to the same address.
            names = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
            app = self.app if len(names) == 1 and host_name(names[0]) in self.hosts else self.page(400, UNSENT)
            await app(scope, receive, guard)
        except Exception as error:
            LOG.error("an error in the server: %s", error_place(error))
            if not has_begun:
                await self.page(500, BROKEN)(scope, receive, guard)


def has_two_lengths(scope: Scope) -> bool:
    """Whether a request has both Content-Length and Transfer-Encoding, so that a proxy may see another end of it.

    The connection is closed after the answer. Source: RFC 9112, section 6.1.

    >>> has_two_lengths({"headers": [(b"content-length", b"1"), (b"transfer-encoding", b"chunked")]})
    True
    """
    return {b"content-length", b"transfer-encoding"} <= {name.lower() for name, _ in scope["headers"]}


def host_name(host: str) -> str | None:
    """The name in a Host header, without its port; None where it is not one.

    >>> host_name("LocalHost:8765"), host_name("[::1]:80"), host_name("judge.example.")
    ('localhost', '[::1]', 'judge.example')
    >>> host_name("localhost:x"), host_name("localhost:99999"), host_name("::1"), host_name("a@localhost")
    (None, None, None, None)
    """
    match = HOST.fullmatch(host)
    return match[1].lower().removesuffix(".") if match and int(match[2] or 0) < 65536 else None


def host_in_url(host: str) -> str:
    """A host as it is written in an address.

    >>> host_in_url("::1"), host_in_url("[::1]"), host_in_url("Judge.Example")
    ('[::1]', '[::1]', 'judge.example')
    """
    return f"[{host}]".lower() if ":" in host and not host.startswith("[") else host.lower()


def error_place(error: BaseException) -> str:
    """Where an error was made, without its text, which may be that of a document or of a link.

    >>> try:
    ...     int("secret")
    ... except ValueError as error:
    ...     "secret" in error_place(error), error_place(error).startswith("ValueError")
    (False, True)
    """
    frames = extract_tb(error.__traceback__)[-3:]
    return " < ".join([type(error).__name__, *(f"{Path(one.filename).name}:{one.lineno}" for one in reversed(frames))])


class TooLargeError(Exception):
    """A form of more than LARGEST bytes."""


async def body(request: Request) -> bytes:
    """The body of a request; an error where it is too large, a TimeoutError where it takes too long."""
    content = bytearray()
    async with asyncio.timeout(SLOWEST):
        async for part in request.stream():
            content += part
            if len(content) > LARGEST:
                raise TooLargeError
    return bytes(content)


def is_from_this_site(request: Request) -> bool:
    """Whether the browser says that another site sent the request; older ones say nothing.

    A browser says "null" for the origin of a page whose referrer is not to be known, which is every page of ours.
    """
    own = f"{request.url.scheme}://{request.headers.get('host', '')}"
    sites, origins = request.headers.getlist("sec-fetch-site"), request.headers.getlist("origin")
    return {"none", "same-origin"}.issuperset(sites) and {"null", own}.issuperset(origins)
