"""Sending a run to a server, as a program of a team does."""

import json
import ssl
from collections.abc import Mapping
from http.client import responses
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from cranfield.errors import CranfieldError, InputError
from cranfield.extras import require_extra
from cranfield.formats.files import read_text
from cranfield.formats.mappings import parse_toml

if TYPE_CHECKING:
    from httpx2 import Response

PATIENCE_SECONDS = 120.0  # for an answer
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
        parse_toml(read_text(meta), meta)
    return {"run": run.read_bytes()} | ({"meta": meta.read_bytes()} if meta else {})


def send(parts: Mapping[str, bytes], url: str, token: str) -> SubmitAnswer:
    """Send the parts of a run; an error where the server cannot be reached, or is none."""
    where = urlsplit(url)
    if where.scheme not in ("http", "https") or not where.hostname:
        raise InputError(f"the address is {url!r:.80}; expected an address such as https://track.example.org")
    files = {name: (name, content) for name, content in parts.items()}
    headers = {"Authorization": f"Bearer {token}"}
    require_extra("submit", "sending a run")
    import httpx2

    try:
        trust = ssl.create_default_context() if where.scheme == "https" else False  # SSL_CERT_FILE adds to it
        address = f"{url.rstrip('/')}/submit"
        return _answer(httpx2.post(address, files=files, headers=headers, timeout=PATIENCE_SECONDS, verify=trust), url)
    except (httpx2.TransportError, httpx2.InvalidURL) as error:
        raise CranfieldError(f"{url}: no answer: {_reason_of_failure(error, where.scheme)}") from error


def _reason_of_failure(error: Exception, scheme: str) -> str:
    import httpx2

    causes = _causes(error)
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            own = "; to trust it, set SSL_CERT_FILE=cert.pem" if cause.verify_code == SELF_SIGNED else ""
            return f"this computer does not trust the certificate: {cause.verify_message.rstrip('.')}{own}"
        if isinstance(cause, ssl.SSLError):
            return f"the server does not speak TLS ({(cause.reason or 'TLS').replace('_', ' ').lower()}); try http://"
        if isinstance(cause, ConnectionResetError | BrokenPipeError | httpx2.RemoteProtocolError) and scheme == "http":
            return "the server closed the connection; try https://"
    if any(isinstance(cause, TimeoutError) for cause in causes):
        return "the request timed out; see the team's page for whether the run was accepted"
    return next((cause.strerror for cause in causes if isinstance(cause, OSError) and cause.strerror), str(error))


def _causes(error: BaseException | None) -> list[BaseException]:
    """The error and those that led to it, the last one first."""
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


def _answer(response: "Response", url: str) -> SubmitAnswer:
    try:
        content = json.loads(response.content)
    except ValueError:
        status, taken = response.status_code, "see the team's page for the accepted runs"
        if status == TOO_LARGE or status >= BROKEN:
            name = responses.get(status, "no reason")
            raise CranfieldError(
                f"{url}: status {status} ({name}), perhaps from a proxy in front of the server; {taken}"
            ) from None
        right = "expected the address that `cranfield serve` prints, without the path"
        raise CranfieldError(f"{url}: status {status}, not from a Cranfield server; {right}") from None
    return SubmitAnswer(response.status_code, content, response.headers.get("Retry-After", ""))
