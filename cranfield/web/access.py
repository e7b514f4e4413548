"""Who is asking: the organiser, who has the token printed at the start, or an assessor with an invitation."""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable
from hmac import compare_digest, digest
from typing import NamedTuple

from starlette.requests import Request

from cranfield.store.invitations import TOKEN, Role, hashed, invited, serving_key
from cranfield.web.worker import Worker

TRIES, WITHIN = 10, 60.0  # wrong tokens from one address, and the seconds within which they count


class Visitor(NamedTuple):
    """Somebody whose token is valid, and what it is for; the organiser has neither an assessor's name nor a role."""

    token: str
    assessor: str | None
    role: Role | None = None

    def form_token(self, key: bytes) -> str:
        """What every form of this visitor carries, and no other site can know."""
        return digest(key, f"form {self.token}".encode(), "sha256").hex()


class WrongTokens:
    """The recent wrong tokens by address; too many of them from one address close the door to it for a while.

    >>> now = 0.0
    >>> wrong = WrongTokens(lambda: now)
    >>> [wrong.add("10.0.0.7") for _ in range(TRIES)][-1], wrong.too_many("10.0.0.7"), wrong.too_many("10.0.0.8")
    (None, True, False)
    >>> now = 61.0; wrong.too_many("10.0.0.7")
    False
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: dict[str, deque[float]] = {}

    def add(self, address: str) -> None:
        """A wrong token came from this address."""
        self._wrong = {one: times for one, times in self._wrong.items() if self._recent(times)}
        self._wrong.setdefault(address, deque(maxlen=TRIES)).append(self._clock())

    def too_many(self, address: str) -> bool:
        """Whether this address has to wait."""
        return len(times := self._wrong.get(address, deque())) == TRIES and self._recent(times)

    def _recent(self, times: deque[float]) -> bool:
        """Whether they still count: the oldest of them as soon as there are too many, else the latest."""
        return self._clock() - times[0 if len(times) == TRIES else -1] < WITHIN


class Access:
    """Whose token a request carries."""

    def __init__(self, worker: Worker, wrong: WrongTokens) -> None:
        self.start_token = secrets.token_urlsafe(TOKEN)
        self.key = worker.wait(serving_key)
        self.wrong = wrong
        self._worker = worker

    async def visitor(self, token: str) -> Visitor | None:
        """Who has this token; None where it is wrong, expired or revoked."""
        if not token:
            return None
        if compare_digest(hashed(token), hashed(self.start_token)):
            return Visitor(token, None)
        found = await self._worker.run(lambda store: invited(store, token))
        return None if found is None else Visitor(token, *found)


def address(request: Request) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else ""


def cookie_name(request: Request) -> str:
    """The cookie of this server: a browser sends the cookies of all ports of a host to each."""
    return f"cranfield-{request.url.port or 0}"
