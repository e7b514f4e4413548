"""Estimates from samples: right on average, with intervals that hold the truth as often as they say."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from cranfield.errors import InputError
from cranfield.holdings import Pool, PooledDocument
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.pooling.build import build_pool, pooled
from cranfield.pooling.estimate import (
    Estimate,
    average_precision,
    estimate,
    number_relevant,
    over_topics,
    precision,
    ranks,
    variance,
)
from cranfield.pooling.inclusion import DESIGNS, Sample, samples
from cranfield.pooling.methods import METHODS
from cranfield.pooling.retrieved import Retrieved, by_topic
from cranfield.pooling.simulate_replay import heard
from cranfield.rankings import Ints, Mask

RUNS, DEPTH, SIZE, SEEDS, K = 8, 60, 80, 300, 20
EXACT = ("uniform", "stratified", "tail", "statap")


@cache
def world() -> tuple[Retrieved, Mask]:
    """A topic that eight runs answered, and its relevant documents: likelier where the runs rank high."""
    random = np.random.default_rng(5)
    quality = random.normal(size=220)
    runs = {
        f"r{run}": {"q": {f"d{d:03}": float(quality[d] + random.normal()) for d in range(220)}} for run in range(RUNS)
    }
    topic = by_topic(as_runs(runs), DEPTH)[0]
    merit = quality[[int(docno[1:]) for docno in topic.docnos]]
    return topic, merit + random.normal(size=len(topic)) > 0.9


def draw(method: str, seed: int) -> Sample:
    """A sample of the topic, judged."""
    topic, relevant = world()
    options = {"k": 5, "rate": 0.4} if method == "tail" else {}
    state = METHODS[method].start(topic, options, seed)
    documents = heard(state, relevant, SIZE) if METHODS[method].adaptive else state.next(SIZE)
    grades = {docno: int(is_relevant) for docno, is_relevant in zip(topic.docnos, relevant, strict=True)}
    (found,) = samples(Pool(method, {}, pooled(topic, documents, state)), as_qrels({"q": grades}))
    return found


def rank_in(sample: Sample, run: int) -> Ints:
    topic, _ = world()
    place = {docno: number for number, docno in enumerate(topic.docnos)}
    return topic.rank[run, [place[docno] for docno in sample.docnos]].astype(np.int64)


def truth(run: int) -> dict[str, float]:
    """What everything judged says: R, P@k and AP by plain loops."""
    topic, relevant = world()
    ranked = [bool(relevant[document]) for document in topic.lists[run]]
    hits, total = 0, 0.0
    for rank, is_relevant in enumerate(ranked, 1):
        hits += is_relevant
        total += is_relevant * hits / rank
    return {"R": float(relevant.sum()), "P": sum(ranked[:K]) / K, "AP": total / relevant.sum()}


@cache
def repeated(method: str) -> dict[str, list[Estimate]]:
    """Every estimate from each of many samples; of the run r0."""
    found: dict[str, list[Estimate]] = {"R": [], "P": [], "AP": []}
    for seed in range(SEEDS // 2 if method == "active" else SEEDS):
        sample = draw(method, seed)
        rank = rank_in(sample, 0)
        found["R"].append(number_relevant(sample))
        found["P"].append(precision(sample, rank, K))
        found["AP"].append(average_precision(sample, rank))
    return found


@pytest.mark.parametrize("method", EXACT)
@pytest.mark.parametrize("what", ["R", "P"])
def test_estimates_are_right_on_average(method: str, what: str) -> None:
    """The mean over many samples is within three Monte Carlo errors of the truth."""
    values = np.array([one.value for one in repeated(method)[what]])
    error = values.std(ddof=1) / np.sqrt(SEEDS)
    assert abs(values.mean() - truth(0)[what]) < 3 * error + 1e-9


@pytest.mark.parametrize("method", EXACT)
def test_average_precision_is_nearly_right_on_average(method: str) -> None:
    """A ratio has a bias, but it is small beside the scatter of a single estimate."""
    values = np.array([one.value for one in repeated(method)["AP"]])
    assert abs(values.mean() - truth(0)["AP"]) < 0.15 * values.std(ddof=1) + 3 * values.std(ddof=1) / np.sqrt(SEEDS)


@pytest.mark.parametrize("method", EXACT)
def test_the_sum_under_average_precision_is_right_on_average(method: str) -> None:
    """AP times R, the sum over pairs, is unbiased: for this the chances of pairs have to be right."""
    found = repeated(method)
    values = np.array([ap.value * r.value for ap, r in zip(found["AP"], found["R"], strict=True)])
    error = values.std(ddof=1) / np.sqrt(SEEDS)
    assert abs(values.mean() - truth(0)["AP"] * truth(0)["R"]) < 3 * error + 1e-9


@pytest.mark.parametrize("method", EXACT)
@pytest.mark.parametrize("what", ["R", "P", "AP"])
def test_the_variance_is_what_estimates_scatter_by(method: str, what: str) -> None:
    """The mean of the estimated variances is near the variance over samples."""
    estimates = repeated(method)[what]
    scatter = np.var([one.value for one in estimates], ddof=1)
    assert np.mean([one.variance for one in estimates]) == pytest.approx(scatter, rel=0.25)


@pytest.mark.parametrize("method", EXACT)
@pytest.mark.parametrize("what", ["R", "P", "AP"])
def test_intervals_of_means_are_as_wide_as_they_should_be(method: str, what: str) -> None:
    """95 % intervals of means over 25 topics, each sampled by itself, hold what estimates are on average: 89 to 98 %.

    On average they are the truth, or near it, as the tests above have it; asked of that average instead, this does not
    depend on how near it is with so few samples.
    """
    estimates, random = repeated(method)[what], np.random.default_rng(1)
    average = np.mean([one.value for one in estimates])
    means = [over_topics([estimates[at] for at in random.integers(0, SEEDS, 25)], most=np.inf) for _ in range(1000)]
    assert 0.89 <= np.mean([one.low <= average <= one.high for one in means]) <= 0.98


@pytest.mark.parametrize("method", ["uniform", "stratified", "tail"])
@pytest.mark.parametrize("what", ["R", "AP"])
def test_intervals_of_one_topic_are_a_little_short(method: str, what: str) -> None:
    """A normal interval of a single topic, said to hold in 95 % of cases, does in 85 at least."""
    assert np.mean([one.low <= truth(0)[what] <= one.high for one in repeated(method)[what]]) >= 0.85


def test_a_higher_confidence_is_a_wider_interval() -> None:
    """And the estimate stays."""
    narrow, wide = (number_relevant(draw("uniform", 1), confidence) for confidence in (0.5, 0.99))
    assert narrow.value == wide.value
    assert wide.low <= narrow.low < narrow.high < wide.high


def test_active_samples_are_estimated_roughly() -> None:
    """Its probabilities follow what was found: right within 10 % only, and intervals hold in 80 % of cases."""
    found = repeated("active")
    for what in ("R", "AP"):
        assert np.mean([one.value for one in found[what]]) == pytest.approx(truth(0)[what], rel=0.10)
        assert np.mean([one.low <= truth(0)[what] <= one.high for one in found[what]]) >= 0.8


def test_every_sampling_method_has_a_design() -> None:
    """So that a new one is not taken for independent draws by mistake."""
    assert set(DESIGNS) == {name for name, method in METHODS.items() if method.samples}


def test_variance_of_a_simple_random_sample_is_the_textbooks() -> None:
    """N² (1 - n/N) s² / n."""
    relevant = np.array([True, False, True, True, False])
    one = Sample("q", np.array(list("abcde"), object), np.full(5, 0.25), relevant, np.zeros(5, np.int64))
    expected = 20**2 * (1 - 5 / 20) * np.var(relevant, ddof=1) / 5
    assert variance(one, np.flatnonzero(relevant), np.ones(3)) == pytest.approx(expected)


def test_everything_drawn_is_no_estimate() -> None:
    """With all of the pool drawn, estimates are the measures themselves, without a variance."""
    runs = {
        "a": {"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "2": {"d4": 1.0}},
        "b": {"1": {"d3": 2.0, "d9": 1.0}},
    }
    qrels = {"1": {"d1": 1, "d2": 0, "d3": 2, "d9": 1}, "2": {"d4": 1}}
    documents = build_pool(METHODS["uniform"], as_runs(runs), 100, budget=9)
    rows = estimate(Pool("uniform", {}, documents), as_runs(runs), as_qrels(qrels), ["AP", "AP@1", "P@2"])
    table = evaluate(runs, qrels, ["AP", "AP@1", "P@2"])
    assert [(row["run"], row["measure"]) for row in rows] == list(zip(table["run"], table["measure"], strict=True))
    assert [row["value"] for row in rows] == pytest.approx(table["value"].tolist())
    assert {row["variance"] for row in rows} == {0.0}
    assert all(row["low"] == row["value"] == row["high"] for row in rows)


def test_a_run_that_did_not_answer_has_nothing() -> None:
    """Rank 0 everywhere, precision 0."""
    topic, _ = world()
    sample = draw("uniform", 3)
    found = ranks(as_runs({"other": {"another": {"d1": 1.0}}}), sample)
    assert not found.any()
    assert precision(sample, found[0], 10).value == average_precision(sample, found[0]).value == 0
    assert topic.qid == "q"


@pytest.mark.parametrize(
    ("documents", "grades", "words"),
    [
        ([PooledDocument("q", "d", 1, ("a",))], {"d": 1}, "has no inclusion probabilities"),
        ([PooledDocument("q", "d", 1, ("a",), "all", 0.5)], {"e": 1}, "1 of 1 sampled documents are not judged"),
        ([PooledDocument("q", "d", 1, ("a",), "all", 0.5)], {"d": -1}, "document 'd'; estimates need all"),
        ([PooledDocument("q", "d", 1, ("a",), "all", 1.5)], {"d": 1}, "with a probability of 1.5"),
        ([], {"d": 1}, "the pool is empty"),
    ],
)
def test_what_is_no_judged_sample_is_refused(
    documents: list[PooledDocument], grades: dict[str, int], words: str
) -> None:
    """In one line that says what is wrong, not with a number that means nothing."""
    runs = as_runs({"a": {"q": {"d": 1.0}}})
    with pytest.raises(InputError, match=words):
        estimate(Pool("uniform", {}, documents, number=1), runs, as_qrels({"q": grades}))
