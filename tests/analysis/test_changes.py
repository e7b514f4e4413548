"""What changed between two releases: every topic, document, run and label by name, as it happened."""

import json
from pathlib import Path

import pytest

import cranfield as package
from cranfield.features.publishing.folder import CONTENTS
from cranfield.metrics.inputs import as_runs
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.releases import make_release
from cranfield.store.runs import extend_runs
from cranfield.store.store import Store
from cranfield.store.withdrawals import restore, withdraw
from tests.conftest import Cranfield
from tests.real import copied
from tests.stores import filled, new_store

RUNS = {"a": {"1": {"d1": 2.0, "d2": 1.0}}, "b": {"1": {"d2": 2.0, "d3": 1.0}}}


@pytest.fixture
def track(tmp_path: Path, cranfield: Cranfield) -> Path:
    """Two releases, between which everything happens that may."""
    return copied(_fill, tmp_path, cranfield) / "track.db"


def _fill(cranfield: Cranfield) -> None:
    path = Path("track.db")
    with new_store(
        path,
        grades={0: "no", 1: "some", 2: "yes"},
        documents={"d1": "one", "d2": "two"},
        topics={"1": "first"},
        runs=RUNS,
        qrels={"ada": {"1": {"d1": 2, "d2": 0, "d3": 1}}},
    ) as store:
        withdraw(store, "run", ["b"], "was wrong")
        make_release(store, "1.0")
        restore(store, "run", ["b"])
    cranfield("round", "close", path, "1")
    Path("renamed.tsv").write_text("d1\te1\n")
    cranfield("round", "start", path, "2", "--renamed", "renamed.tsv")
    with Store.open(path) as store:
        filled(store, documents={"d4": "four"}, topics={"2": "second"}, runs={"c": {"2": {"d4": 1.0}}})
        append(store, Event("label", "1", "d2", "ada", 1), Event("label", "2", "d4", "ada", 1))
        [[label]] = store.rows("SELECT id FROM current_judgment WHERE docno = 'd3'")
        append(store, Event("retract", "1", "d3", "ada", supersedes=label))
        withdraw(store, "document", ["d4"], "a copy")
        restore(store, "document", ["d4"])
        withdraw(store, "topic", ["2"], "too easy")
        make_release(store, "2.0")


@pytest.mark.full
def test_all_that_happened_is_listed(track: Path, cranfield: Cranfield) -> None:
    document = json.loads(cranfield("diff", track, "1.0", "release:2.0", "--contents", "--format", "json").out)
    names = {(one["what"], one["change"], one["name"], one["detail"]) for one in document["changes"]}
    assert names == {
        ("topic", "new", "2", ""),
        ("topic", "withdrawn", "2", "too easy"),
        ("document", "new", "d4", ""),
        ("document", "renamed", "d1", "now e1"),
        ("run", "new", "c", ""),
        ("run", "restored", "b", ""),
        ("label", "changed", "1 d2", "0, now 1"),
        ("label", "gone", "1 d3", "1"),
    }
    assert {
        *map(tuple, package.judging.compare_judgments(track, "1.0", "2.0", contents=True).frame.to_numpy().tolist())
    } == names
    table = cranfield("diff", track, "1.0", "2.0", "--contents").out
    assert table.startswith("from 1.0 to 2.0: 8 changes\n")
    assert "scores of the runs that are in both releases, on 1 shared topic" in table


def test_scores_are_of_the_same_runs(track: Path, cranfield: Cranfield) -> None:
    """Under the labels of either, which have the present names of documents."""
    words = ("diff", track, "1.0", "2.0", "--contents", "-m", "nDCG@10", "--format", "json")
    [row] = json.loads(cranfield(*words).out)["scores"]
    runs = {"a": {"1": {"e1": 2.0, "d2": 1.0}}}
    before, after = {"1": {"e1": 2, "d2": 0, "d3": 1}}, {"1": {"e1": 2, "d2": 1}}
    values = [package.evaluate(qrels, runs, measures="nDCG@10").frame["value"][0] for qrels in (before, after)]
    assert row["run"] == "a"
    assert [row["a"], row["b"]] == pytest.approx(values)


def test_since_a_release_and_nothing(track: Path, cranfield: Cranfield) -> None:
    assert cranfield("diff", track, "2.0", "--contents").out.startswith("from 2.0 to now: no change\n")
    with Store.open(track) as store:
        extend_runs(store, as_runs({"later": {"1": {"d1": 1.0}}}))
    assert "run   new          1  later" in cranfield("diff", track, "2.0", "--contents").out


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["1.1"], "no release '1.1' in this store; did you mean 1.0?"),
        (["policy:primary"], "--contents compares releases; policy:primary is not a release"),
        (["1.0", "2.0", "1.0"], "--contents compares two releases, or one release with the current store"),
    ],
)
def test_bad_input(track: Path, cranfield: Cranfield, names: list[str], message: str) -> None:
    output = cranfield("diff", track, *names, "--contents")
    assert (output.code, output.out, output.err.count("\n")) == (1, "", 1)
    assert message in output.err


@pytest.mark.needs_extra("arrow")
def test_a_published_folder_says_it(
    track: Path, tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CHANGES.md is of the release that is published; the folder passes its check; without runs none is named."""
    monkeypatch.setattr("cranfield.features.publishing.folder.CHECKS", CONTENTS)
    folder = tmp_path / "folder"
    assert cranfield("publish", "build", f"{track}@2.0", folder, "--draft", "--since", "1.0").code == 0
    text = (folder / "CHANGES.md").read_text()
    for line in ("# Changes since 1.0", "## 1 document renamed", "- d1: now e1", "- 1 d2: 0, now 1", "## 1 run new"):
        assert line in text.splitlines(), line
    assert cranfield("publish", "check", folder).code == 0
    cranfield("publish", "build", track, tmp_path / "bare", "--draft", "--since", "1.0", "--runs", "no")
    assert " run " not in (tmp_path / "bare" / "CHANGES.md").read_text()
    assert cranfield("publish", "build", track, tmp_path / "x", "--since", "1.0", "--topics", "dev").code == 2
