"""Pool, systems, two runs and reusability: the numbers are those of the commands; no verdict where none is known."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cranfield.store.store import Store
from cranfield.web.look.answer import answer
from tests.conftest import Cranfield
from tests.web.look.measured import DEPTH, measured_store


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with runs, a pool and judgments."""
    return measured_store(tmp_path_factory.mktemp("measured") / "m.db")


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """The same, open."""
    with Store.open(path) as found:
        yield found


def asked(store: Store, name: str, kind: str, **parameters: str) -> str:
    """A view, which has to be there."""
    found = answer(store, name, kind, parameters.items())
    assert found.status == 200, found.content
    return found.text()


def document(store: Store, name: str, **parameters: str) -> Any:
    """A view as JSON."""
    return json.loads(asked(store, name, "json", **parameters))


def test_systems_are_those_of_evaluate(store: Store, path: Path, cranfield: Cranfield) -> None:
    """To the last byte, as JSON and as CSV; the measures can be chosen."""
    for kind in ("json", "csv"):
        told = cranfield("evaluate", path, "-m", "nDCG@5,RR", "--format", kind).out
        assert asked(store, "systems", kind, measures="nDCG@5,RR") == told


@pytest.mark.parametrize("test", ["t", "sign"])
def test_a_pair_is_that_of_compare(store: Store, path: Path, cranfield: Cranfield, test: str) -> None:
    """The pair is the one of all runs compared with the second, whose p is corrected; its topics add up to it."""
    found = document(store, "compare", test=test)
    told = cranfield("compare", path, "--baseline", found["second"], "--test", test, "--format", "json").out
    whole = json.loads(told)
    assert found["pairs"] == [pair for pair in whole["pairs"] if pair["run_a"] == found["first"]]
    assert {name: found[name] for name in whole} | {"pairs": 0} == whole | {"pairs": 0}
    (pair,) = found["pairs"]
    differences = [topic["difference"] for topic in found["topics"]]
    assert sum(differences) / len(differences) == pytest.approx(pair["difference"])
    assert [sum(one > 0 for one in differences), sum(one < 0 for one in differences)] == [pair["wins"], pair["losses"]]
    assert differences == sorted(differences, reverse=True)


def test_reusability_is_that_of_the_commands(store: Store, path: Path, cranfield: Cranfield) -> None:
    """Verdict and depths to the digit, as JSON and as CSV; the page says what the command says."""
    found = document(store, "reusability", by="team", measures="AP")
    dial = found.pop("depths")
    assert found == json.loads(cranfield("reusability", path, "--by", "team", "-m", "AP", "--format", "json").out)
    whole = json.loads(cranfield("depths", path, "--by", "team", "--all", "--format", "json").out)
    depths = [row["depth"] for row in dial["rows"]]
    assert dial == whole | {"rows": [row for row in whole["rows"] if row["depth"] in depths]}
    told = cranfield("reusability", path, "--by", "team", "-m", "AP", "--format", "csv").out
    assert asked(store, "reusability", "csv", by="team", measures="AP") == told
    shallow = list(
        csv.DictReader(io.StringIO(asked(store, "reusability", "csv", by="team", table="depths", measures="AP")))
    )
    assert [int(row["depth"]) for row in shallow] == depths


def test_each_depth_has_its_panel(store: Store) -> None:
    """One of them is seen: the pool's own depth, or the one that is asked for; deeper ones there are not."""
    for asked_for, seen in (({}, DEPTH), ({"depth": "2"}, 2)):
        page = asked(store, "reusability", "", measures="P@10", **asked_for)
        open_panels = [part.split('"')[1] for part in page.split("<div data-depth=")[1:] if " hidden" not in part[:90]]
        assert open_panels == [f"{seen}"]
    assert answer(store, "reusability", "", [("depth", f"{DEPTH + 1}")]).status == 400


def test_a_pool_is_that_of_pool_show(store: Store, path: Path, cranfield: Cranfield) -> None:
    """Topics and contributions to the byte; two runs have the same in common, whichever is asked."""
    for table, by in (("topics", "topic"), ("contributions", "team")):
        told = cranfield("pool", "show", path, "--by", by, "--format", "csv").out
        assert asked(store, "pool", "csv", table=table, unit="team") == told
    found = document(store, "pool")
    own = {row["run"]: row["documents"] for row in found["contributions"]}
    both = {(row["run"], row["other"]): row["in both"] for row in found["overlap"]}
    assert all(both[other, one] == shared <= own[one] for (one, other), shared in both.items())
    assert all(row["share"] == row["in both"] / own[row["run"]] for row in found["overlap"])
    assert {row["run"]: row["documents"] for row in found["overlap"]} == own


def test_no_verdict_is_no_verdict(tmp_path: Path, cranfield: Cranfield) -> None:
    """With a single pooled run nobody can be left out: the page says so, and shows neither ranks nor numbers of it."""
    alone = measured_store(tmp_path / "alone.db", pooled=1)
    told = json.loads(cranfield("reusability", alone, "-m", "P@10", "--format", "json").out)
    with Store.open(alone) as store:
        page = asked(store, "reusability", "", measures="P@10")
        found = document(store, "reusability", measures="P@10")
    assert (found.pop("depths"), found) == (None, told)
    assert told["no_verdict"] in page
    assert "No verdict" in page
    for sign in ("data-depth", "mean change", "Fair to", "Unfair", "with care"):
        assert sign not in page
