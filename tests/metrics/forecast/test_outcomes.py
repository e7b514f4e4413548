"""Outcomes of comparisons by draws and by worst-case bounds."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.forecast.draws import score_draws
from cranfield.metrics.forecast.forecaster import fit_forecaster
from cranfield.metrics.forecast.outcomes import (
    Outcome,
    decide_condition,
    decide_outcomes,
    difference_bounds,
    make_test,
    score_bounds,
    worst_case_outcomes,
)
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse
from cranfield.metrics.significance.pairs import CORRECTIONS, Pairs
from cranfield.metrics.significance.tests import TESTS
from tests.metrics.forecast.made_up import made_up, pool_of

A, B = np.array([0]), np.array([1])
T = make_test(TESTS["t"], CORRECTIONS["none"], A, B)
STAR = np.array([[0.5, 0.6, 0.7, 0.9], [0.1, 0.1, 0.3, 0.4]])
NO_STAR = np.array([[0.5, 0.1, 0.7, 0.2], [0.1, 0.5, 0.3, 0.6]])


@pytest.mark.parametrize(
    ("judged", "stars", "outcome"),
    [
        (STAR, 10, Outcome.SIGNIFICANT), (STAR, 9, Outcome.SIGNIFICANT), (STAR, 5, Outcome.UNDECIDED),
        (STAR, 1, Outcome.UNJUDGED), (STAR, 0, Outcome.UNJUDGED), (NO_STAR, 1, Outcome.NOT_SIGNIFICANT),
        (NO_STAR, 2, Outcome.UNDECIDED),
    ],
)  # fmt: skip
def test_rule_for_pairs(judged: np.ndarray, stars: int, outcome: Outcome) -> None:
    """At least 0.9 of the draws: it stands; at most 0.1: it does not; otherwise it is not decided."""
    draws = np.stack([STAR] * stars + [NO_STAR] * (10 - stars))
    [pair] = decide_outcomes(judged, draws, A, B, T)
    assert (pair.outcome, pair.share_higher, pair.n_draws) == (outcome, stars / 10, 10)


def test_star_in_the_other_direction_does_not_count() -> None:
    """A difference that is significant the other way round in each draw is due to unjudged documents."""
    [pair] = decide_outcomes(STAR, np.stack([STAR[::-1]] * 10), A, B, T)
    assert (pair.outcome, pair.share_lower) == (Outcome.UNJUDGED, 1.0)


def test_correction_runs_over_the_family() -> None:
    """Holm's correction over two pairs withholds a star that one pair has."""
    scores = np.vstack([STAR, STAR[0] - np.array([0.1, -0.05, 0.15, -0.1])])
    p = make_p(scores)
    found = [
        make_test(TESTS["t"], CORRECTIONS[name], FIRST, OTHERS, alpha=1.5 * p)(scores)[0] for name in ("none", "holm")
    ]
    assert found == [True, False]


FIRST, OTHERS = np.array([0, 0]), np.array([1, 2])


def make_p(scores: np.ndarray) -> float:
    return float(TESTS["t"].function(Pairs(scores, FIRST, OTHERS))[0])


def test_conditions() -> None:
    """A condition of a gate is decided by nine of ten draws."""
    assert [decide_condition(np.arange(10) < n) for n in (10, 9, 5, 1, 0)] == [True, True, None, False, False]


def test_fully_judged_pairs_keep_their_outcome() -> None:
    """Pooled runs have no unjudged documents, so the draws change nothing."""
    runs, full = made_up(7)
    judged = pool_of(runs, full, 10)
    fitted = fit_forecaster(as_runs(runs), as_qrels(judged), 10)
    scores = score_draws(fitted, as_runs({tag: runs[tag] for tag in ("r0", "r1")}), [parse("P@10")], n_draws=10)
    [pair] = decide_outcomes(scores.judged[..., 0], scores.draws[..., 0], A, B, T)
    assert pair.outcome in (Outcome.SIGNIFICANT, Outcome.NOT_SIGNIFICANT)
    assert pair.low == pair.high


RUNS = {"x": {"1": {"a": 4.0, "u": 3.0, "b": 2.0, "v": 1.0}}, "y": {"1": {"v": 4.0, "b": 3.0, "w": 2.0, "u": 1.0}}}
QRELS = {"1": {"a": 1, "b": 0, "c": 1}}


@pytest.mark.parametrize("name", ["P@2", "DCG@3", "RBP", "AP", "nDCG@3", "R@3", "RR", "Bpref"])
def test_difference_bounds_hold(name: str) -> None:
    """No labelling of the unjudged documents gives a difference outside the bounds; those of sums are reached."""
    measure, runs = parse(name), as_runs(RUNS)
    low, high, judged = difference_bounds(fit_forecaster(runs, as_qrels(QRELS), 3), runs, measure, A, B)
    differences = []
    for grades in product((0, 1), repeat=3):
        labels = {"1": QRELS["1"] | dict(zip("uvw", grades, strict=True))}
        first, second = evaluate(labels, RUNS, [measure]).value
        differences.append(first - second)
    assert low[0, 0] <= min(differences) + 1e-12
    assert max(differences) - 1e-12 <= high[0, 0]
    if name in ("P@2", "DCG@3", "RBP"):
        assert (low[0, 0], high[0, 0]) == pytest.approx((min(differences), max(differences)))
    assert judged.shape == (2, 1)
    back = difference_bounds(fit_forecaster(runs, as_qrels(QRELS), 3), runs, measure, B, A)
    np.testing.assert_allclose(back[0], -high)


@pytest.mark.parametrize("name", ["nDCG@2", "nDCG@4", "nDCG", "nDCG(gains='exp')@3", "nDCG(gains='1=2,2=1')@3"])
@pytest.mark.parametrize("seed", range(4))
def test_bounds_of_ndcg_hold_under_all_graded_labels(name: str, seed: int) -> None:
    """Also where a run's ideal moves, where nothing judged is relevant, and where runs share unjudged documents."""
    random = np.random.default_rng(seed)
    measure, docnos = parse(name), [*"abcduvw"]
    given: dict[str, dict[str, dict[str, float]]] = {
        tag: {"1": {docnos[place]: 4.0 - rank for rank, place in enumerate(random.permutation(7)[:4])}} for tag in "xy"
    }
    grades = dict(zip("abcd", [*random.integers(0, 3 * bool(seed) + 1, 3).clip(0, 2).tolist(), 2], strict=True))
    fitted = fit_forecaster(as_runs(given), as_qrels({"1": grades}), 4)
    low, high, _ = difference_bounds(fitted, as_runs(given), measure, A, B)
    retrieved = {docno for run in given.values() for docno in run["1"]} & {*"uvw"}
    for labels in product((0, 1, 2), repeat=len(retrieved)):
        judged = {"1": grades | dict(zip(sorted(retrieved), labels, strict=True))}
        first, second = evaluate(judged, given, [measure]).value
        assert low[0, 0] - 1e-12 <= first - second <= high[0, 0] + 1e-12


def test_a_shared_unjudged_document_has_one_label_in_bounds_of_ndcg() -> None:
    """At the same rank in both runs it counts alike, so that only the ideal can move."""
    runs = as_runs({"x": {"1": {"u": 4.0, "a": 3.0, "b": 2.0}}, "y": {"1": {"u": 4.0, "b": 3.0, "a": 2.0}}})
    fitted = fit_forecaster(runs, as_qrels({"1": {"a": 1, "b": 0}}), 3)
    low, high, _ = difference_bounds(fitted, runs, parse("nDCG@3"), A, B)
    difference = 1 / np.log2(3) - 1 / np.log2(4)
    assert (low[0, 0], high[0, 0]) == pytest.approx((difference / (1 + 1 / np.log2(3)), difference))


def test_worst_case_outcomes() -> None:
    """Without a model a difference stands only if no labelling can undo it."""
    runs: dict[str, dict[str, dict[str, float]]] = {"x": {}, "y": {}}
    qrels: dict[str, dict[str, int]] = {}
    for number in range(8):
        topic = str(number)
        qrels[topic] = {"a": 1, "b": 1, "c": 0, "d": 0}
        runs["x"][topic] = {"a": 4.0, "b": 3.0, "e" if number % 2 else "c": 2.0}
        runs["y"][topic] = {"c": 4.0, "d": 3.0, "a": 2.0}

    def test(scores: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return make_test(TESTS["t"], CORRECTIONS["none"], a, b)(scores)

    def outcome(cutoff: str) -> Outcome:
        fitted = fit_forecaster(as_runs({"x": runs["x"]}), as_qrels(qrels), 3)
        [pair] = worst_case_outcomes(fitted, as_runs(runs), parse(cutoff), A, B, test=test)
        return pair.outcome

    assert outcome("P@2") == Outcome.SIGNIFICANT
    runs["y"] = {topic: {"u": 5.0, "v": 4.0} for topic in qrels}
    assert outcome("P@2") == Outcome.UNDECIDED


@pytest.mark.parametrize("name", ["AP", "nDCG@5", "nDCG", "Rprec", "R@5", "RBP", "RBP(gains='linear')", "ERR", "Bpref"])
@pytest.mark.parametrize("grades", [(0, 1, 2), (0, 0.5, 2.0), (1, 2)])
def test_bounds_of_a_pair_do_not_depend_on_the_other_pairs(name: str, grades: tuple[float, ...]) -> None:
    """All pairs of six runs have the bounds that each pair has where only its two runs are given."""
    random, measure = np.random.default_rng(5), parse(name)
    docnos = [f"d{number}" for number in range(30)]
    qrels = as_qrels({q: {d: grades[random.integers(len(grades))] for d in docnos[::3]} for q in "123"})
    runs: dict[str, dict[str, dict[str, float]]] = {
        tag: {q: {d: float(random.integers(12)) for d in random.permutation(docnos)[:14]} for q in "123"}
        for tag in "abcde"
    }
    every = as_runs(runs | {"f": runs["a"]})
    forecaster = replace(fit_forecaster(every, qrels, 5), model=None)
    a, b = np.array([(i, j) for i in range(6) for j in range(6) if i != j]).T
    low, high, _ = difference_bounds(forecaster, every, measure, a, b)
    ends_a, ends_b = score_bounds(forecaster, every, measure, a, b)
    for number, (first, second) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        pair = every.select([every.tags[first], every.tags[second]])
        place = np.array([int(first > second)])
        alone = difference_bounds(forecaster, pair, measure, place, 1 - place)
        np.testing.assert_array_equal([low[number], high[number]], [alone[0][0], alone[1][0]])
        ends = score_bounds(forecaster, pair, measure, place, 1 - place)
        np.testing.assert_array_equal([ends_a[:, number], ends_b[:, number]], [ends[0][:, 0], ends[1][:, 0]])


def test_bounds_of_rbp_are_reached_by_labels_of_the_open_documents() -> None:
    """Unretrieved documents add at most 0.8 ** n to a ranking of n documents; z is below the depth and adds nothing."""
    given = {"x": {"1": "aubvz", "2": "uab"}, "y": {"1": "vbua", "2": "bauz"}}
    runs = {
        tag: {topic: {docno: -float(rank) for rank, docno in enumerate(docnos)} for topic, docnos in rankings.items()}
        for tag, rankings in given.items()
    }
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}}
    fitted = fit_forecaster(as_runs(runs), as_qrels(qrels), 3)
    bounds = score_bounds(fitted, as_runs(runs), parse("RBP"), A, B)
    for number, tag in enumerate("xy"):
        for place, (topic, unjudged) in enumerate({"1": "uv", "2": "u"}.items()):
            judged = [qrels[topic] | dict.fromkeys(unjudged, grade) for grade in (0, 1)]
            least, greatest = (evaluate({topic: labels}, {tag: runs[tag]}, "RBP").value.item() for labels in judged)
            expected = least, greatest + 0.8 ** len(given[tag][topic])
            assert bounds[number][:, 0, place] == pytest.approx(expected)


def test_rankings_of_the_same_documents_differ_by_nothing() -> None:
    """A measure without bounds has an infinite range, but two runs with one ranking have no difference."""
    runs = as_runs({"x": {"1": {"a": 2.0, "u": 1.0}}, "y": {"1": {"a": 4.0, "u": 3.0}}})
    low, high, _ = difference_bounds(fit_forecaster(runs, as_qrels(QRELS), 2), runs, parse("NumNonrelRet"), A, B)
    assert (low.tolist(), high.tolist()) == ([[0.0]], [[0.0]])
