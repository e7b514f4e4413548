"""Grades that are fractions, such as 0.5, in every analysis that takes qrels."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import cranfield as package
from cranfield.errors import InputError
from cranfield.formats import read_qrels
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.inputs import as_qrels
from cranfield.store.qrels import import_qrels
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.files import run_lines
from tests.stores import new_file

GRADES = {"1": {"a": 1.0, "b": 0.5, "c": 0.3, "d": 0.1}, "2": {"b": 0.5, "c": 0.3}, "3": {"a": 1.0, "c": 0.3}}
RUNS = {
    "x": {"1": {"a": 2.0, "b": 1.0}, "2": {"c": 2.0, "b": 1.0}, "3": {"c": 2.0, "a": 1.0}},
    "y": {"1": {"d": 2.0, "a": 1.0}, "2": {"b": 2.0, "e": 1.0}, "3": {"a": 2.0, "e": 1.0}},
}
MEASURES = ["nDCG@2", "AP(rel=0.5)@2", "P(rel=0.5)@2", "R(rel=0.5)@2"]
NOTE = "6 of 8 grades in the qrels are above 0 and below 1"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    rows = [(qid, docno, grade) for qid, judged in GRADES.items() for docno, grade in judged.items()]
    (tmp_path / "qrels").write_text("".join(f"{qid} 0 {docno} {grade}\n" for qid, docno, grade in rows))
    for tag, rankings in RUNS.items():
        (tmp_path / tag).write_text(run_lines(tag, rankings))
    return [tmp_path / name for name in ("qrels", *RUNS)]


@pytest.mark.filterwarnings("ignore:6 of 8 grades", "ignore:1 of 3 judged topics")
def test_a_textbook_example_from_files_dicts_and_frames(files: list[Path]) -> None:
    """By hand: the first ranking is ideal; (0.3 + 0.5 d) / (0.5 + 0.3 d) and (0.3 + d) / (1 + 0.3 d), d = 1/log2(3)."""
    rows = [(qid, docno, grade) for qid, judged in GRADES.items() for docno, grade in judged.items()]
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])
    right = {
        "nDCG@2": [1.0, 0.8929, 0.7828],
        "AP(rel=0.5)@2": [1.0, 0.5, 0.5],
        "P(rel=0.5)@2": [1.0, 0.5, 0.5],
        "R(rel=0.5)@2": [1.0, 1.0, 1.0],
    }
    for qrels, runs in ((files[0], files[1]), (GRADES, RUNS["x"]), (frame, RUNS["x"])):
        table = package.evaluate(qrels, runs, measures=MEASURES, per_topic=True).frame
        for measure, values in right.items():
            assert table[table["measure"] == measure]["value"].tolist() == pytest.approx(values, abs=5e-5)
    evaluator = package.Evaluator(GRADES, MEASURES)
    assert evaluator.per_topic(RUNS["x"])["2"]["nDCG@2"] == pytest.approx(0.8929, abs=5e-5)


@pytest.mark.filterwarnings("ignore:.* grades in the qrels are above 0")
def test_graded_measures_count_fractions() -> None:
    """ERR by hand: 1/2 + 1/2 (2^.5 - 1)/2 / 2; gains are grades by the highest; Compat looks at their order only."""
    grades = GRADES["1"]
    rankings = {"ab": "ab", "ac": "ac", "ba": "ba", "bc": "bc"}
    runs = {tag: {"1": {docno: -float(n) for n, docno in enumerate(order)}} for tag, order in rankings.items()}

    def values(factor: int, measures: list[str]) -> dict[str, list[float]]:
        qrels = {"1": {docno: grade * factor for docno, grade in grades.items()}}
        table = evaluate(qrels, runs, measures)
        return {name: table[table["measure"] == name]["value"].tolist() for name in table["measure"].unique()}

    found = values(1, ["ERR@2", "SDCG@2", "nERR@2"])
    assert found["ERR@2"] == pytest.approx([0.5518, 0.5289, 0.4053, 0.2529], abs=5e-5)
    assert found["SDCG@2"] == pytest.approx([0.8066, 0.7292, 0.6934, 0.4226], abs=5e-5)
    assert found["nERR@2"] == pytest.approx([value / found["ERR@2"][0] for value in found["ERR@2"]])
    of_gains = ["SDCG@2", "BPM@2", "INST", "INSQ", "Compat"]
    for one, other in zip(values(1, of_gains).values(), values(10, of_gains).values(), strict=True):
        assert one == pytest.approx(other)


COMMANDS = [
    "evaluate {} -m nDCG@2 -m ERR -m Q -m RBP -m Compat -m INST -m Bpref",
    "compare {} -m nDCG@2",
    "curve {}",
    "reusability {} --depth 1 -m nDCG",
    "diagnose {} --depth 1 -m nDCG@2 -m AP(rel=0.5)",
    "depths {} -m nDCG",
    "correlate {} -m nDCG -m AP",
    "stability {} -m nDCG",
]


@pytest.mark.parametrize("line", COMMANDS, ids=lambda line: line.split()[0])
def test_every_analysis_takes_them_and_notes_them_once(files: list[Path], cranfield: Cranfield, line: str) -> None:
    result = cranfield(*line.format(" ".join(map(str, files))).split())
    assert result.code == 0, result
    assert result.err.count(NOTE) == 1


def test_whole_grades_are_integers_as_before(tmp_path: Path) -> None:
    """Written as floats or not, so that they take no more time or memory."""
    (tmp_path / "qrels").write_text("1 0 a 1.0\n1 0 b 0\n")
    for qrels in (read_qrels(tmp_path / "qrels", fractions=True), as_qrels({"1": {"a": 1.0, "b": 0.0}})):
        assert qrels.grade.dtype == np.int64


def test_a_threshold_that_leaves_out_none_has_no_note(files: list[Path]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = package.evaluate({"1": {"a": 1.5, "b": 0.0}}, {"1": {"a": 1.0}}, measures="P@1").frame
    assert table["value"].tolist() == [1.0]


def test_a_store_and_trec_eval_take_whole_grades(files: list[Path], cranfield: Cranfield, tmp_path: Path) -> None:
    """The remedy that the message names works there."""
    store = new_file(tmp_path / "t.db", qrels={"x": {"9": {"a": 1}}}, runs={})
    for line in (f"import qrels {store} {files[0]}", f"trec-eval {files[0]} {files[1]}"):
        result = cranfield(line)
        assert result.code == 1
        assert "qrels:2: grade '0.5' is not a whole number" in result.err
        assert "`cranfield import qrels --times 10` imports it as 5" in result.err
    assert "no option" not in cranfield(f"import qrels {store} {files[0]} --times 10").err.lower()
    with Store.open(store) as opened, pytest.raises(InputError, match="expected a whole number"):
        import_qrels(opened, as_qrels(GRADES), "y")


def test_exponential_gains_of_large_grades_are_refused(cranfield: Cranfield, tmp_path: Path) -> None:
    """A gain of 2^5700 is no number; linear gains are."""
    (tmp_path / "qrels").write_text("1 0 a 5700\n1 0 b 12\n1 0 c 0\n1 0 d -2\n")
    (tmp_path / "r").write_text(run_lines("r", {"1": {"b": 3.0, "d": 2.0, "a": 1.0}}))
    both = tmp_path / "qrels", tmp_path / "r"
    assert "0.5014" in cranfield.out("evaluate", *both, "-m", "nDCG@10")
    result = cranfield("evaluate", *both, "-m", "nDCG(gains=exp)@10")
    assert result.code == 1
    assert 'the grade 5,700 is too large for gains="exp"' in result.err
    assert "RuntimeWarning" not in result.err


def test_options_of_measures_name_the_limit_and_the_remedy() -> None:
    for name, message in (
        ("R@1000000000", "a whole number of at least 1 and below 1,000,000,000"),
        ("nDCG@1e3", "write 1000"),
        ("nDCG(rel=2)", 'nDCG; nDCG\\(gains="1=0'),
    ):
        with pytest.raises(package.CranfieldError, match=message):
            evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, measures=name)
    graded = evaluate({"1": {"a": 1, "b": 2}}, {"1": {"a": 1.0}}, measures='nDCG(gains="0.5=0,1=0")')
    assert graded["value"].tolist() == [0.0]
    assert str(package.metrics.parse("P(rel=1.0)@2")) == "P@2"


def test_topics_without_relevant_documents_are_counted(cranfield: Cranfield, tmp_path: Path) -> None:
    """They count as 0; qrels of relevant documents alone leave Judged undefined."""
    (tmp_path / "r").write_text(run_lines("r", {"1": {"a": 2.0, "b": 1.0}, "2": {"c": 1.0}}))
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 c 0\n2 0 d 0\n")
    result = cranfield("evaluate", tmp_path / "qrels", tmp_path / "r", "-m", "AP", "-m", "Judged@2", "--format", "json")
    assert [one["value"] for one in json.loads(result.out)["scores"]] == [0.5, 1.0]
    assert "1 of 2 judged topics has no relevant document" in result.err
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 d 1\n")
    result = cranfield("evaluate", tmp_path / "qrels", tmp_path / "r", "-m", "AP", "-m", "Judged@2", "--format", "json")
    assert [one["value"] for one in json.loads(result.out)["scores"]] == [0.5, None]
    assert result.err.count("list only relevant documents") == 1


def test_a_command_without_measures_names_no_threshold(cranfield: Cranfield, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0.5\n1 0 c 0\n")
    for tag in "rs":
        lines = [f"1 Q0 {docno} {rank} {-rank} {tag}\n" for rank, docno in enumerate("abc", 1)]
        (tmp_path / tag).write_text("".join(lines))
    for command, words in (("pool forecast", "counts it as not relevant; `cranfield import qrels --times N`"),
                           ("pool verify", "counts it as not relevant; `cranfield import qrels --times N`"),
                           ("topics hardness", 'unless you lower rel, for example "AP(rel=0.5)"')):  # fmt: skip
        err = " ".join(cranfield(*command.split(), tmp_path / "qrels", tmp_path / "r", tmp_path / "s").err.split())
        assert "1 of 3 grades in the qrels is above 0 and below 1" in err, command
        assert words in err, command
