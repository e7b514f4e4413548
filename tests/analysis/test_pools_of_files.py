"""Pools of files, of which nobody says how they were built: each gets the depth that is true, or a refusal."""

from collections.abc import Mapping
from contextlib import nullcontext

import pytest

import cranfield as package
from benchmarks.designs.rebuilt_pools import pool_of as budget_pool_of
from cranfield.analysis.contributors import with_contributors
from cranfield.analysis.depths import leave_out_setting
from cranfield.analysis.pool_model import find_pool, find_pool_of_runs, fit_pool_model
from cranfield.analysis.reusability import reusability_verdict
from cranfield.errors import InputError
from cranfield.formats import RunInfo
from cranfield.metrics.forecast.forecaster import infer_forecast_depth
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse
from cranfield.view import View
from tests.metrics.forecast.made_up import made_up, pool_of
from tests.views import make_view

Grades = Mapping[str, Mapping[str, int]]
RUNS, FULL = made_up(7)
POOLED = {tag: run for tag, run in RUNS.items() if tag != "r6"}


def judged_by(method: str, size: int) -> Grades:
    """The judgments of a pool of the first six runs; a pool "of the corpus" has documents that no run proposed."""
    if method == "depth":
        return pool_of(POOLED, FULL, size)
    if method == "corpus":
        first = {qid: sorted(grades, key=lambda docno: (-grades[docno], docno))[:size] for qid, grades in FULL.items()}
        return {qid: {docno: FULL[qid][docno] for docno in docnos} for qid, docnos in first.items()}
    pool, _ = budget_pool_of(as_runs(POOLED), FULL, method, size, 0)
    labels: dict[str, dict[str, int]] = {qid: {} for qid in FULL}
    for document in pool.documents:
        labels[document.qid][document.docno] = FULL[document.qid][document.docno]
    return labels


def source_of(grades: Grades) -> View:
    """The six runs and the new one as files, without a list of those that were pooled."""
    return make_view(as_runs(RUNS), as_qrels(grades), {tag: RunInfo(tag) for tag in RUNS}, 1)


BUDGETS = [(method, size) for method in ("take", "rrf", "borda", "mtf", "maxmean", "thompson") for size in (30, 60)]


@pytest.mark.parametrize("depth", [3, 5, 10, 20])
def test_a_pool_to_a_depth_has_that_depth(depth: int) -> None:
    """Stated or not, and without one of its runs."""
    grades = judged_by("depth", depth)
    stated = find_pool_of_runs(as_runs(POOLED), as_qrels(grades))
    found = find_pool(source_of(grades))
    fewer = find_pool_of_runs(as_runs({tag: run for tag, run in POOLED.items() if tag != "r0"}), as_qrels(grades))
    assert [(pool.kind, pool.depth) for pool in (stated, found, fewer)] == [("depth", depth)] * 3
    assert found.tags == tuple(POOLED)
    assert not any("was not built to depth" in reason for reason in reasons_of(source_of(grades)))


@pytest.mark.parametrize(("method", "size"), [*BUDGETS, ("corpus", 40)])
def test_a_pool_by_a_budget_is_not_taken_for_one_to_a_depth(method: str, size: int) -> None:
    """Of stated runs d is the largest rank at which half of the documents are judged; otherwise there is no model."""
    grades = judged_by(method, size)
    runs, qrels = as_runs(POOLED), as_qrels(grades)
    stated = find_pool_of_runs(runs, qrels)
    assert (stated.kind, stated.depth) == ("budget", infer_forecast_depth(runs, qrels))
    source = source_of(grades)
    assert reasons_of(source)


def reasons_of(source: View) -> tuple[str, ...]:
    """Why there is no model of the pool; empty where there is one."""
    pool = find_pool(source)
    return fit_pool_model(pool, source.runs.loaded, source.qrels, rel=1).forecaster.reasons


def test_the_refusal_names_the_share_below_the_depth() -> None:
    """For a forecast and for leave-one-out, which would count documents as judged whatever is left out."""
    source = source_of(judged_by("take", 60))
    who = with_contributors(source).contributors
    assert who is not None
    below, depth = (who.depth or 0) + 1, who.depth
    assert who.lack.endswith(
        f"% of the documents that rank {below} adds are judged, so the pool was not built to depth {depth}"
    )
    assert reasons_of(source)[0] == who.lack
    found = reusability_verdict(source, None, None, [parse("AP")])
    assert found.left_out.no_verdict == who.lack
    assert leave_out_setting(source, None, None, None).lack == who.lack
    assert not reusability_verdict(source_of(judged_by("depth", 10)), None, None, [parse("AP")]).left_out.no_verdict


@pytest.mark.parametrize(
    ("method", "size", "is_tested"), [("take", 60, False), ("mtf", 60, False), ("depth", 10, True)]
)
def test_stated_runs_of_a_pool_by_a_budget_are_not_left_out(method: str, size: int, is_tested: bool) -> None:
    """Their depth is inferred, and what is judged below it shows how the pool was built; a given depth is taken."""
    source = source_of(judged_by(method, size))
    about = {tag: RunInfo(tag, pooled=tag in POOLED) for tag in RUNS}
    source = make_view(source.runs, source.qrels, about, states_pooled=True)
    for depth in (None, 10):
        lack = reusability_verdict(source, None, depth, [parse("AP")]).left_out.no_verdict
        setting = leave_out_setting(source, None, depth, None)
        assert ("so the pool was not built to depth" in lack) == (not is_tested and depth is None)
        assert ("so the pool was not built to depth" in setting.lack) == (not is_tested and depth is None)


@pytest.mark.parametrize(
    ("method", "size", "is_refused"), [("take", 60, True), ("corpus", 40, True), ("depth", 10, False)]
)
def test_missing_documents_are_forecast_for_pools_to_a_depth_only(method: str, size: int, is_refused: bool) -> None:
    grades = judged_by(method, size)
    with pytest.raises(InputError, match=r"no forecast: .*, or estimate the missing ") if is_refused else nullcontext():
        package.pooling.forecast_completeness(grades, RUNS)
