"""A server of language models that means harm: whatever it sends, a call ends, and is an answer or a line."""

import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import repeat
from random import Random
from time import monotonic

from cranfield.features.models.asking.server import MOST_BYTES, ModelReply, Server
from tests.hardening.models import ANSWERS

TIMEOUT, LATE = 0.3, 20.0  # seconds, the second for a machine with much else to do
HEAD = "HTTP/1.1 {} x\r\ncontent-type: application/json\r\n{}\r\n"
STATUSES = (200, 200, 200, 204, 206, 301, 302, 307, 308, 400, 401, 429, 500, 503, 99, 999)
HEADERS = (
    "content-length: {length}\r\n", "content-length: 7\r\n", "content-length: 999999999999\r\n",
    "content-length: -1\r\n", "transfer-encoding: chunked\r\n", "content-encoding: gzip\r\n", "location: {other}\r\n",
    "retry-after: soon\r\n", "retry-after: 1e99\r\n", "x: y\r\n", "no colon\r\n", "set-cookie: a=\x80\r\n",
)  # fmt: skip
MANY = b"x" * 2**18
ENDLESS = ((), (), repeat(b"x"), repeat(b"a: b\r\n"), repeat(MANY), repeat(b"40000\r\n" + MANY + b"\r\n"))


def ask(seed: int) -> str:
    """Ask such a server once; what is wrong then, nothing if all is well."""
    random = Random(f"server {seed}")
    with listening(lambda: ()) as (other, strays), listening(lambda: response(random, other)) as (url, requests):
        server, began = Server(url, TIMEOUT), monotonic()
        try:
            answer = server.answer("m", [{"role": "user", "content": "canary"}], {}).result(LATE)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        finally:
            server.close()
        return _wrong(answer, monotonic() - began, len(requests), len(strays))


def _wrong(answer: ModelReply, seconds: float, requests: int, strays: int) -> str:
    if seconds > LATE or requests != 1 or strays:
        return f"{seconds:.0f} seconds, asked {requests} times, and {strays} times elsewhere"
    if "\n" in answer.error or len(answer.error) > 400 or len(answer.text) > MOST_BYTES:
        return f"an answer of {len(answer.text)} characters, and {answer.error!r:.500}"
    return ""


def response(random: Random, other: str) -> Iterator[bytes]:
    """What the seed sends: a head and a body, damaged, cut, drop by drop, or without end."""
    body = random.choice(ANSWERS)
    headers = "".join(random.sample(HEADERS, random.randrange(4))).format(length=len(body), other=other)
    whole = bytearray((HEAD.format(random.choice(STATUSES), headers) + body).encode("latin-1"))
    for _ in range(random.choice((0, 0, 1, 5))):
        whole[random.randrange(len(whole))] = random.randrange(256)
    whole = whole[: random.choice((len(whole), len(whole), random.randrange(len(whole))))]
    at_once = random.choice((len(whole) or 1, 1))
    yield from (bytes(whole[at : at + at_once]) for at in range(0, len(whole), at_once))
    yield from random.choice(ENDLESS)


@contextmanager
def listening(parts: Callable[[], Iterable[bytes]]) -> Iterator[tuple[str, list[bytes]]]:
    """A server's URL, and what it was asked; it sends its parts to whoever asks, until nobody listens."""
    requests: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as door:
        thread = threading.Thread(target=_serve, args=(door, parts, requests))
        thread.start()
        try:
            yield f"http://127.0.0.1:{door.getsockname()[1]}/v1", requests
        finally:
            door.shutdown(socket.SHUT_RDWR)
            thread.join()


def _serve(door: socket.socket, parts: Callable[[], Iterable[bytes]], requests: list[bytes]) -> None:
    with suppress(OSError):  # the door is closed
        while True:
            caller, _ = door.accept()
            with caller, suppress(OSError):
                requests.append(caller.recv(2**16))
                for part in parts():
                    caller.sendall(part)
