"""A/B tests: their numbers against other programs', how often they err, and the command for those of a log."""

import json
from collections.abc import Callable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as library
from cranfield.errors import InputError
from cranfield.features.online.analysis.ab import ab_test
from cranfield.features.online.analysis.log import LogImportRequest, import_log
from cranfield.features.online.analysis.subjects import AbRequest
from cranfield.features.online.arm_users import ArmUnits, UserTotals, as_totals, linearise
from cranfield.features.online.experiments import (
    adjust,
    arm_effect,
    detectable,
    half_width,
    permutation_test,
    power,
    r_squared,
    sample_ratio,
    sequential,
    sequential_effect,
    users_needed,
    welch,
)
from cranfield.features.online.store.read import add_experiment, experiments
from cranfield.store.store import Store
from tests.conftest import Cranfield, usually
from tests.stores import new_store

CLICKS, SHOWN = np.array([2.0, 0, 5, 1]), np.array([4.0, 3, 8, 2])


def arms(data: Any, name: str) -> list[Any]:
    return [data[name].to_numpy(float)[(data["variant"] == arm).to_numpy()] for arm in (0, 1)]


def same(effect: Any, oracle: Any) -> None:
    expected = [oracle.control, oracle.treatment, oracle.effect_size]
    assert [effect.control, effect.arm, effect.difference] == pytest.approx(expected)
    interval = [oracle.effect_size_ci_lower, oracle.effect_size_ci_upper, oracle.pvalue]
    assert [effect.low, effect.high, effect.p] == pytest.approx(interval)


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
    data["adjusted"] = adjust(data["orders"].to_numpy(float), data["orders_covariate"].to_numpy(float))
    cuped = welch(*arms(data, "adjusted"))
    same(cuped, expected["cuped"])
    control, arm = map(linearise, arms(data, "orders"), arms(data, "sessions"))
    same(welch(control, arm), expected["rate"])
    assert (round(plain.p, 3), round(cuped.p, 5)) == (0.118, 0.00733)


def test_means_are_those_of_scipy() -> None:
    from scipy import stats

    control, arm = np.arange(20.0), np.arange(30.0) * 0.9
    effect, oracle = welch(control, arm, alpha=0.1), stats.ttest_ind(arm, control, equal_var=False)
    assert effect.p == pytest.approx(oracle.pvalue)
    assert (effect.low, effect.high) == pytest.approx(oracle.confidence_interval(0.9))


def test_the_ratio_of_clicks_to_lists() -> None:
    values = linearise(CLICKS, SHOWN)
    assert values.mean() == pytest.approx(0.4706, abs=5e-5)
    assert values.std(ddof=1) / 2 == pytest.approx(0.1277, abs=5e-5)
    rate = CLICKS.sum() / SHOWN.sum()
    assert np.sqrt(rate * (1 - rate) / SHOWN.sum()) == pytest.approx(0.1211, abs=5e-5)  # as if no list had a user
    assert linearise(CLICKS, np.ones(4)) == pytest.approx(CLICKS)
    assert np.isnan(linearise(np.zeros(2), np.zeros(2))).all()


def test_the_sample_ratio() -> None:
    from scipy import stats

    ratio = sample_ratio([2023, 1977])
    assert ratio.p == pytest.approx(0.467, abs=5e-4)
    assert ratio.p == pytest.approx(stats.chisquare([2023, 1977]).pvalue)
    assert stats.binomtest(2023, 4000).pvalue == pytest.approx(0.477, abs=5e-4)
    assert sample_ratio([10, 20, 30], [1, 2, 3]).p == pytest.approx(1)
    assert [sample_ratio([2000 + more, 2000 - more]).holds for more in (109, 111)] == [True, False]


def test_the_confidence_sequence() -> None:
    """Its width is least where it was planned; p is where its interval ends at 0."""
    assert half_width(1000, 1, 0.1**2) == pytest.approx(0.0961, abs=5e-5)
    assert r_squared(1000) == pytest.approx(0.008212, abs=5e-7)
    best = half_width(1000, 1, r_squared(1000))
    assert best == pytest.approx(0.0960, abs=5e-5)
    assert min(half_width(1000, 1, factor * r_squared(1000)) for factor in (0.9, 1, 1.1)) == best
    generator = np.random.default_rng(1)
    a, b = generator.normal(0, 1, 300), generator.normal(0.3, 1, 300)
    effect = sequential(a, b, plan=600)
    variance = 600 * (a.var(ddof=1) + b.var(ddof=1)) / 300
    assert half_width(600, np.sqrt(variance), r_squared(600), alpha=effect.p) == pytest.approx(effect.difference)
    assert (effect.low > 0) == (effect.p < 0.05)


def test_power_is_that_of_statsmodels() -> None:
    oracle = pytest.importorskip("statsmodels.stats.power", reason="needs statsmodels, which is not installed")
    solver = oracle.TTestIndPower()
    for effect in (0.5, 0.2, 0.03):
        expected = solver.solve_power(effect, power=0.8, alpha=0.05)
        assert users_needed(effect * 3, 3.0) == np.ceil(expected)
        assert power(100, effect) == pytest.approx(solver.power(effect, 100, 0.05))
    assert detectable(users_needed(0.2, 1.0), 1.0) == pytest.approx(0.2, rel=0.01)


def test_who_was_where() -> None:
    units = ArmUnits.from_users(np.array([3, 3, 5, 5, 9, -1, 9]), np.array([1, 1, 0, 1, 0, 1, -1]))
    assert (units.unit.tolist(), units.arm.tolist()) == ([0, 0, -1, -1, 1, -1, -1], [1, 0])
    assert (units.n_mixed_users, units.unknown) == (1, 2)
    assert units.sums(np.arange(7.0)).tolist() == [1.0, 4.0]
    nobody = ArmUnits.from_users(np.array([-1]), np.array([0]))
    assert (nobody.unit.tolist(), len(nobody.arm)) == ([-1], 0)


def test_too_few_to_test() -> None:
    one, alike = np.array([1.0]), np.ones(5)
    for test in (welch, lambda a, b: sequential(a, b, plan=100)):
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
    p = permutation_test(as_totals(control), as_totals(arm))
    assert p == pytest.approx(by_every_division(control, arm), abs=0.006)
    for a, b in ((5, 5), (3, 7), (1, 4)):
        nothing, every = np.zeros(a), np.ones(b)
        p = permutation_test(as_totals(nothing), as_totals(every))
        assert p == pytest.approx(by_every_division(nothing, every))


def ratio_by_every_division(control: UserTotals, arm: UserTotals) -> float:
    """The ratio of each division computed from the sums of its users, less what is explained."""
    total, count, explained = (np.concatenate(pair) for pair in zip(control, arm, strict=True))
    divisions = [np.isin(np.arange(len(total)), one) for one in combinations(range(len(total)), len(arm.total))]

    def difference(part: Any) -> float:
        first, second = (total[one].sum() / count[one].sum() - explained[one].mean() for one in (part, ~part))
        return float(abs(first - second))

    least = difference(np.arange(len(total)) >= len(control.total)) - 1e-12
    return float(np.mean([difference(one) >= least for one in divisions]))


@pytest.mark.parametrize("explains", [0.0, 0.3])
@pytest.mark.parametrize("users", [(6, 6), (4, 9), (9, 3)])
def test_the_permutation_test_computes_ratios_of_each_division(users: tuple[int, int], explains: float) -> None:
    """Users move with their clicks and lists: values that were linearised within an arm hold the ratio of the arm."""
    generator = np.random.default_rng(sum(users))
    arms = []
    for size in users:
        lists = generator.integers(1, 60, size).astype(float)
        clicks = generator.poisson(lists * generator.gamma(1, 1, size)).astype(float)
        arms.append(UserTotals(clicks, lists, explains * generator.normal(0, 1, size)))
    control, arm = arms
    p = permutation_test(control, arm)
    assert p == pytest.approx(ratio_by_every_division(control, arm), abs=0.015)
    assert p == permutation_test(control.multiplied(1024.0), arm.multiplied(1024.0))


@pytest.mark.full
def test_busy_users_of_equal_arms_raise_no_false_alarm() -> None:
    """Two arms of 25, whose busy users click at another rate: of values linearised within arms p < .01 in 10 %."""
    generator, draws, alarms = np.random.default_rng(11), usually(200, 2000), np.zeros(2)
    for _ in range(draws):
        lists = np.where(generator.random(50) < 0.1, 100.0, 2.0)
        clicks = generator.poisson(np.where(lists > 2, 0.2, 2.0) * lists).astype(float)
        control, arm = (UserTotals(clicks[part], lists[part], np.zeros(25)) for part in (slice(25), slice(25, None)))
        alarms += arm_effect(control, arm, share=False).p < np.array([0.05, 0.01])
    assert (alarms / draws <= [0.09, 0.03]).all()


def test_arms_without_variance_are_tested() -> None:
    for users in (2, 5, 20, 200):
        nothing, every = np.zeros(users), np.ones(users)
        for share in (True, False):
            effect = arm_effect(as_totals(nothing), as_totals(every), share)
            assert effect.difference == 1
            assert (effect.p < 0.05) == (users > 2)
            assert np.isnan(effect.low) != share
        assert (sequential_effect(nothing, every, True, plan=2 * users).p < 0.05) == (users > 2)
    assert np.isnan(arm_effect(as_totals(nothing[:1]), as_totals(every), True).p)


@pytest.mark.parametrize("users", [(2, 2), (5, 20), (30, 30)])
@pytest.mark.parametrize("rates", [(0.02, 0.1), (0.1, 0.4), (0.5, 0.5), (0.05, 0.95)])
def test_intervals_of_shares_hold_however_few_the_users(users: tuple[int, int], rates: tuple[float, float]) -> None:
    generator, draws = np.random.default_rng(4), usually(400, 4000)
    hits = 0
    for _ in range(draws):
        control, arm = (generator.binomial(1, rate, n).astype(np.float64) for rate, n in zip(rates, users, strict=True))
        effect = arm_effect(as_totals(control), as_totals(arm), share=True)
        hits += effect.low <= rates[1] - rates[0] <= effect.high
    assert hits / draws > 0.94 - 2.6 * (0.94 * 0.06 / draws) ** 0.5


def test_rare_large_values_of_unequal_arms() -> None:
    """One in a hundred of 200 and 2,000 users pays: the small arm, whose few may all pay little, is not certain."""
    generator, draws, claims = np.random.default_rng(4), usually(400, 4000), 0
    for _ in range(draws):
        control, arm = (generator.lognormal(0, 1.5, n) * (generator.random(n) < 0.01) for n in (200, 2000))
        claims += arm_effect(as_totals(control), as_totals(arm), share=False).p < 0.05
    assert claims / draws < 0.05  # by Welch's test alone more than 0.2


def looks(simulations: int, days: int = 14, users: int = 40) -> tuple[float, float, float]:
    """The share of A/A tests that claim a difference: fixed, looked at once; fixed and sequential, looked at daily."""
    generator = np.random.default_rng(18)
    once = peeks = always = 0
    for _ in range(simulations):
        clicks = generator.binomial(5, generator.beta(2, 3, (2, days * users))) * 1.0
        daily = [clicks[:, : day * users] for day in range(1, days + 1)]
        significant = [welch(a, b).p < 0.05 for a, b in daily]
        once, peeks = once + significant[-1], peeks + any(significant)
        always += any(sequential(a, b, plan=2 * days * users).p < 0.05 for a, b in daily)
    return once / simulations, peeks / simulations, always / simulations


def test_claims_where_there_is_no_difference() -> None:
    """Within what chance gives: of 2,000, 5.9 % is two standard errors above 5 %."""
    simulations = usually(100, 2000)
    once, peeks, always = looks(simulations)
    assert once <= 0.05 + 2 * (0.05 * 0.95 / simulations) ** 0.5
    assert always <= 0.05
    assert peeks > 0.1


@pytest.mark.parametrize("alpha", [0.0001, 0.05, 0.5])
def test_power_grows_with_the_effect_up_to_1(alpha: float) -> None:
    for users in (2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 1000, 100_000):
        powers = [power(users, effect, alpha) for effect in np.geomspace(1e-6, 1000, 300)]
        assert (np.diff(powers) > -1e-6).all(), users
        assert powers[-1] == 1
        assert power(users, detectable(users, 1.0, alpha), alpha) == pytest.approx(0.8)


DAY = 86400
MakeTrack = Callable[..., Path]


def line(number: int, user: object, arm: str | None, at: float, clicks: int, *, experiment: str = "page") -> str:
    actions = [{"kind": "click", "doc": doc, "at": at + 1} for doc in "ab"[:clicks]]
    of = {"arm": arm} if arm else {}
    row = {"id": f"i{number}", "user": user, "at": at, "query": "wing", "experiment": experiment, "docs": ["a", "b"]}
    return json.dumps({**row, **of, "actions": actions}) + "\n"


@pytest.fixture
def make_track(tmp_path: Path) -> MakeTrack:
    """A store with an experiment: so many users of two arms, each with one to five lists."""

    def make(users: dict[str, int], better: float = 0.0, extra: str = "", earlier: bool = False) -> Path:
        generator, lines, number = np.random.default_rng(3), [extra], 0
        for arm, size in users.items():
            for user in range(size):
                likes = generator.beta(2, 3)
                rate = min(1, likes + better * (arm != "old"))
                for at in range(1 + user % 5):
                    clicks = int(generator.random() < rate)
                    lines.append(line(number := number + 1, f"{arm}{user}", arm, 40 * DAY + at, clicks))
                if earlier:
                    for at in range(10):
                        clicks = int(generator.random() < likes)
                        lines.append(
                            line(number := number + 1, f"{arm}{user}", None, 35 * DAY + at, clicks, experiment="log")
                        )
        path, log = tmp_path / "track.db", tmp_path / "log.jsonl"
        log.write_text("".join(lines))
        return import_page(path, log)

    return make


def import_page(path: Path, log: Path) -> Path:
    """Make a store of the experiment of a log."""
    path.unlink(missing_ok=True)
    with new_store(path, "clicks") as store:
        import_log(store, [log], LogImportRequest(experiment="page"))
    return path


def document(path: Path, **options: Any) -> Mapping[str, Any]:
    """Compare the arms with the old one."""
    with Store.open(path) as store:
        return ab_test(store, AbRequest(control="old", **options)).document


@pytest.mark.needs_extra("arrow")
def test_a_result_renders_what_the_command_prints(make_track: MakeTrack, cranfield: Cranfield) -> None:
    """Of a test and of a plan."""
    path = make_track({"old": 30, "new": 30}, better=0.15)
    calls: dict[str, dict[str, Any]] = {"": {}, "--plan 5": {"plan": 5.0}}
    for words, options in calls.items():
        command = ["online", "ab", str(path), "--control", "old", *words.split()]
        result = library.online.compare_arms(path, "old", **options)
        assert cranfield.out(*command, "--format", "latex") == result.to_latex()
        assert cranfield.out(*command, "--format", "json") == result.to_json()


@pytest.mark.full
def test_the_effect_is_that_of_welch_over_users(make_track: MakeTrack, cranfield: Cranfield) -> None:
    path = make_track({"old": 150, "new": 140}, better=0.15)
    outcome = cranfield("online", "ab", path, "--control", "old", "--format", "json", "-m", "CTR", "-m", "Abandonment")
    assert outcome.code == 0, outcome.err
    report = json.loads(outcome.out)
    assert report["sample_ratio"]["users"] == {"old": 150, "new": 140}
    assert report["sample_ratio"]["holds"]
    ctr, abandonment = report["effects"]
    values = []
    rows = [json.loads(text) for text in path.with_name("log.jsonl").read_text().splitlines()]
    for arm in ("old", "new"):
        of = [row for row in rows if row["arm"] == arm]
        users = sorted({row["user"] for row in of})
        lists = np.array([[row["user"] == user for row in of] for user in users], float)
        clicked = np.array([bool(row["actions"]) for row in of], float)
        values.append(linearise(lists @ clicked, lists.sum(axis=1)))
    both = [min(0.0, *map(min, values)), max(1.0, *map(max, values))]  # as by Agresti and Caffo, or further
    a, b = (np.append(of_arm, both) for of_arm in values)
    expected = [*welch(values[0], values[1])[:3], *welch(a, b)[3:6]]
    assert [ctr[name] for name in ("control", "value", "difference", "low", "high", "p")] == pytest.approx(expected)
    assert abandonment["difference"] == pytest.approx(-ctr["difference"])
    assert ctr["p_corrected"] == pytest.approx(2 * ctr["p"])  # Holm, over the two measures
    assert ctr["significant"]
    table = library.online.compare_arms(path, "old", measures=["CTR", "Abandonment"]).frame
    assert table["p"].tolist() == [ctr["p"], abandonment["p"]]


@pytest.mark.full
def test_what_users_did_before_narrows_the_interval(make_track: MakeTrack, cranfield: Cranfield) -> None:
    path = make_track({"old": 150, "new": 150}, better=0.1, earlier=True)
    plain, cuped = (document(path, before=before)["effects"][0] for before in (None, 7))
    width = (cuped["high"] - cuped["low"]) / (plain["high"] - plain["low"])
    assert 0.6 < width < 0.95
    assert cuped["users"] == plain["users"]
    none = cranfield("online", "ab", path, "--control", "old", "--before", "2")
    assert "CTR is not adjusted, because no user has a value from before" in none.err


@pytest.mark.full
def test_a_failed_sample_ratio_withholds_the_result(make_track: MakeTrack, cranfield: Cranfield) -> None:
    path = make_track({"old": 160, "new": 80}, better=0.2)
    command = ["online", "ab", path, "--control", "old"]
    outcome = cranfield(*command)
    assert (outcome.code, outcome.out) == (1, "")
    assert "sample ratio mismatch (old 160 of 120 expected, new 80 of 120 expected" in outcome.err
    output = cranfield(*command, "--despite-srm")
    assert output.code == 0
    assert "FAILS" in output.out
    assert "the arms are not comparable" in output.err
    assert "holds" in cranfield(*command, "--share", "old=2").out
    with pytest.raises(InputError, match="sample ratio mismatch"):
        library.online.compare_arms(path, "old")


@pytest.mark.needs_extra("arrow")
def test_a_period_leaves_out_what_is_not_of_it(make_track: MakeTrack, cranfield: Cranfield) -> None:
    """As if the log had the period alone; what users did before is what they did before the experiment."""
    sizes, wrong = {"old": 60, "new": 60}, [line(9000 + n, f"old{n % 60}", "old", 39.5 * DAY, 2) for n in range(120)]
    right = document(make_track(sizes, better=0.1, earlier=True), before=7)
    with_wrong = make_track(sizes, better=0.1, earlier=True, extra="".join(wrong))
    assert document(with_wrong, before=7)["effects"] != right["effects"]
    period = ["--before", "7", "--since", "1970-02-10", "--until", "1970-02-11T12:00:00"]
    report = json.loads(cranfield.out("online", "ab", with_wrong, "--control", "old", "--format", "json", *period))
    assert (report["since"], report["until"]) == (40 * DAY, 41.5 * DAY)
    assert report["effects"][0] == pytest.approx(right["effects"][0])
    table = library.online.compare_arms(with_wrong, "old", before=7, since=40 * DAY, until=41.5 * DAY)
    assert table.rows() == report["effects"]
    none = cranfield("online", "ab", with_wrong, "--control", "old", "--since", "1971-01-01")
    assert (none.code, none.err) == (1, "error: experiment 'page' has no lists in this period\n")


@pytest.mark.needs_extra("arrow")
def test_sequences_peeking_and_how_many_users_it_takes(
    make_track: MakeTrack, cranfield: Cranfield, tmp_path: Path
) -> None:
    path = make_track({"old": 100, "new": 100}, better=0.1)
    single_look, always = (document(path, sequential=at_all_times)["effects"][0] for at_all_times in (False, True))
    assert always["low"] < single_look["low"]
    assert always["high"] > single_look["high"]
    assert always["p"] > single_look["p"]
    command = ["online", "ab", path, "--control", "old"]
    assert "p is valid for a single look" in cranfield(*command).err
    assert "peeking: the log has 200 of 900 planned users" in cranfield(*command, "--planned-users", "900").err
    assert cranfield(*command, "--planned-users", "200").err == ""
    (row,) = json.loads(cranfield(*command, "--plan", ".05", "--format", "json").out)
    assert row["users"] == 100
    assert row["users_needed"] == pytest.approx(2 * (1.96 + 0.8416) ** 2 * (row["deviation"] / 0.05) ** 2, rel=0.01)
    assert row["detectable"] > 0.05
    figure = tmp_path / "ab.svg"
    assert cranfield(*command, "--sequential", "--plot", figure).err == ""
    assert "confidence sequences" in figure.read_text()


@pytest.mark.needs_extra("arrow")
def test_users_in_several_arms_and_without(make_track: MakeTrack, cranfield: Cranfield) -> None:
    both = "".join(line(9000 + at, "both", arm, 40 * DAY, 1) for at, arm in enumerate(("old", "new")))
    unknown = "".join(line(9010 + at, None, "old", 40 * DAY, 1) for at in range(3))
    path = make_track({"old": 50, "new": 50}, extra=both + unknown)
    report = document(path)
    assert (report["in_several_arms"], report["lists_left_out"]) == (1, 3)
    outcome = cranfield("online", "ab", path, "--control", "old")
    assert "omitted 1 user found in several arms" in outcome.err
    assert "omitted 3 lists without a user or an arm" in outcome.err


@pytest.mark.needs_extra("arrow")
def test_lists_are_units_only_where_they_were_assigned_by_themselves(
    make_track: MakeTrack, cranfield: Cranfield
) -> None:
    """The lists of a user are not independent: with all of them in one arm, p over lists is far too small."""
    path = make_track({"old": 50, "new": 50})
    refused = cranfield("online", "ab", path, "--control", "old", "--unit", "list")
    assert (refused.code, refused.err) == (
        1,
        "error: all lists of a user are in one arm, so users were assigned, and a p over lists would be too"
        " small; expected --unit user\n",
    )
    alternating = "".join(
        line(9000 + at, f"u{at // 4}", ("old", "new")[at % 2], 40 * DAY + at, at % 3 % 2) for at in range(120)
    )
    path = make_track({}, extra=alternating)
    assert document(path, unit="list")["sample_ratio"]["users"] == {"old": 60, "new": 60}
    nameless = "".join(line(9000 + at, None, ("old", "new")[at % 2], 40 * DAY + at, 1) for at in range(40))
    path = make_track({}, extra=nameless)
    assert document(path, unit="list")["sample_ratio"]["users"] == {"old": 20, "new": 20}


@pytest.mark.needs_extra("arrow")
def test_an_arm_without_users_is_explained(make_track: MakeTrack, cranfield: Cranfield) -> None:
    """Its lists may be from before the experiment, or name nobody."""
    nobody = "".join(line(9000 + at, None, "old", 40 * DAY, 1) for at in range(30))
    path = make_track({"new": 30}, extra=nobody)
    outcome = cranfield("online", "ab", path, "--control", "old")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.splitlines()[-1].endswith(
        "; old has no users. Import lists from before the experiment without --experiment; for lists without users,"
        " use --unit list"
    )
    assert cranfield("online", "ab", path, "--control", "old", "--unit", "list", "--despite-srm").code == 0
    assert "choose another --unit" in cranfield("online", "ab", path, "--control", "old", "--unit", "session").err


@pytest.mark.needs_extra("arrow")
def test_a_stray_arm_is_left_out_with_its_count(make_track: MakeTrack, cranfield: Cranfield) -> None:
    """The others are tested as if it had never been there; who was in it and in another is in several arms."""
    path = make_track({"old": 50, "new": 50}, better=0.1)
    without = document(path)
    both = "".join(line(9000 + at, "both", arm, 40 * DAY, 1) for at, arm in enumerate(("stray", "new")))
    path = make_track({"old": 50, "new": 50, "stray": 2}, better=0.1, extra=both)
    withheld = cranfield("online", "ab", path, "--control", "old")
    assert (withheld.code, "see --share, --leave-out-arm and --despite-srm" in withheld.err) == (1, True)
    report = document(path, leave_out_arms=["stray"])
    assert report["effects"][0] == pytest.approx(without["effects"][0])
    assert report["sample_ratio"] == without["sample_ratio"]
    assert (report["arms_left_out"], report["in_several_arms"]) == ({"stray": 2}, 1)
    outcome = cranfield("online", "ab", path, "--control", "old", "--leave-out-arm", "stray")
    assert "note: omitted arm 'stray' with 2 users (--leave-out-arm)\n" in outcome.err
    (row,) = library.online.compare_arms(path, "old", leave_out_arms=["stray"]).rows()
    assert row == report["effects"][0]


@pytest.mark.needs_extra("arrow")
def test_arms_that_no_line_is_for_are_refused(make_track: MakeTrack, cranfield: Cranfield) -> None:
    """An experiment `log` of these arms would have no lists, and `online ab` could not choose between the two."""
    path = make_track({"old": 20, "new": 20})
    log = path.with_name("log.jsonl")
    other = path.with_name("other.db")
    cranfield("init", other, "--name", "clicks")
    outcome = cranfield("import", "log", other, log, "--arms", "old,new")
    assert (outcome.code, outcome.err) == (
        1,
        "error: --arms applies to experiment 'log', but every line names 'page'; name that experiment with"
        " --experiment\n",
    )
    with Store.open(other) as store:
        assert experiments(store) == {}
    assert cranfield("import", "log", other, log, "--arms", "old,new", "--experiment", "page").code == 0
    with Store.open(other) as store:
        assert list(experiments(store)) == ["page"]
        add_experiment(store, "log", "ab", ("old", "new"))  # as an earlier version left it
    assert cranfield("online", "ab", other, "--control", "old").code == 0


BAD_QUESTIONS = {
    ("odd",): "no arm 'odd' in this log; did you mean old?",
    ("old", "--experiment", "x"): "no experiment 'x' in this store; available: page",
    ("old", "-m", "TimeToClick"): "TimeToClick is a median",
    ("old", "-m", "nDCG"): "unknown online measure 'nDCG'",
    ("old", "--share", "odd=2"): "--share names 'odd', which is not an arm; did you mean old?",
    ("old", "--share", "old=0"): "--share has a value of 0 or less",
    (
        "old",
        "--share",
        "old=.6",
    ): "--share lacks a value for arm 'new'; when shares are fractions, give one for each of old, new",
    ("old", "--leave-out-arm", "odd"): "--leave-out-arm names 'odd', which is not an arm; available: new",
    ("old", "--leave-out-arm", "old"): "--leave-out-arm names 'old', which is the control; expected another arm",
    ("old", "--leave-out-arm", "new"): "--leave-out-arm leaves only the control; expected at least one other arm",
    ("old", "--unit", "list", "--before", "3"): "--before follows users from before the experiment",
    ("old", "--plan", ".1", "--sequential"): "--plan assumes whole arms and a single look at the end; leave",
    ("old", "--plan", ".1", "--by", "device"): "leave --by out",
    ("old", "--plan", "-1"): "the difference is -1; expected a number above 0",
}


@pytest.mark.needs_extra("arrow")
def test_what_cannot_be_tested(make_track: MakeTrack, cranfield: Cranfield) -> None:
    path = make_track({"old": 4, "new": 4})
    for words, error in BAD_QUESTIONS.items():
        outcome = cranfield("online", "ab", path, "--control", *words)
        assert (outcome.code, error in outcome.err) == (1, True), outcome


def import_users(path: Path, users: int, docs: str, clicks: int) -> Path:
    """A store of lists of two arms: the old one has two documents and a click for everybody, the new one these."""
    rows = []
    for number in range(2 * users):
        arm = "old" if number < users else "new"
        row = json.loads(line(number, f"u{number}", arm, 40.0 * DAY, 1 if arm == "old" else clicks))
        rows.append(json.dumps(row if arm == "old" else {**row, "docs": list(docs)}) + "\n")
    path.with_name("log.jsonl").write_text("".join(rows))
    return import_page(path, path.with_name("log.jsonl"))


@pytest.mark.needs_extra("arrow")
def test_an_arm_that_returns_nothing_does_not_pass(tmp_path: Path, cranfield: Cranfield) -> None:
    """Neither arm has any variance: ZeroHits is 0 of all users against 1 of all."""
    path = import_users(tmp_path / "track.db", 60, "", 0)
    for by_sequence in (False, True):
        words = ["-m", "ZeroHits,CTR,ClicksPerSearch", *["--sequential"] * by_sequence]
        found = document(path, measures=["ZeroHits", "CTR", "ClicksPerSearch"], sequential=by_sequence)
        zero_hits, ctr, clicks = found["effects"]
        assert (zero_hits["difference"], ctr["difference"]) == (1, -1)
        assert zero_hits["significant"]
        assert ctr["significant"]
        assert zero_hits["p"] < 1e-6
        assert 0.7 < zero_hits["low"] < zero_hits["high"] == 1
        assert np.isnan(clicks["low"])  # 60 users are too few for what has no upper end
        assert clicks["significant"] == (not by_sequence)
        output = cranfield("online", "ab", path, "--control", "old", *words)
        assert "new raises ZeroHits" in output.out
        assert "ClicksPerSearch has no interval" in output.err
        assert ("1 difference is not tested." in output.out) == by_sequence


@pytest.mark.needs_extra("arrow")
def test_arms_that_are_all_alike_do_not_differ(tmp_path: Path) -> None:
    path = import_users(tmp_path / "track.db", 5, "ab", 1)
    for row in document(path, measures=["ZeroHits", "CTR", "ClicksPerSearch"])["effects"]:
        assert (row["difference"], row["p"], row["significant"]) == (0, 1, False)
        assert row["measure"] == "ClicksPerSearch" or row["low"] < 0 < row["high"]
