"""`evaluate` and `curve` on the command line: every score with its mean, every curve that there is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Cranfield

QRELS = "q1 0 d1 1\nq1 0 d2 1\nq1 0 d3 1\nq2 0 d1 1\nq2 0 d9 0\n"
RUN_A = "".join(f"q1 Q0 {docno} 0 {-rank} a\n" for rank, docno in enumerate(["d1", "x", "d2", "y", "z", "d3"]))
RUN_B = "q2 Q0 d9 1 9 b\nq2 Q0 d1 2 8 b\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judgments and two runs, which is where commands run."""
    for name, content in {"qrels": QRELS, "a": RUN_A, "b": RUN_B}.items():
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)


ROWS = [
    ("a", "q1", "0.7222222222222222", "3.0"),
    ("a", "q2", "0.0", "0.0"),
    ("a", "all", "0.3611111111111111", "3.0"),
    ("b", "q1", "0.0", "0.0"),
    ("b", "q2", "0.5", "1.0"),
    ("b", "all", "0.25", "1.0"),
]


@pytest.mark.parametrize(
    ("form", "before", "between"),
    [("csv", "", ","), ("tsv", "", "\t"), ("markdown", "| ", " | "), ("latex", "", " & ")],
)
def test_topics_are_followed_by_the_mean(cranfield: Cranfield, form: str, before: str, between: str) -> None:
    """In every format each run's topics come first and then their mean, or sum, under the name all."""
    result = cranfield("evaluate", "qrels", "a", "b", "-m", "AP", "-m", "NumRelRet", "--per-topic", "--format", form)
    full = form in ("csv", "tsv")
    rows = [row if full else (*row[:2], *(f"{float(cell):.4f}" for cell in row[2:])) for row in ROWS]
    found = [line for line in result.out.splitlines() if between in line][-6:]
    assert [line.startswith(before + between.join(row)) for line, row in zip(found, rows, strict=True)] == [True] * 6


def test_the_mean_as_a_table_and_as_json(cranfield: Cranfield) -> None:
    """A table and JSON mark the mean in the same way."""
    table = cranfield("evaluate", "qrels", "a", "b", "-m", "AP", "-q").out.splitlines()
    assert [line.split() for line in table][3] == ["a", "all", "0.3611"]
    found = json.loads(cranfield("evaluate", "qrels", "a", "b", "-m", "AP", "-q", "--format", "json").out)
    assert found["topics"] == 2
    assert found["scores"][2] == {"run": "a", "query_id": "all", "measure": "AP", "value": pytest.approx(13 / 36)}
    means = json.loads(cranfield("evaluate", "qrels", "a", "b", "-m", "AP", "--format", "json").out)["scores"]
    assert [s["value"] for s in found["scores"] if s["query_id"] == "all"] == [s["value"] for s in means]


def test_the_mean_is_over_the_topics_that_count(cranfield: Cranfield) -> None:
    words = ["evaluate", "qrels", "a", "b", "-m", "AP", "-q", "--retrieved-topics-only", "--format", "csv"]
    assert [line.split(",")[1:] for line in cranfield(*words).out.splitlines()[3:]] == [["q2", "0.5"], ["all", "0.5"]]


def test_a_topic_called_all_is_not_taken_for_a_mean(cranfield: Cranfield) -> None:
    Path("qrels").write_text(QRELS + "all 0 d1 1\n")
    result = cranfield("evaluate", "qrels", "a", "-q")
    assert (result.code, result.out) == (1, "")
    assert (
        result.err == "error: a topic is called 'all', which is what the mean is called: with --per-topic, rename it\n"
    )
    assert cranfield("evaluate", "qrels", "a").code == 0
