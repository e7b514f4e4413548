"""`serve`: judging in the browser."""

from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli import not_in_python
from cranfield.cli.common_options import StorePath
from cranfield.cli.tables import print_note, print_notes, say
from cranfield.errors import CranfieldError
from cranfield.extras import require_extra

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cranfield.web.application import Application, FileAccess
    from cranfield.web.first_page import FirstPage
    from cranfield.web.language import Language
    from cranfield.web.server import Certificate, Listening


PORT = 8765
BASE = f"http://127.0.0.1:{PORT}"


@not_in_python("people judge in the browser")
def serve(
    path: StorePath,
    *,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on; 0.0.0.0 for all network interfaces.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 for any free port.")] = PORT,
    invite: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Assessor for whom to print a new link; may be repeated.")
    ] = None,
    invite_adjudicator: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Adjudicator for whom to print a new link; may be repeated."),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="HOST", help="Host name by which browsers reach this machine; may be repeated."),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Address at which browsers reach the server through a proxy, such as https://judge.example.",
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option(metavar="FILE", exists=True, dir_okay=False, help="Certificate for HTTPS (PEM).")
    ] = None,
    tls_key: Annotated[
        Path | None,
        typer.Option(metavar="FILE", exists=True, dir_okay=False, help="Private key of the certificate (PEM)."),
    ] = None,
    files: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            exists=True,
            file_okay=False,
            help="Folder of this machine from which the organiser may import documents.",
        ),
    ] = None,
    max_upload: Annotated[
        str, typer.Option(metavar="SIZE", help="Maximum size of one upload by the organiser, such as 500M or 2G.")
    ] = "1G",
    language: Annotated[str, typer.Option(metavar="NAME", help="Language of all pages, such as de or pt_BR.")] = "en",
    catalogue: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            exists=True,
            file_okay=False,
            help="Folder with catalogues of other languages: NAME/LC_MESSAGES/cranfield.mo.",
        ),
    ] = None,
    open_: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the organiser's page in a browser, if started at a terminal.")
    ] = True,
) -> None:
    """Serve a store for judging and organising in the browser.

    If the store does not exist, the organiser's page creates it. The next page then guides you through all steps, from
    documents and topics to links for assessors.

    With the organiser's link, you can follow the progress, view the collection and its systems, and invite assessors.
    The link is valid until the server stops. An assessor's link stays valid after a restart until it expires or is
    revoked. The server accepts connections only from this machine, unless you set --host. Press Ctrl-C to stop the
    server; all recorded work is on disk.

    Example: cranfield serve track.db --invite ada --invite bo

    Example: cranfield serve track.db --port 8080
    """
    import sys
    import webbrowser

    require_extra("serve", "`cranfield serve`")
    from cranfield.formats.files import parse_byte_size
    from cranfield.store.connection import readable_store_notes
    from cranfield.store.invitations import invite as new
    from cranfield.store.invitations import serving_key
    from cranfield.store.store import Store
    from cranfield.web.application import FileAccess
    from cranfield.web.language import find_language
    from cranfield.web.server import listen

    if tls_key and not tls_cert:
        raise CranfieldError("--tls-key needs --tls-cert")
    certificate = _certificate(tls_cert, tls_key) if tls_cert else None
    at = listen(host, port, name or [], secure=bool(tls_cert), public=base)
    access, texts = FileAccess(files, parse_byte_size(max_upload)), find_language(language, catalogue)
    people: list[tuple[str, str]] = [
        *(("judge", one) for one in invite or ()),
        *(("adjudicate", one) for one in invite_adjudicator or ()),
    ]
    with ExitStack() as stack:
        stack.enter_context(at.socket)
        if is_new_store(path):
            if people:
                raise CranfieldError(f"{path}: no such store; create it in the browser before you invite people")
            first = stack.enter_context(closing(_first_page(path, at, access, texts)))
            say(f"organiser: {at.base}/enter/{first.start_token}")
            _warn_of_network(host, bool(tls_cert))
            say(f"{path} does not exist yet. Open the organiser's link to create it. Press Ctrl-C to stop.")
            if open_ and sys.stdout.isatty():
                webbrowser.open(f"{at.base}/enter/{first.start_token}")
            _serve(first, at, certificate)
            return
        with Store.open(path, tell=print_note) as store, store.writing():  # waits for other programs as all commands do
            serving_key(store)
            tokens = [new(store, one, role=role) for role, one in people]
        app = stack.enter_context(closing(_application(path, access, texts)))
        say(f"organiser: {at.base}/enter/{app.access.start_token}")
        for (_, one), token in zip(people, tokens, strict=True):
            say(f"{one}: {at.base}/enter/{token}")
        _warn_of_network(host, bool(tls_cert))
        print_notes(readable_store_notes(path))
        proxy = f", by a proxy for port {at.socket.getsockname()[1]}" if base else ""
        say(f"Serving {path} at {at.base}{proxy}. Press Ctrl-C to stop.")
        if open_ and sys.stdout.isatty():
            webbrowser.open(f"{at.base}/enter/{app.access.start_token}")
        _serve(app.asgi(at.hosts, at.base.startswith("https")), at, certificate)


def is_new_store(path: Path) -> bool:
    """Whether this is the name of a file that does not exist, in a folder that does."""
    from cranfield.selection import VERSION_MARK

    return VERSION_MARK not in path.name and not path.exists() and path.absolute().parent.is_dir()


def _application(path: Path, files: "FileAccess", language: "Language", start_token: str = "") -> "Application":
    from cranfield.web.application import Application
    from cranfield.web.results import Worker

    writer, reader = Worker.worker_of_store(path), Worker.worker_of_store(path)
    return Application(writer, reader=reader, start_token=start_token, files=files, language=language)


def _first_page(path: Path, at: "Listening", files: "FileAccess", language: "Language") -> "FirstPage":
    from cranfield.web.first_page import FirstPage

    https = at.base.startswith("https")
    return FirstPage(
        lambda fields: create_from_form(path, fields),
        lambda token: _application(path, files, language, token),
        at.hosts,
        file_name=path.name,
        https=https,
        language=language,
    )


def create_from_form(path: Path, fields: "Mapping[str, str]") -> None:
    """Create the store that a form describes, readable by its owner alone: it has links and labels."""
    from cranfield.commands.stores import create_store
    from cranfield.store.connection import DatabaseError
    from cranfield.store.invitations import serving_key
    from cranfield.store.store import Store
    from cranfield.text import visible_line
    from cranfield.web.first_page import MAX_DESCRIPTION, scale_of_lines
    from cranfield.web.look.page_text import without_folder
    from cranfield.web.organise.section import parse_name_field

    name, lowest = parse_name_field(visible_line(fields.get("name", ""))), fields.get("lowest", "").strip() or "1"
    description = fields.get("description", "").strip()
    if not name:
        raise CranfieldError("the collection has no name; type a name")
    if len(description) > MAX_DESCRIPTION:
        raise CranfieldError(f"the description has {len(description):,} characters; expected at most {MAX_DESCRIPTION}")
    if not (lowest.isascii() and lowest.removeprefix("-").isdecimal() and len(lowest) < 10):
        raise CranfieldError(f"the lowest relevant grade is {lowest!r:.40}; expected a grade of the scale")
    try:
        create_store(
            path, name, description=description,
            scale=scale_of_lines(fields.get("scale", "")), min_relevant=int(lowest), private=True,
        )  # fmt: skip
        with Store.open(path) as store:
            serving_key(store)
    except (OSError, DatabaseError) as error:
        raise CranfieldError(f"the file could not be created: {without_folder(str(error), path)}") from error
    except CranfieldError as error:
        raise CranfieldError(without_folder(str(error), path)) from error


def _warn_of_network(host: str, is_encrypted: bool) -> None:
    from cranfield.web.server import EVERYWHERE, LOCAL

    if host not in LOCAL and not is_encrypted:
        where = "all network interfaces" if host in EVERYWHERE else host
        print_note(
            f"the server accepts unencrypted connections on {where}; "
            "other people on the network can read links and labels"
        )


def _certificate(file: Path, key: Path | None) -> "Certificate":
    """A certificate that can be used; the password of its key is asked for at a terminal, and what is wrong is said."""
    import sys
    from getpass import getpass

    from cranfield.web.server import certificate_objection, open_certificate

    def ask() -> str:
        place = key or file
        if sys.stdin.isatty():
            return getpass(f"Password of {place}: ")
        right = f"start `serve` at a terminal, or remove the password: `openssl pkey -in {place} -out open.pem`"
        raise CranfieldError(f"{place}: the key has a password; {right}")

    certificate = open_certificate(str(file), str(key) if key else None, ask)
    if wrong := certificate_objection(certificate):
        print_note(f"{file}: {wrong}; browsers refuse it or show a warning")
    return certificate


def _serve(app: Any, at: "Listening", certificate: "Certificate | None") -> None:
    import signal

    from cranfield.web.server import server_of

    server = server_of(app, certificate)

    def stop(*_: object) -> None:
        server.should_exit = True

    for name in ("SIGTERM", "SIGHUP"):  # uvicorn sends on what it was ended by, which would end the program at once
        if (number := getattr(signal, name, None)) and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[at.socket])
    print_note("stopped; all recorded work is on disk")
