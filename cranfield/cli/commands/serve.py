"""`serve` and `assessor`: judging in the browser, and who may."""

from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli import completion, not_in_python
from cranfield.cli.common_options import Printer, StorePath
from cranfield.cli.tables import note, print_notes, say
from cranfield.errors import CranfieldError
from cranfield.extras import missing_packages, require
from cranfield.store.reading import Reading
from cranfield.text import counted

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


def _given_roles(_: typer.Context) -> tuple[str, ...]:
    if missing_packages("serve"):
        return ()
    from cranfield.web.open_sessions import invited_roles

    return tuple(invited_roles())


@not_in_python("it prints a link; cranfield.store.invitations.invite returns its token")
def invite(
    path: StorePath,
    assessor: Annotated[
        str, typer.Argument(help="Name of the assessor; labels are stored under it."), completion.ASSESSORS
    ],
    *,
    expires: Annotated[
        str | None, typer.Option(metavar="TIME", help="Valid for so long: 14d, 12h or 2w. [default: until revoked]")
    ] = None,
    adjudicate: Annotated[
        bool, typer.Option("--adjudicate", help="The link is for settling disagreements, not for judging.")
    ] = False,
    role: Annotated[
        str | None,
        typer.Option(
            metavar="ROLE",
            help="What the link is for: judge, adjudicate or a task of a feature. An unknown role prints the list.",
        ),
        completion.single_completer(_given_roles),
    ] = None,
    search: Annotated[
        bool, typer.Option("--search", help="She may search the corpus, too, and judge what she finds; not blind.")
    ] = False,
    base: Annotated[
        str, typer.Option(metavar="URL", help="Where the store is served, as `cranfield serve` prints it.")
    ] = BASE,
) -> None:
    """Print a link with which an assessor judges in the browser while the store is served.

    The link is shown once: the store keeps only a hash of it. Earlier links of the assessor stay valid. With
    --adjudicate the link leads to the disagreements between assessors, and to nothing else; --role names other work,
    such as labels of answers or comparisons of documents. What an assessor with --search finds and judges is kept apart
    from what she was given, for ever.

    Example: cranfield assessor invite track.db ada --expires 14d

    Example: cranfield assessor invite track.db eve --adjudicate
    """
    require("serve", "`cranfield assessor invite`")
    from cranfield.store.connection import readable_store_notes
    from cranfield.store.invitations import invite as new
    from cranfield.store.invitations import time_span
    from cranfield.store.store import Store
    from cranfield.web.open_sessions import invited_roles, judging_roles

    if adjudicate and role not in (None, "adjudicate"):
        raise typer.BadParameter("a link has one role", param_hint="--role")
    purpose, roles = "adjudicate" if adjudicate else role or "judge", invited_roles()
    if purpose not in roles:
        raise typer.BadParameter(f"{role!r}; expected {', '.join(roles)}", param_hint="--role")
    valid = time_span(expires) if expires else None
    if search and purpose != "judge":
        raise typer.BadParameter("goes with a link for judging", param_hint="--search")
    if not base.startswith(("http://", "https://")):
        raise typer.BadParameter(f"{base!r}; expected an address such as https://judge.example", param_hint="--base")
    with Store.open(path, tell=note) as store:
        if search:
            for invited in judging_roles():
                if invited.allow:
                    invited.allow(store, assessor)
        say(f"{base.rstrip('/')}/enter/{new(store, assessor, valid, purpose)}")
    if base == BASE:
        note(
            f"the link leads to {BASE}, where `cranfield serve` is unless told otherwise; --base names another address"
        )
    print_notes(readable_store_notes(path))


@not_in_python("cranfield.store.invitations.invitations returns them")
def list_(path: StorePath, *, printer: Printer, reading: Reading) -> None:
    """List the links that were given to assessors, with their state.

    Example: cranfield assessor list track.db

    Example: cranfield assessor list track.db --format json
    """
    from cranfield.store.invitations import invitations
    from cranfield.store.store import now
    from cranfield.text import visible_line

    with reading.store(path) as store:
        rows = [
            {
                "assessor": visible_line(one.assessor),
                "role": one.role,
                "invited": one.at[:16],
                "expires": (one.expires or "never")[:16],
                "state": one.state(now()),
            }
            for one in invitations(store)
        ]
    printer.emit(rows, title="" if rows else "Nobody has been invited yet; `cranfield assessor invite` makes a link.")


@not_in_python("cranfield.store.invitations.revoke does it")
def revoke(
    path: StorePath, assessor: Annotated[str, typer.Argument(help="Name of the assessor."), completion.ASSESSORS]
) -> None:
    """Revoke all links of an assessor, at once; what was recorded stays.

    Example: cranfield assessor revoke track.db ada

    Example: cranfield assessor revoke track.db bo
    """
    from cranfield.store.invitations import revoke as end
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        say(f"{counted(end(store, assessor), 'link')} of {assessor} revoked")
