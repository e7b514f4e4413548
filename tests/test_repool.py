"""Leaving units out of pools that are not of depth k: the method is run again without them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from cranfield.holdings import Pool, stored_pool
from cranfield.meeting import judge
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.reusability import entry, unit_of_rows
from cranfield.pooling.build import build_pool
from cranfield.pooling.methods import METHODS
from cranfield.repool import repooled
from cranfield.store import Store
from tests.conftest import Cranfield

random = np.random.default_rng(3)


def ranking() -> dict[str, float]:
    """Thirty documents, the later ones better on average."""
    return {f"d{d}": float(s) for d, s in enumerate(random.normal(size=30) + np.arange(30) / 9)}


RUNS = {tag: {"q1": ranking(), "q2": ranking()} for tag in ("a", "b", "c")}
GRADES = {q: {f"d{d}": int(d % 3 == 0) for d in range(30)} for q in ("q1", "q2")}


def pool_of(method: str, budget: int | None, depth: int = 30) -> Pool:
    """A pool as the store keeps it."""
    documents = build_pool(METHODS[method], as_runs(RUNS), depth, budget=budget)
    return Pool(method, {"depth": None, "considered": depth, "runs": list(RUNS), "options": {}}, documents, seed=0)


def test_depth_k_is_the_plain_case() -> None:
    """Building a depth-k pool anew without a run takes away exactly what that run alone brought."""
    runs, qrels = as_runs(RUNS), as_qrels(GRADES)
    judged, units = judge(runs, qrels), {tag: [tag] for tag in RUNS}
    unique = entry(judged, unit_of_rows(judged, units, 5)).unique(5)
    pool = pool_of("depth", None, 5)
    sizes = {q: sum(d.qid == q for d in pool.documents) for q in GRADES}
    found = repooled(runs, qrels, judged, pool, units)
    assert min(sizes.values()) > 5
    for number, gone in enumerate(found.lost):
        assert np.array_equal(gone, unique == number)
    assert found.missing == [0, 0, 0]


@pytest.mark.parametrize("method", ["rrf", "take", "maxmean", "combsum"])
def test_a_budget_is_spent_on_others(method: str) -> None:
    """What is lost was in the pool and is not in the pool without the unit; a unit that is none loses nothing."""
    runs, qrels = as_runs(RUNS), as_qrels(GRADES)
    judged, pool = judge(runs, qrels), pool_of(method, 8)
    found = repooled(runs, qrels, judged, pool, {"a": ["a"], "nobody": []})
    assert found.pooled.sum() == 16
    assert 0 < found.lost[0].sum() < 16
    assert not (found.lost[0] & ~found.pooled).any()
    assert not found.lost[1].any() or method == "maxmean"


def test_what_is_wanted_and_unjudged_is_counted() -> None:
    """With only the pool judged, a pool without a run wants documents that nobody judged."""
    pool = pool_of("rrf", 8)
    held = {(d.qid, d.docno) for d in pool.documents}
    grades = {q: {d: g for d, g in of.items() if (q, d) in held} for q, of in GRADES.items()}
    runs, qrels = as_runs(RUNS), as_qrels(grades)
    judged = judge(runs, qrels)
    found = repooled(runs, qrels, judged, pool, {"a": ["a"]})
    assert found.missing[0] == found.lost[0].sum() > 0


def test_a_store_with_a_budgeted_pool(tmp_path: Path, cranfield: Cranfield, monkeypatch: pytest.MonkeyPatch) -> None:
    """reusability takes the stored pool's method; --depth asks for the plain case; clusters are units."""
    monkeypatch.chdir(tmp_path)
    cranfield("demo", "w.db")
    assert cranfield("pool", "build", "w.db", "--method", "rrf", "--budget", "20").code == 0
    with Store.open("w.db") as store:
        assert stored_pool(store).parameters["depth"] is None
    told = json.loads(cranfield("reusability", "w.db", "-m", "AP", "--format", "json").out)
    assert told["pool"]["documents"] == 500
    assert any(unit["missing"] for unit in told["units"])
    plain = json.loads(cranfield("reusability", "w.db", "-m", "AP", "--depth", "10", "--format", "json").out)
    assert plain["pool"]["documents"] == 957
    result = cranfield("reusability", "w.db", "-m", "AP", "--depth", "10", "--by", "cluster", "--format", "json")
    assert json.loads(result.out)["by"] == "cluster"
