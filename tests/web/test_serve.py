"""The commands `serve` and `assessor`, and a real server on real connections: slow, broken, too many, over TLS."""

import http.client
import json
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from threading import Event, Thread
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from cranfield.cli.commands import serve as serve_command
from cranfield.errors import CranfieldError
from cranfield.store.invitations import invitation_of, invite
from cranfield.store.log import read_events
from cranfield.store.store import Store
from cranfield.web.access import WrongTokens
from cranfield.web.application import Application
from cranfield.web.guard import HEADERS
from cranfield.web.results import Worker
from cranfield.web.server import Certificate, listen, open_certificate
from tests.conftest import Cranfield
from tests.judging.cases import POOLED, store_of
from tests.web.browser import Page
from tests.web.serving import Serving

pytestmark = pytest.mark.full


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A small store."""
    store_of(path=tmp_path / "track.db").close()
    return tmp_path / "track.db"


@pytest.mark.parametrize(
    ("end", "base", "at"),
    [
        (signal.SIGINT, (), "http://127.0.0.1:"),
        (signal.SIGTERM, ("--base", "http://localhost"), "http://localhost, by a proxy for port "),
    ],
)
def test_serve_answers_and_stops(path: Path, end: signal.Signals, base: tuple[str, ...], at: str) -> None:
    """The printed link leads to a page of judging; Ctrl-C and SIGTERM end the server, which closes what it has open."""
    command = [sys.executable, "-m", "cranfield", "serve", str(path), "--port", "0", "--invite", "ada", *base]
    path.chmod(0o600)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout
        assert server.stdout.readline().startswith(f"organiser: {at.partition(',')[0]}")
        link = urlsplit(re.findall(r"http://\S+", server.stdout.readline())[0])
        line = server.stdout.readline()
        assert line.startswith(f"Serving {path} at {at}")
        connection = http.client.HTTPConnection("127.0.0.1", int(re.findall(r"[0-9]+", line)[-1]), timeout=30)
        connection.request("GET", link.path)
        answer = connection.getresponse()
        assert (answer.status, b'url=/judge"' in answer.read()) == (200, True)
        for path_, cookie in (("/enter/wrong", ""), ("/judge", answer.getheader("set-cookie") or ""), ("/\\x", "")):
            connection.request("GET", path_, headers={"cookie": cookie.partition(";")[0]})
            connection.getresponse().read()
        connection.close()
        server.send_signal(end)
        output, errors = server.communicate(timeout=30)
    assert (output, errors, server.returncode) == ("", "note: stopped; all recorded work is on disk\n", 0)


def test_a_link_that_expires(path: Path, cranfield: Cranfield) -> None:
    """`assessor invite` prints a link once; `list` has its state, `revoke` ends it."""
    link = cranfield(
        "assessor", "invite", path, "ada", "--expires", "2w", "--base", "https://judge.example/"
    ).out.strip()
    assert re.fullmatch(r"https://judge\.example/enter/[\w-]{43}", link)
    with Store.open(path) as store:
        assert invitation_of(store, link.rpartition("/")[2]) == ("ada", "judge")
    assert cranfield("assessor", "list", path).out.split()[-1] == "valid"
    assert cranfield("assessor", "revoke", path, "ada").out == "1 link of ada revoked\n"
    assert cranfield("assessor", "list", path).out.split()[-1] == "revoked"


def test_a_link_to_adjudicate(path: Path, cranfield: Cranfield) -> None:
    """A link has one role, which `list` shows; links of earlier versions are to judge."""
    token = cranfield("assessor", "invite", path, "eve", "--adjudicate").out.strip().rpartition("/")[2]
    cranfield("assessor", "invite", path, "ada")
    assert cranfield("assessor", "invite", path, "ada", "--base", "judge.example").code == 2
    with Store.open(path) as store:
        assert invitation_of(store, token) == ("eve", "adjudicate")
    rows = json.loads(cranfield("assessor", "list", path, "--format", "json").out)
    assert [(row["assessor"], row["role"]) for row in rows] == [("eve", "adjudicate"), ("ada", "judge")]


def test_a_name_that_is_nearly_anothers_is_told(path: Path, cranfield: Cranfield) -> None:
    """In one line, when it is new; and where the link leads if nothing else is said."""
    note = "note: 'Ada' is a new assessor, but the name is similar to 'ada'"
    cranfield("assessor", "invite", path, "ada")
    first, again = (cranfield("assessor", "invite", path, "Ada").err for _ in range(2))
    assert (first.count(note), again.count(note)) == (1, 0)
    assert "give --base ADDRESS" in again
    assert (
        "but the name is similar to 'ada' and 'Ada'\n"
        in cranfield("assessor", "invite", path, "ÅDA", "--base", "http://a").err
    )


@pytest.mark.parametrize(
    ("words", "options", "message"),
    [
        ("assessor invite", ("ada", "--expires", "soon"), "'soon' is not a time; expected a number and d, h or w"),
        ("assessor invite", (" ",), "an assessor needs a name"),
        ("assessor invite", ("ada ",), "'ada ' is not a valid assessor name: it begins or ends with a blank"),
        ("assessor invite", ("ada (repeat)",), "names with this ending are reserved for documents shown twice"),
        ("assessor revoke", ("ada",), "'ada' has no invitation"),
        ("serve", ("--host", "203.0.113.77"), "cannot listen at 203.0.113.77:8765"),
        ("serve", ("--name", "http://judge.example"), "--name: 'http://judge.example' is not a host name"),
        ("serve", ("--name", "judge.example:80"), "--name: 'judge.example:80' is not a host name"),
        ("serve", ("--base", "judge.example"), "--base: 'judge.example'; expected an address without a path"),
        (
            "serve",
            ("--base", "https://judge.example/x"),
            "'https://judge.example/x'; expected an address without a path",
        ),
        ("serve", ("--tls-key", __file__), "--tls-key needs --tls-cert"),
        ("serve", ("--port", "0", "--invite", " "), "an assessor needs a name"),
        ("serve", ("--tls-cert", __file__), f"{__file__}: there is no certificate in PEM format"),
    ],
)
def test_what_is_wrong_is_one_line(
    path: Path, cranfield: Cranfield, words: str, options: tuple[str, ...], message: str
) -> None:
    """Wrong times and names, an address that is not this machine's, a key without its certificate."""
    result = cranfield(*words.split(), path, *options)
    assert (result.code, result.err.count("\n")) == (1, 1)
    assert message in result.err


@pytest.mark.parametrize(
    ("host", "message"), [("127.0.0.1", ""), ("0.0.0.0", "unencrypted connections on all network interfaces")]
)
def test_a_network_without_tls_is_said(
    path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch, host: str, message: str
) -> None:
    """What that means, before anybody comes in."""
    monkeypatch.setattr(serve_command, "_serve", lambda *_: None)
    result = cranfield("serve", path, "--host", host, "--port", "0")
    assert (result.code, "unencrypted" in result.err) == (0, bool(message))
    assert message in result.err


def test_a_port_in_use(path: Path, cranfield: Cranfield) -> None:
    """Another server there is one line, and no link is printed."""
    at = listen("127.0.0.1", 0)
    result = cranfield("serve", path, "--port", at.socket.getsockname()[1])
    assert (result.code, result.out) == (1, "")
    assert "in use; give another --host or --port" in result.err
    at.socket.close()


ROUND, MOST = 0.2, 8  # seconds of patience and connections at once, so that the tests need not wait
READ_LATE, BUFFER = 2_000_000, 1 << 16  # bytes of a document that does not fit into the buffers of a connection
LONG = [docno for docnos in POOLED.values() for docno in docnos]

NOT_BROWSERS = [
    b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
    b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nhost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: a\0b\r\n\r\n",
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: " + b"a" * 100_000,
    b"GET /\xff\xfe HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n",
    b"POST /judge/stay HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n",
    b"POST / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-length: 1\r\n"
    b"transfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    b"GET /assets/web.css HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\nrubbish\r\n\r\n",
    b"GET http://evil.example/judge HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n",
    b"GET / HTTP/1.0\r\n\r\n",
    b"CONNECT evil.example:80 HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n",
]


class AppServer(Serving):
    """A store that is served from a thread."""

    def __init__(self, certificate: Certificate | None = None) -> None:
        self.worker = Worker(partial(store_of, texts=dict.fromkeys(LONG, "x" * READ_LATE)))
        at = listen("127.0.0.1", 0, secure=certificate is not None)
        at.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        super().__init__(Application(self.worker), at, certificate)
        self.port = at.socket.getsockname()[1]
        self.token = self.worker.run_and_wait(partial(invite, assessor="ada"))

    def connect(self) -> socket.socket:
        """A connection to it, on which an answer has to come."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def says(self, *parts: bytes) -> bytes:
        """What it answers until it closes the connection."""
        with self.connect() as connection:
            for part in parts:
                connection.sendall(part)
            return rest_of(connection)


def rest_of(connection: socket.socket) -> bytes:
    """What comes until the server closes the connection, or cuts it."""
    parts = []
    try:
        while part := connection.recv(1 << 16):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


@pytest.fixture(scope="module")
def server() -> Iterator[AppServer]:
    """A served store, for all of these tests."""
    with closing(AppServer()) as served:
        yield served


@pytest.fixture
def served(server: AppServer, caplog: pytest.LogCaptureFixture) -> Iterator[AppServer]:
    """The served store; whatever happens is no error of the server, and nothing of it is logged."""
    server.app.access.wrong = WrongTokens()
    yield server
    assert not caplog.text


@pytest.fixture
def impatient(served: AppServer, monkeypatch: pytest.MonkeyPatch) -> AppServer:
    """The served store without patience."""
    monkeypatch.setattr("cranfield.web.server.PATIENCE", ROUND)
    monkeypatch.setattr("cranfield.web.server.MAX_CONNECTIONS", MOST)
    return served


def head(served: AppServer, path: str, *more: str, method: str = "GET") -> bytes:
    """The head of an assessor's request."""
    cookie = f"cookie: cranfield-{served.port}-judge={served.token}"
    more = more or ("connection: close",)
    lines = [f"{method} {path} HTTP/1.1", f"host: 127.0.0.1:{served.port}", cookie, *more]
    return "\r\n".join([*lines, "", ""]).encode()


def test_slow_requests_are_cut(impatient: AppServer) -> None:
    """A head, the body of a form, that of a page without one, and a second request that never comes to an end."""
    page, form = (
        head(impatient, "/assets/web.css", "x: y"),
        head(impatient, "/judge/stay", "content-length: 9", method="POST"),
    )
    assert impatient.says(b"GET / HTTP/1.1\r\nhost: a") == b""
    assert impatient.says(form + b"form=") == b""
    assert b" 405 " in impatient.says(head(impatient, "/judge", "content-length: 9", method="PUT") + b"x")
    assert impatient.says(page + b"GET /").count(b"HTTP/1.1 200") == 1
    assert impatient.says(page).count(b"HTTP/1.1 200") == 1


def test_an_answer_that_nobody_reads_is_cut(impatient: AppServer) -> None:
    """Its connection does not stay for ever; a browser that reads gets all of it."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        connection.connect(("127.0.0.1", impatient.port))
        connection.sendall(head(impatient, "/judge?all=1"))
        assert connection.recv(1)
        while impatient.server.server_state.connections:
            impatient.worker.run_and_wait(lambda store: None)
        assert len(rest_of(connection)) < READ_LATE
    assert len(impatient.says(head(impatient, "/judge?all=1"))) > READ_LATE


def test_who_waits_longest_makes_room(impatient: AppServer) -> None:
    """Connections that only wait keep nobody out."""
    with ExitStack() as stack:
        idle = [stack.enter_context(impatient.connect()) for _ in range(3 * MOST)]
        assert b" 200 " in impatient.says(head(impatient, "/assets/web.css"))
        assert not idle[0].recv(1)


def test_two_lengths_of_a_body_close_the_connection(served: AppServer) -> None:
    """A proxy may take what follows for a request of somebody else, so it is not answered (RFC 9112, section 6.1)."""
    start = f"Host: 127.0.0.1:{served.port}\r\n".encode()
    lengths = b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    following = b"GET /assets/web.css HTTP/1.1\r\n" + start + b"\r\n"
    answers = served.says(b"POST /judge HTTP/1.1\r\n" + start + lengths + following)
    assert answers.count(b"HTTP/1.1 ") == 1
    assert b"connection: close" in answers.lower()


def test_what_no_browser_sends(served: AppServer) -> None:
    """Every answer has the headers of all answers; none is an error of the server."""
    for request in NOT_BROWSERS:
        answers = served.says(request).split(b"HTTP/1.1 ")[1:]
        assert answers, request
        assert all(each[:3] in (b"200", b"400", b"403", b"404", b"405") for each in answers), request
        assert all(f"{name}: {value}".encode() in each for each in answers for name, value in HEADERS.items()), request


def test_a_browser_that_leaves_is_no_error(served: AppServer) -> None:
    """It goes in the middle of its form, or in the middle of an answer; nothing is recorded, nothing is said."""
    before = served.worker.run_and_wait(read_events)
    for request in (head(served, "/judge/stay", "content-length: 9", method="POST"), head(served, "/judge")):
        served.connect().close()
        with served.connect() as connection:
            connection.sendall(request)
    assert b" 200 " in served.says(head(served, "/assets/web.css"))
    assert served.worker.run_and_wait(read_events) == before


def test_requests_in_one_go_are_answered_in_turn(served: AppServer) -> None:
    """The same label twice, sent before the first is answered, is one label."""
    grade = Page(served.says(head(served, "/judge")).decode()).keys["1"]
    content = "&".join(f"{name}={value}" for name, value in grade.fields.items()).encode()
    before, size = served.worker.run_and_wait(read_events), f"content-length: {len(content)}"
    post = head(served, grade.action, size, "x-part: 1", method="POST") + content
    last = head(served, grade.action, size, "x-part: 1", "connection: close", method="POST") + content
    assert served.says(post, last).count(b"HTTP/1.1 200") == 2
    assert [event.grade for event in served.worker.run_and_wait(read_events)[len(before) :]] == [1]


def test_a_server_that_stops_answers_first() -> None:
    """A label that is under way is recorded and acknowledged before the connections are closed."""
    with closing(AppServer()) as served:
        grade = Page(served.says(head(served, "/judge")).decode()).keys["1"]
        content = "&".join(f"{name}={value}" for name, value in grade.fields.items()).encode()
        go_on = Event()
        busy = Thread(target=served.worker.run_and_wait, args=[lambda store: go_on.wait()])
        busy.start()
        with served.connect() as connection:
            connection.sendall(head(served, grade.action, f"content-length: {len(content)}", method="POST") + content)
            while not served.server.server_state.tasks:
                served.thread.join(0.001)
            served.server.should_exit = True
            go_on.set()
            assert b" 303 " in rest_of(connection)
        busy.join()
        assert [event.grade for event in served.worker.run_and_wait(read_events)] == [1]


def test_a_proxy_is_not_believed(served: AppServer) -> None:
    """Whatever it says of whom it asks for, wrong links count for its own address."""
    for number in range(12):
        path = f"/enter/{number}"
        last = served.says(head(served, path, f"x-forwarded-for: 10.0.0.{number}", "connection: close"))
    assert b" 429 " in last
    headers = ("x-forwarded-proto: https", "x-forwarded-host: evil.example", "connection: close")
    assert b"https" not in served.says(head(served, "/", *headers))


def test_links_and_cookies_are_for_where_a_proxy_is_reached() -> None:
    """Browsers come by HTTPS to the proxy, which passes their requests on without."""
    with closing(Application(Worker(store_of))) as app:
        at = listen("127.0.0.1", 0, public="https://judge.example/")
        at.socket.close()
        client = TestClient(app.asgi(at.hosts, at.base == "https://judge.example"), base_url="http://judge.example")
        cookie = client.get(f"/enter/{app.access.start_token}").headers["set-cookie"]
        assert "Secure" in cookie.split("; ")
        client.cookies.set(*cookie.partition(";")[0].split("="))
        fields = Page(client.get("/organise/links").text).forms["/organise/invite"].fields
        answer = client.post("/organise/invite", data=fields | {"assessor": "ada"})
        assert 'value="https://judge.example/enter/' in answer.text


def openssl(*words: str | Path) -> None:
    """Run a command of openssl."""
    subprocess.run(["openssl", *words], check=True, capture_output=True)


@pytest.fixture
def tls(tmp_path: Path) -> Path:
    """A folder with a certificate for this machine, its key, and that key with a password."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl, which is not here")
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    new = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", *names]
    openssl(*new, "-days", "1", "-out", certificate, "-keyout", key)
    openssl("pkey", "-in", key, "-aes256", "-passout", "pass:secret", "-out", tmp_path / "locked.pem")
    return tmp_path


def test_over_tls(tls: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a certificate the pages are encrypted, the cookie is for them alone, and plain requests get nothing.

    Whoever submits a run to such a server by a wrong address is told what is wrong.
    """
    certificate = str(tls / "cert.pem")
    with closing(AppServer(open_certificate(certificate, str(tls / "locked.pem"), lambda: "secret"))) as served:
        trusting = ssl.create_default_context(cafile=certificate)
        connection = http.client.HTTPSConnection("localhost", served.port, context=trusting, timeout=10)
        connection.request("GET", f"/enter/{served.token}")
        answer = connection.getresponse()
        assert (answer.status, served.at.base[:8]) == (200, "https://")
        assert "Secure" in (answer.getheader("set-cookie") or "").split("; ")
        connection.close()
        assert served.says(head(served, "/judge")) == b""
        monkeypatch.setenv("CRANFIELD_TEAM_TOKEN", "x")
        submit = ("submit", __file__, "--to")
        address = f"//127.0.0.1:{served.port}"
        assert "the server closed the connection; try https://" in cranfield(*submit, f"http:{address}").err
        assert (
            "self-signed certificate; to trust it, set SSL_CERT_FILE=cert.pem"
            in cranfield(*submit, f"https:{address}").err
        )


def test_certificates_that_cannot_be_used(path: Path, tls: Path, cranfield: Cranfield) -> None:
    """A line says which file is wrong, and why; a password is asked for at a terminal alone."""
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", tls / "other.pem")
    files = {name: tls / f"{name}.pem" for name in ("cert", "key", "locked", "other")}
    for certificate, key, message in (
        ("cert", "other", "{key}: this key does not belong to the certificate in {cert}"),
        ("cert", "", "{cert}: there is no key in PEM format; pass the key with --tls-key FILE"),
        ("cert", "cert", "{key}: there is no key in PEM format"),
        ("key", "key", "{cert}: there is no certificate in PEM format"),
        ("cert", "locked", "{key}: the key has a password; start `serve` at a terminal, or remove the password"),
    ):
        options = ("--tls-cert", files[certificate], *(("--tls-key", files[key]) if key else ()))
        result = cranfield("serve", path, *options)
        assert (result.code, result.err.count("\n")) == (1, 1)
        assert message.format(cert=files[certificate], key=files.get(key)) in result.err
    with pytest.raises(CranfieldError, match=r"locked\.pem: the password is wrong"):
        open_certificate(str(files["cert"]), str(files["locked"]), lambda: "guess")


def test_a_certificate_that_has_expired(
    path: Path, tls: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is served, and said."""
    monkeypatch.setattr(serve_command, "_serve", lambda *_: None)
    old, key = tls / "old.pem", tls / "key.pem"
    openssl("x509", "-signkey", key, "-in", tls / "cert.pem", "-days", "-1", "-out", old)
    words = ("serve", path, "--port", "0", "--tls-key", key, "--tls-cert")
    assert f"note: {old}: certificate has expired; browsers refuse it or show a warning\n" in cranfield(*words, old).err
    assert "browsers" not in cranfield(*words, tls / "cert.pem").err
