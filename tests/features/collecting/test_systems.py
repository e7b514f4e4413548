"""Systems outside: asked page by page, bounded and repeated; their keys stay where they are; what is wrong is said."""

import json
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

from cranfield.errors import InputError
from cranfield.features.collecting.systems.asking import search_outside, try_words
from cranfield.features.collecting.systems.definition import parse_system, read_system
from cranfield.features.collecting.systems.permission import require_permission
from cranfield.features.collecting.systems.subject import ExternalSystem
from cranfield.formats import Topic
from cranfield.store import search_corpus
from cranfield.store.runs import run_info, stored_runs, topics_answered_by
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.features.collecting.corpora import TOPICS, documents, store_of
from tests.stores import add_unfinished_import

Answer = Callable[[str, Any, dict[str, str]], tuple[int, Any, dict[str, str]]]
SECRET = "canary-secret"


class StandIn(ThreadingHTTPServer):
    """A search engine that answers as it is told, and keeps what it was asked."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer, self.asked = answer, list[tuple[str, Any, dict[str, str]]]()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: StandIn

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length") or 0)
        request = self.path, json.loads(self.rfile.read(size) or "null"), dict(self.headers)
        self.server.asked.append(request)
        status, answer, headers = self.server.answer(*request)
        content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def engine() -> Iterator[Callable[[Answer], StandIn]]:
    servers: list[StandIn] = []

    def start(answer: Answer) -> StandIn:
        servers.append(StandIn(answer))
        Thread(target=servers[-1].serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return servers[-1]

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def elastic(path: str, body: Any, headers: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
    """Documents of the subject asked for, as Elasticsearch answers."""
    every = [d.docno for d in documents() if d.docno.startswith(body["query"])]
    hits = [{"_id": docno, "_score": 100.0 - place} for place, docno in enumerate(every)]
    part = hits[body["from"] : body["from"] + body["size"]]
    return 200, {"timed_out": False, "_shards": {"failed": 0}, "hits": {"hits": part}}, {}


def shop(url: str, more: str = "") -> str:
    return f"""
name = "shop"
kind = "http"
attempts = 2
concurrency = 1
{more}
[request]
url = "{url}/items/_search"
body = {{ from = "{{from}}", size = "{{size}}", query = "{{title}}" }}
headers = {{ Authorization = "ApiKey ${{CRANFIELD_SHOP_KEY}}" }}
page_size = 6
[answer]
hits = "hits.hits"
id = "_id"
score = "_score"
require = {{ timed_out = false, "_shards.failed" = 0 }}
"""


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("CRANFIELD_SHOP_KEY", SECRET)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store without runs, which stays so."""
    path = tmp_path_factory.mktemp("untouched") / "s.db"
    store_of(path, run=False).close()
    return path


@pytest.fixture
def refuse(cranfield: Cranfield, empty: Path, tmp_path: Path) -> Callable[[str], str]:
    """The one line that `search --system` says of a file which it refuses; nothing is written."""

    def message_of(text: str) -> str:
        (tmp_path / "shop.toml").write_text(text)
        output = cranfield("search", empty, "--system", tmp_path / "shop.toml", "--yes")
        with Store.open(empty) as store:
            assert (output.code, output.out, run_info(store)) == (1, "", {})
        assert "Traceback" not in output.err
        assert SECRET not in output.err
        return " ".join(output.err.split())

    return message_of


def ask(text: str, store: Store, depth: int = 15, **options: Any) -> list[str]:
    system = parse_system(text, Path("shop.toml"))
    return search_outside(store, system, depth, allow=system.permission_hash, **options).notes


def test_pages_make_a_run_with_its_provenance(engine: Callable[[Answer], StandIn]) -> None:
    server = engine(elastic)
    with store_of(run=False) as store:
        assert ask(shop(server.url), store) == []
        runs, about = stored_runs(store), run_info(store)["shop"]
        assert [len(runs.document), runs.rank.max()] == [30, 15]
        assert runs.docnos.names[runs.document[0]] == "wing00"
        assert [body["from"] for _, body, _ in server.asked[:3]] == [0, 6, 12]
        assert {headers["Authorization"] for *_, headers in server.asked} == {f"ApiKey {SECRET}"}
        assert about.metadata["system"]["statuses"] == {"200": 6}  # type: ignore[index]
        assert SECRET not in "\n".join(store.conn.iterdump())


def test_the_same_command_asks_what_failed(
    engine: Callable[[Answer], StandIn], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No run before all came; what came is kept; a busy server is asked again."""
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    fails = [True]

    def answer(path: str, body: Any, headers: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        if body["query"] == "heat" and fails[0]:
            return 503, "busy", {"Retry-After": "0"}
        return elastic(path, body, headers)

    server = engine(answer)
    with store_of(tmp_path / "s.db", run=False) as store:
        with pytest.raises(InputError, match=r"1 of 2 topics failed, so no run is stored \(topic 2: status 503"):
            ask(shop(server.url), store)
        assert not run_info(store)
        before, fails[0] = len(server.asked), False
        ask(shop(server.url), store)
        assert {body["query"] for _, body, _ in server.asked[before:]} == {"heat"}
        assert not list((tmp_path / "s.db.answers").iterdir())


def test_partial_stores_what_came(engine: Callable[[Answer], StandIn]) -> None:
    server = engine(
        lambda path, body, headers: (400, "no", {}) if body["query"] == "heat" else elastic(path, body, headers)
    )
    with store_of(run=False) as store:
        assert ask(shop(server.url), store, partial=True) == ["the run lacks the topics without an answer: 2"]


HITS = {"hits": [{"_id": "wing00", "_score": 1.0}]}
WHOLE = {"timed_out": False, "_shards": {"failed": 0}, "hits": HITS}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((200, b"<html>", {}), "topic 1: the answer is not JSON: b'<html>'"),
        ((200, {**WHOLE, "hits": {"total": 3}}, {}), "there is no 'hits' of hits.hits; keys there are total"),
        ((200, {**WHOLE, "hits": {"hits": [{"_id": "a", "_score": "NaN"}]}}, {}), "_score is 'NaN'; expected a number"),
        ((200, {**WHOLE, "timed_out": True}, {}), "timed_out is True; required is False"),
        ((302, "", {"Location": "http://elsewhere"}), "the server redirects to http://elsewhere/; if that address is"
            " right, give it as the url"),
        ((401, b"who are you", {}), "topic 1: status 401: who are you"),
        ((200, b"x" * 3000, {}), "the answer is longer than max_bytes, 2048 bytes"),
        ((200, {**WHOLE, "hits": {"hits": [{"_id": f"no{n}", "_score": 1} for n in range(3)]}}, {}),
         "3 of 3 ids are not docnos in the store, such as no0, no1, no2"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_said(
    engine: Callable[[Answer], StandIn],
    refuse: Callable[[str], str],
    answer: tuple[int, Any, dict[str, str]],
    message: str,
) -> None:
    server = engine(lambda *_: answer)
    assert message in refuse(shop(server.url, 'max_bytes = "2K"'))
    if answer[0] == 401:
        assert len(server.asked) == 1


def test_ids_of_an_unfinished_import_are_not_docnos(engine: Callable[[Answer], StandIn]) -> None:
    """As long as the import has not ended, the store does not have its documents."""
    hits = [{"_id": f"no{number}", "_score": 1} for number in range(3)]
    server = engine(lambda *_: (200, {**WHOLE, "hits": {"hits": hits}}, {}))
    with store_of(run=False) as store:
        add_unfinished_import(store, ["no0", "no1", "no2"])
        with pytest.raises(InputError, match="3 of 3 ids are not docnos in the store"):
            ask(shop(server.url), store)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("page_size = 6", "pages = 6", "shop.toml:11: unknown key 'pages'; [request] has url, method, body"),
        ("ApiKey ${CRANFIELD_SHOP_KEY}", "ApiKey abc", "shop.toml:10: the header Authorization contains a literal key"),
        ("{title}", "${CRANFIELD_SHOP_KEY}", "shop.toml:9: ${NAME} is a key, and keys go only into headers"),
        ("http://host", "http://93.184.216.34", "shop.toml:8: a key would go to 93.184.216.34 unencrypted; use https"),
        ('kind = "http"', "", "shop.toml: no kind; expected http or command or embeddings"),
        ('kind = "http"', 'kind = "ftp"', "shop.toml:3: kind is 'ftp'; expected http or command or embeddings"),
        ("page_size = 6", "page_size = 0", "shop.toml:11: page_size is 0; expected a whole number of at least 1"),
        ("attempts = 2", "max_bytes = '9X'", "shop.toml:4: max_bytes is '9X'; expected a number of bytes, such as"),
        ('name = "shop"', 'name = "my shop"', "shop.toml:2: name is 'my shop'; expected a text without spaces"),
        ('id = "_id"', "id = 5", "shop.toml:14: id is 5; expected a text"),
        (
            '"ApiKey ${CRANFIELD_SHOP_KEY}"',
            "7",
            "shop.toml:10: headers is {'Authorization': 7}; expected a table of texts",
        ),
        ("{title}", "{text}", "shop.toml:9: unknown placeholder {text}; expected one of {title}, {description}"),
        ("{size}", "{size:words}", "shop.toml:9: unknown placeholder {size:words}; expected one of"),
        ("{title}", "{title:all}", "shop.toml:9: unknown placeholder {title:all}; expected one of"),
        ("hits =", "hits", "shop.toml:13: not TOML: Expected '=' after a key"),
        ("6", "6", "shop.toml: the variable CRANFIELD_SHOP_KEY is not set, but the headers need it"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(
    refuse: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, old: str, new: str, message: str
) -> None:
    """No such system is asked; a variable that is not set is named."""
    monkeypatch.delenv("CRANFIELD_SHOP_KEY")
    assert message in refuse(shop("http://host").replace(old, new, 1))


RANK = """import json, sys
for line in sys.stdin:
    topic = json.loads(line)
    print(topic["qid"], "Q0", topic["title"] + "00", 1, 1.0, "t")
"""


def command(script: str) -> str:
    return f"name = 'own'\nkind = 'command'\nargv = {json.dumps([sys.executable, '-c', script])}\n"


def test_a_command_gives_a_run() -> None:
    with store_of(run=False) as store:
        ask(command(RANK), store)
        assert len(stored_runs(store).document) == len(TOPICS)


def test_python_needs_the_hash_of_the_file(engine: Callable[[Answer], StandIn], tmp_path: Path) -> None:
    """Without it the error shows host, variables and command; a change of the file or of the variables is another."""
    server, file = engine(elastic), tmp_path / "shop.toml"
    file.write_text(shop(server.url))
    system, mark = read_system(file), tmp_path / "ran"
    program = parse_system(command(f"open({str(mark)!r}, 'w')"), Path("x.toml"))
    with store_of(run=False) as store:
        with pytest.raises(InputError) as error:
            search_outside(store, system, 15, allow=None)
        about = f"sends requests to the host: {system.host}; it sends the environment variables: CRANFIELD_SHOP_KEY"
        assert error.value.message == f'not allowed: it {about}. allow="{system.permission_hash}" allows it'
        with pytest.raises(InputError, match="not allowed by allow="):
            search_outside(store, read_system(file, ["HOME"]), 15, allow=system.permission_hash)
        with pytest.raises(InputError, match="not allowed: it runs the command: "):
            search_outside(store, program, 15, allow=None)
        with pytest.raises(InputError, match="not allowed: it runs the command: "):
            try_words(program, "wing", allow=None)
        assert not server.asked
        assert not mark.exists()
        assert search_outside(store, system, 15, allow=system.permission_hash).tag == "shop"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("import sys; sys.exit('no index')", "ended with status 1; its last line is: no index"),
        ("print('9 Q0 wing00 1 1.0 t')", "it answered topic '9', which was not requested"),
        ("print('what')", "its output is not a run"),
    ],
)
def test_a_command_that_fails_is_said(refuse: Callable[[str], str], script: str, message: str) -> None:
    assert message in refuse(command(script))


def test_embeddings_rank_by_the_exact_product(
    engine: Callable[[Answer], StandIn], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts leave only when that is allowed; what was embedded is not asked again; blocks are as all at once."""
    monkeypatch.setattr("cranfield.features.collecting.systems.kinds.BLOCK", 7)

    def answer(path: str, body: Any, headers: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        rows = [[1.0 + text.count(word) for word in ("wing", "heat", "flow")] for text in body["input"]]
        return 200, {"data": [{"index": n, "embedding": row} for n, row in enumerate(rows)][::-1]}, {}

    server = engine(answer)
    text = f"name = 'vectors'\nkind = 'embeddings'\nurl = '{server.url}/v1'\nmodel = 'm'\n"
    with store_of(tmp_path / "s.db", run=False) as store:
        size = sum(len(one.text) for one in documents())
        with pytest.raises(
            InputError, match=f"the texts of 60 documents, {size:,} characters, would be sent to 127.0.0.1"
        ):
            ask(text, store)
        assert not server.asked
        ask(text, store, consent=True)
        count = len(server.asked)
        ask(text.replace("'vectors'", "'again'"), store, consent=True)
        assert len(server.asked) == count
        runs = stored_runs(store, ["vectors"])
        vectors = np.array([[1.0 + d.text.count(word) for word in ("wing", "heat", "flow")] for d in documents()])
        scores = vectors @ [2, 1, 1] / np.linalg.norm(vectors, axis=1) / np.sqrt(6)
        assert np.allclose(runs.score[runs.topic == 0], np.sort(scores)[::-1][:15], atol=1e-6)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([0.0, 0.0], "an embedding is missing, zero or not finite"),
        (["a"], "the answer does not contain 2 embeddings of the same dimension"),
        (None, "the embeddings have different dimensions, because the model has changed; remove"),
    ],
)
def test_what_is_no_embedding_is_said(
    engine: Callable[[Answer], StandIn], tmp_path: Path, cranfield: Cranfield, row: list[Any] | None, message: str
) -> None:
    """Of the documents, where None stands for more numbers than topics have."""

    def answer(path: str, body: Any, headers: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        own = row or [1.0] * len(body["input"])
        return 200, {"data": [{"index": n, "embedding": own} for n in range(len(body["input"]))]}, {}

    path, file = tmp_path / "s.db", tmp_path / "v.toml"
    store_of(path, run=False).close()
    file.write_text(f"name = 'v'\nkind = 'embeddings'\nurl = '{engine(answer).url}/v1'\nmodel = 'm'\n")
    output = cranfield("search", path, "--system", file, "--yes")
    assert (output.code, output.out) == (1, "")
    assert f"v.toml: {message}" in " ".join(output.err.split())


def test_the_command_line(cranfield: Cranfield, engine: Callable[[Answer], StandIn], tmp_path: Path) -> None:
    """A preset is a file to begin with; --try needs no store; then the run is stored."""
    for name in ("elasticsearch", "solr", "vespa", "typesense", "meilisearch", "algolia", "opensearch"):
        parse_system(cranfield("search", "--preset", name).out, Path(name))
    assert cranfield("search", "--preset", "lucy").code == 2
    server, file = engine(elastic), tmp_path / "shop.toml"
    file.write_text(shop(server.url))
    store_of(tmp_path / "s.db", run=False).close()
    assert "wing00" in cranfield("search", "--try", "wing", "--system", file, "--yes").out
    tried = search_corpus(systems=str(file), subject=ExternalSystem(try_words="wing", yes=True))
    assert tried.rows()[0]["docno"] == "wing00"
    assert cranfield("search", tmp_path / "s.db", "--system", file, "--depth", 5).out == "1 run: shop\n"


def test_a_run_is_extended_by_topics_that_come_later(engine: Callable[[Answer], StandIn]) -> None:
    """Only these are asked; another state of the file, or of the run, is refused; a tag makes another run."""
    server = engine(elastic)
    text = shop(server.url)
    with store_of(run=False) as store:
        ask(text, store)
        before = len(server.asked)
        for number, title in (("3", "flow"), ("4", "wing")):
            store.add_topics([Topic(number, title)])
            assert ask(text, store, extend=True) == ["extended by 1 topic"]
        assert {body["query"] for _, body, _ in server.asked[before:]} == {"flow", "wing"}
        assert topics_answered_by(store, "shop") == {"1", "2", "3", "4"}
        for options, message in (
            ({"extend": True}, "'shop' has already answered all topics"),
            ({}, "the store already has the run 'shop'; use --extend to search for new topics, or --tag NAME"),
            ({"extend": True, "tag": "again"}, "--tag makes a new run"),
        ):
            with pytest.raises(InputError, match=message):
                ask(text, store, **options)
        with pytest.raises(InputError, match="was made with another version of this file"):
            ask(text.replace("page_size = 6", "page_size = 5"), store, extend=True)
        assert ask(text, store, tag="again") == []
        assert topics_answered_by(store, "again") == topics_answered_by(store, "shop")


def test_the_first_use_of_a_file_needs_permission(
    cranfield: Cranfield, engine: Callable[[Answer], StandIn], tmp_path: Path
) -> None:
    """Host and variables are shown, nothing is sent before; a permission is of this file and these variables."""
    server, file = engine(elastic), tmp_path / "shop.toml"
    file.write_text(shop(server.url))
    words = ["search", "--try", "wing", "--system", file]
    refused = cranfield(*words)
    assert (refused.code, server.asked) == (1, [])
    assert f"sends requests to the host: {server.url[7:]}" in refused.err
    assert "sends the environment variables: CRANFIELD_SHOP_KEY. To allow this, use --yes" in refused.err
    assert SECRET not in refused.err
    assert cranfield(*words, "--yes").code == 0
    assert cranfield(*words).code == 0
    assert cranfield(*words, "--env", "HOME").code == 1
    file.write_text(shop(server.url) + "\n# another\n")
    assert cranfield(*words).code == 1
    assert [path.stat().st_mode & 0o77 for path in (tmp_path / "state" / "cranfield" / "systems").parent.iterdir()] == [
        0
    ]


def test_a_file_names_no_variable_of_its_choice(
    cranfield: Cranfield, engine: Callable[[Answer], StandIn], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of other programs are sent only when the user names them."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "canary")
    server, file = engine(elastic), tmp_path / "shop.toml"
    file.write_text(shop(server.url).replace("CRANFIELD_SHOP_KEY", "AWS_SECRET_ACCESS_KEY"))
    words = ["search", "--try", "wing", "--system", file, "--yes"]
    refused = cranfield(*words)
    assert (refused.code, server.asked) == (1, [])
    assert "the variable AWS_SECRET_ACCESS_KEY is not allowed" in refused.err
    assert cranfield(*words, "--env", "AWS_SECRET_ACCESS_KEY").code == 0
    assert server.asked[0][2]["Authorization"] == "ApiKey canary"


def test_a_command_gets_path_and_what_the_user_names(
    cranfield: Cranfield, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And it does not run before the user agrees."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "canary")
    monkeypatch.setenv("NAMED", "named")
    dump = f"json.dump(dict(os.environ), open({str(tmp_path / 'seen')!r}, 'w'))"
    script = f"import json, os; {dump}; print('try Q0 d 1 1 own')"
    file = tmp_path / "own.toml"
    file.write_text(command(script))
    words = ["search", "--try", "wing", "--system", file, "--env", "NAMED"]
    refused = cranfield(*words)
    assert (refused.code, (tmp_path / "seen").exists()) == (1, False)
    assert f"runs the command: {sys.executable}" in refused.err
    assert cranfield(*words, "--yes").code == 0
    seen = json.loads((tmp_path / "seen").read_text())
    assert {"PATH", "NAMED"} <= seen.keys() <= {"PATH", "NAMED", "LC_CTYPE", "__CF_USER_TEXT_ENCODING"}


@pytest.mark.parametrize("argv", ['["./tool.sh"]', '["sh", "tool.sh"]'])
def test_permission_is_for_the_program_that_was_shown(
    cranfield: Cranfield, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: str
) -> None:
    """Not for another one under this name, nor for what it is changed to."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.toml").write_text(f'name = "t"\nkind = "command"\nargv = {argv}\n')
        tool = tmp_path / name / "tool.sh"
        tool.write_text(f'#!/bin/sh\ntouch {tmp_path / name / "ran"}; echo "try Q0 d1 1 1 t"\n')
        tool.chmod(0o755)
    words = ["search", "--try", "wing", "--system", "t.toml"]
    monkeypatch.chdir(tmp_path / "one")
    refused = cranfield(*words)
    digest = sha256((tmp_path / "one" / "tool.sh").read_bytes()).hexdigest()
    found = f"uses the file: {tmp_path / 'one' / 'tool.sh'} with SHA-256 {digest}"
    assert (refused.code, found in refused.err) == (1, True)
    assert cranfield(*words, "--yes").code == 0
    assert cranfield(*words).code == 0
    monkeypatch.chdir(tmp_path / "other")
    assert (cranfield(*words).code, (tmp_path / "other" / "ran").exists()) == (1, False)
    monkeypatch.chdir(tmp_path / "one")
    with (tmp_path / "one" / "tool.sh").open("a") as file:
        file.write("# changed\n")
    assert cranfield(*words).code == 1


def test_a_program_that_changes_after_the_question_does_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    file, tool = tmp_path / "t.toml", tmp_path / "tool.sh"
    tool.write_text('#!/bin/sh\necho "try Q0 d1 1 1 t"\n')
    tool.chmod(0o755)
    file.write_text(f'name = "t"\nkind = "command"\nargv = ["{tool}"]\n')
    system = read_system(file)
    allowed = require_permission(system, agreed=True)
    assert try_words(system, "wing", allow=allowed)
    tool.write_text('#!/bin/sh\necho "try Q0 d2 1 1 t"\n')
    with pytest.raises(InputError, match="not allowed by allow="):
        try_words(system, "wing", allow=allowed)
