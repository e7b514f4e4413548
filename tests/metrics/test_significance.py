"""Significance tests on arrays: laws that all obey, and oracles for each."""

from dataclasses import replace
from itertools import combinations, pairwise, permutations, product
from typing import Any

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from packaging.version import Version
from scipy import stats

from cranfield.arrays.rankings import Floats
from cranfield.metrics.significance.compare import max_score_difference
from cranfield.metrics.significance.pairs import (
    CORRECTIONS,
    Pairs,
    all_pairs,
    correct_p_values,
    counts_all_resamples,
    effects,
    mean_intervals,
    p_values,
    why_no_p,
)
from cranfield.metrics.significance.resampling import max_exact_topics, permutation_p_values, tukey
from cranfield.metrics.significance.tests import TESTS, paired_t, wilcoxon
from tests.conftest import usually

RNG = np.random.default_rng(2007)
NAMES = list(TESTS)
INEXACT = {"t"}  # its p depends on sums of floats, so on the last digit of the order of topics


def scores(runs: int, topics: int, seed: int = 1, decimals: int = 12) -> Floats:
    """Scores of runs of several strengths on topics of several difficulties."""
    rng = np.random.default_rng(seed)
    strength, difficulty = rng.normal(0, 0.05, (runs, 1)), rng.normal(0.4, 0.15, topics)
    values: Floats = np.clip(strength + difficulty + rng.normal(0, 0.1, (runs, topics)), 0, 1).round(decimals)
    return values


ANY_TOPICS = {name: replace(test, min_topics=2) for name, test in TESTS.items()}  # as they are below their limit


def p_of_all(name: str, values: Floats, **options: Any) -> Floats:
    """The p value of every pair."""
    return p_values(ANY_TOPICS[name], Pairs(values, *all_pairs(len(values)), **{"samples": 2000, **options}))


def p_of(name: str, values: Floats, pair: tuple[int, int], **options: Any) -> float:
    a, b = np.array([pair[0]]), np.array([pair[1]])
    return float(p_values(ANY_TOPICS[name], Pairs(values, a, b, **{"samples": 2000, **options}))[0])


# Laws


@pytest.mark.parametrize("name", NAMES)
def test_p_is_above_0_and_at_most_1(name: str) -> None:
    for topics, decimals in product((2, 5, 12, 30, 60), (12, 1)):
        p = p_of_all(name, scores(6, topics, decimals=decimals))
        assert np.all((p > 0) & (p <= 1)), (topics, decimals)


@pytest.mark.parametrize("name", NAMES)
def test_identical_runs_have_p_1(name: str) -> None:
    values = scores(3, 30)
    values[2] = values[0]
    assert p_of(name, values, (0, 2)) == p_of(name, values, (2, 0)) == 1


@pytest.mark.parametrize("name", NAMES)
def test_all_runs_identical_have_p_1(name: str) -> None:
    assert p_of_all(name, np.tile(scores(1, 20), (3, 1))).tolist() == [1, 1, 1]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_difference_on_every_topic_has_a_small_p_that_is_not_0(name: str) -> None:
    values = np.array([np.linspace(0, 0.5, 25), np.linspace(0, 0.5, 25) + 0.25])
    assert 0 < p_of(name, values, (0, 1)) < 0.001


@pytest.mark.parametrize("name", NAMES)
def test_a_pair_is_the_pair_turned_round(name: str) -> None:
    for topics in (9, 30):
        values = scores(5, topics, decimals=2)
        for a, b in ((0, 1), (2, 4)):
            assert p_of(name, values, (a, b)) == p_of(name, values, (b, a))


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_topics_does_not_matter(name: str) -> None:
    for topics in (9, 30):
        values = scores(5, topics, decimals=2)
        p, other = p_of_all(name, values), p_of_all(name, values[:, np.random.default_rng(3).permutation(topics)])
        assert other.tolist() == (pytest.approx(p.tolist(), rel=1e-9) if name in INEXACT else p.tolist())


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_runs_does_not_matter(name: str) -> None:
    values = scores(6, 30)
    order = np.random.default_rng(4).permutation(6)
    for a, b in ((0, 1), (2, 5)):
        there = (int(np.flatnonzero(order == a)[0]), int(np.flatnonzero(order == b)[0]))
        assert p_of(name, values[order], there) == p_of(name, values, (a, b))


@pytest.mark.parametrize("name", NAMES)
def test_the_seed_decides(name: str) -> None:
    values = scores(6, 30)
    assert p_of_all(name, values, seed=5).tolist() == p_of_all(name, values, seed=5).tolist()
    assert (p_of_all(name, values, seed=5).tolist() == p_of_all(name, values, seed=6).tolist()) != TESTS[name].resamples


@pytest.mark.parametrize("name", NAMES)
def test_other_pairs_do_not_matter_unless_the_test_is_of_all_runs(name: str) -> None:
    values = scores(40, 30)  # 780 pairs: more than are worked on at once
    alone = p_of(name, values[:2], (0, 1))
    assert (p_of_all(name, values)[0] == alone) != TESTS[name].whole


@pytest.mark.parametrize("name", NAMES)
def test_the_difficulty_of_topics_and_the_unit_do_not_matter(name: str) -> None:
    """Adding the same to all runs on a topic, or doubling all scores, changes no p."""
    values = np.round(scores(4, 20) * 1024) / 1024
    harder = values + np.round(RNG.random(20) * 1024) / 1024
    assert p_of_all(name, harder).tolist() == p_of_all(name, values).tolist() == p_of_all(name, values * 2).tolist()


@pytest.mark.parametrize("name", NAMES)
def test_undefined_topics_count_only_where_both_runs_have_a_score(name: str) -> None:
    """For a test of all runs, only where all have one."""
    values = scores(3, 30)
    values[2, :10] = np.nan
    values[:, 29] = np.nan
    both, all_three = values[:2, :29], values[:, 10:29]
    assert p_of(name, values, (0, 1)) == p_of(name, all_three if TESTS[name].whole else both, (0, 1))
    assert p_of(name, values, (0, 2)) == p_of(name, all_three, (0, 2))


@pytest.mark.parametrize("name", NAMES)
def test_fewer_than_two_topics_give_no_p(name: str) -> None:
    assert np.isnan(p_of_all(name, scores(2, 1))).all()
    assert np.isnan(p_of_all(name, np.array([[0.1, np.nan], [np.nan, 0.2]]))).all()


@pytest.mark.parametrize("name", [name for name in NAMES if TESTS[name].resamples])
def test_progress_adds_up_to_the_samples(name: str) -> None:
    for topics in (5, 30):
        steps: list[int] = []
        p_of_all(name, scores(3, topics), advance=steps.append, samples=2500)
        assert sum(steps) == 2500


@pytest.mark.parametrize("name", NAMES)
def test_no_p_is_below_the_least(name: str) -> None:
    """`least` is what the largest possible difference gives, or below it."""
    for topics, samples in ((4, 99), (6, 1000), (8, 50), (30, 99)):
        apart = np.array([np.zeros(topics), np.linspace(0.5, 1, topics)])
        p, least = p_of(name, apart, (0, 1), samples=samples), TESTS[name].least(topics, samples, 2)
        assert p >= least
        if name in ("sign", "wilcoxon", "permutation", "tukey") and topics <= 8:
            assert p == pytest.approx(least) or samples == 50


# Oracles


@pytest.mark.parametrize("topics", [2, 5, 30, 200])
def test_t_is_scipys(topics: int) -> None:
    values = scores(8, topics)
    reference = [stats.ttest_rel(values[a], values[b]).pvalue for a, b in combinations(range(8), 2)]
    assert p_of_all("t", values).tolist() == pytest.approx(reference, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("zeros", ["wilcox", "pratt", "zsplit"])
@pytest.mark.parametrize("decimals", [12, 1])
@pytest.mark.parametrize("topics", usually([5, 13, 14, 51], [5, 9, 13, 14, 30, 50, 51, 80]))
def test_wilcoxon_is_scipys(topics: int, decimals: int, zeros: Any) -> None:
    if Version(scipy.__version__) < Version("1.17") and decimals == 1:
        pytest.skip("this scipy approximates p where values tie")
    if (topics, decimals) == (13, 1) and usually(True, False):
        pytest.skip("scipy takes seconds; --daily runs it")
    runs = {9: usually(3, 5), 13: 2}.get(topics, 5) if decimals == 1 else 5  # scipy takes seconds a pair there
    pairs = Pairs(scores(runs, topics, decimals=decimals), *all_pairs(runs), zeros=zeros)
    reference = [stats.wilcoxon(d, zero_method=zeros).pvalue for d in pairs.without_noise]
    assert p_values(TESTS["wilcoxon"], pairs).tolist() == pytest.approx(reference, rel=1e-12, abs=1e-12)


def test_wilcoxon_of_one_pair_is_not_changed_by_ties_in_another() -> None:
    """scipy, given many pairs, takes the normal approximation for all as soon as one has a tie."""
    plain, tied = scores(2, 20), scores(2, 20, decimals=1)
    together = wilcoxon(Pairs(np.vstack([plain, tied]), np.array([0, 2]), np.array([1, 3])))
    assert together[0] == wilcoxon(Pairs(plain, np.array([0]), np.array([1])))[0]


@pytest.mark.parametrize("topics", [3, 10, 50, 400])
def test_sign_is_scipys_binomial_test(topics: int) -> None:
    pairs = Pairs(scores(6, topics, decimals=1), *all_pairs(6))
    wins, both = (pairs.without_noise > 0).sum(axis=1), (pairs.without_noise != 0).sum(axis=1)
    reference = [stats.binomtest(int(w), int(n)).pvalue if n else 1.0 for w, n in zip(wins, both, strict=True)]
    assert p_values(TESTS["sign"], pairs).tolist() == pytest.approx(reference, rel=1e-12, abs=1e-12)


@settings(deadline=None, max_examples=usually(25, 60))
@given(arrays(float, st.tuples(st.just(2), st.integers(2, 9)), elements=st.integers(0, 10).map(lambda k: k / 10)))
def test_exact_permutation_is_enumeration(values: Floats) -> None:
    """All 2^n swaps, one by one, in whole tenths so that ties are ties."""
    tenths = np.rint((values[0] - values[1]) * 10).astype(int)
    swaps = [
        abs(sum(s * d for s, d in zip(signs, tenths, strict=True))) for signs in product((1, -1), repeat=len(tenths))
    ]
    reference = np.mean(np.array(swaps) >= abs(tenths.sum()))
    assert p_of("permutation", values, (0, 1)) == pytest.approx(reference, abs=1e-15)


def test_exact_permutation_is_scipys() -> None:
    a, b = scores(2, 11)
    reference = stats.permutation_test(
        (a, b),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=2**11,
        vectorized=True,
    ).pvalue
    assert p_of("permutation", np.array([a, b]), (0, 1)) == pytest.approx(reference, abs=1e-12)


def test_permutation_is_exact_where_few_topics_differ() -> None:
    """Topics without a difference change nothing, however many."""
    few = scores(2, 8)
    many = np.hstack([few, np.full((2, 100), 0.5)])
    assert p_of("permutation", many, (0, 1)) == p_of("permutation", few, (0, 1))


def test_monte_carlo_is_within_its_error_of_the_exact() -> None:
    """Four standard errors, in either direction, for each of 45 pairs."""
    samples = 2000
    values = scores(10, max_exact_topics(samples) + 1)
    pairs = Pairs(values, *all_pairs(10), samples=samples)
    estimate, exact = permutation_p_values(pairs), permutation_p_values(Pairs(values, *all_pairs(10), samples=10**6))
    assert np.all(estimate * (samples + 1) % 1 < 1e-6)
    assert np.all(np.abs(estimate - exact) <= 4 * np.sqrt(exact * (1 - exact) / samples) + 1 / samples)
    assert np.any(estimate != exact)


def test_bootstrap_is_drawing_topics_one_by_one() -> None:
    """Against plain draws with other random numbers, within the error of both."""
    values, samples, rng = scores(4, 25), 5000, np.random.default_rng(8)
    for a, b in combinations(range(4), 2):
        d = values[a] - values[b]
        means = rng.choice(d - d.mean(), (samples, len(d))).mean(axis=1)
        reference = np.mean(np.abs(means) >= abs(d.mean()))
        assert p_of("bootstrap", values, (a, b), samples=samples) == pytest.approx(reference, abs=0.04)


def test_tukey_is_shuffling_within_topics() -> None:
    """Against all 6^4 ways to shuffle three runs on four topics."""
    values = np.array([[0.9, 0.7, 0.8, 0.5], [0.4, 0.6, 0.5, 0.45], [0.3, 0.5, 0.6, 0.4]])
    ways = product(*(permutations(values[:, topic]) for topic in range(4)))
    largest = np.array([np.ptp(np.sum(way, axis=0)) for way in ways])
    sums = values.sum(axis=1)
    reference = [np.mean(largest >= abs(sums[a] - sums[b]) - 1e-9) for a, b in combinations(range(3), 2)]
    assert p_of_all("tukey", values, samples=6**3).tolist() == pytest.approx(reference, abs=1e-12)
    estimate = p_of_all("tukey", np.tile(values, 2), samples=20_000)  # 6^7 ways, too many
    assert estimate.tolist() == pytest.approx(p_of_all("tukey", np.tile(values, 2), samples=10**6).tolist(), abs=0.015)


@pytest.mark.parametrize(
    ("values", "ways"),
    [
        ([[0.1, 0.9], [0.2, 0.8], [0.3, 0.8]], 3),  # 6 and 3, the 6 left as they are
        ([[0.1] * 5, [0.2] * 5], 16),
        (np.eye(30, 3).tolist(), 900),  # one of thirty runs found something
        ([[0.5, 0.5]] * 4, 1),
        (np.arange(40.0).reshape(20, 2).tolist(), None),  # 20! ways
    ],
)
def test_tukey_tries_every_shuffle_where_they_are_no_more_than_the_samples(
    values: list[list[float]], ways: int
) -> None:
    """Then no p depends on the seed, each is a whole number of the ways, and the table says so; else it is sampled."""
    pairs = Pairs(np.array(values), *all_pairs(len(values)), samples=900)
    p, again = (p_values(TESTS["tukey"], replace(pairs, seed=seed)) for seed in (1, 2))
    assert set(counts_all_resamples(TESTS["tukey"], pairs)) == {ways is not None}
    assert (p * ((ways or 900) + (ways is None))).tolist() == pytest.approx(np.round(p * (ways or 901)).tolist())
    assert ways is None or p.tolist() == again.tolist()
    fewer = replace(pairs, samples=(ways or 900) - 1) if ways != 1 else pairs
    assert set(counts_all_resamples(TESTS["tukey"], fewer)) == {ways == 1}


def test_tukey_of_two_runs_is_the_permutation_test() -> None:
    """To the last digit where both try all."""
    for seed in range(5):
        values = scores(2, 11, seed)
        exact = p_of("permutation", values, (0, 1), samples=1024)
        assert p_of("tukey", values, (0, 1), samples=1024) == exact
        assert p_of("tukey", values, (0, 1), samples=1023) == pytest.approx(exact, abs=0.06)


def test_tukey_is_the_stricter_the_more_runs() -> None:
    values = scores(12, 30)
    assert p_of("tukey", values, (0, 1)) > p_of("tukey", values[:2], (0, 1))


# Calibration


def false_claims(name: str, differences: Floats) -> float:
    """How often pairs with these differences, whose true mean is 0, are significant."""
    values = np.vstack([differences, np.zeros(differences.shape[1])])
    a = np.arange(len(differences))
    return float(np.mean(p_values(ANY_TOPICS[name], Pairs(values, a, np.full(len(a), len(a)), samples=999)) <= 0.05))


@pytest.mark.parametrize("name", ["t", "permutation", "wilcoxon"])
def test_false_claims_are_as_rare_as_alpha_says(name: str) -> None:
    """On normal differences, within three standard errors over 4000 pairs."""
    normal = np.random.default_rng(11).normal(0, 1, (4000, 25))
    assert false_claims(name, normal) == pytest.approx(0.05, abs=3 * np.sqrt(0.05 * 0.95 / 4000))


def test_the_bootstrap_claims_too_much_on_few_topics() -> None:
    normal = np.random.default_rng(12).normal(0, 1, (2000, 10))
    assert false_claims("bootstrap", normal) > 0.07


@pytest.mark.parametrize("topics", [2, 10, 49, 50])
def test_the_bootstrap_has_no_p_on_few_topics(topics: int) -> None:
    """Where it gives false alarms there is no p, and the reason names other tests."""
    pairs = Pairs(scores(3, topics), *all_pairs(3), samples=99)
    assert np.isnan(p_values(TESTS["bootstrap"], pairs)).all() == (topics < 50)
    assert ("fewer than 50 topics; use --test t" in why_no_p(TESTS["bootstrap"], topics)) == (topics < 50)
    assert not why_no_p(TESTS["t"], topics)


def test_tukey_makes_a_false_claim_in_a_family_as_rarely_as_alpha_says() -> None:
    """Of 300 sets of six equal runs, the share with any significant pair."""
    rng = np.random.default_rng(13)
    any_claim = [np.min(p_of_all("tukey", rng.normal(0, 1, (6, 15)), samples=199)) <= 0.05 for _ in range(300)]
    assert np.mean(any_claim) == pytest.approx(0.05, abs=3 * np.sqrt(0.05 * 0.95 / 300))


@pytest.mark.parametrize("name", ["wilcoxon", "sign"])
def test_skewed_differences_mislead_what_is_not_about_means(name: str) -> None:
    """With true mean 0 but skewed, ranks and signs claim a difference ever more often; t and permutation hold."""
    differences = np.random.default_rng(14).exponential(1, (1000, 100)) - 1
    assert false_claims(name, differences[:, :50]) > 0.1
    assert false_claims(name, differences) > false_claims(name, differences[:, :50])
    assert false_claims("t", differences) < 0.08
    assert false_claims("permutation", differences) < 0.08


# Corrections

BOOK = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0,
]  # fmt: skip


@pytest.mark.parametrize(("name", "rejections"), [("bonferroni", 3), ("holm", 3), ("bh", 4), ("none", 9)])
def test_corrections_reproduce_benjamini_and_hochbergs_example(name: str, rejections: int) -> None:
    """Their 15 comparisons (1995, section 4.1): Bonferroni rejects three, the false discovery rate four."""
    assert np.sum(correct_p_values(np.array(BOOK), CORRECTIONS[name]) <= 0.05) == rejections


def test_corrections_by_hand() -> None:
    p = np.array([0.04, 0.01, np.nan, 0.03, 0.5])
    by_hand = {
        "none": [0.04, 0.01, 0.03, 0.5],
        "bonferroni": [0.16, 0.04, 0.12, 1.0],
        "holm": [0.09, 0.04, 0.09, 0.5],
        "bh": [0.16 / 3, 0.04, 0.16 / 3, 0.5],
    }
    for name, reference in by_hand.items():
        result = correct_p_values(p, CORRECTIONS[name])
        assert np.isnan(result[2])
        assert np.delete(result, 2) == pytest.approx(reference)


@given(st.lists(st.floats(1e-6, 1), min_size=1, max_size=12))
def test_corrections_are_their_definitions(values: list[float]) -> None:
    """Holm: the largest of (pairs - j) p_(j) up to k; Benjamini-Hochberg: the least of p_(j) pairs / j from k on."""
    p, n = np.sort(np.array(values)), len(values)
    holm = [min(1.0, max((n - j) * p[j] for j in range(k + 1))) for k in range(n)]
    bh = [min(1.0, *(p[j] * n / (j + 1) for j in range(k, n))) for k in range(n)]
    assert correct_p_values(p, CORRECTIONS["holm"]) == pytest.approx(holm)
    assert correct_p_values(p, CORRECTIONS["bh"]) == pytest.approx(bh)


@given(st.lists(st.floats(1e-6, 1), min_size=0, max_size=12))
def test_corrections_are_ordered(values: list[float]) -> None:
    """none <= bh <= holm <= bonferroni, and each keeps the order of p."""
    p = np.sort(np.array(values))
    ladder = [correct_p_values(p, CORRECTIONS[name]) for name in ("none", "bh", "holm", "bonferroni")]
    assert all(np.all(low <= high + 1e-15) for low, high in pairwise(ladder))
    assert all(np.all(np.diff(by_name) >= -1e-15) for by_name in ladder)


# Effects


def test_the_interval_excludes_0_exactly_where_t_is_significant() -> None:
    pairs = Pairs(scores(20, 25), *all_pairs(20))
    for alpha in (0.01, 0.05, 0.2):
        table = effects(pairs, alpha)
        assert np.array_equal((table.low > 0) | (table.high < 0), paired_t(pairs) < alpha)


def test_the_interval_is_scipys() -> None:
    values = scores(2, 25)
    table = effects(Pairs(values, np.array([0]), np.array([1])), 0.1)
    reference = stats.ttest_rel(*values).confidence_interval(0.9)
    assert (table.low[0], table.high[0]) == pytest.approx((reference.low, reference.high))


def test_effects_count_topics() -> None:
    """A difference of rounding is a tie; equal runs have no effect size; an undefined topic does not count."""
    values = np.array([[0.3, 0.2, 0.9, np.nan, 0.5], [0.1 + 0.2, 0.5, 0.1, 0.2, 0.5], [0.3, 0.2, 0.9, 0.4, 0.5]])
    table = effects(Pairs(values, *all_pairs(3)))
    assert table.wins.tolist() == [1, 0, 1]
    assert table.ties.tolist() == [2, 4, 2]
    assert table.losses.tolist() == [1, 0, 2]
    assert table.topics.tolist() == [4, 4, 5]
    assert table.difference == pytest.approx(table.mean_a - table.mean_b)
    assert np.isnan(table.effect[1])
    d = values[1] - values[2]
    assert table.effect[2] == pytest.approx(d.mean() / d.std(ddof=1))


def test_there_is_no_interval_where_hardly_a_topic_differs() -> None:
    """From eight topics that differ it is t's; with seven there is none, and with a range it ends there."""
    values = np.zeros((2, 30))
    values[0, :7] = np.linspace(0.1, 0.4, 7)
    few = effects(Pairs(values, np.array([0]), np.array([1])))
    assert np.isnan([few.low[0], few.high[0]]).all()
    values[0, 7] = 0.3
    enough = effects(Pairs(values, np.array([0]), np.array([1])))
    reference = stats.ttest_rel(*values).confidence_interval(0.95)
    assert (enough.low[0], enough.high[0]) == pytest.approx((reference.low, reference.high))
    alternating = np.stack([np.tile([1.0, 0.0], 5), np.tile([0.0, 0.9], 5)])
    assert effects(Pairs(alternating, np.array([0]), np.array([1])), most=0.5).high[0] == 0.5


@pytest.mark.needs("answers")
def test_a_measure_knows_how_far_two_scores_can_be_apart() -> None:
    """Also of answers; scores of a file may be of a measure that nobody here knows."""
    assert [max_score_difference(name) for name in ("AP", "AnsRel", "DCG", "theirs")] == [1.0, 2.0, np.inf, np.inf]


@pytest.mark.parametrize("ends", [(0.0, 1.0), (-1.0, 1.0), (0.0, 4.0)])
def test_intervals_of_means_are_within_the_range(ends: tuple[float, float]) -> None:
    """Around the mean and not beyond the ends, whatever the scores; equal scores do not make them certain."""
    random = np.random.default_rng(1)
    unit = np.vstack(
        [random.beta(0.2, 3, (200, 3)), random.integers(0, 2, (200, 3)), np.zeros((1, 3)), np.ones((1, 3))]
    )
    values = ends[0] + (ends[1] - ends[0]) * unit
    low, high = mean_intervals(values, ends)
    mean = values.mean(axis=1)
    assert ((ends[0] <= low) & (low <= mean + 1e-12) & (mean - 1e-12 <= high) & (high <= ends[1])).all()
    assert (high - low > 0.1 * (ends[1] - ends[0])).all()


def test_the_interval_of_a_mean_of_many_topics_is_ts() -> None:
    """Nearly, in the middle of the range."""
    values = np.random.default_rng(1).beta(4, 4, (1, 400))
    low, high = mean_intervals(values, (0.0, 1.0), 0.9)
    reference = stats.ttest_1samp(values[0], 0).confidence_interval(0.9)
    assert (low[0], high[0]) == pytest.approx((reference.low, reference.high), abs=1e-3)


@pytest.mark.parametrize("topics", [2, 5, 8, 60])
def test_the_same_difference_everywhere_is_as_sure_as_its_sign(topics: int) -> None:
    """Without a standard error there is no t: two topics are no proof, and an interval without width none either."""
    scores = np.linspace(0.1, 0.7, topics)
    pairs = Pairs(np.stack([scores + 0.1, scores]), np.array([0]), np.array([1]))
    assert paired_t(pairs) == pytest.approx(2.0 ** (1 - topics))
    assert np.isnan(effects(pairs).low).all()
    assert effects(pairs).difference == pytest.approx(0.1)


@pytest.mark.parametrize("scale", [1e-9, 1e9])
def test_tukey_does_not_depend_on_the_unit_of_scores(scale: float) -> None:
    scores = np.array([[0.9, 0.8, 0.9, 0.7, 0.9], [0.2, 0.3, 0.1, 0.3, 0.2], [0.2, 0.3, 0.1, 0.2, 0.3]])
    first, second = np.array([0, 1]), np.array([1, 2])
    assert tukey(Pairs(scale * scores, first, second)).tolist() == tukey(Pairs(scores, first, second)).tolist()
