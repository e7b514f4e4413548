"""Stars against the best run, in reports and results of tasks: what unjudged documents leave of them."""

import re
from dataclasses import replace

import numpy as np
import pytest

from cranfield.analysis.best_run import BestRunOutcomes, outcomes_below_best
from cranfield.analysis.comparison import outcomes_under_pool
from cranfield.analysis.outcomes import CompareSetting
from cranfield.analysis.pool_model import find_pool
from cranfield.formats import RunInfo
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.forecast.outcomes import Outcome
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse_measures
from cranfield.metrics.significance.best import compare_with_best
from cranfield.view import View
from tests.metrics.forecast.made_up import RunDict, made_up, pool_of
from tests.views import make_view

MEASURES = parse_measures(["AP", "nDCG@10", "P@10"], 1)


def source_of(n_pooled: int = 6, *, complete: bool = False, n_new: int = 2) -> View:
    """Runs, of which the last ones did not help to build the pool; the judgments of the pool, or of all."""
    runs, full = made_up(n_pooled + n_new)
    pooled: RunDict = {tag: run for tag, run in runs.items() if complete or int(tag[1:]) < n_pooled}
    about = {tag: RunInfo(team=tag, pooled=tag in pooled) for tag in runs}
    return make_view(as_runs(runs), as_qrels(pool_of(pooled, full, 10)), about, 1, states_pooled=True)


def best_of(source: View) -> dict[str, str]:
    table = evaluate(source.judged, measures=MEASURES)
    return {str(m): str(table[table["measure"] == str(m)].set_index("run")["value"].idxmax()) for m in MEASURES}


def found_below_best(source: View) -> BestRunOutcomes:
    return outcomes_below_best(source, source.judged, MEASURES, best_of(source))


@pytest.fixture(scope="module")
def source() -> View:
    return source_of()


@pytest.fixture(scope="module")
def found(source: View) -> BestRunOutcomes:
    return found_below_best(source)


@pytest.mark.needs_extra("report")
def test_where_all_is_judged_stars_are_those_as_judged() -> None:
    from cranfield.report.by_topic import scores

    source = source_of(complete=True)
    found, best = found_below_best(source), best_of(source)
    for measure in MEASURES:
        table = compare_with_best(source.judged, measure, best[str(measure)])
        expected = set(table.loc[table["significant"] & (table["difference"] < 0), "run_a"])
        assert expected
        assert found.below[str(measure)] == dict.fromkeys(expected, Outcome.SIGNIFICANT)
    assert "‡" not in str(scores(source, MEASURES).blocks)


def test_the_rule_of_compare_decides(source: View, found: BestRunOutcomes) -> None:
    """Pooled runs have the stars as judged; the new runs those that 0.9 of the labellings have, and marks."""
    best = best_of(source)
    marks = list[Outcome]()
    for measure in MEASURES:
        table = compare_with_best(source.judged, measure, best[str(measure)]).set_index("run_a")
        for tag in source.runs.tags:
            outcome = found.below[str(measure)].get(tag)
            if tag == best[str(measure)]:
                assert outcome is None
            elif source.run_info[tag].pooled:
                is_below = bool(table["significant"][tag]) and float(table["difference"][tag]) < 0
                assert outcome == (Outcome.SIGNIFICANT if is_below else None)
            elif outcome is not None:
                marks.append(outcome)
    assert set(marks) & {Outcome.UNDECIDED, Outcome.UNJUDGED}


def test_some_runs_have_the_outcomes_of_all(source: View, found: BestRunOutcomes) -> None:
    """By bounds, which no draw of other runs changes: runs without unjudged documents need not be looked at."""
    alone = source.replace_runs(
        source.runs, {tag: info._replace(pooled=False) for tag, info in source.run_info.items()}
    )
    few = outcomes_below_best(alone, alone.judged, MEASURES[:1], best_of(source))
    table = compare_with_best(alone.judged, MEASURES[0], best_of(source)["AP"])
    compared = outcomes_under_pool(alone, alone.judged, MEASURES[:1], table, CompareSetting(), pool=find_pool(alone))
    whole = compared.table
    is_open = whole.loc[whole["outcome"] == str(Outcome.UNDECIDED), "run_a"]
    assert {tag for tag, outcome in few.below["AP"].items() if outcome == Outcome.UNDECIDED} == {*is_open}
    assert len(is_open)
    assert "only worst-case bounds apply" in few.notes[0]


@pytest.mark.needs_extra("report")
def test_the_table_of_systems_has_the_marks(source: View, found: BestRunOutcomes) -> None:
    """Before the means, with the words of `compare` in the caption."""
    from cranfield.report.by_topic import scores

    page = str(scores(source, MEASURES).blocks)
    used = {outcome for outcomes in found.below.values() for outcome in outcomes.values()}
    signs = {Outcome.SIGNIFICANT: "†", Outcome.UNDECIDED: "?", Outcome.UNJUDGED: "‡"}
    for outcome, sign in signs.items():
        n_marked = sum(one == outcome for outcomes in found.below.values() for one in outcomes.values())
        assert len(re.findall(rf"text='{re.escape(sign)}0\.", page)) == n_marked
        if outcome != Outcome.SIGNIFICANT:
            assert (f" {sign}: {outcome}." in page) == (outcome in used)


@pytest.mark.needs_extra("serve")
@pytest.mark.needs("tasks")
def test_results_of_a_task_say_what_is_open(source: View) -> None:
    """A column next to p where a difference is open or due to unjudged documents; otherwise as before."""
    from cranfield.features.tasks.results import TaskResults

    measures = ["nDCG@10", "AP"]
    plain = TaskResults.from_judged(source.judged, source.run_info, measures)
    results = replace(plain, view=source)
    rows = results.overview()
    assert {row["run"]: row["unjudged"] for row in rows if row["unjudged"]} == results.outcomes
    assert results.outcomes
    assert all(not source.run_info[tag].pooled for tag in results.outcomes)
    np.testing.assert_equal(
        [{**row, "unjudged": 0} for row in rows], [row | {"unjudged": 0} for row in plain.overview()]
    )
    assert "whether that difference holds if unjudged documents are graded" in results.p_caption
    judged = source_of(complete=True)
    whole = replace(TaskResults.from_judged(judged.judged, judged.run_info, measures), view=judged)
    assert "unjudged" not in whole.overview()[0]
