"""One request to a system outside: bounded, repeated where that may help, never redirected."""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from cranfield.errors import InputError
from cranfield.features.collecting.systems.definition import Engine

AGAIN = frozenset({429, 500, 502, 503, 504})
LONGEST = 60.0  # seconds that a server may ask to wait


class NoResponseError(InputError):
    """A request that brought no answer; `stop`: no other would."""

    def __init__(self, message: str, stop: bool = False) -> None:
        super().__init__(message)
        self.stop = stop


class _Refused(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, req: Any, fp: Any, *about: Any) -> NoReturn:
        fp.close()
        raise NoResponseError(
            f"the server redirects to {about[-1]}; if that address is right, give it as the url", stop=True
        )


@dataclass
class Client:
    """Asks one system, from several threads; counts the statuses of its answers."""

    system: Engine
    statuses: dict[int, int] = field(default_factory=dict)
    wait: Any = time.sleep

    def __post_init__(self) -> None:
        self._headers = {"Accept": "application/json", "Accept-Encoding": "identity"} | self.system.headers()
        self._opener = urllib.request.build_opener(_Refused)

    def ask(self, url: str, body: Any = None, method: str | None = None) -> Any:
        """The JSON of an answer."""
        data = None if body is None else json.dumps(body).encode()
        headers = self._headers | ({"Content-Type": "application/json"} if data else {})
        for more in reversed(range(self.system.limit("attempts"))):
            request = urllib.request.Request(url, data, headers, method=method)
            try:
                return self._fetch_json(request)
            except urllib.error.HTTPError as error:
                with error:
                    self._count(error.code)
                    if error.code not in AGAIN or not more:
                        text = " ".join(error.read(500).decode("utf-8", "replace").split())[:120]
                        raise NoResponseError(f"status {error.code}: {text}", stop=error.code in (401, 403)) from None
                    wait = error.headers.get("Retry-After", "")
                self._pause(more, wait)
            except (OSError, http.client.HTTPException) as error:
                if not more:
                    raise NoResponseError(f"no connection: {getattr(error, 'reason', error)}") from None
                self._pause(more, "")
        raise NoResponseError("attempts is 0; expected at least 1", stop=True)

    def _fetch_json(self, request: urllib.request.Request) -> Any:
        most = self.system.limit("max_bytes")
        with self._opener.open(request, timeout=self.system.limit("timeout")) as response:
            self._count(response.status)
            content = response.read(most + 1)
        if len(content) > most:
            raise NoResponseError(f"the answer is longer than max_bytes, {most} bytes")
        try:
            return json.loads(content)
        except ValueError:
            raise NoResponseError(f"the answer is not JSON: {content[:60]!r}") from None

    def _count(self, status: int) -> None:
        self.statuses[status] = self.statuses.get(status, 0) + 1

    def _pause(self, more: int, wait: str) -> None:
        self.wait(min(float(wait), LONGEST) if wait.isdecimal() else 2.0 ** (self.system.limit("attempts") - 1 - more))


def value_at(answer: Any, path: str) -> Any:
    """What an answer has at a path such as a.b[0][2:].

    >>> value_at({"a": [{"b": 1}, {"b": 2}]}, "a[1].b"), value_at([0, 1, 2], "[1:]")
    (2, [1, 2])
    >>> value_at({"hits": {"total": 3}}, "hits.hit")
    Traceback (most recent call last):
    cranfield.features.collecting.systems.client.NoResponseError: there is no 'hit' of hits.hit; keys there are total
    """
    import re

    value = answer
    for name, start, colon, end in re.findall(r"([^.\[\]]+)|\[(\d*)(:?)(\d*)\]", path):
        if name:
            if not isinstance(value, Mapping) or name not in value:
                there = (
                    f"keys there are {', '.join(map(str, value))}"
                    if isinstance(value, Mapping)
                    else f"there is {value!r:.40}"
                )
                raise NoResponseError(f"there is no {name!r} of {path}; {there}")
            value = value[name]
        elif not isinstance(value, list) or (not colon and int(start) >= len(value)):
            raise NoResponseError(f"there is no [{start}{colon}{end}] in {path}; found {value!r:.40}")
        else:
            value = value[int(start or 0) : int(end) if end else None] if colon else value[int(start)]
    return value
