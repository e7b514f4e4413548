"""Kendall's tau-b and AP correlation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from cranfield.metrics.correlation import kendall_tau, tau_ap

# From the README of ircor (Urbano), checked against its formulas.
X = np.array([0.06, 0.2, 0.27, 0.37, 0.57, 0.63, 0.66, 0.9, 0.91, 0.94])
Y = np.array([0.37, 0.06, 0.2, 0.27, 0.57, 0.66, 0.63, 0.91, 0.9, 0.94])
X_TIED, Y_TIED = np.round(X * 5) / 5, np.round(Y * 5) / 5

pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12)


def test_published_values() -> None:
    assert kendall_tau(X, Y) == pytest.approx(0.7777778, abs=5e-8)
    assert tau_ap(truth=X, estimate=Y) == pytest.approx(0.7491182, abs=5e-8)
    assert kendall_tau(X_TIED, Y_TIED) == pytest.approx(0.75)


def test_the_mean_of_both_directions_is_tau_ap_b() -> None:
    both = (tau_ap(X_TIED, Y_TIED) + tau_ap(Y_TIED, X_TIED)) / 2
    assert both == pytest.approx(0.6269841, abs=5e-8)


def test_ap_correlation_is_not_symmetric_and_minds_the_top() -> None:
    truth = [5, 4, 3, 2, 1]
    assert tau_ap(truth, [4, 5, 3, 2, 1]) < tau_ap(truth, [5, 4, 3, 1, 2])
    assert kendall_tau(truth, [4, 5, 3, 2, 1]) == kendall_tau(truth, [5, 4, 3, 1, 2])
    assert tau_ap([1, 2, 3], [2, 3, 1]) != tau_ap([2, 3, 1], [1, 2, 3])


@pytest.mark.parametrize("function", [kendall_tau, tau_ap])
@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([1, 1, 1], [1, 2, 3]),
        ([1, 2, 3], [1, 1, 1]),
        ([1, 2], [np.nan, 1]),
        ([np.nan, 1], [1, 2]),
        ([1], [1]),
        ([], []),
    ],
)
def test_what_is_undefined_is_nan(function: type, x: list[float], y: list[float]) -> None:
    assert np.isnan(function(x, y))


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
