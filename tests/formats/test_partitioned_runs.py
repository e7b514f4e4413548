"""Runs as a partitioned Parquet data set: written by export, read by block; what is wrong has a place."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from cranfield.errors import InputError
from cranfield.formats.runs.partitioned import partitioned_runs, write_parts
from cranfield.metrics.inputs import as_runs
from tests.conftest import Cranfield

ROWS = [("b", "1", "d9", 1.0), ("b", "1", "d10", 2.0), ("a", "1", "d9", 1.0), ("a", "1", "d10", 1.0)]


def write(folder: Path, block: str, rows: list[Any], names: str = "run qid docno score") -> Path:
    """A block of these rows."""
    path = folder / f"qid_block={block}" / "part-0.parquet"
    path.parent.mkdir(parents=True)
    parquet.write_table(pa.table(dict(zip(names.split(), map(list, zip(*rows, strict=True)), strict=True))), path)
    return path


def test_order_is_that_of_run_files(tmp_path: Path) -> None:
    """Scores descending, ties by docno descending; runs by tag; ids may be numbers."""
    write(tmp_path, "0", ROWS)
    write(tmp_path, "x", [("b", 7, 12, 3)])
    runs = partitioned_runs(tmp_path)
    assert runs.tags == ("a", "b")
    docnos, qids = runs.docnos.names[runs.document].tolist(), runs.topics.names[runs.topic].tolist()
    assert list(zip(runs.run.tolist(), qids, docnos, runs.score.tolist(), strict=True)) == [
        (0, "1", "d9", 1.0), (0, "1", "d10", 1.0), (1, "1", "d10", 2.0), (1, "1", "d9", 1.0), (1, "7", "12", 3.0)
    ]  # fmt: skip
    assert runs.select(["b"]).run.tolist() == [0, 0, 0]


WRONG: dict[str, list[Any]] = {
    "part-0.parquet:3: duplicate document d9 of topic 1 in run a, first in row 1": [("a", "1", "d9", 1.0), *ROWS[1:3]],
    "part-0.parquet:2: score is nan; expected a number": [ROWS[0], ("b", "1", "d8", np.nan)],
    "part-0.parquet:2: docno is ' d8'; expected an id without blanks around it": [ROWS[0], ("b", "1", " d8", 1.0)],
    "part-0.parquet:1: qid is None; expected an id without blanks around it": [("b", None, "d8", 1.0)],
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_wrong_has_a_place(tmp_path: Path, message: str) -> None:
    write(tmp_path, "0", WRONG[message])
    with pytest.raises(InputError) as error:
        _ = partitioned_runs(tmp_path).whole
    assert str(error.value) == f"{tmp_path}/qid_block=0/{message}"


def test_a_column_is_missing(tmp_path: Path) -> None:
    path = write(tmp_path, "0", ROWS, "tag qid docno score")
    with pytest.raises(InputError, match="no column 'run'; expected run, qid, docno, score") as error:
        partitioned_runs(tmp_path)
    assert error.value.path == str(path)


def test_a_topic_is_in_one_block(tmp_path: Path) -> None:
    write(tmp_path, "0", ROWS)
    write(tmp_path, "1", ROWS)
    with pytest.raises(InputError, match="topic 1 is in qid_block=0 and in qid_block=1; expected each topic in one"):
        partitioned_runs(tmp_path)


@pytest.fixture
def qrels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("qrels").write_text("1 0 d9 1\n1 0 d10 0\n2 0 d1 1\n")
    Path("runs").mkdir()
    write_parts(Path("runs"), as_runs({"a": {"1": {"d9": 1.0}}, "b": {"1": {"d10": 1.0}, "3": {"d1": 1.0}}}))
    return "qrels"


def test_at_an_address(cranfield: Cranfield, qrels: str) -> None:
    """On file:// and in memory:// as in a folder; a topic that no run answers counts 0."""
    fsspec = pytest.importorskip("fsspec", reason="needs the extra: pip install 'cranfield[cluster]'")
    fsspec.filesystem("memory").put("runs", "/bucket/runs", recursive=True)
    here = cranfield("evaluate", qrels, "runs", "-m", "RR", "--format", "csv")
    assert here.out == "run,RR\na,0.5\nb,0.0\n"
    for address in (f"file://{Path('runs').absolute()}", "memory://bucket/runs"):
        assert cranfield("evaluate", qrels, address, "-m", "RR", "--format", "csv") == here
    missing = cranfield("evaluate", qrels, "memory://bucket/none")
    assert (missing.code, missing.err.count("\n")) == (1, 1)
    assert "no runs here; expected qid_block=.../*.parquet" in missing.err


def test_a_store_writes_it(cranfield: Cranfield, qrels: str) -> None:
    """Once: blocks that are there already would be part of it."""
    Path("a.run").write_text("1 Q0 d9 1 1.0 a\n2 Q0 d1 1 1.0 a\n")
    for command in (
        "init t.db --name t --scale 0=no,1=yes",
        "import runs t.db a.run",
        "export runs t.db out --as parquet",
    ):
        assert cranfield(*command.split()).code == 0
    written = sorted(map(str, Path("out").rglob("*.parquet")))
    assert written == [f"out/qid_block=0000{n}/part-0.parquet" for n in "01"]
    assert cranfield("evaluate", qrels, "out", "-m", "RR", "--format", "csv").out == "run,RR\na,1.0\n"
    again = cranfield("export", "runs", "t.db", "out", "--as", "parquet")
    assert again.err == (
        "error: out/qid_block=00000: a block of runs is here already; remove it, or choose another folder\n"
    )


def test_a_block_without_judged_topics_is_checked(tmp_path: Path, qrels: str, cranfield: Cranfield) -> None:
    """As a run file is, whose topics nobody judged."""
    path = write(tmp_path / "runs", "z", [("a", "9", "d1", 1.0), ("a", "9", "d1", 2.0)])
    code, _, err = cranfield("evaluate", qrels, "runs")
    assert (code, err) == (1, f"error: {path}:2: duplicate document d1 of topic 9 in run a, first in row 1\n")
