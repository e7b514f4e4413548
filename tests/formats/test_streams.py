"""Pipes and the standard input are read once, in order, and hashed as they are read."""

import gzip
import hashlib
import io
import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
import pytest
from pyarrow import parquet

from cranfield.store.qrels import qrels_of
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from tests.conftest import Cranfield, usually

HEADER = "# ir_metadata.start\n# actor:\n#   team: delta\n# ir_metadata.end\n"
FILES = {
    "corpus": '{"_id": "d1", "text": "wing"}\n{"_id": "d2", "text": "lift"}\n',
    "topics": "<top>\n<num>1\n<title>wing\n</top>\n",
    "runs": HEADER + "".join(f"1 Q0 d{n} {n} {-n} a\n" for n in range(5000)),
    "qrels": "1 0 d1 1\n1 0 d2 0\n",
    "votes": '{"qid": "1", "docno": "d1", "grade": 1, "assessor": "ada"}\n',
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield) -> Path:
    """A folder with two empty stores."""
    monkeypatch.chdir(tmp_path)
    for name in ("piped.db", "filed.db"):
        cranfield("init", name, "--name", "x")
    return tmp_path


def trickled(fifo: Path, content: bytes) -> threading.Thread:
    """Write it once, the first bytes one at a time, so that no reader can count on having a whole block."""

    def write() -> None:
        with fifo.open("wb", buffering=0) as stream:
            for at in range(12):
                stream.write(content[at : at + 1])
            stream.write(content[12:])

    os.mkfifo(fifo)
    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


class WaitsError(Exception):
    """A command waits for a second writer."""


@pytest.fixture
def run(cranfield: Cranfield) -> Iterator[Callable[..., str]]:
    """A function that gives what a command says; the command is stopped if it waits."""

    def stop(*_: object) -> NoReturn:
        raise WaitsError

    def said(*words: object) -> str:
        signal.alarm(60)
        done = cranfield(*words)
        signal.alarm(0)
        assert done.code == 0, done.err
        return done.out + done.err

    before = signal.signal(signal.SIGALRM, stop)
    yield said
    signal.signal(signal.SIGALRM, before)


def held(store: str) -> dict[str, list[Any]]:
    """What a store holds, but when it came."""
    with Store.open(store) as opened:
        return {
            "corpus": list(opened.documents()),
            "topics": opened.topics(),
            "runs": [info._replace(file="") for info in run_info(opened).values()],
            "labels": qrels_of(opened).grade.tolist(),
        }


@pytest.mark.parametrize(("kind", "compress"), [*((kind, bytes) for kind in FILES), ("runs", gzip.compress)])
def test_a_named_pipe_is_opened_once(
    folder: Path, cranfield: Cranfield, run: Callable[..., str], kind: str, compress: Any
) -> None:
    """It gives what the file gives, the hash of a run's bytes as they are and its header among that."""
    content = compress(FILES[kind].encode())
    Path("file").write_bytes(content)
    cranfield("import", kind, "filed.db", "file")
    writer = trickled(Path("fifo"), content)
    run("import", kind, "piped.db", "fifo")
    writer.join(timeout=60)
    assert not writer.is_alive()
    assert held("piped.db") == held("filed.db")
    if kind == "runs":
        (about,) = held("piped.db")["runs"]
        assert (about.team, about.sha256) == ("delta", hashlib.sha256(content).hexdigest())


@pytest.mark.parametrize("kind", FILES)
def test_the_standard_input_is_read_once(
    folder: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """It cannot be sought in."""

    class Once(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_: Any) -> int:
            raise io.UnsupportedOperation("seek")

    Path("file").write_text(FILES[kind])
    cranfield("import", kind, "filed.db", "file")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(Once(FILES[kind].encode())))
    assert cranfield("import", kind, "piped.db", "-").code == 0
    assert held("piped.db") == held("filed.db")


def test_analyses_read_pipes_too(folder: Path, run: Callable[..., str]) -> None:
    """Qrels, runs and teams; rules that need a second look at a run's file are not tried, and that is said."""
    Path("qrels").write_text(FILES["qrels"])
    Path("run").write_text("1 Q0 d1 1 1 a\n1 Q0 d2 2 1 a\n")
    Path("teams").write_text("run\tteam\tpooled\na\tx\tyes\n")
    with_teams = ["reusability", "--teams", "teams"]
    for number, words in enumerate(usually([with_teams], [with_teams, ["pool", "verify"]])):
        pipes = {name: Path(f"{name}-{number}") for name in ("qrels", "run", "teams")}
        used = ["qrels", "run", *(["teams"] if "teams" in words else [])]
        writers = [trickled(pipes[name], Path(name).read_bytes()) for name in used]
        piped = run(*(pipes.get(word, word) for word in words), pipes["qrels"], pipes["run"])
        for writer in writers:
            writer.join(timeout=60)
        assert piped.splitlines()[-1] == run(*words, "qrels", "run").splitlines()[-1] or words == ["pool", "verify"]


def test_parquet_from_a_pipe_is_refused_in_a_line(folder: Path, cranfield: Cranfield) -> None:
    """It is read from its end, so that it has to be a file."""
    parquet.write_table(pa.table({"docno": ["d1"], "text": ["wing"]}), "c.parquet")
    trickled(Path("fifo"), Path("c.parquet").read_bytes())
    result = cranfield("import", "corpus", "piped.db", "fifo")
    assert (result.code, result.out) == (1, "")
    assert result.err == "error: fifo: Parquet from a pipe; expected a file, as Parquet is not read in order\n"
