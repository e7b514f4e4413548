"""The server: where it listens, the links it gives out, and how it ends."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Sequence
from typing import Any, NamedTuple

import uvicorn

from cranfield.errors import CranfieldError
from cranfield.web.connections import PATIENCE, Impatient

LOCAL = ("127.0.0.1", "localhost", "[::1]", "::1")
EVERYWHERE = ("0.0.0.0", "::")


class Listening(NamedTuple):
    """A socket that listens, and how browsers reach it."""

    socket: socket.socket
    base: str  # the beginning of a link
    hosts: tuple[str, ...]  # names under which requests are answered


def listen(host: str, port: int, names: Sequence[str] = (), secure: bool = False) -> Listening:
    """Listen at an address; `names` are further names of this machine. An error where that is not possible."""
    found = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen()
    except (OSError, OverflowError, TypeError, ValueError) as error:
        found.close()
        raise CranfieldError(f"cannot listen at {host}:{port}: {error}; give another --host or --port") from error
    own = (socket.gethostname(), *addresses()) if host in EVERYWHERE else ()
    shown = names[0] if names else addresses()[0] if host in EVERYWHERE else host
    shown = f"[{shown}]" if ":" in shown else shown
    base = f"{'https' if secure else 'http'}://{shown}:{found.getsockname()[1]}"
    return Listening(found, base, tuple(dict.fromkeys((*LOCAL, host, *own, *names))))


def check_certificate(certificate: str, key: str | None) -> None:
    """An error where a certificate and its key cannot be used."""
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key)
    except OSError as error:
        files = certificate if key is None else f"{certificate} and {key}"
        raise CranfieldError(f"{files}: no certificate with its key in PEM form ({error.strerror or error})") from error


def addresses() -> list[str]:
    """The addresses of this machine in its networks; its own alone where it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # sends nothing: it only chooses the way out
            return [asked.getsockname()[0]]
        except OSError:
            return [LOCAL[0]]


def server_of(app: Any, certificate: str | None = None, key: str | None = None) -> uvicorn.Server:
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
        ssl_certfile=certificate,
        ssl_keyfile=key,
    )
    return uvicorn.Server(config)
