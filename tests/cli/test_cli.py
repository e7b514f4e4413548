"""The command line: help with examples, stable output, one line for each error, and a store left as it was."""

import csv
import gzip
import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import typer.main

from cranfield.cli.program import app
from cranfield.cli.tree import commands_by_first_word, load_command
from cranfield.formats import Document, read_corpus
from tests.conftest import ROOT, Cranfield, usually
from tests.readme import leaves
from tests.real import copied

QRELS = "q1 0 d1 2\nq1 0 d2 0\nq1 0 d3 1\nq2 0 d1 1\n"
RUN_A = "q1 Q0 d1 1 9 a\nq1 Q0 d2 2 8 a\nq2 Q0 d1 1 7 a\n"
RUN_B = "q1 Q0 d3 1 9 b\nq1 Q0 d1 2 8 b\n"
CORPUS = '{"docno": "d1", "text": "a wing"}\n{"docno": "d2", "text": "wings"}\n{"docno": "d3", "text": "a tail"}\n'
TOPICS = '{"qid": "q1", "title": "wing"}\n{"qid": "q2", "title": "tail"}\n'


COMMANDS = leaves(typer.main.get_command(app))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small collection as files, which is where commands run."""
    monkeypatch.chdir(tmp_path)
    write_collection()
    return tmp_path


def write_collection() -> None:
    for name, content in {"qrels": QRELS, "a": RUN_A, "b": RUN_B, "corpus": CORPUS, "topics": TOPICS}.items():
        Path(name).write_text(content)
    Path("teams.tsv").write_text("run\tteam\tkind\tpooled\tdepth\na\tx\tautomatic\tyes\t\nb\ty\tm\tyes\t1\n")


@pytest.fixture
def track(folder: Path, cranfield: Cranfield) -> Path:
    """The same collection in a store, without judgments."""
    return copied(_make, folder, cranfield) / "track.db"


def _make(cranfield: Cranfield) -> None:
    write_collection()
    cranfield.run("init track.db --name small --scale 0=no,1=yes,2=very", "import corpus track.db corpus",
                  "import topics track.db topics", "import runs track.db a b --teams teams.tsv")  # fmt: skip


def test_every_command_explains_itself() -> None:
    """Each command's help says what it does and shows an example of itself; each option says what it is for."""
    for words, command in COMMANDS:
        assert f"Example: cranfield {words}" in (command.help or "")
        silent = [option.name for option in command.params if not getattr(option, "help", None)]
        assert not silent, words


@pytest.mark.parametrize(("columns", "step"), [(80, 1), (200, usually(10, 1))])
def test_help_prints_what_it_says(
    monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield, columns: int, step: int
) -> None:
    """All of a command's text, and of each option's in a column of its own, brackets included; nothing is cut."""
    monkeypatch.setenv("COLUMNS", str(columns))
    for words, command in COMMANDS[::step]:
        output = cranfield(*words.split(), "--help", "all").out
        assert squeeze(command.help) in squeeze(output)
        assert "…" not in output
        lines = [line.rstrip("│ ") for line in output.splitlines()]
        cells = [column for row in range(len(lines)) for column in columns_of(lines[row:])]
        for option in command.params:
            assert any(column.startswith(squeeze(option.help)) for column in cells), (words, option.help)


def columns_of(lines: list[str]) -> Iterator[str]:
    """All that stands in each column of a table, from the first line on."""
    for start in (match.end() for match in re.finditer("  +(?=[^ ])", lines[0])):
        yield squeeze("".join(line[start:] for line in lines))


def squeeze(text: str) -> str:
    """A text as it was written, without white space; a backslash at the end of a line continues a long example."""
    return "".join(text.replace("\\[", "[").replace(" \\\n", "\n").split())


HEAVY = "pandas scipy pyarrow.compute sklearn textual matplotlib sqlite3 sqlite_utils bm25s rich pydantic"


@pytest.mark.parametrize(
    ("words", "heavy"),
    [
        ("--help", "numpy pandas scipy pyarrow sklearn textual matplotlib sqlite_utils bm25s"),
        ("evaluate qrels a", HEAVY),
    ],
)
def test_commands_are_light(folder: Path, words: str, heavy: str) -> None:
    """--help loads none of the heavy libraries; one run is scored without what only tables, plots and stores need."""
    code = "import sys; from cranfield.cli.program import app; app(sys.argv[2:], standalone_mode=False)"
    heavy_modules = "; print(sorted(set(sys.modules) & set(sys.argv[1].split())))"
    command = [sys.executable, "-c", code + heavy_modules, heavy, *words.split()]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    assert process.stdout.splitlines()[-1] == "[]"


def test_version(cranfield: Cranfield) -> None:
    """--version says the version of the package."""
    from cranfield import __version__

    assert cranfield("--version") == (0, f"cranfield {__version__}\n", "")


def test_evaluate_files(folder: Path, cranfield: Cranfield) -> None:
    """The best run stands first; AP of b is 1 on q1 and 0 on q2, which it left out, and that is said."""
    result = cranfield("evaluate qrels a b -m AP -m P@1")
    assert result.code == 0
    assert [line.split() for line in result.out.splitlines()] == [
        ["run", "AP", "P@1", "Judged@10", "Judged@1"],
        ["a", "0.7500", "1.0000", "1.0000", "1.0000"],
        ["b", "0.5000", "0.5000", "1.0000", "1.0000"],
        ["its", "1", "topic", "1.0000", "1.0000", "1.0000", "1.0000"],
    ]
    assert result.err == (
        "note: 1 of 2 runs did not answer all 2 judged topics and scores 0 there: b 1;"
        " --topics common uses only the 1 topic that all runs answered\n"
    )


@pytest.mark.parametrize(
    "command",
    [
        "evaluate qrels {} -m AP", "compare qrels {} -m AP --format csv", "reusability qrels {} --format csv",
        "depths qrels {} --format csv", "stability qrels {} --format csv", "curve qrels {} --format csv",
        "pool simulate qrels {} --method depth --budgets 1 --format csv", "fuse {} -o fused.run",
        "diagnose qrels {} new --format json",
        pytest.param("report qrels {} page.md", marks=pytest.mark.needs_extra("report")),
    ],
)  # fmt: skip
def test_a_folder_of_runs_stands_for_its_files(folder: Path, cranfield: Cranfield, command: str) -> None:
    """By name, without the hidden ones; an empty one is an error."""
    (folder / "runs").mkdir()
    (folder / "runs" / ".hidden").write_text("no run")
    (folder / "new").write_text(RUN_A.replace(" a\n", " new\n"))
    for name in "ab":
        (folder / "runs" / name).write_text((folder / name).read_text())
    by_file, by_folder = (cranfield(*command.format(runs).split()) for runs in ("runs/a runs/b", "runs"))
    assert (by_folder, by_folder.code) == (by_file, 0)
    (folder / "none").mkdir()
    message = "error: none: a folder without files; expected at least one file\n"
    assert cranfield(*command.format("none").split()) == (1, "", message)


def test_evaluate_json_has_the_stable_shape(folder: Path, cranfield: Cranfield) -> None:
    """The JSON names are those that others build on."""
    result = cranfield("evaluate qrels b -m AP --format json")
    partial = {"topics": 1, "own": 1.0}  # of a run that left topics out
    assert json.loads(result.out) == {
        "topics": 2,
        "scores": [{"run": "b", "measure": "AP", "value": 0.5, "judged": 1.0, **partial}],
    }
    result = cranfield("evaluate qrels b -m AP --format json --per-topic")
    assert json.loads(result.out)["scores"] == [
        {"run": "b", "query_id": "q1", "measure": "AP", "value": 1.0, "judged": 1.0},
        {"run": "b", "query_id": "q2", "measure": "AP", "value": 0.0, "judged": None},
        {"run": "b", "query_id": "all", "measure": "AP", "value": 0.5, "judged": 1.0, **partial},
    ]


@pytest.mark.parametrize(
    ("form", "table"),
    [
        ("csv", "run,AP,Judged@10\na,0.75,1.0\n"),
        ("tsv", "run\tAP\tJudged@10\na\t0.75\t1.0\n"),
        ("markdown", "| run | AP | Judged@10 |\n| --- | --- | --- |\n| a | 0.7500 | 1.0000 |\n"),
        (
            "latex",
            "{tabular}{lrr}\n\\toprule\nrun & AP & Judged@10 \\\\\n\\midrule\n"
            "a & 0.7500 & 1.0000 \\\\\n\\bottomrule\n\\end{tabular}\n",
        ),
    ],
)
def test_every_format(folder: Path, cranfield: Cranfield, form: str, table: str) -> None:
    """Each output format, on standard output and in a file."""
    table = "\\begin" + table if form == "latex" else table
    assert cranfield("evaluate", "qrels", "a", "-m", "AP", "--format", form).out == table
    assert cranfield("evaluate", "qrels", "a", "-m", "AP", "--format", form, "-o", "out").out == ""
    assert Path("out").read_text() == table


def test_an_undefined_value_is_a_dash_and_null(folder: Path, cranfield: Cranfield) -> None:
    """Judged@10 of a run that retrieved nothing for any topic is undefined, which is not 0."""
    (folder / "c").write_text("q9 Q0 d1 1 1 c\n")
    lines = cranfield("evaluate qrels a c -m Judged@10").out.splitlines()
    assert [line.split() for line in lines[-2:]] == [["c", "-"], ["its", "0", "topics", "-"]]
    result = cranfield("evaluate qrels a c -m Judged@10 --format json")
    assert json.loads(result.out)["scores"][1]["value"] is None


def test_store_and_files_agree(track: Path, cranfield: Cranfield) -> None:
    """Every analysis gives the same on a store as on the files it came from."""
    assert cranfield("import qrels track.db qrels --assessor nist").out == "4 judgments by nist\n"
    for command in (["evaluate"], ["evaluate", "--per-topic"], ["curve"]):
        assert cranfield(*command, "track.db") == cranfield(*command, "qrels", "a", "b")
    document, of_files = (
        json.loads(cranfield(f"evaluate {paths} --format json").out) for paths in ("track.db", "qrels a b")
    )
    assert document.pop("labelled_by")["assessors"] == ["nist"]
    assert "labelled_by" not in of_files or of_files.pop("labelled_by") is None
    assert document == of_files
    of_nist, of_all = cranfield("curve track.db --assessor nist"), cranfield("curve track.db")
    assert (of_nist.out, of_nist.err) == (f"{of_all.out}4 labels by nist\n", f"note: 4 labels by nist\n{of_all.err}")
    files = cranfield("reusability qrels a b --teams teams.tsv --by team --depth 2")
    assert cranfield("reusability track.db --by team --depth 2").out == files.out
    assert cranfield("pool verify track.db --depth 2") == cranfield("pool verify qrels a b --depth 2")


def test_a_stores_scale_says_what_is_relevant(folder: Path, cranfield: Cranfield) -> None:
    """With min_relevant 2 the measures count grade 2, and their names say so."""
    cranfield.run(
        "init t.db --name x --scale 0=no,1=hardly,2=yes --min-relevant 2",
        "import runs t.db b",
        "import qrels t.db qrels",
    )
    result = cranfield("evaluate t.db -m P@1 -m P(rel=1)@1 --format csv")
    assert result.out == "run,P(rel=2)@1,P@1,Judged@1\nb,0.0,0.5,1.0\n"


@pytest.mark.parametrize("form", ["table", "csv", "tsv", "markdown", "latex"])
def test_a_loss_has_its_sign_in_every_format(folder: Path, cranfield: Cranfield, form: str) -> None:
    """Without b's d3 its own P@1 falls to 0; that of a stays."""
    output = cranfield("reusability", "qrels", "a", "b", "--depth", "1", "-m", "P@1", "--format", form).out
    assert ("$-$100.0" if form == "latex" else "-100.0") in output


@pytest.mark.parametrize(("form", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_tables_of_reusability_say_that_nothing_was_tested(
    folder: Path, cranfield: Cranfield, form: str, delimiter: str
) -> None:
    """In a column, which is there and empty where it was tested."""
    words = ["reusability", "qrels", "a", "b", "-m", "P@1", "--format", form]

    def reasons() -> set[str]:
        rows = csv.DictReader(cranfield.out(*words, "--depth", "1").splitlines(), delimiter=delimiter)
        return {row["not tested"] for row in rows}

    reason = json.loads(cranfield.out(*words[:-1], "json", "--depth", "1"))["no_verdict"]
    assert reasons() == {reason}
    (folder / "b").write_text((folder / "b").read_text() + "q2 Q0 d1 1 9 b\n")
    assert reasons() == {""}


def test_reusability_json_has_the_stable_shape(folder: Path, cranfield: Cranfield) -> None:
    """The JSON of leave-one-out, to the last name; b alone brought d3."""
    (folder / "b").write_text(f"{RUN_B}q2 Q0 d1 1 9 b\n")
    assert json.loads(cranfield("reusability qrels a b --depth 1 -m P@1 --format json").out)["by"] == "cluster"
    document = json.loads(cranfield("reusability qrels a b --depth 1 -m P@1 --by run --format json").out)
    assert (document["worst_measure"], document["kinds"]) == ("P@1", None)
    assert {key: document[key] for key in ("by", "depth", "topics", "pool")} == {
        "by": "run",
        "depth": 1,
        "topics": 2,
        "pool": {"documents": 3, "judged": 3, "unjudged": 0, "judged_outside": 1, "relevant": 3, "unexplained": 1,
                 "relevant_unexplained": 0, "to_come": 0},
    }  # fmt: skip
    assert document["units"][1]["unit"] == "b"
    assert document["units"][1]["scores"] == [
        {
            "run": "b", "measure": "P@1", "full": 1.0, "reduced": 0.5, "full_rank": 1, "reduced_rank": 2,
            "rank_alone": 2, "reduced_low": None, "reduced_high": None, "change_percent": -50.0,
        }
    ]  # fmt: skip
    assert set(document["summary"]["P@1"]) == {
        "mean_change_percent",
        "max_change_percent",
        "max_rank_drop",
        "tau_min",
        "tau_mean",
        "missed",
        "mean_change_low",
        "mean_change_high",
    }


def test_protected_judgments_are_unique_to_nobody(folder: Path, cranfield: Cranfield) -> None:
    """A document judged for another reason stays judged when its run is left out."""
    (folder / "qrels").write_text(QRELS.replace("q1 0 d3", "q1 sweep d3"))
    result = cranfield("reusability qrels a b --depth 1 --protect sweep --format json")
    assert [unit["unique"] for unit in json.loads(result.out)["units"]] == [2, 0]
    assert (
        cranfield.error("reusability qrels a b --protect nothing")
        == "qrels: 'nothing' does not occur in the second column of the qrels"
    )


def test_pool_build_and_show(track: Path, cranfield: Cranfield) -> None:
    """b is pooled to its own depth 1; the table counts by topic."""
    assert cranfield("pool build track.db --depth 2").out == ("pool 1: 4 documents for 2 topics from 2 runs, depth 2\n")
    assert cranfield("pool show track.db --format csv").out == (
        "topic,documents,from one run,judged\nq1,3,3,0\nq2,1,1,0\nall,4,4,0\n"
    )
    assert cranfield("export pool track.db pool.tsv").code == 0
    assert Path("pool.tsv").read_text().splitlines()[1] == "q1\td1\t1\ta"


@pytest.mark.full
def test_exports_come_back(track: Path, cranfield: Cranfield) -> None:
    """What a store writes builds the same store again."""
    cranfield("import qrels track.db qrels")
    for command in ("qrels track.db q.out", "runs track.db runs", "corpus track.db c.jsonl", "topics track.db t.jsonl"):
        cranfield.out(f"export {command}")
    cranfield.out("init again.db --name again --scale 0=no,1=yes,2=very")
    for command in ("corpus again.db c.jsonl", "topics again.db t.jsonl", "qrels again.db q.out"):
        cranfield.out(f"import {command}")
    assert cranfield("import runs again.db runs/a.run runs/b.run").code == 0
    assert cranfield("evaluate again.db") == cranfield("evaluate track.db")
    assert cranfield("export judgments again.db log.jsonl").out == "4 events\n"
    assert cranfield("export beir again.db beir").code == 0
    assert json.loads(Path("log.jsonl").read_text().splitlines()[0])["kind"] == "import"


BAD_FILES = {
    "a missing column": ("runs", b"q1 Q0 d1 1 9\n", "bad:1: "),
    "text for a score": ("runs", b"q1 Q0 d1 1 9 x\nq1 Q0 d2 2 high x\n", "bad:2: "),
    "a duplicate document": ("runs", b"q1 Q0 d1 1 9 x\nq1 Q0 d2 2 8 x\nq1 Q0 d1 3 7 x\n", "bad:3: "),
    "an unknown topic in a run": ("runs", b"q7 Q0 d1 1 9 x\n", "bad:1: topic 'q7'"),
    "an unknown topic in qrels": ("qrels", b"q7 0 d1 1\n", "bad:1: topic 'q7'"),
    "text for a grade": ("qrels", b"q1 0 d1 good\n", "bad:1: "),
    "a grade off the scale": ("qrels", b"q1 0 d1 3\n", "bad:1: grade 3"),
    "a pair judged twice": ("qrels", b"q1 0 d1 1\nq1 0 d1 0\n", "bad:2: "),
    "a truncated gzip": ("runs", gzip.compress(RUN_A.encode() * 50)[:60], "bad"),
    "a binary file": ("runs", bytes(range(256)) * 20, "bad"),
    "an empty run": ("runs", b"", "bad: "),
    "empty qrels": ("qrels", b"", "bad: "),
    "an empty corpus": ("corpus", b"", "bad:1: an empty file"),
    "empty topics": ("topics", b"", "bad: "),
    "a corpus that is cut": ("corpus", b'{"docno": "x1", "text": "ok"}\n{"docno": "x2", "te', "bad:2: "),
    "a document twice": ("corpus", b'{"docno": "x1", "text": "a"}\n{"docno": "x1", "text": "b"}\n', "bad"),
    "a document that is there": ("corpus", b'{"docno": "x1", "text": "a"}\n{"docno": "d1", "text": "b"}\n', "bad"),
    "a topic that is there": ("topics", b'{"qid": "q1", "title": "x"}\n', "bad: topic 1: qid 'q1' is in"),
}


@pytest.mark.parametrize(("kind", "content", "start"), BAD_FILES.values(), ids=list(BAD_FILES))
def test_bad_input_is_one_line_and_changes_nothing(
    track: Path, cranfield: Cranfield, kind: str, content: bytes, start: str
) -> None:
    """One line that begins with file and line, exit code 1, and the store as it was."""
    before = cranfield("info track.db")
    Path("bad").write_bytes(content)
    assert cranfield.error("import", kind, "track.db", "bad").startswith(start)
    assert cranfield("info track.db") == before


@pytest.mark.parametrize("content", [b"", b"not a store", b"SQLite format 3\0" + bytes(500)])
@pytest.mark.parametrize(
    "command",
    [
        "info", "pool show", "judge --assessor me", "export runs",
        pytest.param("search", marks=pytest.mark.needs_extra("search")),
    ],
)  # fmt: skip
def test_a_store_that_is_none(folder: Path, cranfield: Cranfield, command: str, content: bytes) -> None:
    """Every command that wants a store says in one line that this is none."""
    Path("x.db").write_bytes(content)
    words, arguments = command.split()[:2], ["out"] if command == "export runs" else command.split()[1:]
    words = [word for word in words if not word.startswith("-")]
    options = [argument for argument in arguments if argument not in words]
    assert cranfield.error(*words, "x.db", *options).startswith("x.db: ")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("evaluate qrels", "qrels: a qrels file without runs; add the run files after it, or pass a store"),
        ("evaluate nowhere a", "nowhere: no such file"),
        ("evaluate qrels a -m nDGC@10", "unknown measure 'nDGC@10'; did you mean nDCG, "),
        ("info nowhere.db", "nowhere.db: no such store; create one with `cranfield init`"),
        ("info .", ".: a folder, not a file"),
        ("reusability qrels a b --teams qrels", "qrels:1: the header is "),
        (
            "collection build nothing . out.db",
            "unknown recipe 'nothing'; available: adi, cacm, cisi, cranfield1400, lisa, med, npl, time, workshop",
        ),
        ("collection build cisi . out.db", ".: CISI.ALL is missing; a compressed file is also accepted"),
        ("init qrels --name x", "qrels: already exists; a new store needs a new file"),
        (
            "init new.db --name x --scale 0:n",
            "--scale: '0:n'; expected a list such as 0=not relevant,1=relevant",
        ),
    ],
)
def test_what_is_said_of_wrong_data(folder: Path, cranfield: Cranfield, command: str, message: str) -> None:
    """One line that names what was found and what would be right; no file is left behind."""
    assert cranfield.error(command).startswith(message)
    assert not Path("out.db").exists()
    assert not Path("new.db").exists()


def test_no_judgments_and_no_runs_are_said(track: Path, cranfield: Cranfield) -> None:
    """A store that cannot be evaluated yet says what is missing."""
    assert cranfield("evaluate track.db").err == "error: track.db: there are no judgments in this store yet\n"
    cranfield("init empty.db --name x")
    assert cranfield("evaluate empty.db").err.startswith("error: empty.db: there are no runs in this store;")
    assert cranfield("pool build empty.db").err.startswith("error: empty.db: no run in this store contributes")


def test_a_closed_pipe_is_quiet(folder: Path) -> None:
    """`cranfield ... | head -1` ends without a traceback."""
    command = f"{sys.executable} -m cranfield measures | head -1"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.run(command, shell=True, capture_output=True, text=True, check=True, env=environment)
    assert process.stdout.startswith("measure")
    assert "Traceback" not in process.stderr


@pytest.mark.needs_extra("plot")
@pytest.mark.parametrize(
    ("command", "suffix"),
    usually(
        [("curve", "png"), ("evaluate", "svg")],
        [*product(("curve", "evaluate", "compare"), ("png", "svg"))],
    ),
)
def test_plots_are_files(folder: Path, cranfield: Cranfield, command: str, suffix: str) -> None:
    """--plot draws beside the table, which stays the same."""
    plain = cranfield(command, "qrels", "a", "b")
    with_plot = cranfield(command, "qrels", "a", "b", "--plot", f"out.{suffix}")
    assert with_plot == plain
    start = {"png": b"\x89PNG", "svg": b"<?xml"}[suffix]
    assert Path(f"out.{suffix}").read_bytes().startswith(start)


def test_fractional_and_odd_grades_have_their_options(folder: Path, cranfield: Cranfield) -> None:
    """Refused with file and line; --times makes fractions whole, --off-scale sets labels aside, and both are said."""
    store, qrels = folder / "graded.db", folder / "graded.txt"
    assert cranfield("init", store, "--name", "a", "--scale", "0=no,5=half,10=all").code == 0
    qrels.write_text("q1 0 d1 1.0\nq1 0 d2 0.5\nq1 0 d3 0.7\n")
    assert cranfield.error("import", "qrels", store, qrels).startswith(
        f"{qrels}:2: grade '0.5' is not a whole number; stores and trec-eval need whole grades;"
        " `cranfield import qrels --times 10` imports it as 5"
    )
    refusal = cranfield("import", "qrels", store, qrels, "--times", 10)
    assert refusal.err.startswith(f"error: {qrels}:3: grade 7 is not on the scale 0, 5, 10: map it with --grades")
    output = cranfield("import", "qrels", store, qrels, "--times", 10, "--off-scale", "cannot-judge")
    assert (output.code, output.out) == (0, "3 judgments by import\n")
    aside = "1 of 3 grades is outside the scale; these documents are stored as cannot-judge"
    assert f"note: {qrels}: {aside}\n" in output.err
    assert cranfield("export", "qrels", store, folder / "out.txt").code == 0
    assert (folder / "out.txt").read_text() == "q1 0 d1 10\nq1 0 d2 5\n"


@pytest.mark.full
def test_what_only_reads_a_store_opens_it_once(
    track: Path, cranfield: Cranfield, connections: list[sqlite3.Connection]
) -> None:
    """However many parts of the analysis ask it."""
    assert cranfield("import", "qrels", track, "qrels").code == 0
    for words in ("evaluate", "compare", "curve", "reusability", "depths", "stability", "pool verify", "pool forecast"):
        before = len(connections)
        assert cranfield(*words.split(), track).code == 0, words
        assert len(connections) == before + 1, (words, len(connections) - before)
    before = len(connections)
    assert cranfield("diagnose", track, "b").code == cranfield("report", track, "card.md").code == 0
    assert len(connections) == before + 2


SOURCE_COMMANDS = [
    pytest.param(name.split(), marks=pytest.mark.needs_extra("report") if name == "report" else ())
    for name, command in leaves(typer.main.get_command(app))
    if any(parameter.metavar in ("SOURCE...", "A [B...]") for parameter in command.params)
]


@pytest.mark.parametrize("words", SOURCE_COMMANDS, ids=" ".join)
def test_a_source_that_is_not_there_is_said_to_be_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cranfield: Cranfield, words: list[str]
) -> None:
    """Not that it is no store, nor that a qrels file must be followed by run files."""
    monkeypatch.chdir(tmp_path)
    further = ["out.html"] if words == ["report"] else ["new.run"] if words == ["diagnose"] else []
    assert cranfield.error(*words, "nofile.db", *further) == "nofile.db: no such file; `cranfield init` creates a store"


@pytest.mark.parametrize("form", ["tsv", "csv", "smart", "trec"])
def test_metadata_that_a_format_cannot_carry_is_dropped_on_demand(
    folder: Path, cranfield: Cranfield, form: str
) -> None:
    """Refused with the way out; what is dropped is said, and the rest is there."""
    store, out = folder / "meta.db", folder / "out"
    (folder / "meta.jsonl").write_text(
        '{"_id": "1", "title": "a", "text": "b", "year": 1958, "by": "x"}\n{"_id": "2", "text": "c"}\n'
    )
    cranfield("init", store, "--name", "a")
    cranfield("import", "corpus", store, folder / "meta.jsonl")
    refusal = cranfield("export", "corpus", store, out, "--format", form)
    assert (refusal.code, out.exists()) == (1, False)
    assert refusal.err.endswith("; write JSONL, or omit it with --drop metadata\n")
    output = cranfield("export", "corpus", store, out, "--format", form, "--drop", "metadata")
    assert (output.code, output.err) == (0, "note: dropped: metadata of 1 document (year, by)\n")
    assert list(read_corpus(out, format=form)) == [Document("1", "a", "b"), Document("2", text="c")]


def test_parts_of_topics_are_dropped_on_demand(folder: Path, cranfield: Cranfield) -> None:
    """A narrative has no place in TSV."""
    store, out = folder / "meta.db", folder / "out.tsv"
    (folder / "meta.jsonl").write_text('{"qid": "1", "title": "a", "narrative": "b"}\n')
    cranfield("init", store, "--name", "a")
    cranfield("import", "topics", store, folder / "meta.jsonl")
    refusal = cranfield("export", "topics", store, out, "--format", "tsv")
    assert refusal.err.endswith("cannot store; write JSONL, or omit it with --drop narrative\n")
    output = cranfield("export", "topics", store, out, "--format", "tsv", "--drop", "narrative")
    assert (output.code, output.err) == (0, "note: dropped: narrative of 1 topic\n")
    assert out.read_text() == "1\ta\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("nonsense", "No such command 'nonsense'."),
        ("evaluate", "Missing argument 'SOURCE...'. For example: cranfield evaluate qrels.txt"),
        ("report track.db", "Missing argument 'OUT.html'. For example: cranfield report track.db report.html"),
        ("judge track.db", "Missing option '--assessor'. For example: cranfield judge track.db --assessor ada"),
        ("pool build track.db --depth ten", "Invalid value for '--depth': expected a whole number, such as 10"),
        ("pool build track.db --depth 0", "Invalid value for '--depth': expected at least 1"),
        (
            "evaluate q.txt r.txt --format xls",
            "'xls' is not one of 'table', 'json', 'csv', 'tsv', 'markdown', 'latex'.",
        ),
        pytest.param(
            "model assess track.db", "before the file: run, export, import.", marks=pytest.mark.needs("models")
        ),
        ("import track.db runs", "before the file: corpus, topics, collection, runs"),
        ("search track.db --system bm25 --tag=", "Invalid value for --tag: ''; expected one word"),
        ("fuse track.db --tag=", "Invalid value for --tag: ''; expected one word"),
    ],
)
def test_wrong_usage_says_what_is_right(cranfield: Cranfield, words: str, message: str) -> None:
    """What was typed wrong is told apart from what the data has wrong, and the remedy ends the message, once."""
    output = cranfield(words)
    assert output.code == 2
    assert " ".join(output.err.split()).count(message) == 1


def read(option: Any, value: object) -> object:
    """What a parameter makes of a value, or that it refuses it."""
    try:
        return option.process_value(None, value)
    except typer.BadParameter:
        return "refused"


def typers(option: Any, value: object) -> object:
    """What typer's parameter makes of it."""
    try:
        return type(option).process_value(option, None, value)
    except typer.BadParameter:
        return "refused"


@pytest.mark.full
def test_values_are_those_of_typer(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read without pydantic is what typer reads with it, for every type of option that commands have."""
    words = ["", "a", "7", "-3", "0.25", "1e3", "a/b", "run", "yes", "json", None]
    options = {
        (str(option.type_descriptor), option.multiple, option.nargs): option
        for place in (place for top in commands_by_first_word().values() for place in top.places if place.module)
        for option in load_command(place).get_params(typer.Context(typer.main.get_command(app)))
        if "process_value" in vars(option)
    }
    for option in options.values():
        monkeypatch.setattr(option, "required", False)
        monkeypatch.setattr(option, "callback", None)
        many, flag = option.multiple or option.nargs != 1, option.type_descriptor.annotation is bool
        times = max(option.nargs, 1)
        typed = [[word] * times if many and word is not None else word for word in words]
        for value in [False, True] if flag else typed:
            assert read(option, value) == typers(option, value), (option.name, value)


def test_an_empty_word_is_refused(cranfield: Cranfield) -> None:
    """As a path it would be the current folder, as a set of topics every topic."""
    for words in (["import", "corpus", "track.db", ""], ["evaluate", "q", "a", "--topics", ""]):
        result = cranfield(*words)
        assert (result.code, result.out) == (2, "")
        assert "'' is an empty argument" in result.err
