"""Connections that keep nobody waiting: a browser that stops to send, or to read, is cut off."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from cranfield.web.guard import HEADERS

AT_ONCE = 500  # connections; with more, the one that has waited longest is closed
PATIENCE = 30.0  # seconds for a head, for a body, between two requests, and for READ bytes of an answer
READ = 32 * 1024
NO_REQUEST = b"This is not a request that a browser sends."


class Impatient(H11Protocol):
    """A connection that is closed when for too long the browser has neither sent a request nor read the answer."""

    def connection_made(self, transport: Any) -> None:
        """A browser has connected."""
        super().connection_made(transport)
        self._unread = 0  # bytes of the answer, when last looked at
        self._watch: asyncio.TimerHandle | None = None
        self._progress()
        if len(self.connections) > AT_ONCE:
            waiting = [one for one in self.connections if isinstance(one, Impatient) and not one._working()]
            min(waiting, key=lambda one: one._since, default=self).transport.abort()

    def _progress(self) -> None:
        """Wait from now on."""
        if self._watch is not None:
            self._watch.cancel()
        self._since = self.loop.time()
        self._watch = self.loop.call_later(PATIENCE, self._look)

    def _working(self) -> bool:
        """Whether an answer is being made, so that the browser waits for the server."""
        cycle = self.cycle
        return cycle is not None and not (cycle.response_complete or cycle.more_body or self.flow.write_paused)

    def _look(self) -> None:
        before, self._unread = self._unread, self.transport.get_write_buffer_size()
        reads = self._unread and (not before or before - self._unread >= READ)
        if self._working() or reads:
            self._progress()
        elif self._unread:
            self.transport.abort()
        else:
            self.transport.close()

    def handle_events(self) -> None:
        """Something has arrived."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._progress()

    def on_response_complete(self) -> None:
        """An answer is on its way."""
        self._progress()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, with the headers of every answer, if nothing was answered yet; then close."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            headers = {**HEADERS, "content-type": "text/plain", "connection": "close"}
            for event in (
                h11.Response(status_code=400, headers=list(headers.items()), reason=b"Bad Request"),
                h11.Data(data=NO_REQUEST),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        if self._watch is not None:
            self._watch.cancel()
        super().connection_lost(exc)
