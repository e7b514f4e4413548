"""Outcomes of comparisons where documents are unjudged: what stands, what is not decided, what the gate does."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import cranfield
from benchmarks.forecasts import DATA, POOL, load_collection, pool_qrels, pooled_keys, relevant_keys
from cranfield.analysis.gate import (
    ConditionResult,
    check_conditions,
    condition_share,
    parse_condition,
    settle_undecided,
)
from cranfield.analysis.outcomes import OUTCOME_COLUMNS, check_draws, outcome_sentence
from cranfield.arrays.rankings import Floats, Runs
from cranfield.errors import InputError
from cranfield.metrics.forecast.comparisons import FamilyOutcomes
from cranfield.metrics.forecast.forecaster import fit_forecaster
from cranfield.metrics.forecast.outcomes import (
    Outcome,
    PairOutcome,
    WorstCase,
    decide_worst_case,
    make_test,
    worst_case,
)
from cranfield.metrics.forecast.random_draw import RandomDraw
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.significance.compare import compare
from cranfield.metrics.significance.pairs import CORRECTIONS
from cranfield.metrics.significance.tests import TESTS
from tests.metrics.forecast.made_up import RunDict, made_up, pool_of

Judgments = dict[str, dict[str, int]]


def family(mean_a: Floats, mean_b: Floats, loses: float = 0.0, n_draws: int = 10) -> FamilyOutcomes:
    """One pair under ten labellings, or between two bounds."""
    outcome = PairOutcome(Outcome.UNDECIDED, False, 0.0, loses, -0.1, 0.1, n_draws)
    a, b = (np.asarray(means, float)[:, None] for means in (mean_a, mean_b))
    return FamilyOutcomes([outcome], a, b, np.array([loses]), a - b, np.array([False]))


def row(mean_a: float, mean_b: float) -> pd.DataFrame:
    """A comparison of one run with the baseline."""
    values = {
        "run_a": "new",
        "run_b": "base",
        "measure": "P@10",
        "mean_a": mean_a,
        "mean_b": mean_b,
        "p_corrected": 0.5,
        "p_test": "t",
    }
    return pd.DataFrame([values | {"difference": mean_a - mean_b, "significant": False, "topics": 10}])


@pytest.mark.parametrize(
    ("n_holding", "failed", "undecided"),
    [(10, True, False), (9, True, False), (8, False, True), (2, False, True), (1, False, False), (0, False, False)],
)
@pytest.mark.parametrize("text", ["P@10 < 0.3", "P@10 < baseline - 0.1", "P@10 < baseline - 25%", "significant-loss"])
def test_conditions_hold_in_draws(text: str, n_holding: int, failed: bool, undecided: bool) -> None:
    """It fails from nine of ten draws on, passes up to one of ten, and is undecided between."""
    means = np.where(np.arange(10) < n_holding, 0.25, 0.35)
    found = family(means, np.full(10, 0.4), n_holding / 10)
    [result] = check_conditions(row(0.25, 0.4), [parse_condition(text)], "base", {"P@10": found})
    assert (result.failed, result.undecided, result.share) == (failed, undecided, n_holding / 10)
    assert f"as judged; the condition holds in {n_holding * 10}% of 10 simulated labellings" in result.message


@pytest.mark.parametrize(("ends", "share"), [((0.1, 0.2), 1.0), ((0.1, 0.35), np.nan), ((0.35, 0.4), 0.0)])
@pytest.mark.parametrize("text", ["P@10 < 0.3", "P@10 < baseline - 0.1", "P@10 < baseline - 25%"])
def test_conditions_hold_between_bounds(text: str, ends: tuple[float, float], share: float) -> None:
    """Without a model a condition is decided if all labels decide it alike."""
    found = family(np.array(ends), np.array([0.4, 0.4]), n_draws=0)
    np.testing.assert_equal(condition_share(parse_condition(text), found, 0), share)
    [result] = check_conditions(row(0.25, 0.4), [parse_condition(text)], "base", {"P@10": found})
    assert (result.failed, result.undecided) == (share == 1, np.isnan(share))


def test_a_pair_that_is_judged_is_checked_as_before() -> None:
    """Draws do not matter where both runs are judged; an undefined mean fails."""
    found = family(np.full(10, 0.1), np.full(10, 0.4), 1.0)
    closed = FamilyOutcomes(
        found.outcomes, found.mean_a, found.mean_b, found.loses, found.differences, np.array([True])
    )
    table, gate = row(0.5, 0.4), [parse_condition("P@10 < 0.3")]
    assert check_conditions(table, gate, "base", {"P@10": closed}) == check_conditions(table, gate, "base")
    [undefined] = check_conditions(row(np.nan, 0.4), gate, "base", {"P@10": found})
    assert (undefined.failed, undefined.message) == (True, "P@10 is undefined on these topics")


def test_undecided_conditions_fail_or_pass_on_request() -> None:
    undecided = ConditionResult("P@10 < 0.3", "new", "P@10", 0.25, 0.3, False, "why", True, 0.5)
    failed = undecided._replace(failed=True, undecided=False)
    assert settle_undecided([undecided, failed], None) == [undecided, failed]
    assert [one.failed for one in settle_undecided([undecided, failed], "fail")] == [True, True]
    assert [one.failed for one in settle_undecided([undecided, failed], "pass")] == [False, True]
    assert not any(one.undecided for how in ("fail", "pass") for one in settle_undecided([undecided], how))


def test_worst_case_finds_the_most_even_labels() -> None:
    """Both bounds vary much between topics, so neither is significant, but labels between them are."""

    def test(scores: Floats, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return make_test(TESTS["t"], CORRECTIONS["none"], a, b)(scores)

    low, high = np.full((1, 12), 0.05), np.full((1, 12), 0.2)
    low[0, 0], high[0, 1] = -3.0, 3.0
    both, second = np.zeros((2, 12)), np.array([1])
    for bound in (low, high):
        both[0] = bound
        assert not test(both, np.array([0]), second).any()
    case = worst_case(low, high, test=test)
    assert (case.moves[0], case.stands[0]) == (True, False)
    assert (case.can_be_higher[0], case.can_be_lower[0]) == (True, False)


def test_the_worst_mean_leaves_out_topics_without_a_score() -> None:
    low = np.array([[0.25, np.nan, -0.75]])
    case = worst_case(low, low + 0.5, test=lambda scores, a, b: np.zeros(len(a), bool))
    assert (case.low[0], case.high[0]) == (-0.25, 0.25)


def test_a_significant_difference_with_mean_zero_has_no_direction() -> None:
    """A sign test finds eight small gains and one large loss significant, but neither run has the higher mean."""
    differences = np.array([[0.125] * 8 + [-1.0]])

    def test(scores: Floats, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return make_test(TESTS["sign"], CORRECTIONS["none"], a, b)(scores)

    assert test(np.concatenate([differences, 0 * differences]), np.array([0]), np.array([1])).all()
    case = worst_case(differences, differences, test=test)
    assert (case.stands[0], case.can_be_higher[0], case.can_be_lower[0]) == (False, False, False)


@pytest.mark.parametrize("measure", ["AP", "infAP", "Bpref", "NumNonrelRet"])
def test_no_measure_of_relevance_escapes_the_rule(pooled: tuple[RunDict, Judgments, Judgments], measure: str) -> None:
    """Labels of unjudged documents change these measures, also where an unjudged document is not a nonrelevant one."""
    runs, judged, _ = pooled
    with pytest.warns(UserWarning, match="not decided: without a model of the pool, only worst-case bounds apply"):
        outcomes = cranfield.compare(judged, runs, measures=measure, baseline="r0").frame["outcome"]
    assert any("unjudged" in outcome for outcome in outcomes)


def test_a_draw_to_another_depth_is_refused(pooled: tuple[RunDict, Judgments, Judgments]) -> None:
    runs, judged, _ = pooled
    [tag, *_] = runs
    forecaster = fit_forecaster(as_runs(runs), as_qrels(judged), 10)
    draw = RandomDraw(tag, 7, 0, 3, "af", (("1", "d2"),), (1,))
    with pytest.raises(InputError, match=r"draw\.tsv:3: found a draw from the first 7 .* expected 10, the pool"):
        check_draws([("draw.tsv", draw)], forecaster, as_runs(runs))


def test_sentences() -> None:
    """The share is in the direction as judged; the other direction is named if it occurs."""
    due = PairOutcome(Outcome.UNJUDGED, True, 0.02, 0.4, -0.1, 0.1, 500)
    assert outcome_sentence(due, 0.1) == (
        "Due to unjudged documents: the difference is significant in 2% of 500 simulated labellings, and in the other"
        " direction in 40%."
    )
    assert outcome_sentence(PairOutcome(Outcome.UNDECIDED, True, np.nan, np.nan, -0.1, 0.1, 0), 0.1) == (
        "Not decided: depending on the labels of unjudged documents, the difference is between -0.1000 and +0.1000."
    )


@pytest.fixture(scope="module")
def pooled() -> tuple[RunDict, Judgments, Judgments]:
    """Eight runs, of which the last did not help to build the pool; the pool's judgments, and all."""
    runs, full = made_up(8)
    others = {tag: run for tag, run in runs.items() if tag != "r7"}
    return runs, pool_of(others, full, 10), {topic: dict(grades) for topic, grades in full.items()}


def test_documents_below_the_pool_depth_are_named(pooled: tuple[RunDict, Judgments, Judgments]) -> None:
    """The pool is to depth 10: P@20 counts what is unjudged below as not relevant, also for pooled runs."""
    runs, judged, _ = pooled
    pair, others = {tag: runs[tag] for tag in ("r0", "r1")}, {tag: runs[tag] for tag in runs if tag != "r7"}
    with pytest.warns(UserWarning, match="unjudged documents below rank 10 count as not relevant in P@20$"):
        table = cranfield.compare(judged, pair, measures=["P@10", "P@20"], pool_runs=others).frame
    shares = table.set_index("measure")["judged_a"]
    assert shares["P@10"] == 1
    assert shares["P@20"] < 1


@pytest.mark.filterwarnings("ignore:1 of 1 difference is not decided")
def test_pooled_runs_decide_what_bounds_cannot(pooled: tuple[RunDict, Judgments, Judgments]) -> None:
    """Without pooled runs there are bounds; with them simulated labellings, and the same numbers as judged."""
    runs, judged, _ = pooled
    asked: dict[str, Any] = {"measures": "P@10", "baseline": "r0"}
    pair = {tag: runs[tag] for tag in ("r0", "r7")}
    bounds = cranfield.compare(judged, pair, **asked).frame.iloc[0]
    drawn = cranfield.compare(
        judged, pair, **asked, pool_runs={tag: runs[tag] for tag in runs if tag != "r7"}
    ).frame.iloc[0]
    before = compare(judged, pair, measures="P@10", baseline="r0").iloc[0]
    for name in ("mean_a", "difference", "low", "high", "p", "p_corrected"):
        assert bounds[name] == drawn[name] == before[name]
    assert (bounds["labellings"], drawn["labellings"]) == (0, 500)
    assert bounds["outcome"] == Outcome.UNDECIDED
    assert bounds["forecast_low"] < drawn["forecast_low"] < drawn["forecast_high"] < bounds["forecast_high"]
    assert (bounds["judged_b"], bounds["judged_cutoff"]) == (1.0, 10)
    assert 0.3 < bounds["judged_a"] < 1
    resampled = cranfield.compare(
        judged, pair, **asked, test="permutation", pool_runs={tag: runs[tag] for tag in runs if tag != "r7"}
    ).frame.iloc[0]
    assert resampled["labellings"] == 200


@pytest.mark.parametrize("test", ["t", "tukey"])
def test_every_digit_stays_where_all_is_judged(pooled: tuple[RunDict, Judgments, Judgments], test: str) -> None:
    """Pooled runs alone: the table has the numbers and stars of a comparison that knows no unjudged documents."""
    runs, judged, _ = pooled
    some = {tag: runs[tag] for tag in ("r0", "r1", "r2", "r3")}
    how: dict[str, Any] = {"measures": ["P@10", "nDCG@10", "AP"], "test": test}
    if test == "tukey":
        how["samples"] = 200
    before, after = compare(judged, some, **how), cranfield.compare(judged, some, **how).frame
    pd.testing.assert_frame_equal(after[[*before]], before)
    assert set(after["outcome"]) <= {Outcome.SIGNIFICANT, Outcome.NOT_SIGNIFICANT}
    assert ((after["outcome"] == Outcome.SIGNIFICANT) == before["significant"]).all()
    assert (after[["judged_a", "judged_b"]] == 1).all(axis=None)


@pytest.mark.filterwarnings("ignore:.* not decided")
def test_tukey_has_no_bounds(pooled: tuple[RunDict, Judgments, Judgments]) -> None:
    """A test of all runs at once decides nothing without a model as soon as a run has unjudged documents."""
    runs, judged, _ = pooled
    three = {tag: runs[tag] for tag in ("r0", "r1", "r7")}
    table = cranfield.compare(judged, three, measures="P@10", test="tukey", samples=200).frame
    is_new = (table["run_a"] == "r7") | (table["run_b"] == "r7")
    assert (table["outcome"][is_new] == Outcome.UNDECIDED).all()
    assert (table["outcome"][~is_new] != Outcome.UNDECIDED).all()


def test_qrels_of_relevant_documents_only(pooled: tuple[RunDict, Judgments, Judgments]) -> None:
    """Tests work as before, shares are undefined, and one note says so."""
    runs, judged, _ = pooled
    relevant = {topic: {docno: 1 for docno, grade in grades.items() if grade} for topic, grades in judged.items()}
    pair = {tag: runs[tag] for tag in ("r0", "r7")}
    with pytest.warns(UserWarning, match="list only relevant documents and do not show which") as notes:
        table = cranfield.compare(relevant, pair, measures="P@10").frame
    assert len(notes) == 1
    assert table[["judged_a", "judged_b"]].isna().all(axis=None)
    pd.testing.assert_frame_equal(table.drop(columns=[*OUTCOME_COLUMNS]), compare(relevant, pair, measures="P@10"))


@pytest.mark.full
@pytest.mark.skipif(not (DATA / "neural-runs").is_dir(), reason="needs the collections and neural runs of shared/data")
@pytest.mark.filterwarnings("ignore:.* have the id of their topic")
@pytest.mark.filterwarnings("ignore:.* most measures score 0 there")
def test_false_stars_against_a_neural_run_are_gone() -> None:
    """CACM, eight lexical runs to depth 10: full judgments deny stars against wordllama, and none is left of these."""
    collection = load_collection("cacm")
    relevant, docnos, size = relevant_keys(collection)
    pool = collection.runs.select(POOL)
    pool = pool.rows(np.isin(pool.topic, np.unique(relevant // size)))
    new = collection.runs.select(["wordllama", "chargrams"])
    keys = pooled_keys(pool, 10, "depth", size)
    judged = pool_qrels(keys, relevant, collection, docnos, size)
    full = pool_qrels(np.union1d(keys, pooled_keys(new, 10, "depth", size)), relevant, collection, docnos, size)
    measures: dict[str, Any] = {"measures": ["AP", "nDCG@10", "P@10"], "baseline": "wordllama", "correction": "none"}
    runs: Runs = collection.runs.select([*POOL, "wordllama", "chargrams"])
    runs = runs.rows(np.isin(runs.topic, np.unique(relevant // size)))
    table = cranfield.compare(judged, runs, **measures, pool_runs=pool).frame
    truth = compare(full, runs, **measures)
    is_false = (
        table["significant_as_judged"] & (table["difference"] > 0) & ~(truth["significant"] & (truth["difference"] > 0))
    )
    assert is_false.sum() >= 5
    assert not table["significant"][is_false].any()
    due = table["outcome"] == Outcome.UNJUDGED
    assert is_false[due].all()
    [ndcg] = table[(table["run_a"] == "chargrams") & (table["measure"] == "nDCG@10")].to_dict("records")
    assert (ndcg["judged_b"], ndcg["significant"]) == (pytest.approx(0.46, abs=0.02), False)


def test_bounds_of_measures_without_one_are_infinite() -> None:
    """A topic without a bound makes the bound of the mean infinite; the other end stays what it is."""
    low, high = np.array([[0.1, -np.inf], [0.1, 0.2]]), np.array([[0.1, 0.3], [np.inf, 0.2]])
    case = worst_case(low, high, test=lambda scores, a, b: np.zeros(len(a), bool))
    assert case.low.tolist() == pytest.approx([-np.inf, 0.15])
    assert case.high.tolist() == pytest.approx([0.2, np.inf])


@pytest.mark.parametrize(
    ("before", "moves", "stands", "possible", "outcome"),
    [
        (True, True, True, True, Outcome.SIGNIFICANT),
        (True, False, False, False, Outcome.SIGNIFICANT),  # as judged, with a mean of 0
        (True, True, False, True, Outcome.UNDECIDED),
        (False, True, False, True, Outcome.UNDECIDED),
        (False, True, False, False, Outcome.NOT_SIGNIFICANT),
        (False, False, False, True, Outcome.NOT_SIGNIFICANT),
    ],
)
def test_the_worst_case_decides(before: bool, moves: bool, stands: bool, possible: bool, outcome: Outcome) -> None:
    """A difference stays where labels cannot move it, or where it stands at both ends; else it is open."""
    ends, masks = np.zeros(1), (np.array([value]) for value in (moves, stands, possible, False))
    [decided] = decide_worst_case(WorstCase(ends, ends, *masks), np.array([before]))
    assert decided.outcome is outcome
