"""The outputs in docs/start/fair.md are those of the program; skipped without the data of ../shared/data."""

import gzip
import json
import re
from collections.abc import Sequence
from pathlib import Path
from shlex import split

import numpy as np
import pytest

from benchmarks import forecasts as benchmark
from cranfield.arrays.join import meet
from cranfield.arrays.rankings import Qrels, Runs
from cranfield.metrics.evaluate import score_block
from cranfield.metrics.forecast import forecaster
from cranfield.metrics.notation import parse
from cranfield.store.qrels import labels_that_count
from cranfield.store.store import Store
from tests.conftest import ROOT, Cranfield
from tests.judging.cases import as_the_command, at

PAGE = (ROOT / "docs/start/fair.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"^    (cranfield [^\n]+)\n\n```text\n(.*?)```", re.MULTILINE | re.DOTALL)


def examples(section: str) -> list[tuple[str, list[str]]]:
    """The commands of a section that an output follows, and its lines."""
    [text] = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return [(command, [line for line in output.splitlines() if line]) for command, output in EXAMPLE.findall(text)]


def check_output(cranfield: Cranfield, command: str, expected: Sequence[str]) -> None:
    """The command prints these lines in this order, perhaps with others between them."""
    words = split(command)[1:]
    files = [name for word in words for name in (sorted(map(str, Path().glob(word))) if "*" in word else [word])]
    result = cranfield(*files)
    assert result.code == 0, result.err
    printed = iter(result.out.splitlines())
    missing = [line for line in expected if line not in printed]
    assert not missing, f"{command} prints:\n{result.out}"


def write_qrels(path: Path, qrels: Qrels) -> None:
    rows = zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], qrels.grade.tolist(), strict=True)
    path.write_text("".join(f"{qid} 0 {docno} {grade}\n" for qid, docno, grade in rows))


def write_run(path: Path, runs: Runs) -> None:
    rows = zip(runs.topics.names[runs.topic], runs.docnos.names[runs.document], runs.score.tolist(), strict=True)
    path.write_text("".join(f"{qid} Q0 {docno} 1 {score!r} {path.stem}\n" for qid, docno, score in rows))


def test_the_reasons_are_those_of_the_forecast() -> None:
    """The page quotes the expected numbers."""
    for expected in (
        f"pooled runs; expected at least {forecaster.MIN_POOLED_RUNS} |",
        f" training pairs; expected at least {forecaster.MIN_PAIRS} |",
        f"relevant training pairs; expected at least {forecaster.MIN_RELEVANT} |",
        f"of any pooled run; expected at most {forecaster.MAX_UNEXPLAINED:.0%} |",
    ):
        assert expected in PAGE


@pytest.fixture
def setting(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> benchmark.Setting:
    """CACM with eight lexical runs pooled to depth 10 and a neural run, as files of the current folder."""
    monkeypatch.setattr(benchmark, "CACHE", tmp_path / "collections")
    made = benchmark.prepare(benchmark.load_collection("cacm"), benchmark.Design("cacm", "depth", 10, "wordllama", 0))
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    write_qrels(Path("qrels.txt"), made.judged)
    for tag in benchmark.POOL:
        write_run(Path("runs", f"{tag}.run"), made.runs.select([tag]).loaded)
    write_run(Path("wordllama.run"), made.runs.select(["wordllama"]).loaded)
    return made


def judge_draw(path: Path, full: Qrels) -> None:
    """Write the true grade into each line of a draw."""
    grades = dict(zip(
        zip(full.topics.names[full.topic].tolist(), full.docnos.names[full.document].tolist(), strict=True),
        full.grade.tolist(), strict=True,
    ))  # fmt: skip
    lines = path.read_text().splitlines()
    pairs = [line.split("\t")[1:3] for line in lines[6:]]
    filled = [f"{line[:-1]}{grades[qid, docno]}" for line, (qid, docno) in zip(lines[6:], pairs, strict=True)]
    path.write_text("\n".join([*lines[:6], *filled]) + "\n")


@pytest.mark.full
def test_a_lexical_pool_and_a_neural_run(setting: benchmark.Setting, cranfield: Cranfield) -> None:
    """The forecast, the draw and the forecast with its labels."""
    (diagnose, output), (read, with_labels) = examples("A lexical pool and a neural run")
    check_output(cranfield, diagnose, output)
    [draw] = re.findall(r"^    (cranfield diagnose .* --draw .*)", PAGE, re.MULTILINE)[:1]
    check_output(cranfield, draw, [])
    [rows] = re.findall(r"```text\n(order\t.*?)```", PAGE, re.DOTALL)
    assert Path("wordllama.tsv").read_text().splitlines()[5:8] == rows.splitlines()
    judge_draw(Path("wordllama.tsv"), setting.full)
    check_output(cranfield, read, with_labels)
    new = meet(setting.runs.select(["wordllama"]), setting.full)
    true = float(np.mean(score_block(new, [parse("AP")])))
    assert f"With all of the run's first 10 documents judged, AP is {true:.3f}." in " ".join(PAGE.split())


@pytest.fixture
def relevant(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """The relevant pairs of CACM; the folder has corpus and topics without judgments for own.db."""
    monkeypatch.setattr(benchmark, "CACHE", tmp_path / "collections")
    benchmark.load_collection("cacm")
    monkeypatch.chdir(tmp_path)
    with Store.open(tmp_path / "collections" / "cacm.db") as store:
        qrels, documents, topics = labels_that_count(store).qrels, list(store.documents()), list(store.topics())
    keep = qrels.rows(qrels.grade > 0)
    pairs = {*zip(keep.topics.names[keep.topic].tolist(), keep.docnos.names[keep.document].tolist(), strict=True)}
    with_relevant = [topic for topic in topics if topic.qid in {qid for qid, _ in pairs}]
    for name, rows in (("corpus.jsonl", documents), ("topics.jsonl", with_relevant)):
        Path(name).write_text("".join(json.dumps(row._asdict() | {"metadata": {}}) + "\n" for row in rows))
    return pairs


def judge_all(relevant: set[tuple[str, str]]) -> None:
    """Judge all documents of own.db that are left."""
    with Store.open(Path("own.db")) as store:
        session = as_the_command(store, "ada")
        while session.view.document is not None:
            qid = (session.pair or ("",))[0]
            at(session).grade(int((qid, session.view.document.docno) in relevant))


@pytest.mark.daily  # it trains 3,000 models; tests/features/collecting/test_new_run.py has small pools
def test_a_pool_of_active_learning(relevant: set[tuple[str, str]], cranfield: Cranfield) -> None:
    """The bounds without labels, and the interval from the labels of a draw."""
    cranfield.run(
        "init own.db --name own", "import corpus own.db corpus.jsonl", "import topics own.db topics.jsonl",
        "search own.db --system bm25,rm3,lsa", "pool build own.db --method cal --budget 40 --run bm25",
    )  # fmt: skip
    judge_all(relevant)
    (diagnose, output), (again, with_labels) = examples("A pool built by active learning")
    check_output(cranfield, diagnose, output)
    check_output(cranfield, f"{diagnose} --draw 50 draw.tsv --store-pool", [])
    judge_all(relevant)
    check_output(cranfield, again, with_labels)


@pytest.mark.full
def test_a_pool_of_many_unlike_teams(
    shared: Path, tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TREC-COVID, round 1: all runs but the new one are given, and the table of teams says which were pooled."""
    folder = shared / "treccovid-r1"
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    for path in (folder / "runs").iterdir():
        Path("runs" if path.stem != "BM25R2" else "", path.stem).write_bytes(gzip.decompress(path.read_bytes()))
    Path("qrels-rnd1.txt").write_bytes(gzip.decompress((folder / "qrels-rnd1.txt.gz").read_bytes()))
    Path("teams.tsv").write_bytes((folder / "teams.tsv").read_bytes())
    [(diagnose, output)] = examples("A pool from many different teams")
    check_output(cranfield, diagnose, output)
