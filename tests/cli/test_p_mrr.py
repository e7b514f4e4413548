"""`compare --changed-qrels`: p-MRR of two runs; and what compare refuses of files of scores."""

import json
from pathlib import Path

import pytest

import cranfield as library
from cranfield.errors import InputError
from cranfield.metrics.instructions import instruction_change
from tests.conftest import Cranfield
from tests.files import run_lines

OG = {"1": {"a": 1, "b": 1, "c": 0}, "2": {"a": 2, "b": 1}, "3": {"a": 1}}
NEW = {"1": {"a": 0, "b": 1, "c": 1}, "2": {"a": 2, "b": 0}, "3": {"b": 0}}
COMMAND = "compare og.qrels og.run new.run --changed-qrels new.qrels"


def qrels_lines(qrels: dict[str, dict[str, int]], suffix: str = "") -> str:
    return "".join(f"{qid}{suffix} 0 {docno} {grade}\n" for qid, row in qrels.items() for docno, grade in row.items())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Document a of topic 1 moves from rank 1 to 4, document b of topic 2 from rank 2 to 1."""
    monkeypatch.chdir(tmp_path)
    Path("og.qrels").write_text(qrels_lines(OG))
    Path("new.qrels").write_text(qrels_lines(NEW))
    og = {"1": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}, "2": {"a": 2.0, "b": 1.0}}
    new = {"1": {"b": 4.0, "c": 3.0, "d": 2.0, "a": 1.0}, "2": {"b": 2.0, "a": 1.0}}
    Path("og.run").write_text(run_lines("og", og))
    Path("new.run").write_text(run_lines("new", new))
    return tmp_path


def test_which_documents_a_changed_instruction_makes_not_relevant() -> None:
    """Not those that become relevant, and not those that have no grade after the change."""
    assert instruction_change(OG, NEW) == ({"1": ["a"], "2": ["b"]}, 1)
    suffixed = {f"{qid}-og": row for qid, row in OG.items()}, {f"{qid}-changed": row for qid, row in NEW.items()}
    assert instruction_change(*suffixed).documents == {"1": ["a"], "2": ["b"]}
    assert instruction_change({"1": {"a": 2, "b": 1}}, {"1": {"a": 1, "b": 0}}, min_relevant=2).documents == {
        "1": ["a"]
    }
    with pytest.raises(InputError, match="none of the relevant documents is judged not relevant"):
        instruction_change(OG, OG)


def test_p_mrr_of_two_runs(folder: Path, cranfield: Cranfield) -> None:
    """By hand: 1 - 1/4 for the document that moved down, 1/2 - 1 for the one that moved up."""
    found = cranfield(f"{COMMAND} --format json")
    assert json.loads(found.out) == {
        "measure": "p-MRR", "original": "og", "new": "new", "mean": 0.125,
        "topics": [{"topic": "1", "documents": 1, "p-MRR": 0.75}, {"topic": "2", "documents": 1, "p-MRR": -0.5}],
    }  # fmt: skip
    assert found.err == "note: omitted 1 relevant document without a grade in new.qrels\n"
    table = cranfield(COMMAND).out
    assert "new after the change of instructions, og before it" in table
    assert "Above 0: the new run ranks the 2 documents that are no longer relevant lower" in table
    assert cranfield(f"{COMMAND} --format csv").out.splitlines()[-1] == "all,2,0.125"


def test_topics_and_formats_are_those_of_other_commands(folder: Path, cranfield: Cranfield) -> None:
    Path("one").write_text("1\n")
    assert json.loads(cranfield(f"{COMMAND} --topics one --format json").out)["mean"] == 0.75
    Path("og.qrels").write_text(qrels_lines(OG, "-og").replace(" 0 ", "\t0\t"))
    Path("new.qrels").write_text(qrels_lines(NEW, "-changed"))
    Path("og.json").write_text('{"1-og": {"a": 4, "b": 3, "c": 2, "d": 1}, "2-og": {"a": 2, "b": 1}}')
    command = "compare og.qrels og.json new.run --changed-qrels new.qrels --format json"
    found = cranfield(command)
    assert (json.loads(found.out)["mean"], "note: og.json: read as json" in found.err) == (0.125, True)
    assert cranfield(f"{command} --fail-on-note").code == 1


@pytest.mark.parametrize(("command", "message"), [
    ("compare og.qrels og.run --changed-qrels new.qrels",
     "og.qrels: 2 sources for --changed-qrels; expected three files: the original qrels, the original run and the new"),
    ("compare og.qrels og.run new.run --changed-qrels og.qrels",
     "og.qrels: none of the relevant documents is judged not relevant in the changed judgments"),
    ("compare og.qrels og.run nothing --changed-qrels new.qrels", "nothing: no such file"),
])  # fmt: skip
def test_what_p_mrr_cannot_be_measured_on(folder: Path, cranfield: Cranfield, command: str, message: str) -> None:
    assert cranfield.error(command).startswith(message)


@pytest.mark.parametrize(
    "option",
    [
        "-m AP", "--baseline og", "--plan 0.1", "--alpha 0.1", "--topics common",
        pytest.param("--plot a.svg", marks=pytest.mark.needs_extra("plot")),
    ],
)  # fmt: skip
def test_options_of_tests_do_not_apply_to_p_mrr(folder: Path, cranfield: Cranfield, option: str) -> None:
    found = cranfield(f"{COMMAND} {option}")
    assert (found.code, "cannot be used with --changed-qrels" in found.err) == (2, True), found


def test_a_measure_of_the_name_is_answered_with_the_command(folder: Path, cranfield: Cranfield) -> None:
    error = cranfield("evaluate og.qrels og.run -m p-MRR").err
    assert "`cranfield compare QRELS RUN NEWRUN --changed-qrels FILE`" in error


def test_files_of_scores_have_no_documents_with_the_id_of_a_topic(folder: Path, cranfield: Cranfield) -> None:
    cranfield("evaluate og.qrels og.run new.run -m AP --per-topic -o scores.json")
    assert cranfield("compare scores.json").code == 0
    error = cranfield.error("compare scores.json --ignore-own-id")
    assert error == "scores.json: --ignore-own-id needs runs; score files contain no documents"
    table = library.evaluate(
        {"1": OG["1"]}, {"a": {"1": {"a": 1.0}}, "b": {"1": {"b": 1.0}}}, measures="AP", per_topic=True
    ).frame
    with pytest.raises(InputError, match="ignore_own_id needs runs; a score table contains no documents"):
        library.compare(table, ignore_own_id=True)
