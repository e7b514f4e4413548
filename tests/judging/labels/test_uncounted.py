"""Labels of people that a recorded choice leaves out are named wherever a command gives numbers."""

from pathlib import Path

import pytest

import cranfield as package
from cranfield.errors import ProvenanceWarning
from tests.conftest import Cranfield
from tests.stores import new_store

RUNS = {"r": {"q": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}, "s": {"q": {"d3": 2.0, "d1": 1.0}}}
NOTE = (
    "2 labels by ada do not count, because `store labels` chose first; `cranfield store labels STORE --policy primary`"
    " counts them where first did not label"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store in which ada labelled two documents that `first` did not, and both labelled d1."""
    path = tmp_path / "t.db"
    labels = {"first": {"q": {"d1": 1}}, "ada": {"q": {"d1": 0, "d2": 1, "d3": 0}}}
    new_store(
        path, topics=["q"], documents=["d1", "d2", "d3", "d4"], runs=RUNS, qrels=labels, people=["first", "ada"]
    ).close()
    return path


def one_line(text: str) -> str:
    """The text without its line breaks."""
    return " ".join(text.split())


@pytest.mark.parametrize("words", ["evaluate {} -m P@3", "diagnose {} s", "export qrels {} -", "progress {}"])
def test_reads_by_a_recorded_assessor_name_the_labels_left_out(cranfield: Cranfield, path: Path, words: str) -> None:
    cranfield("store", "labels", path, "--assessor", "first")
    assert NOTE in one_line(cranfield(*words.format(path).split()).err)
    cranfield("store", "labels", path, "--policy", "primary")
    assert "do not count" not in one_line(cranfield(*words.format(path).split()).err)


def test_a_choice_of_the_command_is_not_noted(cranfield: Cranfield, path: Path) -> None:
    assert "not count" not in one_line(cranfield("evaluate", path, "-m", "P@3", "--assessor", "first").err)


def test_a_recorded_assessor_who_labelled_all_is_not_noted(cranfield: Cranfield, path: Path) -> None:
    cranfield("store", "labels", path, "--assessor", "ada")
    assert "not count" not in one_line(cranfield("evaluate", path, "-m", "P@3").err)


def test_python_warns(path: Path) -> None:
    package.judging.choose_labels(path, assessor="first")
    with pytest.warns(ProvenanceWarning, match="2 labels by ada do not count"):
        package.evaluate(path, measures="P@3")


def test_judge_warns_an_assessor_whose_labels_will_not_count(cranfield: Cranfield, path: Path) -> None:
    cranfield("store", "labels", path, "--assessor", "first")
    cranfield("pool", "build", path, "--depth", "3")
    warned = one_line(cranfield("judge", path, "--assessor", "ada", "--plain").err)
    assert "labels by ada will not count, because `store labels` chose first" in warned
    assert "will not count" not in cranfield("judge", path, "--assessor", "first", "--plain").err


def test_judge_names_the_pool_of_unlabelled_documents(cranfield: Cranfield, path: Path, tmp_path: Path) -> None:
    cranfield("pool", "build", path, "--depth", "3")
    (tmp_path / "late.run").write_text("q Q0 d4 1 2.0 late\nq Q0 d1 2 1.0 late\n")
    assert cranfield("import", "runs", path, tmp_path / "late.run").code == 0
    judge = ("judge", path, "--assessor", "eve", "--plain")
    assert "--pool" not in cranfield(*judge).err
    cranfield("store", "labels", path, "--policy", "primary")
    extended = cranfield("pool", "extend", path, "--run", "late", "--delta")
    assert extended.code == 0, extended.err
    assert "3 of the 4 documents in pool 3 have a label; --pool 2 shows only" in one_line(cranfield(*judge).err)
    assert "shows only" not in cranfield(*judge, "--pool", "2").err
