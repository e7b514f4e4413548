"""A/B tests: their numbers against other programs', and how often they err."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from cranfield.online.experiments import (
    ArmUnits,
    adjusted,
    arm_effect,
    detectable,
    half_width,
    linearised,
    permuted,
    power,
    r_squared,
    sample_ratio,
    sequential,
    sequential_effect,
    users_needed,
    welch,
)
from tests.conftest import usually

CLICKS, SHOWN = np.array([2.0, 0, 5, 1]), np.array([4.0, 3, 8, 2])


def arms(data: Any, name: str) -> list[Any]:
    return [data[name].to_numpy(float)[(data["variant"] == arm).to_numpy()] for arm in (0, 1)]


def same(found: Any, oracle: Any) -> None:
    expected = [oracle.control, oracle.treatment, oracle.effect_size]
    assert [found.control, found.arm, found.difference] == pytest.approx(expected)
    interval = [oracle.effect_size_ci_lower, oracle.effect_size_ci_upper, oracle.pvalue]
    assert [found.low, found.high, found.p] == pytest.approx(interval)


def test_effects_are_those_of_tea_tasting() -> None:
    """Means, means adjusted by CUPED, and ratios; in one test, since its import takes seconds."""
    oracle: Any = pytest.importorskip("tea_tasting", reason="needs tea-tasting, which is not installed")
    data = oracle.make_users_data(rng=42, covariates=True, return_type="pandas")
    measures = {
        "orders": oracle.Mean("orders"),
        "cuped": oracle.Mean("orders", covariate="orders_covariate"),
        "rate": oracle.RatioOfMeans("orders", "sessions"),
    }
    expected = oracle.Experiment(**measures).analyze(data)
    plain = welch(*arms(data, "orders"))
    same(plain, expected["orders"])
    data["adjusted"] = adjusted(data["orders"].to_numpy(float), data["orders_covariate"].to_numpy(float))
    cuped = welch(*arms(data, "adjusted"))
    same(cuped, expected["cuped"])
    control, arm = map(linearised, arms(data, "orders"), arms(data, "sessions"))
    same(welch(control, arm), expected["rate"])
    assert (round(plain.p, 3), round(cuped.p, 5)) == (0.118, 0.00733)


def test_means_are_those_of_scipy() -> None:
    from scipy import stats

    control, arm = np.arange(20.0), np.arange(30.0) * 0.9
    found, oracle = welch(control, arm, alpha=0.1), stats.ttest_ind(arm, control, equal_var=False)
    assert found.p == pytest.approx(oracle.pvalue)
    assert (found.low, found.high) == pytest.approx(oracle.confidence_interval(0.9))


def test_the_ratio_of_clicks_to_lists() -> None:
    values = linearised(CLICKS, SHOWN)
    assert values.mean() == pytest.approx(0.4706, abs=5e-5)
    assert values.std(ddof=1) / 2 == pytest.approx(0.1277, abs=5e-5)
    rate = CLICKS.sum() / SHOWN.sum()
    assert np.sqrt(rate * (1 - rate) / SHOWN.sum()) == pytest.approx(0.1211, abs=5e-5)  # as if no list had a user
    assert linearised(CLICKS, np.ones(4)) == pytest.approx(CLICKS)
    assert np.isnan(linearised(np.zeros(2), np.zeros(2))).all()


def test_the_sample_ratio() -> None:
    from scipy import stats

    found = sample_ratio([2023, 1977])
    assert found.p == pytest.approx(0.467, abs=5e-4)
    assert found.p == pytest.approx(stats.chisquare([2023, 1977]).pvalue)
    assert stats.binomtest(2023, 4000).pvalue == pytest.approx(0.477, abs=5e-4)
    assert sample_ratio([10, 20, 30], [1, 2, 3]).p == pytest.approx(1)
    assert [sample_ratio([2000 + more, 2000 - more]).holds for more in (109, 111)] == [True, False]


def test_the_confidence_sequence() -> None:
    assert half_width(1000, 1, 0.1**2) == pytest.approx(0.0961, abs=5e-5)
    assert r_squared(1000) == pytest.approx(0.008212, abs=5e-7)
    assert half_width(1000, 1, r_squared(1000)) == pytest.approx(0.0960, abs=5e-5)
    assert min(half_width(1000, 1, factor * r_squared(1000)) for factor in (0.9, 1, 1.1)) == half_width(
        1000, 1, r_squared(1000)
    )


def test_p_of_a_sequence_is_where_its_interval_ends_at_0() -> None:
    generator = np.random.default_rng(1)
    a, b = generator.normal(0, 1, 300), generator.normal(0.3, 1, 300)
    found = sequential(a, b, planned=600)
    variance = 600 * (a.var(ddof=1) + b.var(ddof=1)) / 300
    assert half_width(600, np.sqrt(variance), r_squared(600), alpha=found.p) == pytest.approx(found.difference)
    assert (found.low > 0) == (found.p < 0.05)


def test_power_is_that_of_statsmodels() -> None:
    oracle = pytest.importorskip("statsmodels.stats.power", reason="needs statsmodels, which is not installed")
    solver = oracle.TTestIndPower()
    for effect in (0.5, 0.2, 0.03):
        expected = solver.solve_power(effect, power=0.8, alpha=0.05)
        assert users_needed(effect * 3, 3.0) == np.ceil(expected)
        assert power(100, effect) == pytest.approx(solver.power(effect, 100, 0.05))
    assert detectable(users_needed(0.2, 1.0), 1.0) == pytest.approx(0.2, rel=0.01)


def test_who_was_where() -> None:
    found = ArmUnits.of(np.array([3, 3, 5, 5, 9, -1, 9]), np.array([1, 1, 0, 1, 0, 1, -1]))
    assert (found.unit.tolist(), found.arm.tolist()) == ([0, 0, -1, -1, 1, -1, -1], [1, 0])
    assert (found.mixed, found.unknown) == (1, 2)
    assert found.sums(np.arange(7.0)).tolist() == [1.0, 4.0]
    nobody = ArmUnits.of(np.array([-1]), np.array([0]))
    assert (nobody.unit.tolist(), len(nobody.arm)) == ([-1], 0)


def test_too_few_to_test() -> None:
    one, alike = np.array([1.0]), np.ones(5)
    for test in (welch, lambda a, b: sequential(a, b, planned=100)):
        assert np.isnan(test(one, alike).p)
        assert np.isnan(test(alike, alike).p)
        assert test(alike, alike + 1).difference == 1
        assert np.isnan(test(np.zeros(0), alike).difference)
        assert np.isnan(test(one - 1, alike).relative)


def by_every_division(control: Any, arm: Any) -> float:
    every, least = np.concatenate([control, arm]), abs(arm.mean() - control.mean()) - 1e-12
    divisions = [np.isin(np.arange(len(every)), one) for one in combinations(range(len(every)), len(arm))]
    return float(np.mean([abs(every[one].mean() - every[~one].mean()) >= least for one in divisions]))


def test_the_permutation_test_counts_divisions_of_users() -> None:
    control, arm = np.array([0.0, 1, 1, 4, 2, 0]), np.array([3.0, 2, 6, 5, 2])
    assert permuted(control, arm) == pytest.approx(by_every_division(control, arm), abs=0.006)
    for a, b in ((5, 5), (3, 7), (1, 4)):
        assert permuted(np.zeros(a), np.ones(b)) == pytest.approx(by_every_division(np.zeros(a), np.ones(b)))


def test_arms_without_variance_are_tested() -> None:
    for users in (2, 5, 20, 200):
        nothing, every = np.zeros(users), np.ones(users)
        for share in (True, False):
            found = arm_effect(nothing, every, share)
            assert found.difference == 1
            assert (found.p < 0.05) == (users > 2)
            assert np.isnan(found.low) != share
        assert (sequential_effect(nothing, every, True, planned=2 * users).p < 0.05) == (users > 2)
    assert np.isnan(arm_effect(nothing[:1], every, True).p)


@pytest.mark.parametrize("users", [(2, 2), (5, 20), (30, 30)])
@pytest.mark.parametrize("rates", [(0.02, 0.1), (0.1, 0.4), (0.5, 0.5), (0.05, 0.95)])
def test_intervals_of_shares_hold_however_few_the_users(users: tuple[int, int], rates: tuple[float, float]) -> None:
    generator, draws = np.random.default_rng(4), usually(400, 4000)
    held = 0
    for _ in range(draws):
        control, arm = (generator.binomial(1, rate, n).astype(np.float64) for rate, n in zip(rates, users, strict=True))
        found = arm_effect(control, arm, share=True)
        held += found.low <= rates[1] - rates[0] <= found.high
    assert held / draws > 0.94 - 2.6 * (0.94 * 0.06 / draws) ** 0.5


def looks(simulations: int, days: int = 14, users: int = 40) -> tuple[float, float, float]:
    """The share of A/A tests that claim a difference: fixed, looked at once; fixed and sequential, looked at daily."""
    generator = np.random.default_rng(18)
    once = peeked = always = 0
    for _ in range(simulations):
        clicks = generator.binomial(5, generator.beta(2, 3, (2, days * users))) * 1.0
        daily = [clicks[:, : day * users] for day in range(1, days + 1)]
        fixed = [welch(a, b).p < 0.05 for a, b in daily]
        once, peeked = once + fixed[-1], peeked + any(fixed)
        always += any(sequential(a, b, planned=2 * days * users).p < 0.05 for a, b in daily)
    return once / simulations, peeked / simulations, always / simulations


def test_claims_where_there_is_no_difference() -> None:
    """Within what chance gives: of 2,000, 5.9 % is two standard errors above 5 %."""
    simulations = usually(100, 2000)
    once, peeked, always = looks(simulations)
    assert once <= 0.05 + 2 * (0.05 * 0.95 / simulations) ** 0.5
    assert always <= 0.05
    assert peeked > 0.1


@pytest.mark.parametrize("users", [2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 1000, 100_000])
@pytest.mark.parametrize("alpha", [0.0001, 0.05, 0.5])
def test_power_grows_with_the_effect_up_to_1(users: int, alpha: float) -> None:
    found = [power(users, effect, alpha) for effect in np.geomspace(1e-6, 1000, 300)]
    assert (np.diff(found) > -1e-6).all()
    assert found[-1] == 1
    assert power(users, detectable(users, 1.0, alpha), alpha) == pytest.approx(0.8)
