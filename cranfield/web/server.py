"""The server: where it listens, the links it gives out, its end; a browser that stops to send or read is cut off."""

import asyncio
import re
import socket
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from cranfield.errors import CranfieldError
from cranfield.web.guard import HEADERS, host_in_url, host_name

MAX_CONNECTIONS = 500  # connections; with more, the one that has waited longest is closed
PATIENCE = 30.0  # seconds for a head, between two requests, and for READ bytes of a body or an answer
READ = 32 * 1024
NO_REQUEST = b"This is not a request that a browser sends."


class Impatient(H11Protocol):
    """A connection that is closed when for too long the browser has neither sent a request nor read the answer.

    uvicorn's own limits end idle connections alone, not a head or a body that never ends, nor an answer that nobody
    reads; so this extends its protocol, which uvicorn.Config takes as `http`.
    """

    def connection_made(self, transport: Any) -> None:
        """A browser has connected."""
        super().connection_made(transport)
        self._unread = 0  # bytes of the answer, when last looked at
        self._arrived = 0  # bytes since then
        self._watch: asyncio.TimerHandle | None = None
        self._restart_wait()
        if len(self.connections) > MAX_CONNECTIONS:
            waiting = [one for one in self.connections if isinstance(one, Impatient) and not one._is_answering()]
            min(waiting, key=lambda one: one._since, default=self).transport.abort()

    def _restart_wait(self) -> None:
        """Wait from now on."""
        if self._watch is not None:
            self._watch.cancel()
        self._since = self.loop.time()
        self._watch = self.loop.call_later(PATIENCE, self._look)

    def _is_answering(self) -> bool:
        """Whether an answer is being made, so that the browser waits for the server."""
        cycle = self.cycle
        return cycle is not None and not (cycle.response_complete or cycle.more_body or self.flow.write_paused)

    def data_received(self, data: bytes) -> None:
        """Some of a request."""
        self._arrived += len(data)
        super().data_received(data)

    def _look(self) -> None:
        uploads = self._arrived >= READ and self.cycle is not None and not self.cycle.response_complete
        self._arrived = 0
        before, self._unread = self._unread, self.transport.get_write_buffer_size()
        reads = self._unread and (not before or before - self._unread >= READ)
        if self._is_answering() or reads or uploads:
            self._restart_wait()
        elif self._unread:
            self.transport.abort()
        else:
            self.transport.close()

    def handle_events(self) -> None:
        """Something has arrived."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._restart_wait()

    def on_response_complete(self) -> None:
        """An answer is on its way."""
        self._restart_wait()
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


LOCAL = ("127.0.0.1", "localhost", "[::1]", "::1")
EVERYWHERE = ("0.0.0.0", "::")


class Listening(NamedTuple):
    """A socket that listens, and how browsers reach it."""

    socket: socket.socket
    base: str  # the beginning of a link
    hosts: tuple[str, ...]  # names under which requests are answered


def listen(
    host: str, port: int, names: Sequence[str] = (), secure: bool = False, public: str | None = None
) -> Listening:
    """Listen at an address; `names` are further names of this machine; `public` is where a proxy is reached instead.

    An error where that is not possible.
    """
    proxy = None if public is None else _public_address(public)
    for name in names:
        if host_name(host_in_url(name)) is None:
            raise CranfieldError(f"--name: {name!r:.80} is not a host name; expected a name such as judge.example")
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()
    except (OSError, OverflowError, TypeError, ValueError) as error:
        listener.close()
        raise CranfieldError(f"cannot listen at {host}:{port}: {error}; give another --host or --port") from error
    own = (socket.gethostname(), *addresses()) if host in EVERYWHERE else ()
    name = names[0] if names else addresses()[0] if host in EVERYWHERE else host
    name = f"[{name}]" if ":" in name else name
    base = f"{'https' if secure else 'http'}://{name}:{listener.getsockname()[1]}"
    if proxy is not None:
        base, names = proxy[0], (*names, proxy[1])
    return Listening(listener, base, tuple(dict.fromkeys((*LOCAL, host, *own, *names))))


def _public_address(url: str) -> tuple[str, str]:
    """Where browsers reach a server through a proxy, and the name of that host.

    >>> _public_address("https://judge.example:8443/"), _public_address("http://[::1]")
    (('https://judge.example:8443', 'judge.example'), ('http://[::1]', '[::1]'))
    """
    match = re.fullmatch(r"(https?://([^/]+))/?", url)
    name = match and host_name(match[2])
    if not match or not name:
        raise CranfieldError(f"--base: {url!r:.80}; expected an address without a path, such as https://judge.example")
    return match[1], name


class Certificate(NamedTuple):
    """A certificate and its key: files in PEM form; and the password of the key, where it has one."""

    file: str
    key: str | None = None
    password: str | None = None


def open_certificate(file: str, key: str | None, ask: Callable[[], str]) -> Certificate:
    """A certificate that was tried with its key; `ask` gives the password of one that is locked."""
    given = list[str]()

    def password() -> str:
        given.append(ask())
        return given[0]

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(file, key, password)
    except (OSError, ValueError) as error:
        raise CranfieldError(_certificate_error(error, file, key, bool(given))) from error
    return Certificate(file, key, *given)


def _certificate_error(error: Exception, file: str, key: str | None, locked: bool) -> str:
    """Why a certificate cannot be used: it, its key, or that they do not belong together."""
    if getattr(error, "reason", "") in ("KEY_VALUES_MISMATCH", "NO_CERTIFICATE_ASSIGNED"):
        return f"{key or file}: this key does not belong to the certificate in {file}"
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(file)
    except OSError as wrong:
        why = "" if isinstance(wrong, ssl.SSLError) else f": {wrong.strerror}"
        return f"{file}: there is no certificate in PEM format{why}"
    if locked:
        return f"{key or file}: the password is wrong"
    return f"{key or file}: there is no key in PEM format" + ("" if key else "; pass the key with --tls-key FILE")


def certificate_objection(certificate: Certificate) -> str:
    """What browsers object to in a certificate whoever it is from, such as that it has expired; mostly nothing."""
    own, other = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    own.load_cert_chain(*certificate)
    other.load_verify_locations(certificate.file)
    other.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    other.check_hostname = False
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = other.wrap_bio(back, there), own.wrap_bio(there, back, server_side=True)
    try:
        for end in ends * 2:
            with suppress(ssl.SSLWantReadError):
                end.do_handshake()
    except ssl.SSLCertVerificationError as error:
        return error.verify_message
    return ""


def addresses() -> list[str]:
    """The addresses of this machine in its networks; its own alone where it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only chooses the way out
            return [probe.getsockname()[0]]
        except OSError:
            return [LOCAL[0]]


def server_of(app: Any, certificate: Certificate | None = None) -> uvicorn.Server:
    """A server of an application; run it with the sockets to listen at, and set `should_exit` to end it."""
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,
        http=Impatient,
        ws="none",
        lifespan="off",
        server_header=False,
        timeout_keep_alive=int(PATIENCE),
        timeout_graceful_shutdown=5,
        ssl_certfile=certificate and certificate.file,
        ssl_keyfile=certificate and certificate.key,
        ssl_keyfile_password=certificate and certificate.password,
    )
    return uvicorn.Server(config)
