"""serve."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import note, say
from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from cranfield.web.server import Listening
    from cranfield.web.worker import Worker


def serve(
    path: StorePath,
    host: Annotated[str, typer.Option(help="Address to listen at; 0.0.0.0 for every network.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for any free one.")] = 8765,
    invite: Annotated[
        list[str] | None, typer.Option(metavar="ASSESSOR", help="Print a new link for an assessor. Repeatable.")
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option(metavar="HOST", help="Name by which browsers reach this machine. Repeatable.")
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option(metavar="FILE", exists=True, dir_okay=False, help="Certificate for HTTPS (PEM).")
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(metavar="FILE", exists=True, dir_okay=False, help="Key of the certificate (PEM).")
    ] = None,
) -> None:
    """Serve a store to assessors, who judge it in the browser.

    Each assessor gets a link. It stays valid after a restart, until it expires or is revoked with `cranfield assessor
    revoke`. The server listens on this machine only, unless --host says otherwise. Ctrl-C stops it; everything recorded
    is on disk.

    Example: cranfield serve track.db --invite ada --invite bo
    """
    from cranfield.store.invitations import invitations
    from cranfield.store.invitations import invite as new
    from cranfield.web.application import Application
    from cranfield.web.server import EVERYWHERE, LOCAL, listen
    from cranfield.web.worker import Worker

    if tls_key and not tls_cert:
        raise CranfieldError("--tls-key needs --tls-cert")
    at = listen(host, port, name or [], secure=bool(tls_cert))
    worker = Worker.of(path)
    for assessor in invite or ():
        say(f"{assessor}: {at.base}/enter/{worker.wait(partial(new, assessor=assessor))}")
    if not worker.wait(invitations):
        note("no assessor is invited; stop and start again with --invite NAME, or use `cranfield assessor invite`")
    if host not in LOCAL and not tls_cert:
        where = "every network" if host in EVERYWHERE else host
        note(f"{where} can reach this server without encryption: links and labels can be read on the way")
    say(f"Serving {path} at {at.base}. Press Ctrl-C to stop.")
    _until_stopped(worker, at, Application(worker).asgi(at.hosts), tls_cert, tls_key)


def _until_stopped(worker: Worker, at: Listening, app: object, certificate: Path | None, key: Path | None) -> None:
    from cranfield.web.server import serve

    try:
        serve(app, at, str(certificate) if certificate else None, str(key) if key else None)
    except KeyboardInterrupt:
        note("stopped; everything recorded is on disk")
    finally:
        worker.close()
