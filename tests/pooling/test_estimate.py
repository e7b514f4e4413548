"""Estimates from samples: right on average, with intervals that hold the truth as often as they say."""

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from itertools import combinations, product
from statistics import fmean
from statistics import variance as variance_of

import numpy as np
import pytest
from scipy.stats import hypergeom, ttest_ind

from benchmarks.designs.pooling import score
from cranfield.arrays.rankings import Floats, Ints, Mask, Qrels
from cranfield.errors import InputError
from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.pooling.build import build_pool, make_pooled_documents
from cranfield.pooling.candidates import Candidates, candidates_by_topic
from cranfield.pooling.estimate import (
    JudgedSample,
    average_precision,
    estimate,
    number_relevant,
    precision,
    ranks,
    samples,
    variance,
)
from cranfield.pooling.intervals import Estimate, SampleFrame, count_interval, topic_mean
from cranfield.pooling.methods import METHODS
from cranfield.pooling.replay import proposals
from cranfield.pooling.sampling import Buckets, Draws, Inclusion, Strata, read_draws, short
from cranfield.store.pools import Pool, PooledDocument
from tests.conftest import usually
from tests.pooling.of_runs import OF_RUNS

RUNS, DEPTH, SIZE, SEEDS, K = 8, 60, 60, usually(150, 500), 20
METHOD = pytest.mark.parametrize("method", [name for name, row in OF_RUNS.items() if row.samples])
WHAT = pytest.mark.parametrize("what", ["R", "P", "AP"])


@cache
def world() -> tuple[Candidates, Mask]:
    """A topic that eight runs answered, and its relevant documents: likelier where the runs rank high."""
    random = np.random.default_rng(5)
    quality = random.normal(size=220)
    runs = {
        f"r{run}": {"q": {f"d{d:03}": float(quality[d] + random.normal()) for d in range(220)}} for run in range(RUNS)
    }
    topic = candidates_by_topic(as_runs(runs), DEPTH)[0]
    merit = quality[[int(docno[1:]) for docno in topic.docnos]]
    return topic, merit + random.normal(size=len(topic)) > 0.9


@cache
def judgments() -> Qrels:
    topic, relevant = world()
    return as_qrels({"q": {docno: int(one) for docno, one in zip(topic.docnos, relevant, strict=True)}})


def judged_pool(method: str, seed: int, size: int = SIZE) -> list[PooledDocument]:
    topic, relevant = world()
    options = {"k": 5, "rate": 0.4} if method == "tail" else {}
    state = METHODS[method].start(topic, options, seed)
    size = len(topic) if method == "tail" else size
    documents = proposals(state, relevant, size) if METHODS[method].adaptive else state.next(size)
    return make_pooled_documents(topic, documents, state)


def draw(method: str, seed: int) -> JudgedSample:
    (sample,) = samples(Pool(method, {}, judged_pool(method, seed)), judgments())
    return sample


def rank_in(sample: JudgedSample, run: int) -> Ints:
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
def estimates_of(method: str) -> dict[str, list[Estimate]]:
    """Every estimate from each of many samples; of the run r0."""
    estimates: dict[str, list[Estimate]] = {"R": [], "P": [], "AP": []}
    for seed in range(SEEDS):
        sample = draw(method, seed)
        rank = rank_in(sample, 0)
        estimates["R"].append(number_relevant(sample))
        estimates["P"].append(precision(sample, rank, K))
        estimates["AP"].append(average_precision(sample, rank))
    return estimates


def values(method: str, what: str) -> Floats:
    return np.array([one.value for one in estimates_of(method)[what]])


@METHOD
@pytest.mark.parametrize("what", usually(["R"], ["R", "P"]))
def test_estimates_are_right_on_average(method: str, what: str) -> None:
    """The mean over many samples is within three Monte Carlo errors of the truth."""
    scores = values(method, what)
    assert abs(scores.mean() - truth(0)[what]) < 3 * scores.std(ddof=1) / np.sqrt(SEEDS) + 1e-9


@METHOD
def test_average_precision_is_nearly_right_on_average(method: str) -> None:
    """A ratio has a bias, but it is small beside the scatter of a single estimate."""
    scores = values(method, "AP")
    assert abs(scores.mean() - truth(0)["AP"]) < (0.05 + 3 / np.sqrt(SEEDS)) * scores.std(ddof=1)


@METHOD
@WHAT
def test_the_variance_is_what_estimates_scatter_by(method: str, what: str) -> None:
    """The mean of the estimated variances is near the variance over samples."""
    scatter = np.var(values(method, what), ddof=1)
    assert np.mean([one.variance for one in estimates_of(method)[what]]) == pytest.approx(scatter, rel=0.2)


@METHOD
@WHAT
def test_intervals_of_means_hold_as_often_as_they_say(method: str, what: str) -> None:
    """95 % intervals of means over 25 topics, each sampled by itself.

    Over one topic 25 times: what some hundred samples are off by luck counts five times there, so what is to be held is
    what they give on average. The tests above have it that this is the truth.
    """
    estimates, random, average = estimates_of(method)[what], np.random.default_rng(1), values(method, what).mean()
    means = [topic_mean([estimates[at] for at in random.integers(0, SEEDS, 25)]) for _ in range(1000)]
    assert 0.92 <= np.mean([one.low <= average <= one.high for one in means]) <= 0.975


@METHOD
@WHAT
def test_intervals_of_one_topic_hold_as_often_as_they_say(method: str, what: str) -> None:
    """Or more often where there are few whole numbers to choose from."""
    right, most = truth(0)[what], 1 if what == "P" else 0.995
    assert 0.92 <= np.mean([one.low - 1e-9 <= right <= one.high + 1e-9 for one in estimates_of(method)[what]]) <= most


@pytest.mark.parametrize("size", [20, 40])
def test_the_interval_of_a_count_holds_for_any_count(size: int) -> None:
    """A random sample of 100 documents, and all numbers of relevant ones, by the hypergeometric distribution.

    On average over these numbers as said or a little more often, and for none much less.
    """
    estimates = [_of_found(number, size) for number in range(size + 1)]
    low, high = (np.array([one[end] for one in estimates]) for end in (2, 3))
    coverage = []
    for relevant in range(101):
        chance = np.asarray(hypergeom.pmf(range(size + 1), 100, relevant, size))
        coverage.append(float(chance[(low <= relevant) & (relevant <= high)].sum()))
    assert 0.95 <= np.mean(coverage) <= 0.98
    assert min(coverage) >= 0.92


@pytest.mark.full
@pytest.mark.parametrize(("cutoff", "k"), usually([(20, 10), (10, 1)], [(10, 5), (20, 10), (10, 1)]))
def test_intervals_of_precision_hold_where_a_document_or_two_are_drawn(cutoff: int, k: int) -> None:
    """Of twelve topics and a tenth of the tail; variances by topic, nearly all of nothing found, held in 72 to 89 %."""
    holds = [
        score(np.random.default_rng(at), "P", cutoff, topics=12, method="tail", size=0, k=k, rate=0.1)
        for at in range(60)
    ]
    assert holds.count(True) >= 55


def test_counts_have_the_interval_of_their_sum() -> None:
    """Two topics as one: three found, and forty others at ten each; sampled to the end there is no doubt."""
    one, other = (Estimate(0.3, 0.09, 0, 1, among=SampleFrame(hits, 20.0, 10.0), size=10) for hits in (1, 2))
    low, high = count_interval(6, 18, SampleFrame(3, 40.0, 10.0))
    assert topic_mean([one, other])[2:4] == (low / 20, high / 20)
    sure = Estimate(0.4, 0.0, 0.4, 0.4, among=SampleFrame(4, 0.0, 1.0), size=10)
    assert topic_mean([sure, sure])[2:4] == (0.4, 0.4)


def test_the_freedom_of_a_mean_is_that_of_welchs_test() -> None:
    """By hand: 0.04² / (0.01² / 4 + 0.03² / 9) is 12.8. A mean without a variance has no limit."""
    assert topic_mean([Estimate(0.2, 0.01, 0, 1, 4.0), Estimate(0.4, 0.03, 0, 1, 9.0)]).freedom == pytest.approx(12.8)
    groups = [1.0, 2.0, 4.0, 9.0], [2.0, 3.0, 3.5, 4.0, 4.5, 7.0]
    estimates = [Estimate(fmean(x), variance_of(x) / len(x), 0, 1, len(x) - 1) for x in groups]
    assert topic_mean(estimates).freedom == pytest.approx(ttest_ind(*groups, equal_var=False).df)
    assert topic_mean([Estimate(0.4, 0.0, 0.4, 0.4)] * 2).freedom == np.inf


def test_a_topic_of_few_relevant_documents_counts_with_its_distance_from_the_mean() -> None:
    """By hand: the mean of 0, 0.4, 0.4 and 0.4 is 0.3; the first is 0.09 in square from it, times 4/3."""
    sure = Estimate(0.4, 0.0, 0.4, 0.4, most=1.0)
    for unseen in (1.0, 0.5):
        mean = topic_mean([Estimate(0.0, 0.0, 0.0, 0.0, most=1.0, relevant=3, unseen=unseen), sure, sure, sure])
        assert (mean.value, mean.variance) == pytest.approx((0.3, unseen * 0.12 / 16))


def test_the_variance_of_average_precision_where_every_relevant_document_was_certain_to_be_drawn() -> None:
    """By hand: b at rank 1 would add 1/1 and, to a at rank 2, 1/2; AP is 1/2. A tenth of such a document is unseen."""
    sample = JudgedSample("q", np.array(["a", "b"], object), np.array([True, False]), Inclusion(np.array([1, 1 / 1.1])))
    gain, unseen = 1 / 1 + 1 / 2 - 1 / 2, 0.1
    estimated = average_precision(sample, np.array([2, 1]))
    assert (estimated.value, estimated.variance) == pytest.approx((0.5, 1.1 * unseen * gain**2 / 2))


def test_a_chance_above_one_by_rounding_counts_as_one() -> None:
    """Two draws then find a bucket's two documents, and three draws no more."""
    assert [short(2, draws, 1 + 1e-12) for draws in (1, 2, 3)] == [0.5, 1.0, 1.0]


POOR = 25  # topics, few relevant documents each


@cache
def poor_topics() -> list[tuple[Mask, Ints]]:
    """300 documents a topic, of which 3 to 60 are relevant, most often few; and the rank of each in one run."""
    random, rows = np.random.default_rng(4), []
    for number in range(POOR):
        relevant = np.arange(300) < round(3 * 20 ** (number / (POOR - 1)))
        merit = random.normal(size=300) + 2 * relevant
        rows.append((relevant, 300 - np.argsort(np.argsort(merit))))
    return rows


def estimates_of_poor_topics(size: int, seed: int) -> list[Estimate]:
    random, rows = np.random.default_rng(seed), []
    for relevant, rank in poor_topics():
        order = random.permutation(300)[:size]
        design = Strata(np.full(size, size / 300), np.zeros(size, np.int64))
        rows.append(average_precision(JudgedSample("q", order.astype(object), relevant[order], design), rank[order]))
    return rows


@pytest.mark.daily
@pytest.mark.parametrize("size", [45, 90])
def test_intervals_of_average_precision_hold_where_few_relevant_documents_are_drawn(size: int) -> None:
    """From 150 samples: hardly a bias in a mean over the topics, and its interval holds as said, or a bit more."""
    true = np.mean([np.mean(np.arange(1, sum(r) + 1) / np.sort(rank[r])) for r, rank in poor_topics()])
    means = [topic_mean(estimates_of_poor_topics(size, seed)) for seed in range(150)]
    sure = [mean for mean in means if not np.isnan(mean.low)]
    assert abs(np.mean([mean.value for mean in means]) - true) < 0.03
    assert len(sure) > 120
    assert 0.925 <= np.mean([mean.low <= true <= mean.high for mean in sure]) <= 0.99


def test_no_interval_where_most_topics_are_guesses() -> None:
    """With ten of 300 documents; the values stay, and it is said why."""
    mean = topic_mean(estimates_of_poor_topics(10, 1))
    assert np.isnan([mean.low, mean.high]).all()
    assert mean.value > 0
    assert not np.isnan(topic_mean(estimates_of_poor_topics(90, 1)).low)
    assert topic_mean(estimates_of_poor_topics(10, 1)[:1]).high == 1


def _of_found(number: int, size: int) -> Estimate:
    relevant = np.arange(size) < number
    design = Strata(np.full(size, size / 100), np.zeros(size, np.int64))
    return number_relevant(JudgedSample("q", np.arange(size).astype(object), relevant, design))


def test_nothing_found_is_not_nothing_there() -> None:
    """An interval has a width wherever something relevant may be outside the sample, and none where all was drawn."""
    rank = np.arange(1, 11)
    none = JudgedSample("q", rank.astype(object), np.zeros(10, bool), Strata(np.full(10, 0.2), np.zeros(10, np.int64)))
    estimate = number_relevant(none)
    assert (estimate.value, estimate.variance, estimate.low) == (0, 0, 0)
    assert 10 <= estimate.high <= 20
    assert precision(none, rank, 15)[2:4] == (0, 5 / 15)
    assert average_precision(none, rank)[2:4] == (0, 1)
    mean = topic_mean([average_precision(none, rank), Estimate(0.4, 0.0001, 0.38, 0.42)])
    assert mean.high - mean.low > 0.3
    every = JudgedSample("q", rank.astype(object), np.zeros(10, bool), Inclusion(np.ones(10)))
    for sure in (number_relevant(every), precision(every, rank, 15), average_precision(every, rank)):
        assert (sure.variance, sure.low, sure.high) == (0, 0, 0)


def test_relevant_documents_drawn_for_sure_leave_doubt() -> None:
    """All five of the top are relevant, none of the ten drawn from a tail of forty: there may be more all the same."""
    design = Strata(np.repeat([1.0, 0.25], [5, 10]), np.repeat([0, 1], [5, 10]))
    one = JudgedSample("q", np.arange(15).astype(object), np.arange(15) < 5, design)
    estimate, rank = number_relevant(one), np.arange(1, 16)
    assert (estimate.value, estimate.variance, estimate.low) == (5, 0, 5)
    assert estimate.high > 8
    ap = average_precision(one, rank)
    assert ap.low < ap.value == 1


def test_a_higher_confidence_is_a_wider_interval() -> None:
    """And the estimate stays."""
    sample = draw("uniform", 1)
    rank = rank_in(sample, 0)
    for of in (number_relevant, partial(precision, rank=rank, k=K), partial(average_precision, rank=rank)):
        narrow, wide = of(sample, confidence=0.5), of(sample, confidence=0.99)
        assert narrow.value == wide.value
        assert wide.low <= narrow.low <= narrow.high <= wide.high
        assert narrow.high - narrow.low < wide.high - wide.low


@pytest.mark.parametrize("method", ["uniform", "stratified", "statap", "active"])
@pytest.mark.parametrize("seed", range(8))
def test_a_sample_of_one_document_says_little(method: str, seed: int) -> None:
    """Intervals as wide as can be, nearly, and no division by nothing; also where the run has not what was found."""
    (one,) = samples(Pool(method, {}, judged_pool(method, seed, 1)), judgments())
    assert len(one.docnos) == 1
    for run in range(RUNS):
        estimate = average_precision(one, rank_in(one, run))
        assert estimate.high - estimate.low > 0.9
    count = number_relevant(one)
    assert count.high - count.low > 0.75 * one.design.n_unsampled


def test_the_mean_over_one_topic_is_the_topics_own() -> None:
    """Interval and all."""
    one = number_relevant(draw("uniform", 1))
    assert topic_mean([one]) == one


Path = tuple[float, list[int], Draws]


def paths(size: int, relevant: Mask, sample: tuple[int, ...] = (), chance: float = 1.0) -> Iterator[Path]:
    """All ways to draw `size` documents, each likelier beside relevant ones that were drawn."""
    if len(sample) == size:
        q = np.array([_likely(relevant, sample[:at])[document] for at, document in enumerate(sample)])
        order = np.argsort(sample)
        yield chance, sorted(sample), Draws(order, q[order], len(relevant))
        return
    for document, likely in enumerate(_likely(relevant, sample)):
        if likely:
            yield from paths(size, relevant, (*sample, document), chance * likely)


def _likely(relevant: Mask, sample: tuple[int, ...]) -> Floats:
    near = [sum(relevant[d] and abs(d - document) == 1 for d in sample) for document in range(len(relevant))]
    weight = np.array([0.0 if d in sample else 1 + 3 * near[d] + d for d in range(len(relevant))])
    return np.asarray(weight / weight.sum())


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_draws_are_unbiased_however_they_follow_what_was_found(size: int) -> None:
    """By going through all that may happen: every document, pair and square counts once on average, exactly.

    And so the estimated variance of a sum is its variance.
    """
    relevant = np.array([False, True, True, False, True])
    value = np.array([1.0, 2.0, 5.0, 0.0, 3.0])
    once, twice = np.zeros(5), np.zeros((5, 5))
    totals, spreads, chances = [], [], []
    for chance, documents, draws in paths(size, relevant):
        weight, pairs, part = draws.weight, draws.pairs(np.arange(size)), value[documents]
        once[documents] += chance * weight
        twice[np.ix_(documents, documents)] += chance * pairs
        totals.append(part @ weight)
        spreads.append(part @ (np.outer(weight, weight) - pairs) @ part)
        chances.append(chance)
    assert sum(chances) == pytest.approx(1)
    assert once == pytest.approx(np.ones(5))
    assert twice == pytest.approx(np.ones((5, 5)))
    assert np.average(totals, weights=chances) == pytest.approx(value.sum())
    scatter = np.average((np.array(totals) - value.sum()) ** 2, weights=chances)
    assert np.average(spreads, weights=chances) == pytest.approx(scatter, abs=1e-9)


@pytest.mark.daily
def test_active_sampling_tells_the_chances_of_its_draws() -> None:
    """Every document of a small topic counts once on average over its samples, which takes the right chances."""
    relevant = np.array([True, False, True, False, False, True])
    runs = {"a": "abcde", "b": "cdbfa", "c": "feb"}
    topic = candidates_by_topic(
        as_runs({tag: {"q": {d: -float(at) for at, d in enumerate(run)}} for tag, run in runs.items()})
    )[0]
    times, total = 2000, np.zeros((2, 6))
    for seed in range(times):
        state = METHODS["active"].start(topic, {"round": 2}, seed)
        documents = proposals(state, relevant, 4)
        assert state.stratum is not None
        rows, draws = read_draws(state.stratum[documents].tolist(), np.ones(4))
        counts = np.zeros(6)
        counts[documents[rows]] = draws.weight
        assert draws.draw.tolist() == [0, 1, 2, 3]
        total += counts, counts**2
    mean = total[0] / times
    error = np.sqrt((total[1] / times - mean**2) / times)
    assert (np.abs(mean - 1) < 3.5 * error).all()


@pytest.mark.parametrize("sizes", [(3, 3, 2), (3, 1), (3, 3)])
def test_chances_of_buckets_are_those_of_all_samples(sizes: tuple[int, ...]) -> None:
    """By going through all draws of the buckets, and all documents that may come of them."""
    draws, share = 3, np.array([5.0, 3.0, 2.0][: len(sizes)]) / sum([5, 3, 2][: len(sizes)])
    buckets = [list(range(sum(sizes[:at]), sum(sizes[: at + 1]))) for at in range(len(sizes))]
    both = np.zeros((sum(sizes), sum(sizes)))
    for outcome in product(range(len(sizes)), repeat=draws):
        times = Counter(outcome)
        ways = [list(combinations(bucket, min(times[at], len(bucket)))) for at, bucket in enumerate(buckets)]
        samples_ = [np.concatenate(way).astype(int) for way in product(*ways)]
        for sample in samples_:
            both[np.ix_(sample, sample)] += share[list(outcome)].prod() / len(samples_)
    of = np.repeat(np.arange(len(sizes)), sizes)
    alone = np.array([short(size, draws, one) for size, one in zip(sizes, share, strict=True)])[of]
    design = Buckets(alone, of, np.array(sizes)[of], len(of), draws).together(np.arange(len(of)))
    assert alone == pytest.approx(np.diag(both))
    apart = ~np.eye(len(of), dtype=bool)
    assert design[apart] == pytest.approx(both[apart])


def test_documents_without_a_draw_do_not_count() -> None:
    """Those of a stage that judgments overtook; with none left, and in pools that have none, there is no estimate."""
    documents = judged_pool("active", 1, 20)
    one = next(at for at, document in enumerate(documents) if str(document.stratum).startswith("draw 11 "))
    documents[one] = documents[one]._replace(stratum=None)
    (sample,) = samples(Pool("active", {}, documents), judgments())
    assert len(sample.docnos) == 10
    old = [document._replace(stratum=None) for document in documents]
    with pytest.raises(InputError, match="the draws of topic 'q' are not stored; rebuild the pool"):
        samples(Pool("active", {}, old, number=4), judgments())


def test_variance_of_a_simple_random_sample_is_the_textbooks() -> None:
    """N² (1 - n/N) s² / n."""
    relevant = np.array([True, False, True, True, False])
    one = JudgedSample("q", np.array(list("abcde"), object), relevant, Strata(np.full(5, 0.25), np.zeros(5, np.int64)))
    reference = 20**2 * (1 - 5 / 20) * np.var(relevant, ddof=1) / 5
    assert variance(one, np.flatnonzero(relevant), np.ones(3)) == pytest.approx(reference)


@METHOD
def test_everything_drawn_is_no_estimate(method: str) -> None:
    """With all of the pool drawn, estimates are the measures themselves, without a variance."""
    runs = {
        "a": {"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}, "2": {"d4": 1.0}},
        "b": {"1": {"d3": 2.0, "d9": 1.0}},
    }
    qrels = {"1": {"d1": 1, "d2": 0, "d3": 2, "d9": 1}, "2": {"d4": 1}}
    documents = build_pool(METHODS[method], as_runs(runs), 100, budget=9)
    rows = estimate(Pool(method, {}, documents), as_runs(runs), as_qrels(qrels), measures=["AP", "AP@1", "P@2"])
    table = evaluate(qrels, runs, ["AP", "AP@1", "P@2"])
    assert [(row["run"], row["measure"]) for row in rows] == list(zip(table["run"], table["measure"], strict=True))
    assert [row["value"] for row in rows] == pytest.approx(table["value"].tolist())
    assert {row["variance"] for row in rows} == {0.0}
    assert all(row["low"] == row["value"] == row["high"] for row in rows)


def test_a_run_that_did_not_answer_has_nothing() -> None:
    """Rank 0 everywhere, precision 0."""
    topic, _ = world()
    sample = draw("uniform", 3)
    matrix = ranks(as_runs({"other": {"another": {"d1": 1.0}}}), sample)
    assert not matrix.any()
    assert precision(sample, matrix[0], 10).value == average_precision(sample, matrix[0]).value == 0
    assert topic.qid == "q"


@pytest.mark.parametrize(
    ("chance", "grades", "words"),
    [
        ((None, None), {"d": 1}, "has no inclusion probabilities"),
        (("all", 0.5), {"e": 1}, "1 of 1 sampled documents are not judged"),
        (("all", 0.5), {"d": -1}, "document 'd'; judge all of them first"),
        (("all", 1.5), {"d": 1}, "with a probability of 1.5"),
        (None, {"d": 1}, "the pool is empty"),
    ],
)
def test_what_is_no_judged_sample_is_refused(
    chance: tuple[str | None, float | None] | None, grades: dict[str, int], words: str
) -> None:
    """In one line that says what is wrong, not with a number that means nothing."""
    runs = as_runs({"a": {"q": {"d": 1.0}}})
    documents = [PooledDocument("q", "d", 1, ("a",), *chance)] if chance else []
    with pytest.raises(InputError, match=words):
        estimate(Pool("uniform", {}, documents, number=1), runs, as_qrels({"q": grades}))


def test_two_documents_of_a_small_stratum_are_drawn_together_by_chance() -> None:
    """2 of 2, 3 and 4 documents: both are drawn in 1 of 1, 3 and 6 pairs."""
    for size, together in ((2, 1.0), (3, 1 / 3), (4, 1 / 6)):
        design = Strata(np.full(2, 2 / size), np.zeros(2, np.int64))
        assert design.together(np.arange(2))[0, 1] == pytest.approx(together)
