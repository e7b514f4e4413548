"""One request to a server with OpenAI's interface, and what came of it; the key is in no text that leaves here."""

import asyncio
import json
import os
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib import import_module
from math import isfinite
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from cranfield.errors import InputError
from cranfield.extras import require_extra
from cranfield.features.models.asking.prompt import Message

KEYS = ("CRANFIELD_API_KEY", "OPENAI_API_KEY")
STOPPING = (401, 403, 404)  # nothing else would be answered either
AGAIN = (408, 409, 429)  # and all from 500 on
MOST_BYTES = 16 * 2**20  # of a response
BROKE = "the connection broke"
UNSENT = "stopped before it was sent"
THOUGHT = re.compile(r"\A(?:(?!</think>).)*</think>", re.DOTALL)


class ModelReply(NamedTuple):
    """What came of a request: an answer, or what went wrong."""

    text: str = ""
    reasoning: str = ""
    finish_reason: str = ""
    refused: bool = False
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    status: int | None = None
    seconds: float = 0.0
    error: str = ""  # empty: there is an answer
    again: bool = False  # the same request may succeed later
    stop: bool = False  # no other request would succeed
    wait: float | None = None  # seconds that the server asks to wait
    cost: float | None = None  # as the server reports it
    arrival: float = 0.0  # when it had come, by the clock time.monotonic


Then = Callable[[ModelReply], object]


def checked_url(url: str) -> str:
    """The base URL of a server; an error where it is none, or holds a key.

    >>> checked_url("http://127.0.0.1:8000/v1/")
    'http://127.0.0.1:8000/v1'
    >>> checked_url("http://ada:secret@host/v1")
    Traceback (most recent call last):
    cranfield.errors.InputError: the URL contains a password or a query; put the key into CRANFIELD_API_KEY or
    OPENAI_API_KEY
    """
    try:
        parts = urlsplit(url)
        right = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        right = False
    if right and (parts.username or parts.password or parts.query or parts.fragment):
        raise InputError(f"the URL contains a password or a query; put the key into {' or '.join(KEYS)}")
    if not right:
        raise InputError(f"{url!r:.80} is not the URL of a server; expected one such as http://127.0.0.1:8000/v1")
    return url.rstrip("/")


def host_of(url: str) -> str:
    """The host of a URL, with its port.

    >>> host_of("http://127.0.0.1:8000/v1")
    '127.0.0.1:8000'
    """
    return urlsplit(url).netloc


class NoAnswerError(Exception):
    """A response that is no answer; what it is instead."""

    def __init__(self, answer: ModelReply) -> None:
        super().__init__(answer.error)
        self.answer = answer


class Server:
    """A server that is asked; its methods may be called from several threads.

    Requests run side by side, `parallel` of them, in one thread, each by a client of its own, which has one connection
    to look after; more wait for room. Each ends within the timeout, however slowly its answer comes, and takes at most
    `MOST_BYTES`; none follows a redirect: topic and text are for this server alone.
    """

    def __init__(self, url: str, timeout: float = 120.0, parallel: int = 8) -> None:
        self._url = checked_url(url)
        self.host = host_of(self._url)
        self._key = next((key for name in KEYS if (key := os.environ.get(name, "").strip())), "")
        require_extra("llm", "asking a model")
        self._library, self._certificates = import_module("openai"), _certificates(url)
        self._timeout = timeout
        self._room, self.halted = asyncio.Semaphore(parallel), False  # halted: what waits for room is not sent
        self._clients: list[Any] = []
        self._idle: list[Any] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End what is under way."""
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        for client in self._clients:
            await client.aclose()

    def answer(
        self, model: str, messages: Sequence[Message], parameters: Mapping[str, Any], then: Then = lambda reply: None
    ) -> Future[ModelReply]:
        """Send one request; whatever comes of it is an answer, never an exception.

        `then` is called with it in the server's thread, before anything else is done there.
        """
        body = {"messages": list(messages), "model": model, **parameters}
        return asyncio.run_coroutine_threadsafe(self._come("/chat/completions", body, read_answer, then), self._loop)

    def embedding(
        self, model: str, messages: Sequence[Message], parameters: Mapping[str, Any], then: Then = lambda reply: None
    ) -> Future[ModelReply]:
        """Ask for the embedding of the one message; the answer is its numbers, as JSON."""
        body = {"input": messages[0]["content"], "model": model, "encoding_format": "float", **parameters}
        return asyncio.run_coroutine_threadsafe(self._come("/embeddings", body, read_embedding, then), self._loop)

    async def _come(
        self, path: str, body: Mapping[str, Any], read: Callable[[bytes, int], ModelReply], then: Then
    ) -> ModelReply:
        reply = await self._post_in_turn(path, body, read)
        then(reply)
        return reply

    async def _post_in_turn(
        self, path: str, body: Mapping[str, Any], read: Callable[[bytes, int], ModelReply]
    ) -> ModelReply:
        async with self._room:
            if self.halted:
                return ModelReply(error=UNSENT)
            began, client = time.monotonic(), self._idle.pop() if self._idle else self._client()
            try:
                request = client.stream("POST", f"{self._url}{path}", json=body)
                async with asyncio.timeout(self._timeout), request as response:
                    reply = read(await _body(response), response.status_code)
            except Exception as error:
                reply = self._failure(error)
            finally:
                self._idle.append(client)
        end = time.monotonic()
        return ModelReply(*map(self._hide_key, reply))._replace(seconds=end - began, arrival=end)

    def _client(self) -> Any:
        client = self._library.DefaultAsyncHttpxClient(
            verify=self._certificates, follow_redirects=False, event_hooks={"response": [_check]}, timeout=None,
            headers={"Accept-Encoding": "identity", "Authorization": f"Bearer {self._key or 'none'}"},
        )  # fmt: skip
        self._clients.append(client)
        return client

    def _hide_key(self, value: Any) -> Any:
        return value.replace(self._key, "[key]") if self._key and isinstance(value, str) else value

    def _failure(self, error: Exception) -> ModelReply:
        if isinstance(error, NoAnswerError):
            return error.answer
        names = {one.__name__ for one in type(error).__mro__}  # of the library below, httpx or httpx2
        if names & {"TimeoutError", "TimeoutException"}:
            return ModelReply(error=f"no answer within {self._timeout:g} seconds", again=True)
        if "ConnectError" in names:
            return ModelReply(error="no server answers at this address", again=True, stop=True)
        if "TransportError" in names:
            return ModelReply(error=BROKE, again=True)
        return ModelReply(error=f"{type(error).__name__}: {error!s:.300}")


async def _check(response: Any) -> None:
    """Take no response but an answer; its body is not yet read."""
    status, headers = response.status_code, response.headers
    if 300 <= status < 400:
        to = f"{headers.get('location', '')!r:.200}"
        error = (
            f"{status}: the server redirects to {to}, which is not followed; if that address is right, give it as"
            " the URL"
        )
        raise NoAnswerError(ModelReply(error=error, status=status, stop=True))
    if headers.get("content-encoding", "identity") != "identity":
        error = f"{status}: the answer is compressed, although plain text was requested"
        raise NoAnswerError(ModelReply(error=error, status=status, stop=True))
    if status >= 400:
        error = f"{status}: {_server_error_text(await _body(response)):.300}"
        again, stop = status in AGAIN or status >= 500, status in STOPPING
        wait = _seconds(headers.get("retry-after"))
        raise NoAnswerError(ModelReply(error=error, status=status, again=again, stop=stop, wait=wait))


async def _body(response: Any) -> bytes:
    """All of a response."""
    whole = bytearray()
    try:
        async for part in response.aiter_raw():
            whole += part
            if len(whole) > MOST_BYTES:
                break
    except Exception:  # of the library that the client uses
        raise NoAnswerError(ModelReply(error=BROKE, again=True)) from None
    if len(whole) > MOST_BYTES:
        error = f"the answer exceeds {MOST_BYTES // 2**20} MB"
        raise NoAnswerError(ModelReply(error=error, status=response.status_code))
    return bytes(whole)


def _server_error_text(body: bytes) -> str:
    """What the body of an error says, on one line.

    >>> _server_error_text(b'{"error": {"message": "no such model"}}'), _server_error_text(b"<p>Down")
    ('no such model', '<p>Down')
    """
    text = body.decode("utf-8", "replace")
    with suppress(ValueError, TypeError, LookupError, RecursionError):
        text = str(json.loads(text)["error"]["message"])
    return " ".join(text.split())


def _certificates(url: str) -> bool | SSLContext:
    """What to check servers by; none is needed, nor loaded, for a plain URL, which leads to no other kind then."""
    return url.startswith("https:") or SSLContext(PROTOCOL_TLS_CLIENT)


def _seconds(after: str | None) -> float | None:
    """What Retry-After asks for, in seconds.

    >>> _seconds("2"), _seconds("Mon, 01 Jan 2001 00:00:00 GMT"), _seconds("soon"), _seconds(None)
    (2.0, 0.0, None, None)
    """
    if after is None:
        return None
    try:
        return max(0.0, float(after))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(after) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def read_answer(body: bytes, status: int = 200) -> ModelReply:
    """The answer in the body of a response, whatever shape that has; reasoning apart.

    >>> read_answer(b'{"choices": [{"message": {"content": "<think>3?</think>Grade: 1"}}]}')[:2]
    ('Grade: 1', '3?')
    >>> read_answer(b'{"choices": [{"mess').error
    'the response is not a chat completion in JSON'
    """
    try:
        whole = json.loads(body)
        choice = whole["choices"][0]
        message = choice["message"]
        text = _text(message.get("content"))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return ModelReply(error="the response is not a chat completion in JSON", status=status, again=True)
    reasoning = _text(message.get("reasoning_content")) or _text(message.get("reasoning"))
    if match := THOUGHT.match(text):
        reasoning += match[0].removesuffix("</think>").lstrip().removeprefix("<think>")
        text = text[match.end() :]
    finish, refusal = _text(choice.get("finish_reason")), _text(message.get("refusal"))
    usage = whole.get("usage") if isinstance(whole.get("usage"), dict) else {}
    return ModelReply(
        text or refusal,
        reasoning,
        finish,
        refused=bool(refusal) or finish == "content_filter",
        model=_text(whole.get("model")),
        tokens_in=_count(usage.get("prompt_tokens")),
        tokens_out=_count(usage.get("completion_tokens")),
        status=status,
        cost=_cost(usage.get("cost")),
    )


def read_embedding(body: bytes, status: int = 200) -> ModelReply:
    """The one embedding in the body of a response: finite numbers, not all of them 0.

    >>> read_embedding(b'{"data": [{"embedding": [0.5, 2]}], "usage": {"prompt_tokens": 3}}').text
    '[0.5, 2]'
    >>> read_embedding(b'{"data": [{"embedding": [0, 0]}]}').error
    'the response is not one embedding in JSON'
    """
    try:
        whole = json.loads(body)
        [one] = whole["data"]
        vector = [number for number in one["embedding"] if type(number) in (int, float) and isfinite(number)]
        whole_one = len(vector) == len(one["embedding"]) and any(vector)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError):
        whole_one = False
    if not whole_one:
        return ModelReply(error="the response is not one embedding in JSON", status=status, again=True)
    usage = whole.get("usage") if isinstance(whole.get("usage"), dict) else {}
    tokens = _count(usage.get("prompt_tokens"))
    return ModelReply(
        json.dumps(vector), model=_text(whole.get("model")), tokens_in=tokens, tokens_out=0, status=status,
        cost=_cost(usage.get("cost")),
    )  # fmt: skip


def _text(value: object) -> str:
    """A text that can be stored, or none."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _cost(value: object) -> float | None:
    """A number that can be money."""
    return float(value) if type(value) in (int, float) and 0 <= value < 1e9 else None  # type: ignore[operator, arg-type]


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 2**53 else None
