"""What run files say of themselves: ir_metadata headers are kept in a store, and written."""

import gzip
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.formats import read_metadata, read_runs, write_run
from cranfield.formats.runs.files import START
from cranfield.metrics.inputs import as_runs
from cranfield.store import import_runs
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from tests.conftest import Cranfield
from tests.stores import new_store

LINES = "1 Q0 d1 1 2.0 a\n1 Q0 d2 2 1.0 a\n"
HEADER = """# ir_metadata.start
# schema version: 0.2
# actor:
#   name: Ada
#   team: delta
#   date: 2024-05-01
#
# method:
#   description: BM25, then a
#     reranker
#   automatic: true
# ir_metadata.end
"""
SAID = {
    "schema version": 0.2,
    "actor": {"name": "Ada", "team": "delta", "date": "2024-05-01"},
    "method": {"description": "BM25, then a reranker", "automatic": True},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run with a header and one without, in the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.run").write_text(HEADER + LINES)
    (tmp_path / "b.run").write_text(LINES.replace(" a\n", " b\n"))
    return tmp_path


def test_a_header_is_read_and_the_run_is_the_same(folder: Path) -> None:
    """Whatever comments stand before it; without one there is nothing."""
    assert read_metadata("a.run") == SAID
    (folder / "c.run").write_text("# made by hand\n\n" + HEADER + "# and more\n" + LINES)
    assert read_metadata("c.run") == read_metadata("a.run")
    assert len(read_runs("c.run")) == 2
    assert read_metadata("b.run") == {}


WRONG = {
    "no end": (
        HEADER.replace("# ir_metadata.end\n", ""),
        "1: the header that starts with ir_metadata.start has no end; expected",
    ),
    "no YAML": (HEADER.replace("delta", "[delta"), "6: not YAML: "),
    "a list": ("# ir_metadata.start\n# - a\n# ir_metadata.end\n", "2: an ir_metadata header that is a list; expected"),
    "aliases": (
        "# ir_metadata.start\n# a: &x [1]\n# b: [*x, *x]\n# ir_metadata.end\n",
        "2: an ir_metadata header with",
    ),
    "too deep": (f"# ir_metadata.start\n# {'- ' * 5000}\n# ir_metadata.end\n", "2: an ir_metadata header nested"),
    "a time that is none": ("# ir_metadata.start\n# a: !!timestamp x\n# ir_metadata.end\n", "2: not YAML: a value "),
    "a bool that is none": ("# ir_metadata.start\n# a: !!bool x\n# ir_metadata.end\n", "2: not YAML: a value "),
    "no number at all": ("# ir_metadata.start\n# a: !!int ''\n# ir_metadata.end\n", "2: not YAML: a value "),
    "objects": ("# ir_metadata.start\n# a: !!python/object:os.system {}\n# ir_metadata.end\n", "2: not YAML: "),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_broken_header_is_refused_with_its_line(folder: Path, case: str) -> None:
    """In one line; the run itself can be read."""
    text, message = WRONG[case]
    (folder / "c.run").write_text(text + LINES)
    with pytest.raises(InputError) as error:
        read_metadata("c.run")
    assert str(error.value).startswith(f"c.run:{message}")
    assert "\n" not in str(error.value)
    assert len(read_runs("c.run")) == 2


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20) | st.sampled_from(["null", "1.0", "- a"])
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=5,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(texts, values, min_size=1, max_size=3))
@example({"": "\xa0", "actor": {"team": "delta\u3000"}})
def test_what_is_written_is_what_is_read(tmp_path: Path, metadata: dict[str, Any]) -> None:
    """Whatever JSON holds."""
    path, runs = tmp_path / "out.run", as_runs({"a": {"1": {"d1": 2.0}}})
    write_run(path, runs, "a", metadata=metadata)
    assert read_metadata(path) == metadata
    assert path.read_text(encoding="utf-8").splitlines()[0] == f"# {START}"
    assert read_runs(path).tags == ("a",)


def test_headers_are_kept_and_written(folder: Path, cranfield: Cranfield) -> None:
    """Team and description are the run's, the rest its metadata; a second store has all of it, too."""
    assert cranfield("init track.db --name a").code == 0
    outcome = cranfield("import runs track.db a.run b.run")
    assert (outcome.code, outcome.out) == (0, "2 runs, 4 retrieved documents\n")
    import_note = "note: the ir_metadata of 1 run is stored; `cranfield export runs --metadata` writes it\n"
    assert import_note in outcome.err
    with Store.open("track.db") as store:
        about = run_info(store)
    assert (about["a"].team, about["a"].description, about["a"].metadata) == ("delta", "BM25, then a reranker", SAID)
    assert (about["b"].team, about["b"].metadata) == ("b", {})
    export_note = "note: the files lack the metadata of 1 run; --metadata writes it\n"
    assert export_note in cranfield("export runs track.db plain").err
    assert Path("plain/a.run").read_text() == LINES
    assert export_note not in cranfield("export runs track.db out --metadata").err
    assert Path("out/b.run").read_text() == LINES.replace(" a\n", " b\n")
    cranfield.run("init again.db --name a", "import runs again.db out/a.run out/b.run")
    with Store.open("again.db") as store:
        again = run_info(store)
    assert [info._replace(file="", sha256="") for info in again.values()] == [
        info._replace(file="", sha256="") for info in about.values()
    ]


def test_a_teams_file_counts_and_a_broken_header_is_said(folder: Path, cranfield: Cranfield) -> None:
    """The run is imported all the same."""
    (folder / "b.run").write_text(HEADER.replace("delta", "[delta") + LINES.replace(" a\n", " b\n"))
    (folder / "teams.tsv").write_text("run\tteam\tdescription\na\talpha\t\nb\tbeta\town\n")
    cranfield("init track.db --name a")
    outcome = cranfield("import runs track.db a.run b.run --teams teams.tsv")
    assert outcome.code == 0
    assert "note: a.run: the header states team 'delta', but team 'alpha' from teams.tsv is used\n" in outcome.err
    assert "note: b.run:6: not YAML: " in outcome.err
    with Store.open("track.db") as store:
        about = run_info(store)
    assert (about["a"].team, about["a"].description) == ("alpha", "BM25, then a reranker")
    assert (about["b"].team, about["b"].description, about["b"].metadata) == ("beta", "own", {})
    cranfield("export runs track.db out --metadata")
    assert read_metadata("out/a.run")["actor"] == {"name": "Ada", "team": "alpha", "date": "2024-05-01"}
    assert read_metadata("out/b.run") == {"actor": {"team": "beta"}, "description": "own"}


def test_what_a_header_says_is_the_same_yaml_after_a_store(folder: Path, cranfield: Cranfield) -> None:
    """Fields that nobody knows, dates, lists, in their order; and the scores."""
    header = HEADER.replace("# ir_metadata.end", "# tag: a\n# colour of the ink: [blue, 3]\n# ir_metadata.end")
    (folder / "a.run").write_text(header + LINES)
    (folder / "qrels").write_text("1 0 d2 1\n")
    cranfield.run("init track.db --name a", "import runs track.db a.run", "export runs track.db out --metadata")
    before, after = (yaml.safe_load(header_of(Path(name))) for name in ("a.run", "out/a.run"))
    assert after == before
    assert list(after) == list(before)
    scores = [cranfield("evaluate", "qrels", name, "--format", "json").out for name in ("a.run", "out/a.run")]
    assert scores[0] == scores[1]


def test_what_stands_beside_a_run(folder: Path, cranfield: Cranfield) -> None:
    """It is taken as a header is; of a folder of runs it is none. A header in the run goes before it."""
    (folder / "runs").mkdir()
    (folder / "runs" / "a.run.gz").write_bytes(gzip.compress(LINES.encode()))
    (folder / "runs" / "a.ir_metadata.yaml").write_text("tag: a\nactor:\n  team: delta\n")
    header = "# ir_metadata.start\n# b: 1\n# ir_metadata.end\n"
    header = "# ir_metadata.start\n# b: 1\n# ir_metadata.end\n"
    (folder / "runs" / "b.run").write_text(header + LINES.replace(" a\n", " b\n"))
    (folder / "runs" / "b.ir_metadata.yaml").write_text("tag: other\n")
    cranfield("init track.db --name a")
    assert cranfield("import runs track.db runs").out == "2 runs, 4 retrieved documents\n"
    with Store.open("track.db") as store:
        about = run_info(store)
    assert (about["a"].team, about["a"].metadata) == ("delta", {"tag": "a", "actor": {"team": "delta"}})
    assert about["b"].metadata == {"b": 1}
    assert read_metadata("runs/a.run.gz") == about["a"].metadata


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tag: c\n", "c.ir_metadata.yaml: the header has tag 'c', and the lines have tag 'a'; correct one of them"),
        ("- a\n", "c.ir_metadata.yaml:1: ir_metadata that is a list; expected named fields"),
        ("a: [1\n", "c.ir_metadata.yaml:2: not YAML"),
    ],
)
def test_what_is_wrong_beside_a_run(folder: Path, cranfield: Cranfield, text: str, message: str) -> None:
    """Another tag is refused, as in a header; what cannot be read is said, and the run imported."""
    (folder / "c.run").write_text(LINES)
    (folder / "c.ir_metadata.yaml").write_text(text)
    cranfield("init track.db --name a")
    outcome = cranfield("import runs track.db c.run")
    assert (outcome.code, message in outcome.err) == (int("tag" in text), True), outcome


def header_of(path: Path) -> str:
    """The YAML of a header, as any other program would take it."""
    lines = path.read_text().splitlines()
    inside = lines[lines.index("# ir_metadata.start") + 1 : lines.index("# ir_metadata.end")]
    return "\n".join(line[2:] for line in inside)


def test_trec_eval_reads_what_is_written(folder: Path, cranfield: Cranfield) -> None:
    """From version 10; before, its first line is malformed, and without it the score is the same."""
    binary = shutil.which("trec_eval")
    if binary is None:
        pytest.skip("needs trec_eval on PATH")
    (folder / "qrels").write_text("1 0 d1 1\n")
    cranfield.run("init track.db --name a", "import runs track.db a.run", "export runs track.db out --metadata")
    skips = "version 9" not in subprocess.run([binary, "-v"], capture_output=True, text=True, check=False).stderr
    (folder / "plain.run").write_text(LINES)
    for name, reads in (("out/a.run", skips), ("plain.run", True)):
        outcome = subprocess.run([binary, "-m", "map", "qrels", name], capture_output=True, text=True, check=False)
        assert (outcome.stdout == "map                   \tall\t1.0000\n") == reads, outcome
        assert ("Malformed line 1" in outcome.stderr) != reads, outcome


def test_another_tag_in_the_header_is_refused(folder: Path, cranfield: Cranfield) -> None:
    """With its line; a run that was given another tag in a store has it in both places."""
    (folder / "c.run").write_text(HEADER.replace("# schema", "# tag: z\n# schema") + LINES)
    cranfield("init track.db --name a")
    outcome = cranfield("import runs track.db c.run")
    assert outcome.err == "error: c.run:2: the header has tag 'z', and the lines have tag 'a'; correct one of them\n"
    (folder / "c.run").write_text(HEADER.replace("# schema", "# tag: a\n# schema") + LINES)
    cranfield.run("import runs track.db c.run --tag z", "export runs track.db out --metadata")
    assert read_metadata("out/z.run") == {"tag": "z", **SAID}
    cranfield.run("init again.db --name a", "import runs again.db out/z.run")


@pytest.mark.filterwarnings("ignore:this store has no (corpus|topics)")
def test_python_keeps_headers(folder: Path) -> None:
    """Of files; a team that is given counts."""
    with new_store() as store:
        assert import_runs(store, ["a.run", "b.run"], teams={"a": "mine", "b": "theirs"}).rows()[0]["runs"] == 2
        about = run_info(store)
    assert (about["a"].team, about["a"].description, about["a"].metadata) == ("mine", "BM25, then a reranker", SAID)
    with new_store() as store:
        import_runs(store, "a.run")
        assert run_info(store)["a"].team == "delta"
