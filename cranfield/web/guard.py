"""What holds for every request and answer: bounded bodies that arrive in time, and headers that keep pages inert."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 256 * 1024  # bytes of a form
SLOWEST = 20.0  # seconds in which a form has to arrive
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
        " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """Adds the headers to every answer, errors included."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                more = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *(one for one in more if one[0] not in given)]
            await send(message)

        await self.app(scope, receive, guarded if scope["type"] == "http" else send)


class TooLargeError(Exception):
    """A form of more than LARGEST bytes."""


async def body(request: Request) -> bytes:
    """The body of a request; an error where it is too large, a TimeoutError where it takes too long."""
    received = bytearray()
    async with asyncio.timeout(SLOWEST):
        async for part in request.stream():
            received += part
            if len(received) > LARGEST:
                raise TooLargeError
    return bytes(received)


def from_this_site(request: Request) -> bool:
    """Whether the browser says that another site sent the request; older ones say nothing.

    A browser says "null" for the origin of a page whose referrer is not to be known, which is every page of ours.
    """
    site, origin = request.headers.get("sec-fetch-site", "none"), request.headers.get("origin", "null")
    own = f"{request.url.scheme}://{request.headers.get('host', '')}"
    return site in ("none", "same-origin") and origin in ("null", own)
