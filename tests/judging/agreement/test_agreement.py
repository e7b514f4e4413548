"""Coefficients of agreement: published numbers, other programs, brute force, and the edges where nothing is defined."""

from collections.abc import Sequence
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError
from cranfield.formats import read_qrels
from cranfield.judging.agreement import (
    AGREEMENTS,
    bootstrap,
    cohen_kappa,
    drop_off_scale,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac2,
    krippendorff_alpha,
)
from cranfield.judging.agreement.agreement import Interval, LabelMatrix, matrix_of_qrels, overall_agreement
from cranfield.judging.agreement.base import RAW, overlap, prevalence, raw_agreement
from cranfield.judging.agreement.chance_corrected import Level
from cranfield.metrics.significance.pairs import ends_of_means
from tests.conftest import usually

NAN = float("nan")
# Four observers, twelve units, labels missing: Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011.
KRIPPENDORFF: list[list[float]] = [
    [1, 1, NAN, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4], [4, 4, 4, 4],
    [1, 1, 2, 1], [2, 2, 2, 2], [NAN, 5, 5, 5], [NAN, NAN, 1, 1], [NAN, NAN, 3, NAN],
]  # fmt: skip
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")


@pytest.fixture(scope="module")
def llmjudge(shared: Path) -> LabelMatrix:
    """The passages of the LLMJudge challenge: NIST's labels and 33 sets of model labels."""
    folder = shared / "llmjudge"
    paths = [folder / "human.test.qrels.txt.gz", *sorted((folder / "labels").glob("*.gz"))]
    return matrix_of_qrels({path.name.removesuffix(".txt.gz"): read_qrels(path) for path in paths}, [0, 1, 2, 3], 2)


# Published numbers


@pytest.mark.parametrize(("level", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_as_krippendorff_published_it(level: Level, expected: float) -> None:
    """His own example, with missing labels; with fixed weights of what lies between, ordinal alpha would be .834."""
    assert round(krippendorff_alpha(KRIPPENDORFF, level), 3) == expected


def test_as_irrcac() -> None:
    """What irrCAC 0.4.4 gives for the same labels."""
    assert gwet_ac1(KRIPPENDORFF) == pytest.approx(0.7754440681, abs=1e-9)
    assert gwet_ac2(KRIPPENDORFF) == pytest.approx(0.9140007236, abs=1e-9)
    assert fleiss_kappa(KRIPPENDORFF) == pytest.approx(0.7611692754, abs=1e-9)


@pytest.mark.parametrize(
    ("share", "relevant", "kappa"),
    [
        (0.42, 0.05, 0.57),
        (0.42, 0.2, 0.49),
        (0.42, 0.4, 0.32),
        (0.49, 0.05, 0.64),
        (0.49, 0.2, 0.57),
        (0.49, 0.4, 0.43),
    ],
)
def test_overlap_is_not_kappa(share: float, relevant: float, kappa: float) -> None:
    """The overlap of NIST's assessors goes with quite different kappas; raw agreement is .96 at 5 per cent."""
    both = 2 * relevant * share / (1 + share)
    counts = np.round(np.array([both, relevant - both, relevant - both, 1 - 2 * relevant + both]) * 100_000).astype(int)
    grades = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], counts, axis=0)
    assert round(overlap(grades), 2) == share
    assert round(cohen_kappa(grades), 2) == kappa
    assert round(prevalence(grades), 2) == relevant
    if relevant == 0.05:
        assert round(raw_agreement(grades), 2) in (0.96, 0.97)


# Other programs, on real labels


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_equals_the_package_krippendorff(llmjudge: LabelMatrix, level: Level) -> None:
    """Human against each model, and all 34 with labels missing."""
    other = pytest.importorskip("krippendorff", reason="needs the package krippendorff")

    def theirs(grades: Floats) -> float:
        return float(other.alpha(reliability_data=grades.T, level_of_measurement=level))

    for column in range(1, len(llmjudge.assessors)):
        two = llmjudge.grades[:, [0, column]]
        assert krippendorff_alpha(two, level) == pytest.approx(theirs(two), abs=1e-9)
    holes = np.where(np.random.default_rng(7).random(llmjudge.grades.shape) < 0.6, np.nan, llmjudge.grades)
    assert krippendorff_alpha(holes, level) == pytest.approx(theirs(holes), abs=1e-9)


@pytest.mark.needs_extra("search")
@pytest.mark.daily
def test_kappa_and_overlap_equal_scikit_learn(llmjudge: LabelMatrix) -> None:
    """Human against each model: plain, linear and quadratic kappa, accuracy and Jaccard."""
    from sklearn import metrics

    for column in range(1, len(llmjudge.assessors)):
        two = llmjudge.grades[:, [0, column]]
        two = two[~np.isnan(two).any(axis=1)]
        a, b = two.T
        for weights, theirs in (("plain", None), ("linear", "linear"), ("quadratic", "quadratic")):
            ours = cohen_kappa(two, weights)  # type: ignore[arg-type]
            assert ours == pytest.approx(metrics.cohen_kappa_score(a, b, weights=theirs), abs=1e-9)
        assert raw_agreement(two) == pytest.approx(metrics.accuracy_score(a, b), abs=1e-12)
        assert overlap(two, rel=2) == pytest.approx(metrics.jaccard_score(a >= 2, b >= 2), abs=1e-12)


def test_labels_outside_the_scale_are_left_out_and_told(llmjudge: LabelMatrix) -> None:
    """Two model labels are 5 and one is 10; they become missing, not 3 and not 0."""
    assert llmjudge.outside == {"RMITIR-llama70B": {5.0: 2}, "h2oloo-zeroshot2": {10.0: 1}}
    assert int(np.isnan(llmjudge.grades).sum()) == 3


# Edges


@pytest.mark.parametrize("name", list(AGREEMENTS))
def test_without_a_pair_of_labels_nothing_is_defined(name: str) -> None:
    """No unit with two labels: undefined, whichever coefficient."""
    assert np.isnan(AGREEMENTS[name]([[1, NAN], [NAN, 0]], scale=[0, 1]))


@pytest.mark.parametrize("name", [name for name in AGREEMENTS if "kappa" in name or "alpha" in name])
def test_constant_assessors_are_undefined(name: str) -> None:
    """Nothing tells agreement from habit: neither 0 nor 1. If only one is, kappa is that of chance."""
    assert np.isnan(AGREEMENTS[name]([[1, 1], [1, 1]], scale=[0, 1]))
    assert cohen_kappa([[1, 1], [1, 0], [1, 1]]) == 0


@pytest.mark.parametrize("name", [name for name in AGREEMENTS if name not in ("prevalence", "overlap")])
def test_full_agreement_is_one(name: str) -> None:
    """On more than one grade."""
    assert AGREEMENTS[name]([[0, 0], [1, 1], [2, 2]], scale=[0, 1, 2]) == pytest.approx(1)


def test_labels_off_the_scale_and_kappa_of_three_are_refused() -> None:
    """It is told which, how many of how many, and what is right; Cohen's is of two."""
    with pytest.raises(InputError, match="1 of 4 labels have the grades 5; expected the scale 0, 1"):
        fleiss_kappa([[0, 5], [1, 1]], scale=[0, 1])
    with pytest.raises(InputError, match="defined for two assessors, not 3"):
        cohen_kappa([[0, 1, 1]])
    values, left_out = drop_off_scale([[0.0, NAN], [7.0, 1.0]], [0, 1])
    assert left_out == {7.0: 1}
    assert np.array_equal(values, [[0, NAN], [NAN, 1]], equal_nan=True)


def test_grades_that_nobody_used_count_for_gwet_alone() -> None:
    """A longer scale leaves less to chance for AC1, and is all the same to the rest."""
    labels = [[0, 0], [0, 1], [1, 1], [0, 0]]
    assert gwet_ac1(labels, [0, 1, 2]) > gwet_ac1(labels)
    for name in ("Cohen kappa quadratic", "Fleiss kappa", "Krippendorff alpha ordinal"):
        assert AGREEMENTS[name](labels, [0, 1, 2]) == pytest.approx(AGREEMENTS[name](labels))


# Laws

labels = st.lists(st.lists(st.sampled_from([0.0, 1.0, 2.0, NAN]), min_size=3, max_size=3), min_size=1, max_size=12)


@given(labels)
@settings(deadline=None, max_examples=usually(25, 60))
def test_assessors_have_no_order(grades: list[list[float]]) -> None:
    """Exchanging columns changes nothing."""
    for name, agreement in AGREEMENTS.items():
        if not agreement.for_two:
            orders = [agreement(np.array(grades)[:, order], [0, 1, 2]) for order in permutations(range(3))]
            assert np.allclose(orders, orders[0], equal_nan=True), name


@given(labels)
@settings(deadline=None, max_examples=usually(25, 60))
def test_alpha_by_its_definition(grades: list[list[float]]) -> None:
    """One less the mean difference of labels of a unit, weighed by unit, over that of any two labels."""
    units = [[g for g in unit if not np.isnan(g)] for unit in grades]
    units = [unit for unit in units if len(unit) > 1]
    every = [g for unit in units for g in unit]
    for level in LEVELS:
        expected = _alpha(units, every, level)
        assert np.isclose(krippendorff_alpha(grades, level), expected, equal_nan=True)


def _alpha(units: Sequence[Sequence[float]], every: Sequence[float], level: Level) -> float:
    def apart(a: float, b: float) -> float:
        low, high = min(a, b), max(a, b)
        between = sum(low <= g <= high for g in every) - (every.count(a) + every.count(b)) / 2
        return {"nominal": float(a != b), "interval": (a - b) ** 2, "ordinal": between**2 if a != b else 0.0}[level]

    if not every:
        return NAN
    disagreement = sum(sum(apart(a, b) for a in unit for b in unit) / (len(unit) - 1) for unit in units) / len(every)
    chance = sum(apart(a, b) for a in every for b in every) / (len(every) * (len(every) - 1))
    return 1 - disagreement / chance if chance else NAN


# The bootstrap


def test_the_bootstrap_is_that_of_resampled_topics() -> None:
    """Sums of topics give what putting the topics' labels together gives; another seed gives another interval."""
    random = np.random.default_rng(3)
    grades, topics = random.integers(0, 3, (60, 2)).astype(float), np.repeat(np.arange(12), 5)
    agreement = AGREEMENTS["Krippendorff alpha ordinal"]
    counts = np.random.default_rng(0).multinomial(12, np.full(12, 1 / 12), size=50)
    values = [agreement(np.vstack([grades[topics == t] for t in np.repeat(np.arange(12), times)])) for times in counts]
    interval = bootstrap(agreement, grades, topics, resamples=50)
    ends = ends_of_means(interval.value, np.var(values, ddof=1) * 12**2 / 11, 12, (-1.0, 1.0))
    assert (interval.low, interval.high) == pytest.approx(tuple(map(float, ends)))
    assert bootstrap(agreement, grades, topics, resamples=50) == interval
    assert bootstrap(agreement, grades, topics, resamples=50, seed=2) != interval


def test_undefined_resamples_are_counted() -> None:
    """Where all relevant documents are of one topic, a third of the resamples has no kappa: there is no interval."""
    topics = [f"q{number}" for number in range(12)]
    interval = bootstrap(AGREEMENTS["Cohen kappa"], [[1, 1]] + [[0, 0]] * 11, topics)
    assert interval.value == 1
    assert 0.3 < interval.undefined < 0.42
    assert np.isnan([interval.low, interval.high]).all()
    assert interval.why == f"undefined on {interval.undefined:.0%} of the resamples"
    often = bootstrap(AGREEMENTS["Cohen kappa"], [[1, 1]] * 4 + [[0, 0]] * 7 + [[0, 1]], topics)
    assert (0 < often.undefined < 0.05, often.why, often.low < often.value <= often.high) == (True, "", True)


def test_few_topics_have_no_interval() -> None:
    """Nine are too few, ten are not; topics on which nobody agrees with anybody, being labelled once, do not count."""

    def interval_of(topics: int, alone: int = 0) -> Interval:
        both = [[0.0, float(number % 3 == 0)] for number in range(topics)]
        return bootstrap(RAW, both + [[1.0, np.nan]] * alone, range(topics + alone), resamples=200)

    assert (interval_of(9).why, interval_of(9, alone=5).why) == ("9 topics are too few",) * 2
    assert np.isnan(interval_of(9).low)
    assert interval_of(10).why == ""
    assert interval_of(10).low < interval_of(10).value < interval_of(10).high
    assert interval_of(10, alone=5) == interval_of(10)
    none = bootstrap(RAW, [[0, 0], [0, 1]] * 10, range(20), resamples=0)  # none was asked for: nothing is said
    assert (none.value, none.why) == (0.5, "")
    assert np.isnan([none.low, none.high, none.undefined]).all()


def test_raw_agreement_is_the_share_of_pairs_of_labels_alike() -> None:
    """Counted pair by pair; where some documents have more labels than others, those have more pairs."""
    random = np.random.default_rng(5)
    grades = np.where(random.random((30, 4)) < 0.4, np.nan, random.integers(0, 3, (30, 4)))
    pairs = [(a, b) for row in grades for a, b in combinations(row[~np.isnan(row)], 2)]
    assert raw_agreement(grades) == pytest.approx(sum(a == b for a, b in pairs) / len(pairs))
    assert RAW.reading.startswith("share of label pairs that agree")


@pytest.mark.parametrize(("name", "value"), [("Gwet AC1", 0.7754440681), ("Fleiss kappa", 0.7611692754)])
def test_single_labels_count_for_prevalences(name: str, value: float) -> None:
    """As in Gwet 2014 and irrCAC: the table of an agreement has the number of the function."""
    units = [("q", str(number)) for number in range(len(KRIPPENDORFF))]
    matrix = LabelMatrix(tuple("abcd"), units, np.array(KRIPPENDORFF, float), scale=(1, 2, 3, 4, 5))
    [coefficient] = overall_agreement(matrix, [name], resamples=0)
    assert coefficient.interval.value == pytest.approx(value, abs=1e-9)
