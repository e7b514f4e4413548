"""`reusability --answers`: what runs lose without the nuggets that come from their answers alone."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

import cranfield as package
from cranfield.store.store import Store
from tests.analysis.answers.stores import SAID, answered_store, label_nuggets
from tests.conftest import Cranfield

FROM = {"1 0": ["a"], "1 1": ["a", "b"], "1 3": ["b"], "2 0": ["a"], "2 1": ["b"]}  # two are on nobody's record


def made(path: Path, contributors: Mapping[str, Sequence[str]], said: Mapping[tuple[str, str], str] = SAID) -> Store:
    """A store of two runs, all nuggets labelled."""
    store = answered_store(Store.create(path, "answers"), contributors)
    label_nuggets(store, "ada", said)
    return store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Nuggets from a alone, from both, from b alone, and from nobody."""
    with made(tmp_path / "t.db", FROM) as there:
        yield there


def test_a_run_loses_the_nuggets_it_alone_gave(store: Store, cranfield: Cranfield) -> None:
    """All answers are scored again, on the topics that still have such nuggets."""
    done = cranfield("reusability", store.path, "--answers", "-m", "A", "-m", "V", "--format", "json")
    document = json.loads(done.out)
    assert (document["nuggets"], document["contributed"], document["topics"]) == (7, 5, 2)
    assert "2 of 7 nuggets come from no answer on record; they stay" in done.err
    assert "V is undefined on some topics without the nuggets of a; their rows leave these out" in done.err
    a, b = document["units"]
    assert [(unit["unit"], unit["unique"], unit["unique_relevant"]) for unit in (a, b)] == [("a", 2, 2), ("b", 2, 0)]
    full = {score["measure"]: (score["full"], score["reduced"]) for score in a["scores"]}
    assert full["A"] == pytest.approx(((0.6 + 1) / 2, ((0.5 + 0 + 1 + 0.5) / 4 + 1) / 2))
    assert full["V"] == pytest.approx((0.5, 0.25))  # topic 2 has no vital nugget without those of a
    assert document["summary"]["A"]["max_change_percent"] == pytest.approx(100)  # of b, from .125 to .25


def test_the_table_and_python_have_the_same_numbers(store: Store, cranfield: Cranfield) -> None:
    """By team, too."""
    table = cranfield("reusability", store.path, "--answers", "--by", "team", "-m", "A", "--format", "csv").out
    assert table.splitlines()[0] == "team,run,unique,vital,measure,score,without,change %,rank,rank without,tau"
    assert table.splitlines()[2].startswith("A,a,2,2,A,0.8,0.75")
    with pytest.warns(UserWarning, match="2 of 7 nuggets"):
        found = package.leave_one_out(store, measures="A", answers=True)
    assert found[["unit", "full", "reduced"]].values.tolist()[0] == ["a", 0.8, 0.75]
    assert cranfield("reusability", store.path, "--answers").code == 0


@pytest.mark.parametrize(
    ("contributors", "words", "code", "message"),
    [
        ({}, [], 1, "no nugget says whose answers it comes from"),
        ({"1 0": ["a"]}, [], 1, "all nuggets come from the answers of one run"),
        ({"1 0": ["a"], "1 1": ["z"]}, [], 1, "a nugget comes from run 'z', which has no answers"),
        (FROM, ["-m", "AP"], 1, "AP is a measure of rankings"),
        (FROM, ["--depth", "3"], 2, "works with --by run, team or kind"),
    ],
)
def test_where_it_means_nothing_it_says_so(
    tmp_path: Path,
    cranfield: Cranfield,
    contributors: Mapping[str, Sequence[str]],
    words: list[str],
    code: int,
    message: str,
) -> None:
    """With the reason."""
    with made(tmp_path / "t.db", contributors) as there:
        done = cranfield("reusability", there.path, "--answers", *words)
    assert (done.code, message in " ".join(done.err.split())) == (code, True), done


def test_a_missing_label_leaves_out_its_topic(tmp_path: Path, cranfield: Cranfield) -> None:
    """For all runs, and says so."""
    with made(tmp_path / "t.db", FROM, {**SAID, ("b", "2"): "p "}) as there:
        done = cranfield("reusability", there.path, "--answers", "-m", "A", "--format", "json")
    assert json.loads(done.out)["topics"] == 1
    assert "1 topic left out, with an answer that lacks labels" in done.err
