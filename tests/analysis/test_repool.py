"""Leaving units out of pools that are not of depth k: the method is run again without them."""

import json
from pathlib import Path
from shutil import copy

import numpy as np
import pytest

from cranfield.analysis.repool import repooled
from cranfield.arrays.join import judge
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.reusability.leave_one_out import pool_entries
from cranfield.pooling.build import build_pool
from cranfield.pooling.methods.table import METHODS
from cranfield.store.open_pools import Stage
from cranfield.store.pools import Pool, stored_pool
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from tests.conftest import Cranfield, repeats_others

random = np.random.default_rng(3)


def ranking() -> dict[str, float]:
    """Thirty documents, the later ones better on average."""
    return {f"d{d}": float(s) for d, s in enumerate(random.normal(size=30) + np.arange(30) / 9)}


RUNS = {tag: {"q1": ranking(), "q2": ranking()} for tag in ("a", "b", "c")}
GRADES = {q: {f"d{d}": int(d % 3 == 0) for d in range(30)} for q in ("q1", "q2")}


def pool_of(method: str, budget: int | None, depth: int = 30) -> list[Stage]:
    """A pool as the store keeps it."""
    documents = build_pool(METHODS[method], as_runs(RUNS), depth, budget=budget)
    made: dict[str, object] = {"depth": None, "considered": depth, "runs": list(RUNS), "options": {}, "budget": budget}
    return [Stage(Pool(method, made, documents, seed=0))]


def test_depth_k_is_the_plain_case() -> None:
    """Building a depth-k pool anew without a run takes away exactly what that run alone brought."""
    runs, qrels = as_runs(RUNS), as_qrels(GRADES)
    judged, units = judge(runs, qrels), {tag: [tag] for tag in RUNS}
    unique = pool_entries(judged, units, 5).unique(5)
    line = pool_of("depth", None, 5)
    sizes = {q: sum(d.qid == q for d in line[0].pool.documents) for q in GRADES}
    found = repooled(runs, qrels, judged, line, units)
    assert min(sizes.values()) > 5
    for number, gone in enumerate(found.lost):
        assert np.array_equal(gone, unique == number)
    assert found.missed == [0, 0, 0]


@pytest.mark.parametrize("method", ["rrf", "take", "dcg", "combsum"])
def test_a_budget_is_spent_on_others(method: str) -> None:
    """What is lost was in the pool and is not in the pool without the unit; a unit that is none loses nothing."""
    runs, qrels = as_runs(RUNS), as_qrels(GRADES)
    judged, pool = judge(runs, qrels), pool_of(method, 8)
    found = repooled(runs, qrels, judged, pool, {"a": ["a"], "nobody": []})
    assert found.pooled.sum() == 16
    assert 0 < found.lost[0].sum() < 16
    assert not (found.lost[0] & ~found.pooled).any()
    assert not found.lost[1].any()


def test_what_is_wanted_and_unjudged_is_counted() -> None:
    """With only the pool judged, a pool without a run wants documents that nobody judged."""
    line = pool_of("rrf", 8)
    held = {(d.qid, d.docno) for d in line[0].pool.documents}
    grades = {q: {d: g for d, g in of.items() if (q, d) in held} for q, of in GRADES.items()}
    runs, qrels = as_runs(RUNS), as_qrels(grades)
    judged = judge(runs, qrels)
    found = repooled(runs, qrels, judged, line, {"a": ["a"], "nobody": []})
    assert found.missed[0] == found.lost[0].sum() > 0
    assert found.missed[1] == 0


@pytest.fixture
def folder(workshop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a copy of it, to work in."""
    copy(workshop, tmp_path / "w.db")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@repeats_others
@pytest.mark.usefixtures("folder")
def test_an_adaptive_pool_in_the_demo(cranfield: Cranfield) -> None:
    """The labels that are there are taken, to the budget; what the replay missed is said, in the report too."""
    told = cranfield("pool", "build", "w.db", "--method", "mtf", "--budget", "24")
    assert told.out.startswith("pool 2: 600 documents for 25 topics")
    assert "595 of 600 new documents are already judged, 595 of them by models" in told.err
    result = json.loads(cranfield("reusability", "w.db", "-m", "AP", "--format", "json").out)
    assert (result["pool"]["documents"], result["pool"]["judged"]) == (600, 595)
    missed = sum(unit["missed"] for unit in result["units"])
    assert missed > 0
    table = cranfield("reusability", "w.db", "-m", "AP")
    assert f"rebuilt without each run it missed {missed} documents" in " ".join(table.out.split())
    assert cranfield("report", "w.db", "w.html").code == 0
    assert f"it missed {missed} documents" in Path("w.html").read_text()
    only = json.loads(cranfield("reusability", "w.db", "-m", "AP", "--relevant-only", "--format", "json").out)
    assert all(unit["unique"] == unit["unique_relevant"] for unit in only["units"])
    assert [unit["unique_relevant"] for unit in only["units"]] == [u["unique_relevant"] for u in result["units"]]


def test_a_pool_that_is_refused(tmp_path: Path, cranfield: Cranfield) -> None:
    """Nobody judged it: one line, exit code 1; the page says why there is no verdict."""
    path = tmp_path / "w.db"
    with Store.create(path, "w") as store:
        add_runs(store, as_runs(RUNS))
        import_qrels(store, as_qrels({q: {"d0": 1, "d1": 0, "d2": 1} for q in GRADES}), "nist")
    assert cranfield("pool", "build", path, "--method", "hedge", "--budget", 3).code == 0
    lack = "pool 1 (hedge) is unjudged: none of its 6 documents has a label"
    assert cranfield("reusability", path) == (1, "", f"error: {lack}\n")
    assert cranfield("report", path, tmp_path / "w.html").code == 0
    assert lack in (tmp_path / "w.html").read_text()


@pytest.mark.parametrize(("batches", "verdict"), [(1, False), (2, True), (3, True)])
def test_no_verdict_while_much_of_an_adaptive_pool_is_to_come(
    tmp_path: Path, cranfield: Cranfield, batches: int, verdict: bool
) -> None:
    """All that it has so far is judged, but it may still get as much again or more; later that is said."""
    path = tmp_path / "w.db"
    with Store.create(path, "w") as store:
        add_runs(store, as_runs(RUNS))
    for batch in range(batches):
        assert cranfield("pool", "build", path, "--method", "hedge", "--budget", 6, "--batch", 2).code == 0
        with Store.open(path) as store:
            new: dict[str, dict[str, int]] = {qid: {} for qid in GRADES}
            for qid, docno, *_ in stored_pool(store).documents:
                new[qid][docno] = GRADES[qid].get(docno, 0)
            import_qrels(store, as_qrels(new), f"part {batch}")
    pooled = sum(map(len, new.values()))
    result = cranfield("reusability", path, "-m", "AP", "--format", "json")
    found = json.loads(result.out)
    whole = 6 * len(GRADES)
    assert (found["pool"]["judged"], found["pool"]["to_come"]) == (pooled, whole - pooled)
    said = f"{whole - pooled} of up to {whole} documents in the pool are not judged"
    assert found["no_verdict"] == (None if verdict else said)
    assert any(said in line for line in found["reservations"]) == (batches == 2)


@pytest.mark.usefixtures("folder")
def test_a_store_with_a_budgeted_pool(cranfield: Cranfield) -> None:
    """reusability takes the stored pool's method; --depth asks for the plain case; clusters are units."""
    assert cranfield("pool", "build", "w.db", "--method", "rrf", "--budget", "20").code == 0
    with Store.open("w.db") as store:
        assert stored_pool(store).parameters["depth"] is None
    told = json.loads(cranfield("reusability", "w.db", "-m", "AP", "--format", "json").out)
    assert told["pool"]["documents"] == 500
    assert any(unit["missed"] for unit in told["units"])
    plain = json.loads(cranfield("reusability", "w.db", "-m", "AP", "--depth", "10", "--format", "json").out)
    assert plain["pool"]["documents"] == 957
    result = cranfield("reusability", "w.db", "-m", "AP", "--depth", "10", "--by", "cluster", "--format", "json")
    assert json.loads(result.out)["by"] == "cluster"


def test_a_depth_pool_that_is_another(tmp_path: Path, cranfield: Cranfield) -> None:
    """Of depth k too, the pool that the runs give has to be the stored one."""
    path = tmp_path / "w.db"
    with Store.create(path, "w") as store:
        add_runs(store, as_runs(RUNS))
        import_qrels(store, as_qrels(GRADES), "nist")
    assert cranfield("pool", "build", path, "--depth", 3).code == 0
    assert cranfield("reusability", path).code == 0
    with Store.open(path) as store:
        size = len(stored_pool(store).documents)
        store.conn.executescript("UPDATE run SET depth = 1 WHERE tag = 'a'")
    told = cranfield("reusability", path)
    assert (told.code, told.out) == (1, "")
    assert f"it has {size} documents, its runs give" in told.err
    assert cranfield("reusability", path, "--depth", 3).code == 0
