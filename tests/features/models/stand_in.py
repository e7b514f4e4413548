"""A server that stands in for a model: it answers what a test says, and keeps what it was sent."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from tests.needed_extras import skip_without


class Post(NamedTuple):
    """A request as it came: its headers, its body as bytes."""

    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        return dict(json.loads(self.body))

    @property
    def text(self) -> str:
        """The first message."""
        return str(self.json["messages"][0]["content"])


class Response(NamedTuple):
    """What the server sends back; `length` is what it says of the length, where that is wrong.

    With `more` it never ends: this is sent again and again, within the head or after the body.
    """

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = {}
    length: int | None = None
    hang: bool = False
    more: bytes = b""
    in_head: bool = False
    slowly: bool = False


def reply(content: str | None, finish: str = "stop", usage: bool = True, **message: object) -> Response:
    """An answer of a model."""
    whole: dict[str, Any] = {
        "model": "stand-in-1",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content, **message},
                     "finish_reason": finish}],
    }  # fmt: skip
    if usage:
        whole["usage"] = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    return Response(json.dumps(whole).encode())


def embedding(*vector: float) -> Response:
    whole = {"model": "stand-in-e", "data": [{"index": 0, "embedding": vector}], "usage": {"prompt_tokens": 3}}
    return Response(json.dumps(whole).encode())


def failure(status: int, message: str = "no", **headers: str) -> Response:
    """An error of the server."""
    body = json.dumps({"error": {"message": message, "type": "x"}}).encode()
    return Response(body, status, {name.replace("_", "-"): value for name, value in headers.items()})


Answering = Callable[[Post, int], Response]  # the request, and how many came before


class StandIn:
    """The server while it runs."""

    def __init__(self, url: str, posts: list[Post]) -> None:
        self.url, self.posts = url, posts


class Quiet(ThreadingHTTPServer):
    """Nothing is said where somebody does not wait for an answer."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing."""


@contextmanager
def stand_in(answering: Answering) -> Iterator[StandIn]:
    """A server for the time of a block; the test is skipped where there is no client for it (extra llm)."""
    skip_without("llm")
    posts: list[Post] = []
    lock, over = threading.Lock(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

        def do_POST(self) -> None:
            body = self.rfile.read(size := int(self.headers["content-length"]))
            if len(body) < size:
                return  # who asked is gone
            with lock:
                posts.append(Post({name.lower(): value for name, value in self.headers.items()}, body))
                before = len(posts) - 1
            response = answering(posts[before], before)
            if response.hang:
                over.wait(10)
                return
            self.send_response(response.status)
            length = len(response.body) if response.length is None else response.length
            for name, value in {"content-type": "application/json", "content-length": str(length)}.items():
                self.send_header(name, value)
            for name, value in response.headers.items():
                self.send_header(name, value)
            if response.in_head:
                self.flush_headers()
            else:
                self.end_headers()
                self.wfile.write(response.body)
            while response.more and not over.wait(0.02 if response.slowly else 0):
                self.wfile.write(response.more)  # until nobody listens

    server = Quiet(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield StandIn(f"http://127.0.0.1:{server.server_port}/v1", posts)
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()
