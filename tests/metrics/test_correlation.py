"""The coefficients of correlation, rank-biased overlap among them: published values, scipy's, laws, and the command."""

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, spearmanr, weightedtau

import cranfield
from cranfield.errors import CranfieldError, InputError
from cranfield.metrics.correlation.coefficients import (
    FEW,
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
    weighted_tau,
    why_undefined,
)
from cranfield.metrics.correlation.correlate import CORRELATIONS, correlate
from cranfield.metrics.correlation.rbo import Ties, rank_biased_overlap, rbo, rbo_a, rbo_b, rbo_min
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


def tie_breaks(tied: list[int]) -> list[list[int]]:
    """All rankings without ties that these scores may stand for, as scores."""
    orders = [order for order in permutations(range(len(tied))) if [tied[i] for i in order] == sorted(tied)]
    return [[order.index(item) for item in range(len(tied))] for order in orders]


@given(estimate=st.lists(st.integers(0, 2), min_size=2, max_size=5), truth=st.permutations(range(5)))
def test_variant_a_is_the_mean_over_all_ways_to_break_the_estimates_ties(estimate: list[int], truth: list[int]) -> None:
    truth = truth[: len(estimate)]
    if len(set(estimate)) > 1:
        ways = tie_breaks(estimate)
        assert tau_a(truth, estimate) == pytest.approx(np.mean([kendall_tau(truth, way) for way in ways]))
        assert tau_ap_a(truth, estimate) == pytest.approx(np.mean([tau_ap(truth, way) for way in ways]))


def test_ap_correlation_is_not_symmetric_and_minds_the_top() -> None:
    truth = [5, 4, 3, 2, 1]
    assert tau_ap(truth, [4, 5, 3, 2, 1]) < tau_ap(truth, [5, 4, 3, 1, 2])
    assert kendall_tau(truth, [4, 5, 3, 2, 1]) == kendall_tau(truth, [5, 4, 3, 1, 2])
    assert tau_ap([1, 2, 3], [2, 3, 1]) != tau_ap([2, 3, 1], [1, 2, 3])


DISTANCES = {"RMSE", "max change"}  # defined where systems tie: 0 is a distance


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
def test_what_is_undefined_is_nan_and_says_why(x: list[float], y: list[float], reason: str) -> None:
    for coefficient in CORRELATIONS:
        is_defined = coefficient.name in DISTANCES and len(x) and not np.isnan([*x, *y]).any()
        assert np.isnan(coefficient(x, y)) != is_defined, coefficient
    assert why_undefined(x, y) == reason


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
    (kendall_tau, kendalltau),
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


@pytest.mark.parametrize("n_systems", [FEW, FEW + 1])
def test_tau_of_many_systems_with_ties_is_scipys(n_systems: int) -> None:
    """More than FEW systems are compared one pair of sides at a time."""
    x, y = np.random.default_rng(3).integers(0, 9, (2, n_systems)).astype(float)
    assert kendall_tau(x, y) == pytest.approx(kendalltau(x, y).statistic)


def test_distances() -> None:
    assert root_mean_square_error([0.1, 0.5], [0.4, 0.1]) == pytest.approx(np.sqrt((0.09 + 0.16) / 2))
    assert max_change([0.1, 0.5], [0.4, 0.1]) == pytest.approx(0.4)


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
    for form in (estimate, pd.Series(estimate)):
        with pytest.warns(UserWarning, match="omitted 1 system with scores on only one side: x"):
            table = correlate(truth, form)
        assert list(table.columns) == ["coefficient", "value", "reading"]
        assert table["coefficient"].tolist() == [c.name for c in CORRELATIONS]
        assert dict(zip(table["coefficient"], table["value"], strict=True))["tau_b"] == 1
    with pytest.raises(InputError, match="the truth has 3 systems and the estimate 4"):
        correlate([1, 2, 3], [1, 2, 3, 4])


def test_what_is_no_score_is_refused() -> None:
    """Names of files, and a table without runs."""
    table = pd.DataFrame({"run": ["a", "b"], "measure": "AP", "value": [0.1, 0.2]})
    for wrong in ("scores.json", table.drop(columns="run")):
        with pytest.raises(InputError, match=r"expected scores: a list, a dict or Series"):
            correlate(wrong, wrong)  # type: ignore[arg-type]
    assert correlate(table, table).equals(correlate(*[table.set_index("run")["value"]] * 2))


def test_robust_2003(shared: Path) -> None:
    """17 runs, P@10 against MAP: trectools' published .7647 and, with P@10 as the truth, .77413."""
    table = evaluate(robust(shared).qrels, robust(shared).runs, ["AP", "P@10"])
    scores = table.pivot(index="run", columns="measure", values="value")
    precision, average_precision = scores["P@10"].to_numpy(), scores["AP"].to_numpy()
    assert len(precision) == 17
    assert kendall_tau(precision, average_precision) == pytest.approx(0.764706, abs=5e-7)
    assert tau_ap(truth=precision, estimate=average_precision) == pytest.approx(0.774130, abs=5e-7)
    assert tau_ap(truth=average_precision, estimate=precision) == pytest.approx(0.744207, abs=5e-7)


TIES: tuple[Ties, ...] = ("w", "a", "b")

# From the README and the test file of Corsi and Urbano's own implementation (github julian-urbano/sigir2024-rbo):
# x, y, p and ext, min, max for each way with ties.
PUBLISHED: list[Any] = [
    (
        "red (blue green) yellow pink", "(blue red) white (yellow black purple) green", 0.95,
        (0.7068257, 0.3429684, 0.9049857), (0.6922853, 0.3310519, 0.8930692), (0.7207131, 0.3509163, 0.9129336),
    ),
    (
        "i13 (i1 i4 i5 i6)", "i3 i14 i11 (i10 i15) i12 (i6 i9) i4 i2", 0.92238320668128,
        (0.117578490431637, 0.0763135264223449, 0.53999366118093),
        (0.114619469221414, 0.0733545052121218, 0.537945108035391),
        (0.11474835409049, 0.0734833900811979, 0.538589532380772),
    ),
    (
        "(i3 i6) (i2 i7) i10", "(i3 i6 i7 i10) (i1 i2)", 0.965413635276732,
        (0.946064537517568, 0.343706790399566, 0.958770957517067),
        (0.92051534467649, 0.319428239558438, 0.934492406675939),
        (0.956844651806714, 0.348953051936765, 0.964017219054266),
    ),
    (
        "i4 (i2 i14) i7 i5 i3", "(i9 i13) (i6 i8) i1 i5 i10 i15 i11", 0.986650551181127,
        *[(0.155835200392091, 0.02839705430193, 0.89085092447296)] * 3,
    ),
    (
        "(i1 i9 i15 i17) i13 i4 i3 i2", "(i1 i17) i15 i9 i13 i4 (i2 i3) i14", 0.959906916802432,
        (0.966438584453973, 0.512284507728805, 0.966438584453973),
        (0.939211367148046, 0.485057290422878, 0.939211367148046),
        (0.970894528910972, 0.516740452185804, 0.970894528910972),
    ),
    (
        "i21 i20 (i1 i16 i19) (i5 i10) i4", "(i12 i17) (i2 i3 i8 i11) (i15 i18) (i6 i13) (i7 i14) i9",
        0.930074017489188, (0, 0, 0.389142712252727), (0, 0, 0.38977330351866), (0, 0, 0.390116806797613),
    ),
    (
        "(i1 i3 i6 i11 i15) i17 (i5 i8)", "(i1 i2 i3 i4 i5 i6 i7 i8 i9 i10 i11 i12)", 0.966485585840186,
        (0.647993254615828, 0.307897712904381, 0.853885398258049),
        (0.56593642947334, 0.250532359019861, 0.795583602856033),
        (0.658581961799868, 0.315458973083789, 0.861496368240528),
    ),
]  # fmt: skip


Ranking = list[frozenset[Hashable]]


def ranking(text: str) -> Ranking:
    """'a (b c)' is a, then b and c tied."""
    return [frozenset(group.strip("()").split()) for group in re.findall(r"\([^)]*\)|\S+", text)]


@pytest.mark.parametrize("row", PUBLISHED, ids=[str(row[0]) for row in PUBLISHED])
@pytest.mark.parametrize("way", range(3), ids=TIES)
def test_published_values_of_rbo(row: Any, way: int) -> None:
    """ext, min and max of the tie-aware variants, as the authors' own implementation gives them."""
    x, y, p, *reference = row
    for first, second in ((x, y), (y, x)):
        overlap = rank_biased_overlap(ranking(first), ranking(second), p, TIES[way])
        assert overlap == pytest.approx(reference[way], abs=1e-7)


def orders(tied: Ranking) -> Iterator[list[Hashable]]:
    """Every ranking without ties that a ranking with ties may stand for."""
    for parts in product(*(permutations(sorted(group, key=str)) for group in tied)):
        yield [item for part in parts for item in part]


def plain(x: Sequence[Hashable], y: Sequence[Hashable], p: float) -> float:
    """RBO,ext of rankings without ties, by equation 32 of Webber, Moffat and Zobel."""
    short, long = sorted((x, y), key=len)
    s, l = len(short), len(long)  # noqa: E741
    overlap = {d: len(set(short[:d]) & set(long[:d])) for d in range(1, l + 1)}
    inner = sum(overlap[d] / d * p**d for d in range(1, l + 1))
    inner += sum(overlap[s] * (d - s) / (s * d) * p**d for d in range(s + 1, l + 1))
    return (1 - p) / p * inner + ((overlap[l] - overlap[s]) / l + overlap[s] / s) * p**l


def cut(items: Sequence[int], sizes: Sequence[int]) -> Ranking:
    """Items in groups of these sizes, the rest alone."""
    groups: Ranking = []
    at = 0
    for size in [*sizes, *[1] * len(items)]:
        if at < len(items):
            groups.append(frozenset(items[at : at + size]))
            at += size
    return groups


rankings = st.builds(
    lambda items, length, sizes: cut(items[:length], sizes),
    st.permutations(range(7)),
    st.integers(1, 6),
    st.lists(st.integers(1, 3), max_size=4),
)
persistence = st.floats(0.05, 0.95)


@settings(deadline=None, max_examples=60)
@given(x=rankings, y=rankings, p=persistence)
def test_a_is_the_mean_over_all_orders_of_ties(x: Ranking, y: Ranking, p: float) -> None:
    """RBO^a of rankings of one length is the expected RBO if ties break at random."""
    shorter = min(sum(map(len, x)), sum(map(len, y)))
    if sum(map(len, x)) != sum(map(len, y)):
        flat = [[item for group in side for item in sorted(group, key=str)][:shorter] for side in (x, y)]
        x, y = ([frozenset([item]) for item in side] for side in flat)
    mean = np.mean([plain(one, other, p) for one in orders(x) for other in orders(y)])
    assert rank_biased_overlap(x, y, p, "a").ext == pytest.approx(float(mean))


@settings(deadline=None)
@given(
    x=st.permutations(range(9)), y=st.permutations(range(9)), m=st.integers(1, 9), n=st.integers(1, 9), p=persistence
)
def test_without_ties_all_are_the_papers_formula(x: list[int], y: list[int], m: int, n: int, p: float) -> None:
    for ties in TIES:
        assert rank_biased_overlap(x[:m], y[:n], p, ties).ext == pytest.approx(plain(x[:m], y[:n], p))


@settings(deadline=None)
@given(x=st.permutations(range(9)), y=st.permutations(range(9)), m=st.integers(1, 9), n=st.integers(1, 9))
def test_min_is_reached_where_nothing_more_matches(x: list[int], y: list[int], m: int, n: int) -> None:
    """Hundreds of further ranks without a match come near min, which is below ext, which is below max."""
    x, y = x[:m], y[:n]
    overlap = rank_biased_overlap(x, y, 0.8)
    assert overlap.min == pytest.approx(plain([*x, *range(100, 500 - m)], [*y, *range(1000, 1400 - n)], 0.8), abs=1e-6)
    assert overlap.min - 1e-12 <= overlap.ext <= overlap.max + 1e-12


@settings(deadline=None)
@given(x=st.permutations(range(9)), y=st.permutations(range(9)), n=st.integers(1, 9))
def test_max_is_reached_where_each_goes_on_with_what_the_other_has(x: list[int], y: list[int], n: int) -> None:
    """Lists of one length, each continued by what it lacks of the other and then by the same items."""
    x, y = x[:n], y[:n]
    both = [[*one, *(item for item in other if item not in one), *range(100, 500)] for one, other in ((x, y), (y, x))]
    assert rank_biased_overlap(x, y, 0.8).max == pytest.approx(plain(both[0], both[1], 0.8))


@given(x=rankings, p=persistence)
def test_a_ranking_agrees_with_itself_by_w_and_b(x: Ranking, p: float) -> None:
    """By "a" it does so only without ties, since the two may stand for different orders."""
    for ties in ("w", "b"):
        assert rank_biased_overlap(x, x, p, ties).ext == pytest.approx(1)
    assert (rank_biased_overlap(x, x, p, "a").ext == pytest.approx(1)) == all(len(group) == 1 for group in x)


def test_identical_lists_cut_short_are_1_and_not_1_less_p_to_the_k() -> None:
    overlap = rank_biased_overlap("abcde", "abcde", 0.9)
    assert (overlap.ext, overlap.max) == pytest.approx((1, 1))
    assert 1 - 0.9**5 < overlap.min < 1


def test_nothing_ranked() -> None:
    """Two empty rankings are alike in nothing that is seen; anything may follow."""
    assert rank_biased_overlap([], []) == (0, 0, 1)
    assert rank_biased_overlap([], "ab").ext == 0


def test_what_is_wrong_is_said() -> None:
    for p in (0, 1, -0.1, 2):
        with pytest.raises(CranfieldError, match="expected a number above 0 and below 1"):
            rank_biased_overlap("a", "b", p)
    with pytest.raises(CranfieldError, match="expected one of w, a, b"):
        rank_biased_overlap("a", "b", ties="c")  # type: ignore[arg-type]
    with pytest.raises(CranfieldError, match="a ranking contains an item twice"):
        rank_biased_overlap("aa", "b")


def test_of_scores() -> None:
    """Scores rank systems, the highest first; what is undefined is NaN."""
    x, y = [0.3, 0.2, 0.2, 0.1], [0.2, 0.3, 0.1, 0.1]
    assert rbo(x, y) == rank_biased_overlap([0, {1, 2}, 3], [1, 0, {2, 3}], ties="w").ext
    assert rbo_a(x, y) == rank_biased_overlap([0, {1, 2}, 3], [1, 0, {2, 3}], ties="a").ext
    assert rbo_b(x, y) == rank_biased_overlap([0, {1, 2}, 3], [1, 0, {2, 3}], ties="b").ext
    assert rbo_min(x, y) == rank_biased_overlap([0, {1, 2}, 3], [1, 0, {2, 3}], ties="w").min
    for function in (rbo, rbo_a, rbo_b, rbo_min):
        assert np.isnan(function([1, 1], [1, 2]))
        assert np.isnan(function([1, np.nan], [1, 2]))
        assert function([3, 2, 1], [1, 2, 3]) < function([3, 2, 1], [3, 1, 2])


def test_infinite_scores_have_an_order_only() -> None:
    """Coefficients of the order are defined; those of differences are not, and a warning says so."""
    with pytest.warns(UserWarning, match="a score is infinite, so Pearson, RMSE and max change are undefined") as found:
        table = correlate([np.inf, 2.0, 1.0], [3.0, 2.0, 1.0]).set_index("coefficient")["value"]
    assert len(found) == 1
    assert table.index[table.isna()].tolist() == ["Pearson", "RMSE", "max change"]
    assert (table["tau_b"], table["Spearman"]) == (1, 1)
    for function in (pearson, root_mean_square_error, max_change):
        assert np.isnan(function([np.inf, 1], [2, 1]))


def test_systems_on_one_side_and_undefined_scores_are_reported() -> None:
    """They were left out, or made every coefficient NaN, without a word."""
    with pytest.warns(UserWarning, match="omitted 2 systems with scores on only one side: c, d"):
        table = correlate({"a": 0.3, "b": 0.2, "c": 0.9}, {"a": 0.3, "b": 0.2, "d": 0.9})
    assert table.set_index("coefficient")["value"]["tau_b"] == pytest.approx(1)
    with pytest.warns(UserWarning, match="the coefficients are undefined: a score is undefined in the truth"):
        correlate({"a": 0.3, "b": float("nan"), "c": 0.9}, {"a": 0.3, "b": 0.2, "c": 0.9})
    with pytest.raises(
        InputError,
        match=r"no system is on both sides \(for example 'a' in the truth and 'A.run' in the estimate\); give",
    ):
        correlate({"a": 0.3, "b": 0.2}, {"A.run": 0.3, "B.run": 0.2})


def test_the_result_of_evaluate_has_the_means_of_its_runs() -> None:
    """Also its frame, long or wide; scores by topic or by several measures are refused."""
    qrels = {"q": {"d1": 1, "d2": 0, "d3": 1}}
    runs = {name: {"q": {"d1": 1.0, docno: 2.0}} for name, docno in (("a", "d1"), ("b", "d2"), ("c", "d3"))}
    scores, other = (cranfield.evaluate(qrels, runs, measures=name) for name in ("AP", "RR"))
    expected = cranfield.correlate(*(one.frame.set_index("run")["value"] for one in (scores, other))).frame
    wide = cranfield.evaluate(qrels, runs, measures="RR", pivot=True)
    for estimate in (other, other.frame, wide, wide.frame):
        pd.testing.assert_frame_equal(cranfield.correlate(scores, estimate).frame, expected)
    several = cranfield.evaluate(qrels, runs, measures=["AP", "RR"])
    with pytest.raises(InputError, match="found scores by 2 measures: AP, RR; expected one measure"):
        cranfield.correlate(scores, several)
    with pytest.raises(InputError, match="found scores by topic; expected means"):
        cranfield.correlate(scores, cranfield.evaluate(qrels, runs, measures="AP", per_topic=True))
    with pytest.raises(InputError, match=r"expected scores: .*, or the result of evaluate\(\.\.\.\)"):
        cranfield.correlate(scores, cranfield.metrics.list_measures())
