"""The coefficients of correlation: published values, scipy's, laws, and the command that prints them."""

from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, spearmanr, weightedtau

from cranfield.errors import InputError
from cranfield.metrics.correlation.coefficients import (
    Correlation,
    kendall_tau,
    max_change,
    pearson,
    root_mean_square_error,
    spearman,
    tau_a,
    tau_ap,
    tau_ap_a,
    tau_ap_b,
    undefined,
    weighted_tau,
)
from cranfield.metrics.correlation.correlate import CORRELATIONS, correlate
from cranfield.metrics.evaluate import evaluate
from tests.real import robust

# From the README of ircor (Urbano), checked against its formulas.
X = np.array([0.06, 0.2, 0.27, 0.37, 0.57, 0.63, 0.66, 0.9, 0.91, 0.94])
Y = np.array([0.37, 0.06, 0.2, 0.27, 0.57, 0.66, 0.63, 0.91, 0.9, 0.94])
X_TIED, Y_TIED = np.round(X * 5) / 5, np.round(Y * 5) / 5

pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12)


def test_published_values() -> None:
    """X is the truth: all seven vectors of ircor's README."""
    assert kendall_tau(X, Y) == pytest.approx(0.7777778, abs=5e-8)
    assert tau_ap(truth=X, estimate=Y) == pytest.approx(0.7491182, abs=5e-8)
    assert tau_a(truth=X, estimate=Y_TIED) == pytest.approx(0.7111111, abs=5e-8)
    assert tau_ap_a(truth=X, estimate=Y_TIED) == pytest.approx(0.6074515, abs=5e-8)
    assert kendall_tau(X_TIED, Y_TIED) == pytest.approx(0.75)
    assert tau_ap_b(X_TIED, Y_TIED) == pytest.approx(0.6269841, abs=5e-8)


@given(order=st.permutations(range(6)))
def test_without_ties_the_variants_are_one(order: list[int]) -> None:
    truth = [*range(6)]
    assert tau_a(truth, order) == pytest.approx(kendall_tau(truth, order))
    assert tau_ap_a(truth, order) == pytest.approx(tau_ap(truth, order))


def broken(tied: list[int]) -> list[list[int]]:
    """All rankings without ties that these scores may stand for, as scores."""
    orders = [order for order in permutations(range(len(tied))) if [tied[i] for i in order] == sorted(tied)]
    return [[order.index(item) for item in range(len(tied))] for order in orders]


@given(estimate=st.lists(st.integers(0, 2), min_size=2, max_size=5), truth=st.permutations(range(5)))
def test_variant_a_is_the_mean_over_all_ways_to_break_the_estimates_ties(estimate: list[int], truth: list[int]) -> None:
    truth = truth[: len(estimate)]
    if len(set(estimate)) > 1:
        ways = broken(estimate)
        assert tau_a(truth, estimate) == pytest.approx(np.mean([kendall_tau(truth, way) for way in ways]))
        assert tau_ap_a(truth, estimate) == pytest.approx(np.mean([tau_ap(truth, way) for way in ways]))


def test_ap_correlation_is_not_symmetric_and_minds_the_top() -> None:
    truth = [5, 4, 3, 2, 1]
    assert tau_ap(truth, [4, 5, 3, 2, 1]) < tau_ap(truth, [5, 4, 3, 1, 2])
    assert kendall_tau(truth, [4, 5, 3, 2, 1]) == kendall_tau(truth, [5, 4, 3, 1, 2])
    assert tau_ap([1, 2, 3], [2, 3, 1]) != tau_ap([2, 3, 1], [1, 2, 3])


DISTANCES = {"RMSE", "max change"}  # defined where systems tie: 0 is a distance


@pytest.mark.parametrize("coefficient", CORRELATIONS, ids=[c.name for c in CORRELATIONS])
@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([1, 1, 1], [1, 2, 3], "all systems tie in the truth"),
        ([1, 2, 3], [1, 1, 1], "all systems tie in the estimate"),
        ([1, 2], [np.nan, 1], "a score is undefined in the estimate"),
        ([np.nan, 1], [1, 2], "a score is undefined in the truth"),
        ([1], [1], "there are fewer than two systems"),
        ([], [], "there are fewer than two systems"),
    ],
)
def test_what_is_undefined_is_nan_and_says_why(
    coefficient: Correlation, x: list[float], y: list[float], reason: str
) -> None:
    defined = coefficient.name in DISTANCES and len(x) and not np.isnan([*x, *y]).any()
    assert np.isnan(coefficient(x, y)) != defined
    assert undefined(x, y) == reason


@pytest.mark.parametrize("coefficient", CORRELATIONS, ids=[c.name for c in CORRELATIONS])
@given(scores=pairs)
def test_the_table_tells_which_are_symmetric(coefficient: Correlation, scores: list[tuple[int, int]]) -> None:
    x, y = ([float(score) for score in side] for side in zip(*scores, strict=True))
    if coefficient.symmetric:
        assert coefficient(x, y) == pytest.approx(coefficient(y, x), nan_ok=True)


def test_the_table_names_each_once_and_reads_each() -> None:
    assert len({c.name for c in CORRELATIONS}) == len(CORRELATIONS)
    assert all(c.reading for c in CORRELATIONS)
    asymmetric = [c.name for c in CORRELATIONS if c([1, 2, 3, 3], [2, 3, 1, 4]) != c([2, 3, 1, 4], [1, 2, 3, 3])]
    assert {"tau_AP", "tau_AP,a"} <= set(asymmetric)


SCIPY: list[tuple[Callable[..., float], Callable[..., object]]] = [
    (pearson, pearsonr),
    (spearman, spearmanr),
    (weighted_tau, weightedtau),
]


@pytest.mark.parametrize(("ours", "theirs"), SCIPY)
@given(scores=pairs)
def test_the_rest_is_scipys(
    ours: Callable[..., float], theirs: Callable[..., object], scores: list[tuple[int, int]]
) -> None:
    x, y = (list(map(float, side)) for side in zip(*scores, strict=True))
    if len(set(x)) > 1 and len(set(y)) > 1:
        assert ours(x, y) == pytest.approx(theirs(x, y).statistic)  # type: ignore[attr-defined]


def test_distances() -> None:
    assert root_mean_square_error([0.1, 0.5], [0.4, 0.1]) == pytest.approx(np.sqrt((0.09 + 0.16) / 2))
    assert max_change([0.1, 0.5], [0.4, 0.1]) == pytest.approx(0.4)


@given(scores=pairs)
def test_kendall_tau_is_scipys(scores: list[tuple[int, int]]) -> None:
    x, y = zip(*scores, strict=True)
    if len(set(x)) > 1 and len(set(y)) > 1:
        assert kendall_tau(x, y) == pytest.approx(kendalltau(x, y).statistic)
        assert kendall_tau(x, y) == pytest.approx(kendall_tau(y, x))


@given(scores=pairs)
def test_a_ranking_agrees_with_itself_and_not_with_its_reverse(scores: list[tuple[int, int]]) -> None:
    x = np.array([score for score, _ in scores], float)
    if len(set(x)) > 1:
        assert kendall_tau(x, x) == pytest.approx(1)
        assert kendall_tau(x, -x) == pytest.approx(-1)
        assert tau_ap(x, x) == pytest.approx(1)
        assert tau_ap(x, -x) == pytest.approx(-1)


@given(order=st.permutations(range(7)))
def test_tau_ap_is_the_papers_formula_where_nothing_ties(order: list[int]) -> None:
    truth = range(7)
    by_estimate = sorted(truth, key=lambda item: -order[item])
    right = [sum(above > item for above in by_estimate[:i]) / i for i, item in enumerate(by_estimate) if i]
    assert tau_ap([*truth], order) == pytest.approx(2 * sum(right) / 6 - 1)


def test_systems_are_matched_by_name() -> None:
    """Dicts and Series: what both have, whatever the order; sequences have to be of one length."""
    truth, estimate = {"a": 0.1, "b": 0.2, "c": 0.3}, {"c": 0.5, "x": 9.0, "b": 0.4, "a": 0.3}
    for given_ in (estimate, pd.Series(estimate)):
        table = correlate(truth, given_)
        assert list(table.columns) == ["coefficient", "value", "reading"]
        assert table["coefficient"].tolist() == [c.name for c in CORRELATIONS]
        assert dict(zip(table["coefficient"], table["value"], strict=True))["tau_b"] == 1
    with pytest.raises(InputError, match="3 systems in the truth, 4 in the estimate"):
        correlate([1, 2, 3], [1, 2, 3, 4])


def test_robust_2003(shared: Path) -> None:
    """17 runs, P@10 against MAP: trectools' published .7647 and, with P@10 as the truth, .77413."""
    table = evaluate(robust(shared).runs, robust(shared).qrels, ["AP", "P@10"])
    scores = table.pivot(index="run", columns="measure", values="value")
    precision, average_precision = scores["P@10"].to_numpy(), scores["AP"].to_numpy()
    assert len(precision) == 17
    assert kendall_tau(precision, average_precision) == pytest.approx(0.764706, abs=5e-7)
    assert tau_ap(truth=precision, estimate=average_precision) == pytest.approx(0.774130, abs=5e-7)
    assert tau_ap(truth=average_precision, estimate=precision) == pytest.approx(0.744207, abs=5e-7)
