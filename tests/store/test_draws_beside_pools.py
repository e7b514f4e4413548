"""A random draw of unjudged documents is judged like a pool, and never taken for the pool beside which it was drawn."""

from pathlib import Path

import pytest

from cranfield.analysis.collections import topic_rows
from cranfield.analysis.delta import plan_delta
from cranfield.analysis.unjudged_topics import unjudged_topics_line
from cranfield.errors import InputError
from cranfield.judging.planning.overview import work_to_judge_or_none
from cranfield.judging.planning.progress import pool_progress_row, progress_of
from cranfield.store.pools import (
    RANDOM_DRAW,
    Pool,
    PooledDocument,
    add_pool,
    newest_built_pool,
    newest_pool_to_judge,
    pool_depth,
    pool_record,
    pooled_runs,
)
from cranfield.store.store import Store
from tests.stores import derive_and_export, new_store

RUNS = {tag: {"1": {f"{tag}{number}": 9.0 - number for number in range(4)}} for tag in ("a", "b")}
DRAW = Pool(
    RANDOM_DRAW,
    {"run": "b", "frame": "f", "frame_depth": 2, "frame_size": 2, "beside": 1},
    [PooledDocument("1", "b3", 1, ())],
    seed=0,
)


@pytest.fixture
def store() -> Store:
    """A pool of the run a to depth 2, which is judged, and a later draw from the run b, which is not."""
    docnos = [docno for run in RUNS.values() for docno in run["1"]]
    built = Pool("depth", {"depth": 2, "runs": ["a"]}, [PooledDocument("1", f"a{n}", n + 1, ("a",)) for n in (0, 1)])
    store = new_store(documents=docnos, topics={"1": "one"}, runs=RUNS, pool=built, people=["ada"],
                      labels={"ada": {("1", "a0"): 1, ("1", "a1"): 0}})  # fmt: skip
    assert add_pool(store, DRAW) == 2
    return store


def test_the_newest_pool_is_the_built_one(store: Store, tmp_path: Path) -> None:
    """For the summary of exported qrels, the rows of topics, what is unjudged, depth, runs, and the next round."""
    assert (newest_built_pool(store), pool_record(store).number, pool_depth(store)) == (1, 1, 2)
    assert pooled_runs(store) == (1, ("a",))
    summary = derive_and_export(store, tmp_path / "qrels")
    assert (summary.labels, summary.outside, summary.pooled, summary.unlabelled) == (2, 0, 2, 0)
    [row] = topic_rows(store)
    assert (row["pooled"], row["unjudged"], row["state"]) == (2, 0, "judged")
    assert unjudged_topics_line(store) == ""
    assert (plan_delta(store).depth, len(plan_delta(store).union)) == (2, 2)


def test_the_draw_is_judged_next(store: Store) -> None:
    """Work and progress are of the newest pool of all."""
    work = work_to_judge_or_none(store, "ada")
    assert newest_pool_to_judge(store) == 2
    assert work is not None
    assert [document.docno for document in work.documents] == ["b3"]
    assert (pool_progress_row(store)["pool"], pool_progress_row(store)["unlabelled"]) == (2, 1)
    assert [docno for own in progress_of(store).work.values() for docnos in own.values() for docno in docnos] == ["b3"]


def test_a_store_of_draws_only_has_them() -> None:
    """Where nothing was built, the newest pool is the newest draw."""
    with new_store(documents=["b3"], topics={"1": "one"}) as store:
        add_pool(store, DRAW)
        assert (newest_built_pool(store), pool_record(store).number) == (None, 1)
        with pytest.raises(InputError, match="no pool in this store has a depth"):
            plan_delta(store)
