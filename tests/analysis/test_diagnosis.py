"""Diagnoses of a new run: intervals that hold the truth, on plain judgments and on a pool that is rebuilt."""

from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path

import numpy as np

from cranfield.analysis.diagnosis import (
    DiagnoseSetting,
    Diagnosis,
    command_to_draw,
    diagnosis_of,
    new_run_on_topics,
    prepare_new_run_comparison,
)
from cranfield.arrays import WhichTopics
from cranfield.formats import RunInfo
from cranfield.metrics.forecast.sentences import ScoreStatus
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.pooling.build import build_pool
from cranfield.pooling.methods import METHODS
from cranfield.store.open_pools import Stage
from cranfield.store.pools import Pool
from tests.metrics.forecast.made_up import RunDict, made_up, pool_of
from tests.views import make_view

RUNS, FULL = made_up(7)
POOLED: RunDict = {tag: run for tag, run in RUNS.items() if tag != "r6"}
JUDGED = pool_of(POOLED, FULL, 10)


def diagnose(
    judged: Mapping[str, Mapping[str, int]], pool: Pool | None = None, against: str | None = None, **options: object
) -> Diagnosis:
    """Diagnose r6 on the judgments of a pool of the other six runs."""
    runs = as_runs(POOLED)
    about = {tag: RunInfo(tag) for tag in runs.tags}
    stages = [] if pool is None else [Stage(pool)]
    source = make_view(runs, as_qrels(judged), about, 1, pool=pool, stages=stages, pool_runs=pool and runs.tags)
    case = new_run_on_topics(prepare_new_run_comparison(source, as_runs({"r6": RUNS["r6"]})), WhichTopics.all)
    return diagnosis_of(case, DiagnoseSetting(against=against, **options))  # type: ignore[arg-type]


def test_the_truth_lies_in_the_interval() -> None:
    """The score with the run's own documents judged as well; a comparison with another run changes no interval."""
    found, truth = diagnose(JUDGED, against="r0"), diagnose(pool_of(RUNS, FULL, 10))
    for said, true in zip(found.scores, truth.scores, strict=True):
        assert said.status in (ScoreStatus.FORECAST, ScoreStatus.TOO_WIDE)
        assert true.status == ScoreStatus.JUDGED
        assert said.forecast.low <= true.forecast.as_judged <= said.forecast.high
    alone = diagnose(JUDGED)
    np.testing.assert_equal([astuple(one) for one in found.scores], [astuple(one) for one in alone.scores])
    assert (len(found.pairs), len(alone.pairs)) == (len(found.scores), 0)


def test_the_seed_decides_the_draws() -> None:
    first, again, other = (diagnose(JUDGED, measures=["AP"], seed=seed).scores[0].forecast for seed in (0, 0, 1))
    assert (first.low, first.high) == (again.low, again.high)
    assert first.low != other.low


def test_a_pool_of_another_method_is_rebuilt() -> None:
    """Its d is a rank that half of the documents reach; sentences that were right too seldom are not printed."""
    documents = build_pool(METHODS["rrf"], as_runs(POOLED), 100, budget=20)
    about: dict[str, object] = {"depth": None, "considered": 100, "runs": [*POOLED], "options": {}, "budget": 20}
    found = diagnose(JUDGED, Pool("rrf", about, documents, number=1, seed=0), measures=["P@10", "nDCG@10"])
    assert (found.kind, found.reasons) == ("budget", ())
    assert found.depth >= 10
    precise, gains = found.scores
    assert precise.forecast.low < precise.forecast.high
    assert str(gains.status) == "not right often enough"
    assert "no forecast is given, because its intervals held in 0." in gains.sentence
    assert found.n_proposed == 50


def test_the_proposed_draw_of_a_store_becomes_a_pool_of_it(tmp_path: Path) -> None:
    (tmp_path / "t.db").write_bytes(b"SQLite format 3\0")
    command = command_to_draw([tmp_path / "t.db", Path("r6")], 50, ["-m", "P@10"], ["--store-pool"])
    assert command == f"cranfield diagnose {tmp_path}/t.db r6 -m P@10 --draw 50 draw.tsv --store-pool"
