"""`serve`: judging in the browser."""

from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli import not_in_python
from cranfield.cli.common_options import StorePath
from cranfield.cli.tables import note, print_notes, say
from cranfield.errors import CranfieldError
from cranfield.extras import require

if TYPE_CHECKING:
    from cranfield.web.application import Application
    from cranfield.web.server import Certificate, Listening


PORT = 8765
BASE = f"http://127.0.0.1:{PORT}"


@not_in_python("people judge in the browser")
def serve(
    path: StorePath,
    *,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen at; 0.0.0.0 for every network.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for any free one.")] = PORT,
    invite: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Print a new link for an assessor. May be repeated.")
    ] = None,
    invite_adjudicator: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Print a new link for settling disagreements. May be repeated."),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST", help="Name by which browsers reach this machine. May be repeated."),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Where browsers reach it through a proxy, such as https://judge.example."),
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option(metavar="FILE", exists=True, dir_okay=False, help="Certificate for HTTPS (PEM).")
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(metavar="FILE", exists=True, dir_okay=False, help="Key of the certificate (PEM).")
    ] = None,
    open_: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the organiser's page, if this is a terminal.")
    ] = True,
) -> None:
    """Serve a store: judge, adjudicate, organise and look at it in the browser.

    The organiser's link shows the progress, the collection and its systems, and invites assessors; it is valid until
    the server stops. An assessor's link stays valid after a restart, until it expires or is revoked. The server listens
    on this machine only, unless --host says otherwise. Ctrl-C stops it; everything recorded is on disk.

    Example: cranfield serve track.db --invite ada --invite bo

    Example: cranfield serve track.db --port 8080
    """
    import sys
    import webbrowser

    require("serve", "`cranfield serve`")
    from cranfield.store.connection import readable_store_notes
    from cranfield.store.invitations import invite as new
    from cranfield.store.invitations import serving_key
    from cranfield.store.store import Store
    from cranfield.web.application import Application
    from cranfield.web.results import Worker
    from cranfield.web.server import EVERYWHERE, LOCAL, listen

    if tls_key and not tls_cert:
        raise CranfieldError("--tls-key needs --tls-cert")
    certificate = _certificate(tls_cert, tls_key) if tls_cert else None
    at = listen(host, port, name or [], secure=bool(tls_cert), public=base)
    people: list[tuple[str, str]] = [
        *(("judge", one) for one in invite or ()),
        *(("adjudicate", one) for one in invite_adjudicator or ()),
    ]
    with ExitStack() as stack:
        stack.enter_context(at.socket)
        with Store.open(path, tell=note) as store, store.writing():  # waits for other programs as all commands do
            serving_key(store)
            tokens = [new(store, one, role=role) for role, one in people]
        app = stack.enter_context(
            closing(Application(Worker.worker_of_store(path), reader=Worker.worker_of_store(path)))
        )
        say(f"organiser: {at.base}/enter/{app.access.start_token}")
        for (_, one), token in zip(people, tokens, strict=True):
            say(f"{one}: {at.base}/enter/{token}")
        if host not in LOCAL and not tls_cert:
            where = "every network" if host in EVERYWHERE else host
            note(f"{where} can reach this server without encryption: others on the network can read links and labels")
        print_notes(readable_store_notes(path))
        proxy = f", by a proxy for port {at.socket.getsockname()[1]}" if base else ""
        say(f"Serving {path} at {at.base}{proxy}. Press Ctrl-C to stop.")
        if open_ and sys.stdout.isatty():
            webbrowser.open(f"{at.base}/enter/{app.access.start_token}")
        _serve(app, at, certificate)


def _certificate(file: Path, key: Path | None) -> "Certificate":
    """A certificate that can be used; the password of its key is asked for at a terminal, and what is wrong is said."""
    import sys
    from getpass import getpass

    from cranfield.web.server import certificate_objection, open_certificate

    def ask() -> str:
        place = key or file
        if sys.stdin.isatty():
            return getpass(f"Password of {place}: ")
        right = f"start `serve` at a terminal, or give a key without one: `openssl pkey -in {place} -out open.pem`"
        raise CranfieldError(f"{place}: the key has a password; {right}")

    certificate = open_certificate(str(file), str(key) if key else None, ask)
    if wrong := certificate_objection(certificate):
        note(f"{file}: {wrong}; browsers refuse it, or warn")
    return certificate


def _serve(app: "Application", at: "Listening", certificate: "Certificate | None") -> None:
    import signal

    from cranfield.web.server import server_of

    server = server_of(app.asgi(at.hosts, at.base.startswith("https")), certificate)

    def stop(*_: object) -> None:
        server.should_exit = True

    for name in ("SIGTERM", "SIGHUP"):  # uvicorn sends on what it was ended by, which would end the program at once
        if (number := getattr(signal, name, None)) and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[at.socket])
    note("stopped; everything recorded is on disk")
