"""Real search engines, asked as systems outside, where they are installed: Groonga (Debian: groonga-bin)."""

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import which
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from cranfield.features.collecting.systems.asking import search_outside
from cranfield.features.collecting.systems.definition import checked
from cranfield.formats import Topic
from cranfield.store.runs import stored_runs
from tests.features.collecting.corpora import documents, relevant, store_of

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
        found = search_outside(store, checked(file.read_text(), file), 100)
        runs = stored_runs(store, [found.tag])
        answers: dict[str, list[str]] = {qid: [] for qid in ("1", "2", "3")}
        for topic, document in zip(runs.topic.tolist(), runs.document.tolist(), strict=True):
            answers[str(runs.topics.names[topic])].append(str(runs.docnos.names[document]))
        for qid, words in (("1", {"wing"}), ("2", {"heat"}), ("3", {"shock", "nozzle"})):
            assert {*answers[qid]} == {one.docno for one in store.documents() if words & {*one.text.split()}}
        assert sum(relevant("1", docno) for docno in answers["1"][:5]) == 5
