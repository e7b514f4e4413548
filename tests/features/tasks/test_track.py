"""Round 1 of TREC-COVID as a shared task, in part: a real server, real uploads, from the call to the archive."""

import gzip
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from cranfield.features.tasks.archive import write_archive
from cranfield.features.tasks.client import TOKEN
from cranfield.features.tasks.scoring import results_of
from cranfield.features.tasks.store import accept_terms, task_of
from cranfield.features.tasks.submissions import content_of, submissions
from cranfield.features.tasks.transfers import CORPUS
from cranfield.formats import read_qrels
from cranfield.metrics.evaluate import evaluate
from cranfield.store.qrels import import_qrels
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.conftest import Cranfield
from tests.features.tasks.track import description
from tests.stores import new_file

pytestmark = pytest.mark.full

RUNS = {"run1": "GUIR_S2", "BITEM_df": "BITEM", "BITEM_BL": "BITEM", "BBGhelani1": "BBGhelani", "BM25R2": "BM25R2"}
QIDS = ("1", "2")


@contextmanager
def serving(path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server of a store, and its address."""
    command = [sys.executable, "-m", "cranfield", "serve", str(path), "--port", "0"]
    own, pipe = {**os.environ, "TMPDIR": str(path.parent / "temporary")}, subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=own) as server:
        assert server.stdout
        base = re.findall(r"http://[\w.:]+", server.stdout.readline())[0]
        server.stdout.readline()
        try:
            yield server, base
        finally:
            server.kill()
            server.communicate(timeout=30)


def test_a_round_from_call_to_archive(
    shared: Path, tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Teams are invited, runs submitted, refused, pooled by priority, judged, scored as the files are, archived."""
    source, files, store = shared / "treccovid-r1", dict[str, Path](), tmp_path / "track.db"
    qrels = tmp_path / "qrels"
    with gzip.open(source / "qrels-rnd1.txt.gz", "rt") as file:
        qrels.write_text("".join(line for line in file if line.split()[0] in QIDS))
    for tag in RUNS:
        with gzip.open(source / "runs" / f"{tag}.gz", "rt") as file:
            files[tag] = tmp_path / tag
            files[tag].write_text("".join(line for line in file if line.split()[0] in QIDS))
    docnos = {line.split()[2] for file in (*files.values(), qrels) for line in file.read_text().splitlines()}
    scale = {0: "not", 1: "partly", 2: "relevant"}
    new_file(store, "TREC-COVID", grades=scale, documents=sorted(docnos), topics=QIDS)
    (tmp_path / "temporary").mkdir()
    (tmp_path / "task.toml").write_text(description())
    assert cranfield("task", "describe", store, tmp_path / "task.toml").code == 0
    links = {team: cranfield("task", "invite", store, team).out.strip() for team in dict.fromkeys(RUNS.values())}
    with Store.open(store) as track_store:
        for team in links:
            accept_terms(track_store, team, task_of(track_store).terms)
    with serving(store) as (server, base):
        for priority, (tag, team) in enumerate(RUNS.items(), 1):
            monkeypatch.setenv(TOKEN, links[team].rpartition("/")[2])
            meta = tmp_path / "meta.toml"
            meta.write_text(f'tag = "{tag}"\npriority = {priority}\n')
            result = cranfield(
                "submit", files[tag], "--meta", meta, "--to", base, "--receipt", tmp_path / f"{tag}.json"
            )
            assert result.code == 0, result.err
        (tmp_path / "wrong").write_text(files["run1"].read_text() + "99 Q0 x 1 1 run1\n")
        result = cranfield("submit", tmp_path / "wrong", "--to", base)
        assert (result.code, "topic '99'; expected one of the 2 topics" in result.err) == (1, True)
        refuse_before_sending(cranfield, tmp_path, ("submit", files["run1"], "--to", base))
        documents = download(f"{base}/team/corpus.jsonl.gz", links["BITEM"].rpartition("/")[2])
        with Store.open(store) as track_store:
            assert [one["_id"] for one in documents] == [one.docno for one in track_store.documents()]
        killed_amid_an_upload(server, base, links["BITEM"].rpartition("/")[2])
    temporary = [path.name for path in (tmp_path / "temporary").rglob("*") if path.is_file()]
    assert temporary == [CORPUS]  # nothing of an upload
    with Store.open(store) as track_store:
        assert [one.tag for one in submissions(track_store)] == list(RUNS)
        for one in submissions(track_store):
            assert content_of(track_store, one.number) == files[one.tag].read_bytes()
        verify(track_store)
    assert "added 5 runs" in cranfield("task", "close", store).out
    assert cranfield("pool", "build", store, "--depth", "7", "--per-team", "1").code == 0
    with Store.open(store) as track_store:
        import_qrels(track_store, read_qrels(qrels), "nist")
        assert cranfield("task", "release", store).code == 0
        overview = results_of(track_store).overview()
        write_archive(track_store, tmp_path / "archive")
    means = evaluate(qrels, [*files.values()], measures=["nDCG@10"]).set_index("run")["value"]
    assert {row["run"]: round(row["nDCG@10"], 9) for row in overview} == means.round(9).to_dict()
    assert cranfield("task", "receipt", tmp_path / "run1.json", tmp_path / "archive").code == 0
    receipt = json.loads((tmp_path / "run1.json").read_text())
    assert receipt["team"] == "GUIR_S2"


def refuse_before_sending(cranfield: Cranfield, folder: Path, sent: tuple[str | Path, ...]) -> None:
    """A receipt with no place, a description that is none, a link for an address: nothing is submitted."""
    assert "no such folder" in cranfield(*sent, "--receipt", folder / "none" / "r.json").err
    (folder / "no.toml").write_text("tag\n")
    assert f"error: {folder}/no.toml:1: not TOML" in cranfield(*sent, "--meta", folder / "no.toml").err
    secure = f"https{sent[-1].removeprefix('http')}" if isinstance(sent[-1], str) else ""
    assert "the server does not speak TLS (wrong version number); try http://" in cranfield(*sent[:-1], secure).err
    assert "status 404, not from a Cranfield server" in cranfield(*sent[:-1], f"{sent[-1]}/team/enter/x").err


def download(url: str, token: str) -> list[dict[str, str]]:
    """The documents that a team downloads."""
    with urlopen(Request(url, headers={"authorization": f"Bearer {token}"}), timeout=60) as answer:
        return [json.loads(line) for line in gzip.decompress(answer.read()).splitlines()]


def killed_amid_an_upload(server: subprocess.Popen[str], base: str, token: str) -> None:
    """Kill the server when half of a file has arrived."""
    where = urlsplit(base)
    with socket.create_connection((where.hostname or "", where.port or 0), timeout=10) as connection:
        head = f"POST /submit HTTP/1.1\r\nhost: {where.netloc}\r\nauthorization: Bearer {token}\r\n"
        head += "content-length: 9999999\r\n"
        part = '--x\r\ncontent-disposition: form-data; name="run"\r\n\r\n' + "1 Q0 d1 1 1 half\n" * 100_000
        connection.sendall(f"{head}content-type: multipart/form-data; boundary=x\r\n\r\n{part}".encode())
        server.send_signal(signal.SIGKILL)
        server.wait(30)
