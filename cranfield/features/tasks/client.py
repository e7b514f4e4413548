"""Sending a run to a server, as a program of a team does."""

import json
import ssl
from collections.abc import Iterator, Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, responses
from pathlib import Path
from secrets import token_hex
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from cranfield.errors import CranfieldError, InputError
from cranfield.formats.files import read_text
from cranfield.formats.mappings import toml_of

PATIENCE = 120.0  # seconds for an answer
TOKEN = "CRANFIELD_TEAM_TOKEN"
TOO_LARGE, BROKEN = 413, 500  # and more: answers that are no fault of the address
SELF_SIGNED = 18  # OpenSSL's number of that error


class SubmitAnswer(NamedTuple):
    """The status of an answer, and what it says."""

    status: int
    content: Mapping[str, Any]
    wait: str = ""


def submit_run(run: Path, meta: Path | None, url: str, token: str) -> SubmitAnswer:
    """Send a run, and what a TOML file says of it; an error where the server cannot be reached, or is none."""
    return send(parts_of(run, meta), url, token)


def parts_of(run: Path, meta: Path | None) -> dict[str, bytes]:
    """What is sent of a run; an error where its description is no TOML."""
    if meta:
        toml_of(read_text(meta), meta)
    return {"run": run.read_bytes()} | ({"meta": meta.read_bytes()} if meta else {})


def send(parts: Mapping[str, bytes], url: str, token: str) -> SubmitAnswer:
    """Send the parts of a run; an error where the server cannot be reached, or is none."""
    where = urlsplit(url)
    if where.scheme not in ("http", "https") or not where.hostname:
        raise InputError(f"the address is {url!r:.80}; expected one such as https://track.example.org")
    boundary = token_hex(16)
    body = b"".join(_body(parts, boundary))
    headers = {"Authorization": f"Bearer {token}", "Content-Type": f"multipart/form-data; boundary={boundary}"}
    try:
        connection = HTTPConnection(where.hostname, where.port, timeout=PATIENCE)
        if where.scheme == "https":
            context = ssl.create_default_context()
            connection = HTTPSConnection(where.hostname, where.port, timeout=PATIENCE, context=context)
        with closing(connection):
            connection.request("POST", f"{where.path.rstrip('/')}/submit", body, headers)
            return _answer(connection.getresponse(), url)
    except (OSError, HTTPException) as error:
        raise CranfieldError(f"{url}: no answer: {_reason_of_failure(error, where.scheme)}") from error


def _reason_of_failure(error: Exception, scheme: str) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        own = "; SSL_CERT_FILE=cert.pem trusts the one in that file" if error.verify_code == SELF_SIGNED else ""
        return f"the certificate is not valid here: {error.verify_message.rstrip('.')}{own}"
    if isinstance(error, ssl.SSLError):
        return f"no TLS there ({(error.reason or 'TLS').replace('_', ' ').lower()}); is it http:// without s?"
    if isinstance(error, ConnectionResetError | BrokenPipeError) and scheme == "http":
        return "the connection was closed; is it https:// there?"
    if isinstance(error, TimeoutError):
        return f"{error}; the team's page has the runs that were taken"
    return getattr(error, "strerror", None) or str(error)


def _body(parts: Mapping[str, bytes], boundary: str) -> Iterator[bytes]:
    for name, content in parts.items():
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
        yield from (head.encode(), content, b"\r\n")
    yield f"--{boundary}--\r\n".encode()


def _answer(response: HTTPResponse, url: str) -> SubmitAnswer:
    text = response.read()
    try:
        content = json.loads(text)
    except ValueError:
        status, taken = response.status, "the team's page has the runs that were taken"
        if status == TOO_LARGE or status >= BROKEN:
            name = responses.get(status, "no reason")
            raise CranfieldError(f"{url}: answers {status}, {name}; a proxy before it may do so; {taken}") from None
        right = "expected the address that `cranfield serve` prints, without a link"
        raise CranfieldError(f"{url}: answers {status}, which is not from cranfield; {right}") from None
    return SubmitAnswer(response.status, content, response.headers.get("Retry-After", ""))
