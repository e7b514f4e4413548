"""Who is asking: the organiser, who has the token printed at the start, or an assessor with an invitation."""

import secrets
import time
from collections.abc import Callable
from hmac import compare_digest, digest
from ipaddress import ip_address, ip_network
from typing import NamedTuple, TypeVar

from starlette.requests import Request

from cranfield.store.invitations import TOKEN, hash_token, invitation_of, serving_key
from cranfield.store.store import Store
from cranfield.web.open_sessions import judging_roles, roles_with_judging
from cranfield.web.results import Worker

T = TypeVar("T")
ORGANISER = "organiser"
TRIES, TRY_SECONDS = 10, 60.0  # different wrong tokens from one address, and the seconds within which they count


class Visitor(NamedTuple):
    """Somebody whose token is valid, and what it is for; the organiser has neither an assessor's name nor a role."""

    token: str
    assessor: str | None
    role: str | None = None

    def form_token(self, key: bytes) -> str:
        """What every form of this visitor carries, and no other site can know."""
        return digest(key, f"form {self.token}".encode(), "sha256").hex()


class WrongTokens:
    """The recent wrong tokens by address; after too many different ones an address has to wait.

    A page that is still open after its link was revoked sends the same token again and again: that counts once, so that
    it does not lock out others at the same address.

    >>> now = 0.0
    >>> wrong = WrongTokens(lambda: now)
    >>> [wrong.add("10.0.0.7", "one") for _ in range(TRIES)][-1], wrong.must_wait("10.0.0.7")
    (None, False)
    >>> [wrong.add("10.0.0.7", str(number)) for number in range(TRIES)][-1]
    >>> wrong.must_wait("10.0.0.7"), wrong.must_wait("10.0.0.8")
    (True, False)
    >>> now = 61.0; wrong.must_wait("10.0.0.7")
    False
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: dict[str, dict[str, float]] = {}  # by network: when each token was first seen

    def add(self, address: str, token: str) -> None:
        """A wrong token came from this address."""
        self._wrong = {one: recent for one in self._wrong if (recent := self._recent(one))}
        if not self.must_wait(address):
            self._wrong.setdefault(address_or_network(address), {}).setdefault(hash_token(token), self._clock())

    def must_wait(self, address: str) -> bool:
        """Whether this address has to wait."""
        return len(self._recent(address_or_network(address))) >= TRIES

    def _recent(self, one: str) -> dict[str, float]:
        return {token: at for token, at in self._wrong.get(one, {}).items() if self._clock() - at < TRY_SECONDS}


def address_or_network(address: str) -> str:
    """What one visitor has: an address, or all of an IPv6 network of 64 bits.

    >>> [address_or_network(address) for address in ("10.0.0.7", "2001:db8::1", "testclient")]
    ['10.0.0.7', '2001:db8::/64', 'testclient']
    >>> address_or_network("2001:db8::2")
    '2001:db8::/64'
    """
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ip_network((int(ip) >> 64 << 64, 64))) if ip.version == 6 else str(ip)


class TooManyError(Exception):
    """Too many wrong tokens came from this address."""


class Access:
    """Whose token a request carries."""

    def __init__(self, worker: Worker, wrong: WrongTokens, start_token: str = "") -> None:
        self.start_token = start_token or secrets.token_urlsafe(TOKEN)
        self.key = worker.run_and_wait(serving_key)
        self.wrong = wrong
        self._worker = worker
        self._known: set[str] = set()  # the hashes of tokens that were valid

    async def visitor(self, token: str, address: str) -> Visitor | None:
        """Who has this token; None where it is wrong, expired or revoked. A TooManyError where the address has to wait:
        that keeps out nobody who was in before."""
        if not token:
            return None
        if compare_digest(hash_token(token), hash_token(self.start_token)):
            return Visitor(token, None)
        invitation = await self.owner(token, address, invitation_of)
        return None if invitation is None else Visitor(token, *invitation)

    async def owner(self, token: str, address: str, find: Callable[[Store, str], T | None]) -> T | None:
        """What a token is for, by a function that looks in the store; the same for wrong ones, and errors."""
        if hash_token(token) not in self._known and self.wrong.must_wait(address):
            raise TooManyError
        owner = await self._worker.run(lambda store: find(store, token))
        if not owner:
            self.wrong.add(address, token)
            return None
        self._known.add(hash_token(token))
        return owner


def client_address(request: Request) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else ""


def cookie_name(request: Request, role: str | None) -> str:
    """The cookie of this server for one role: a browser sends the cookies of all ports of a host to each, and may have
    links of several roles, which keep apart."""
    return f"cranfield-{request.url.port or 0}-{role or ORGANISER}"


def given_token(request: Request) -> str:
    """The token of the role that a page is for, else another that the browser has, to which more can be said."""
    return next(iter(given_tokens(request)), "")


def given_tokens(request: Request) -> list[str]:
    """All tokens that the browser has, that of the role that a page is for first."""
    page, *more = request.url.path.split("/")[1:]
    page = more[0] if page == "active" and more else page
    roles = [role.name for role in judging_roles()]
    own = [page] if page in roles else []
    if page in roles_with_judging():
        own.append("judge")
    names = [cookie_name(request, role) for role in (*own, ORGANISER, *roles)]
    return [request.cookies[name] for name in dict.fromkeys(names) if name in request.cookies]
