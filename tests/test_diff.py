"""The command diff: labels that changed, and what that did to the systems."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cranfield.errors import InputError
from cranfield.holdings import add_runs
from cranfield.judging.diff import Side, label_changes, side, system_changes
from cranfield.log import Event, add_assessor, append
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.measure import parse_all
from tests.conftest import Cranfield
from tests.judging_cases import session_of, store_of

RUNS = {
    "x": {"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "q2": {"d4": 1.0}},
    "y": {"q1": {"d2": 3.0, "d1": 2.0}, "q2": {"d4": 1.0}},
}
A = {"q1": {"d1": 1, "d2": 0, "d3": 1}, "q2": {"d4": 2}}
B = {"q1": {"d1": 0, "d2": 1}, "q2": {"d4": 2}, "q3": {"d1": 1}}


@pytest.fixture
def track(tmp_path: Path) -> Path:
    """Ada and Bob disagree on q1; there are two runs."""
    path = tmp_path / "track.db"
    with store_of({"q1": ["d1", "d2", "d3"], "q2": ["d4"]}, path) as store:
        for name, grades in {"ada": [1, 0, 1, 2], "bob": [0, 1, 0, 2]}.items():
            session = session_of(store, name)
            for grade in grades:
                session.grade(grade)
        add_runs(store, as_runs(RUNS))
    return path


def test_labels() -> None:
    """What only one side has is no change of grade, and no grade 0."""
    changes = label_changes(Side("a", as_qrels(A)), Side("b", as_qrels(B)))
    assert changes.grades == {(0, 1): 1, (1, 0): 1, (2, 2): 1}
    assert (changes.same, changes.other, changes.only_a, changes.only_b) == (1, 2, 1, 1)
    assert (("q1", "d3"), 1, None) in changes.changed
    assert (("q3", "d1"), None, 1) in changes.changed


def test_systems_are_scored_as_evaluate_does_on_the_common_topics() -> None:
    """q3, which only one side has, is left out of both."""
    runs = as_runs(RUNS)
    found = system_changes(runs, as_qrels(A), as_qrels(B), parse_all(["AP", "P@1"]))
    assert found.topics == 2
    common = {qid: grades for qid, grades in B.items() if qid != "q3"}
    for qrels, attribute in ((A, "a"), (common, "b")):
        table = evaluate(runs, qrels, ["AP", "P@1"]).set_index(["run", "measure"])["value"]
        for change in found.changes:
            assert getattr(change, attribute) == pytest.approx(table[change.run, change.measure])


def test_the_highest_grade_is_that_of_both_sides() -> None:
    """ERR is relative to it: a side without the highest grade would else be scored on another scale."""
    runs = as_runs({"x": {"q": {"d": 1.0}}, "y": {"q": {"e": 1.0}}})
    found = system_changes(runs, as_qrels({"q": {"d": 3}}), as_qrels({"q": {"d": 1}}), parse_all("ERR@10"))
    assert found.changes[0].a == pytest.approx(7 / 8)
    assert found.changes[0].b == pytest.approx(1 / 8)


def test_no_topic_in_common_is_an_error() -> None:
    """Nothing can be compared then."""
    with pytest.raises(InputError, match="no topic in common"):
        system_changes(as_runs(RUNS), as_qrels({"q1": {"d1": 1}}), as_qrels({"q2": {"d4": 1}}), parse_all("AP"))


def test_two_assessors(track: Path, cranfield: Cranfield) -> None:
    """Counts, the table of grades, the systems, and a verdict that begins with scores and ranks."""
    result = cranfield("diff", track, "ada", "bob", "-m", "AP")
    assert result.code == 0, result.err
    assert result.out.startswith("4 pairs have a label in both: 1 the same, 3 another; 0 only in ada, 0 only in bob.")
    assert "ada  -> 0  -> 1  -> 2\n0       0     1     0\n1       2     0     0\n2       0     0     1\n" in result.out
    assert "AP: scores move by up to 0.3750, runs by up to 1 ranks; " in result.out
    assert "tau -1.0000" in result.out


def test_json(track: Path, cranfield: Cranfield) -> None:
    """The names are stable."""
    found = json.loads(cranfield("diff", track, "min", "max", "-m", "P@1", "--format", "json").out)
    assert set(found) == {"a", "b", "labels", "topics", "systems", "summary"}
    assert found["labels"]["changed"] == 3
    assert found["labels"]["changes"][0] == {"query_id": "q1", "doc_id": "d1", "a": 0, "b": 1}
    assert set(found["summary"]["P@1"]) == {"tau", "tau_ap", "max_change", "max_rank_change", "top_5_left"}
    assert set(found["systems"][0]) == {"run", "measure", "a", "b", "rank_a", "rank_b"}


def test_a_file_and_a_list(track: Path, tmp_path: Path, cranfield: Cranfield) -> None:
    """Any of the three against any other; --list gives the labels."""
    (tmp_path / "old.qrels").write_text("q1 0 d1 1\nq1 0 d2 1\n")
    result = cranfield("diff", track, "primary", tmp_path / "old.qrels", "--list", "--format", "csv")
    assert result.out == "topic,document,a,b\nq1,d2,0,1\nq1,d3,1,\nq2,d4,2,\n"


def test_names_that_mean_two_things_have_to_say_which(cranfield: Cranfield) -> None:
    """An assessor may be called as a policy is."""
    store = store_of({"q1": ["d1"]})
    add_assessor(store, "max")
    append(store, Event("label", "q1", "d1", "max", grade=1))
    with pytest.raises(InputError, match="'max' is policy and assessor; say policy:max or assessor:max"):
        side(store, "max")
    assert side(store, "assessor:max").labels == side(store, "policy:max").labels == {("q1", "d1"): 1}
    with pytest.raises(InputError, match="neither a policy nor an assessor of this store nor a file"):
        side(store, "nobody")


def test_without_runs(tmp_path: Path, cranfield: Cranfield) -> None:
    """Labels are compared all the same."""
    path = tmp_path / "track.db"
    with store_of({"q1": ["d1"]}, path) as store:
        session_of(store).grade(1)
    result = cranfield("diff", path, "min", "max")
    assert result.code == 0
    assert "There are no runs here" in result.out
