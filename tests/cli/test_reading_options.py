"""Every command that reads runs or qrels files lets their formats and fields be named."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer

from cranfield.cli.program import app
from tests.cli.test_help import walk
from tests.conftest import Cranfield

READS = re.compile(r"\b(qrels|run) files?\b|QRELS|^The runs?\b.*\b(compressed|files)\b|^Judgments: |^A run: ")
OTHERWISE = {
    ("trec-eval",): "reads plain TREC only, as trec_eval does",
    ("export", "runs"): "writes run files",
}


def reading_parameters(command: Any) -> list[str]:
    """The names of the parameters whose help or placeholder says that they are files of runs or qrels."""
    several = [one for one in command.params if one.name != "remove_judged"]
    return [one.name for one in several if any(READS.search(text or "") for text in (one.metavar, one.help))]


def test_every_command_that_reads_runs_or_qrels_takes_their_formats() -> None:
    commands = {words: command for words, command in walk(typer.main.get_command(app)) if command.callback}
    reading = {words for words, command in commands.items() if reading_parameters(command)}
    expected = {("diff",), ("agreement",), ("submit",), ("online", "counterfactual"), ("evaluate",), ("fuse",)}
    assert expected & commands.keys() <= reading
    assert OTHERWISE.keys() & commands.keys() <= reading
    for words in reading - OTHERWISE.keys():
        options = {name for one in commands[words].params for name in one.opts}
        assert {"--input-format", "--field", "--fail-on-note", "--max-file"} <= options, words


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, grade in (("a", 1), ("b", 0)):
        Path(f"{name}.csv").write_text(f"qid,docno,verdict\n1,d1,1\n1,d2,{grade}\n2,d1,1\n")
    Path("run.csv").write_text("qid,docno,closeness\n1,d1,2\n1,d2,1\n2,d1,1\n")
    return tmp_path


def test_diff_takes_formats_and_fields(folder: Path, cranfield: Cranfield) -> None:
    assert cranfield("diff a.csv b.csv run.csv").code == 1
    fields = "--field grade=verdict --field run.score=closeness"
    found = cranfield(f"diff a.csv b.csv run.csv -m RR --format json {fields}")
    assert (found.code, found.err.count("read as csv")) == (0, 3), found
    assert "note: run.csv: read as csv (columns: qid, docno, closeness as score)\n" in found.err
    assert cranfield(f"diff a.csv b.csv run.csv -m RR {fields} --input-format csv").err == ""
    error = cranfield.error(f"diff a.csv b.csv run.csv -m RR {fields} --fail-on-note")
    guess = "a.csv: read as csv (columns: qid, docno, verdict as grade)"
    remedy = "to avoid this note, name the format with --input-format (--format for imports)"
    assert error == f"{guess} (--fail-on-note; {remedy})"


def test_a_run_that_may_be_qrels_is_named_by_its_format(folder: Path, cranfield: Cranfield) -> None:
    Path("q").write_text("1 0 d1 1\n1 0 d2 0\n")
    Path("r").write_text("1 d1 1\n1 d2 2\n")  # ranks, or grades
    assert "note: r: read as cranqrel" in cranfield("diff q q r -m RR").err
    found = cranfield("diff q q r -m RR --input-format qrels=trec")
    assert (found.code, "note: r: read as msmarco" in found.err) == (0, True), found


def test_agreement_takes_formats_of_qrels_only(folder: Path, cranfield: Cranfield) -> None:
    found = cranfield("agreement a.csv b.csv --resamples 0 --field grade=verdict --input-format csv --fail-on-note")
    assert (found.code, found.err) == (0, "")
    assert cranfield("agreement a.csv b.csv --resamples 0 --input-format msmarco").code == 2
    assert cranfield("agreement a.csv b.csv --resamples 0 --field run.docno=x").code == 2


@pytest.mark.needs("tasks")
def test_submit_names_the_format_of_earlier_judgments(folder: Path, cranfield: Cranfield) -> None:
    Path("run").write_text("1 Q0 d9 1 2.0 r\n2 Q0 d8 1 1.0 r\n")
    Path("topics").write_text("1\toil\n2\twax\n")
    command = "submit run --check topics --judged a.csv --field grade=verdict"
    assert "a.csv: read as csv (columns: qid, docno, verdict as grade)" in cranfield(command).err
    assert "a.csv" not in cranfield(f"{command} --input-format csv").err
