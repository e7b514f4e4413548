"""serve."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import note, notes, say
from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from cranfield.web.application import Application
    from cranfield.web.server import Listening


def serve(
    path: StorePath,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen at; 0.0.0.0 for every network.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for any free one.")] = 8765,
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
    """
    import sys
    import webbrowser

    from cranfield.store.connection import readable_by_others
    from cranfield.store.invitations import invite as new
    from cranfield.web.application import Application
    from cranfield.web.server import EVERYWHERE, LOCAL, check_certificate, listen
    from cranfield.web.worker import Worker

    if tls_key and not tls_cert:
        raise CranfieldError("--tls-key needs --tls-cert")
    if tls_cert:
        check_certificate(str(tls_cert), str(tls_key) if tls_key else None)
    at = listen(host, port, name or [], secure=bool(tls_cert))
    with at.socket, closing(Application(worker := Worker.of(path), reader=Worker.of(path))) as app:
        say(f"organiser: {at.base}/enter/{app.access.start_token}")
        for assessor in invite or ():
            say(f"{assessor}: {at.base}/enter/{worker.wait(partial(new, assessor=assessor))}")
        for adjudicator in invite_adjudicator or ():
            say(f"{adjudicator}: {at.base}/enter/{worker.wait(partial(new, assessor=adjudicator, role='adjudicate'))}")
        if host not in LOCAL and not tls_cert:
            where = "every network" if host in EVERYWHERE else host
            note(f"{where} can reach this server without encryption: links and labels can be read on the way")
        notes(readable_by_others(path))
        say(f"Serving {path} at {at.base}. Press Ctrl-C to stop.")
        if open_ and sys.stdout.isatty():
            webbrowser.open(f"{at.base}/enter/{app.access.start_token}")
        _until_stopped(app, at, tls_cert, tls_key)


def _until_stopped(app: Application, at: Listening, certificate: Path | None, key: Path | None) -> None:
    from cranfield.web.server import server_of

    server = server_of(app.asgi(at.hosts), str(certificate) if certificate else None, str(key) if key else None)
    try:
        server.run(sockets=[at.socket])
    except KeyboardInterrupt:
        note("stopped; everything recorded is on disk")
