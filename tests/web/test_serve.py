"""The commands `serve` and `assessor`, as processes and in one."""

import http.client
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from cranfield.cli.commands import serve as serve_command
from cranfield.store.invitations import invited
from cranfield.store.store import Store
from cranfield.web.server import listen
from tests.conftest import Cranfield
from tests.judging.cases import store_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A small store."""
    store_of(path=tmp_path / "track.db").close()
    return tmp_path / "track.db"


def test_serve_answers_and_stops(path: Path) -> None:
    """The printed link leads to a page of judging; Ctrl-C ends the server without a traceback."""
    command = [sys.executable, "-m", "cranfield", "serve", str(path), "--port", "0", "--invite", "ada"]
    path.chmod(0o600)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout
        assert server.stdout.readline().startswith("organiser: http://127.0.0.1:")
        link = urlsplit(re.findall(r"http://\S+", server.stdout.readline())[0])
        assert server.stdout.readline().startswith(f"Serving {path} at http://127.0.0.1:")
        asked = http.client.HTTPConnection(link.netloc, timeout=30)
        asked.request("GET", link.path)
        answer = asked.getresponse()
        assert (answer.status, b'url=/judge"' in answer.read()) == (200, True)
        for path_, cookie in (("/enter/wrong", ""), ("/judge", answer.getheader("set-cookie") or ""), ("/\\x", "")):
            asked.request("GET", path_, headers={"cookie": cookie.partition(";")[0]})
            asked.getresponse().read()
        asked.close()
        server.send_signal(signal.SIGINT)
        said, errors = server.communicate(timeout=30)
    assert (said, errors.strip()) in [("", ""), ("", "note: stopped; everything recorded is on disk")]
    assert server.returncode in (0, 130, -signal.SIGINT)


def test_a_link_that_expires(path: Path, cranfield: Cranfield) -> None:
    """`assessor invite` prints a link once; `list` has its state, `revoke` ends it."""
    link = cranfield(
        "assessor", "invite", path, "ada", "--expires", "2w", "--base", "https://judge.example/"
    ).out.strip()
    assert re.fullmatch(r"https://judge\.example/enter/[\w-]{43}", link)
    with Store.open(path) as store:
        assert invited(store, link.rpartition("/")[2]) == ("ada", "judge")
    assert cranfield("assessor", "list", path).out.split()[-1] == "valid"
    assert cranfield("assessor", "revoke", path, "ada").out == "1 link of ada revoked\n"
    assert cranfield("assessor", "list", path).out.split()[-1] == "revoked"


def test_a_link_to_adjudicate(path: Path, cranfield: Cranfield) -> None:
    """A link has one role, which `list` shows; links of earlier versions are to judge."""
    token = cranfield("assessor", "invite", path, "eve", "--adjudicate").out.strip().rpartition("/")[2]
    cranfield("assessor", "invite", path, "ada")
    with Store.open(path) as store:
        assert invited(store, token) == ("eve", "adjudicate")
    rows = json.loads(cranfield("assessor", "list", path, "--format", "json").out)
    assert [(row["assessor"], row["role"]) for row in rows] == [("eve", "adjudicate"), ("ada", "judge")]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("invite", "ada", "--expires", "soon"),
            "'soon' is not a time; expected a number and d, h or w, for example 14d",
        ),
        (("invite", " "), "an assessor needs a name"),
        (("revoke", "ada"), "'ada' has no invitation"),
    ],
)
def test_what_is_wrong_is_one_line(path: Path, cranfield: Cranfield, arguments: tuple[str, ...], said: str) -> None:
    """Wrong times and names are refused."""
    verb, *rest = arguments
    result = cranfield("assessor", verb, path, *rest)
    assert (result.code, result.err.count("\n")) == (1, 1)
    assert said in result.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--host", "203.0.113.77"), "cannot listen at 203.0.113.77:8765"),
        (("--tls-key", __file__), "--tls-key needs --tls-cert"),
        (("--port", "0", "--invite", " "), "an assessor needs a name"),
        (("--tls-cert", __file__), f"{__file__}: no certificate with its key in PEM form"),
    ],
)
def test_serve_says_why_it_cannot(path: Path, cranfield: Cranfield, options: tuple[str, ...], said: str) -> None:
    """An address that is not this machine's, a key without its certificate."""
    result = cranfield("serve", path, *options)
    assert (result.code, result.err.count("\n")) == (1, 1)
    assert said in result.err


@pytest.mark.parametrize(("host", "said"), [("127.0.0.1", ""), ("0.0.0.0", "every network can reach this server")])
def test_a_network_without_tls_is_said(
    path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch, host: str, said: str
) -> None:
    """What that means, before anybody comes in."""
    monkeypatch.setattr(serve_command, "_until_stopped", lambda *_: None)
    result = cranfield("serve", path, "--host", host, "--port", "0")
    assert (result.code, "without encryption" in result.err) == (0, bool(said))
    assert said in result.err


def test_a_port_in_use(path: Path, cranfield: Cranfield) -> None:
    """Another server there is one line, and no link is printed."""
    at = listen("127.0.0.1", 0)
    result = cranfield("serve", path, "--port", at.socket.getsockname()[1])
    assert (result.code, result.out) == (1, "")
    assert "in use; give another --host or --port" in result.err
    at.socket.close()
