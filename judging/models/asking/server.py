"""One request to a server with OpenAI's interface, and what came of it; the key is in no text that leaves here."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib import import_module
from math import isfinite
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from cranfield.errors import InputError
from cranfield.judging.models.asking.prompt import Message

KEYS = ("CRANFIELD_API_KEY", "OPENAI_API_KEY")
STOPPING = (401, 403, 404)  # nothing else would be answered either
AGAIN = (408, 409, 429)  # and all from 500 on
THOUGHT = re.compile(r"\A(?:(?!</think>).)*</think>", re.DOTALL)


class Answer(NamedTuple):
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


def checked_url(url: str) -> str:
    """The base URL of a server; an error where it is none, or holds a key.

    >>> checked_url("http://127.0.0.1:8000/v1/")
    'http://127.0.0.1:8000/v1'
    >>> checked_url("http://ada:secret@host/v1")
    Traceback (most recent call last):
    cranfield.errors.InputError: the URL holds a password or a query; a key is taken from CRANFIELD_API_KEY or
    OPENAI_API_KEY alone
    """
    try:
        parts = urlsplit(url)
        right = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        right = False
    if right and (parts.username or parts.password or parts.query or parts.fragment):
        raise InputError(f"the URL holds a password or a query; a key is taken from {' or '.join(KEYS)} alone")
    if not right:
        raise InputError(f"{url!r:.80} is not the URL of a server; expected one such as http://127.0.0.1:8000/v1")
    return url.rstrip("/")


def host_of(url: str) -> str:
    """The host of a URL, with its port.

    >>> host_of("http://127.0.0.1:8000/v1")
    '127.0.0.1:8000'
    """
    return urlsplit(url).netloc


class Server:
    """A server that is asked; its methods may be called from several threads."""

    def __init__(self, url: str, timeout: float = 120.0) -> None:
        self.host = host_of(checked_url(url))
        self._key = next((found for name in KEYS if (found := os.environ.get(name, "").strip())), "")
        self._openai = client_library()
        self._timeout = timeout
        self._client = self._openai.OpenAI(
            base_url=url, api_key=self._key or "none", max_retries=0, timeout=timeout,
            http_client=self._openai.DefaultHttpxClient(verify=_certificates(url)),
        )  # fmt: skip

    def close(self) -> None:
        """End what is under way."""
        self._client.close()

    def answer(self, model: str, messages: Sequence[Message], parameters: Mapping[str, Any]) -> Answer:
        """Send one request; whatever comes of it is an answer, never an exception."""
        create = self._client.chat.completions.with_raw_response.create
        return self._come(
            lambda: create(model=model, messages=list(messages), extra_body=dict(parameters)), read_answer
        )

    def embedding(self, model: str, messages: Sequence[Message], parameters: Mapping[str, Any]) -> Answer:
        """Ask for the embedding of the one message; the answer is its numbers, as JSON."""
        create = self._client.embeddings.with_raw_response.create
        return self._come(
            lambda: create(
                model=model, input=messages[0]["content"], encoding_format="float", extra_body=dict(parameters)
            ),
            read_embedding,
        )

    def _come(self, send: Callable[[], Any], read: Callable[[bytes, int], Answer]) -> Answer:
        began = time.monotonic()
        try:
            came = send()
            found = read(came.http_response.content, came.status_code)
        except Exception as error:
            found = self._failed(error)
        return Answer(*map(self._without_key, found))._replace(seconds=time.monotonic() - began)

    def _without_key(self, value: Any) -> Any:
        return value.replace(self._key, "[key]") if self._key and isinstance(value, str) else value

    def _failed(self, error: Exception) -> Answer:
        openai = self._openai
        if isinstance(error, openai.APITimeoutError):
            return Answer(error=f"no answer within {self._timeout:g} seconds", again=True)
        if isinstance(error, openai.APIConnectionError):
            none = type(error.__cause__).__name__ == "ConnectError"
            return Answer(error="no server answers there" if none else "the connection broke", again=True, stop=none)
        if isinstance(error, openai.APIStatusError):
            status, said = int(error.status_code), " ".join(str(error.message).split())
            wait = _seconds(error.response.headers.get("retry-after"))
            again = status in AGAIN or status >= 500
            return Answer(
                error=f"{status}: {said:.300}", status=status, again=again, stop=status in STOPPING, wait=wait
            )
        return Answer(error=f"{type(error).__name__}: {error!s:.300}")


def _certificates(url: str) -> bool | SSLContext:
    """What to check servers by; none is needed, nor loaded, for a plain URL, which leads to no other kind then."""
    return url.startswith("https:") or SSLContext(PROTOCOL_TLS_CLIENT)


def client_library() -> Any:
    """The package openai; an error in one line where it is not installed."""
    try:
        return import_module("openai")
    except ImportError:
        raise InputError("asking models needs the package openai: pip install 'cranfield[llm]'") from None


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


def read_answer(body: bytes, status: int = 200) -> Answer:
    """The answer in the body of a response, whatever shape that has; reasoning apart.

    >>> read_answer(b'{"choices": [{"message": {"content": "<think>3?</think>Grade: 1"}}]}')[:2]
    ('Grade: 1', '3?')
    >>> read_answer(b'{"choices": [{"mess').error
    'the response is not JSON of a chat completion'
    """
    try:
        whole = json.loads(body)
        choice = whole["choices"][0]
        message = choice["message"]
        text = _text(message.get("content"))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return Answer(error="the response is not JSON of a chat completion", status=status, again=True)
    reasoning = _text(message.get("reasoning_content")) or _text(message.get("reasoning"))
    if thought := THOUGHT.match(text):
        reasoning += thought[0].removesuffix("</think>").lstrip().removeprefix("<think>")
        text = text[thought.end() :]
    finish, refusal = _text(choice.get("finish_reason")), _text(message.get("refusal"))
    usage = whole.get("usage") if isinstance(whole.get("usage"), dict) else {}
    return Answer(
        text or refusal, reasoning, finish, bool(refusal) or finish == "content_filter", _text(whole.get("model")),
        _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")), status,
    )  # fmt: skip


def read_embedding(body: bytes, status: int = 200) -> Answer:
    """The one embedding in the body of a response: finite numbers, not all of them 0.

    >>> read_embedding(b'{"data": [{"embedding": [0.5, 2]}], "usage": {"prompt_tokens": 3}}').text
    '[0.5, 2]'
    >>> read_embedding(b'{"data": [{"embedding": [0, 0]}]}').error
    'the response is not JSON of one embedding'
    """
    try:
        whole = json.loads(body)
        [one] = whole["data"]
        vector = [number for number in one["embedding"] if type(number) in (int, float) and isfinite(number)]
        whole_one = len(vector) == len(one["embedding"]) and any(vector)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError):
        whole_one = False
    if not whole_one:
        return Answer(error="the response is not JSON of one embedding", status=status, again=True)
    usage = whole.get("usage") if isinstance(whole.get("usage"), dict) else {}
    tokens = _count(usage.get("prompt_tokens"))
    return Answer(json.dumps(vector), model=_text(whole.get("model")), tokens_in=tokens, tokens_out=0, status=status)


def _text(value: object) -> str:
    """A text that can be stored, or none."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 2**53 else None
