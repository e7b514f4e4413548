"""Real search engines, asked as systems outside, where they are installed: Groonga (groonga-bin), PostgreSQL."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from shutil import which
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from cranfield.features.collecting.systems.asking import search_outside
from cranfield.features.collecting.systems.definition import parse_system
from cranfield.formats import Topic
from cranfield.store.runs import stored_runs
from tests.features.collecting.corpora import TOPICS, documents, relevant, store_of

pytestmark = pytest.mark.full

SCHEMA = """\
table_create Docs TABLE_PAT_KEY ShortText
column_create Docs text COLUMN_SCALAR Text
table_create Terms TABLE_PAT_KEY ShortText --default_tokenizer TokenBigram --normalizer NormalizerAuto
column_create Terms docs_text COLUMN_INDEX|WITH_POSITION Docs text
load --table Docs
"""
SELECT = (
    "/d/select?table=Docs&match_columns=text&query={title:any}&output_columns=_key,_score&sort_keys=-_score"
    "&limit={size}&offset={from}"
)
SYSTEM = """
name = "groonga"
kind = "http"
[request]
url = "URL"
page_size = 7
[answer]
hits = "[1][0][2:]"
id = "[0]"
score = "[1]"
require = { "[0][0]" = 0 }
"""


@pytest.fixture
def groonga(tmp_path: Path) -> Iterator[str]:
    """The address of a Groonga that has the corpus; skipped where it is not installed."""
    if which("groonga") is None:
        pytest.skip("Groonga is not installed (Debian: groonga-bin); stand-ins are asked in test_systems.py")
    rows = json.dumps([{"_key": one.docno, "text": one.text} for one in documents()])
    database = tmp_path / "groonga.db"
    subprocess.run(["groonga", "-n", database], input=f"{SCHEMA}{rows}\n", text=True, check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    with subprocess.Popen(
        ["groonga", "--protocol", "http", "--bind-address", "127.0.0.1", "-p", str(port), "-s", database],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as server:  # fmt: skip
        try:
            _wait(f"{url}/d/status")
            yield url
        finally:
            server.terminate()


def _wait(url: str) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            with urlopen(url, timeout=5) as answer:
                answer.read()
                return
        except (URLError, ConnectionError):
            time.sleep(0.02)
    pytest.fail("Groonga did not answer within a minute")


def test_groonga_answers(groonga: str, tmp_path: Path) -> None:
    """All documents that have one of the words, page by page, whatever signs a title has."""
    file = tmp_path / "groonga.toml"
    file.write_text(SYSTEM.replace("URL", groonga + SELECT))
    with store_of(run=False) as store:
        store.add_topics([Topic("3", "(shock) nozzle:")])
        system = parse_system(file.read_text(), file)
        run = search_outside(store, system, 100, allow=system.permission_hash)
        runs = stored_runs(store, [run.tag])
        answers: dict[str, list[str]] = {qid: [] for qid in ("1", "2", "3")}
        for topic, document in zip(runs.topic.tolist(), runs.document.tolist(), strict=True):
            answers[str(runs.topics.names[topic])].append(str(runs.docnos.names[document]))
        for qid, words in (("1", {"wing"}), ("2", {"heat"}), ("3", {"shock", "nozzle"})):
            assert {*answers[qid]} == {one.docno for one in store.documents() if words & {*one.text.split()}}
        assert sum(relevant("1", docno) for docno in answers["1"][:5]) == 5


ASK = """
import json, subprocess, sys
size, *psql = sys.argv[1:]
for line in sys.stdin:
    topic = json.loads(line)
    words = " | ".join(word for word in topic["title"].split() if word.isalnum())
    query = (
        "SELECT id, ts_rank(to_tsvector('english', text), q) FROM docs, to_tsquery('english', :'words') q"
        " WHERE to_tsvector('english', text) @@ q ORDER BY 2 DESC, 1 LIMIT :size"
    )
    told = subprocess.run([*psql, "-v", f"words={words}", "-v", f"size={size}"], input=query, text=True,
                          capture_output=True, check=True)
    for rank, row in enumerate(told.stdout.splitlines(), 1):
        docno, score = row.split("|")
        print(topic["qid"], "Q0", docno, rank, score, "postgresql")
"""


@pytest.fixture
def postgresql() -> Iterator[list[str]]:
    """How psql is called of a PostgreSQL that has the corpus; skipped where it is not installed. It runs as no root."""
    programs = [*sorted(Path("/usr/lib/postgresql").glob("*/bin")), Path(which("initdb") or "initdb").parent]
    if not (programs[0] / "initdb").is_file() or which("psql") is None:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql); stand-ins are asked in test_systems.py")
    as_other = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []
    if as_other and which("setpriv") is None:
        pytest.skip("PostgreSQL does not run as root, and setpriv is not installed")
    folder = Path(tempfile.mkdtemp(prefix="pg"))  # of a short path, for its socket
    folder.chmod(0o777)
    quiet = partial(subprocess.run, check=True, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    control = [*as_other, str(programs[0] / "pg_ctl"), "-D", str(folder / "data"), "-w"]
    try:
        initdb = [str(programs[0] / "initdb"), "-D", str(folder / "data"), "-U", "cranfield", "-A", "trust", "-N"]
        quiet([*as_other, *initdb])
        quiet([*control, "-o", options, "-l", str(folder / "log"), "start"])
        try:
            psql = ["psql", "-h", str(folder), "-U", "cranfield", "-d", "postgres", "-Atq"]
            rows = "".join(f"{one.docno}\t{one.text}\n" for one in documents())
            table = "CREATE TABLE docs (id text, text text);\nCOPY docs FROM STDIN;\n"
            subprocess.run(psql, input=f"{table}{rows}\\.\n", text=True, check=True, capture_output=True)
            yield psql
        finally:
            quiet([*control, "-m", "immediate", "stop"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_postgresql_answers(postgresql: list[str], tmp_path: Path) -> None:
    """A command that asks it for each topic: all documents that have one of the words."""
    argv = [sys.executable, "-c", ASK, "{size}", *postgresql]
    file = tmp_path / "pg.toml"
    file.write_text(f'name = "postgresql"\nkind = "command"\nargv = {json.dumps(argv)}\n')
    with store_of(run=False) as store:
        system = parse_system(file.read_text(), file)
        run = search_outside(store, system, 100, allow=system.permission_hash)
        runs = stored_runs(store, [run.tag])
        for qid, word in TOPICS.items():
            answers = runs.docnos.names[runs.document[runs.topic == runs.topics.names.tolist().index(qid)]]
            assert {*answers} == {one.docno for one in store.documents() if word in one.text.split()}
