"""The forecast: features, fit, draws, scores under draws, intervals."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from cranfield.metrics.evaluate import evaluate
from cranfield.metrics.forecast import training
from cranfield.metrics.forecast.draws import draw_grades, draw_relevance, score_draws
from cranfield.metrics.forecast.forecaster import Forecaster, fit_forecaster, infer_forecast_depth, unjudged_pairs
from cranfield.metrics.forecast.forecasts import forecast_scores, worst_case_scores
from cranfield.metrics.forecast.training import training_rows
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.metrics.notation import parse
from tests.metrics.forecast.made_up import RunDict, made_up, pool_of
from tests.metrics.forecast.plain_predictor import feature_rows

KINDS = {"r0": "a", "r1": "a", "r2": "b", "r3": "b"}
DEPTH = 10


def as_lists(run: dict[str, dict[str, float]]) -> dict[str, list[str]]:
    return {topic: sorted(scores, key=scores.__getitem__, reverse=True) for topic, scores in run.items()}


@pytest.fixture(scope="module")
def runs() -> RunDict:
    return made_up(7)[0]


@pytest.fixture(scope="module")
def full() -> dict[str, dict[str, int]]:
    return {topic: dict(grades) for topic, grades in made_up(7)[1].items()}


@pytest.fixture(scope="module")
def pooled(runs: RunDict) -> RunDict:
    return {tag: run for tag, run in runs.items() if tag != "r6"}


@pytest.fixture(scope="module")
def judged(pooled: RunDict, full: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    return pool_of(pooled, full, DEPTH)


@pytest.fixture(scope="module")
def fitted(pooled: RunDict, judged: dict[str, dict[str, int]]) -> Forecaster:
    return fit_forecaster(as_runs(pooled), as_qrels(judged), DEPTH, kinds=KINDS)


def test_training_features(pooled: RunDict, judged: dict[str, dict[str, int]], fitted: Forecaster) -> None:
    """Rows of the splits equal those of the predictor in plain dicts."""
    lists = {tag: as_lists(run) for tag, run in pooled.items()}
    expected, labels, weights = [], [], []
    for split in fitted.pool.splits:
        kept = {tag: lists[tag] for tag, stays in zip(fitted.pool.tags, split.kept, strict=True) if stays}
        pool = {
            topic: {x for run in kept.values() for x in run[topic][:DEPTH]} & set(judged[topic]) for topic in judged
        }
        for tag in (tag for tag, left in zip(fitted.pool.tags, split.left, strict=True) if left):
            for topic, docno, features in feature_rows(kept, lists[tag], pool, judged, DEPTH):
                expected.append(features)
                labels.append(judged[topic][docno])
                weights.append(1.5 * (len(kept) / len(pooled)) ** 2)
    rows = training_rows(fitted.pool)
    np.testing.assert_allclose(rows.features, expected, rtol=0, atol=1e-12)
    assert rows.labels.tolist() == labels
    times = np.bincount(rows.pair)
    np.testing.assert_allclose(rows.weights * np.sqrt(times[rows.pair]), weights, atol=1e-12)


def test_features_of_new_run(
    runs: RunDict, pooled: RunDict, judged: dict[str, dict[str, int]], fitted: Forecaster
) -> None:
    """Unjudged documents of a new run have the probabilities of their features."""
    lists = {tag: as_lists(run) for tag, run in pooled.items()}
    expected = list(feature_rows(lists, as_lists(runs["r6"]), {t: set(x) for t, x in judged.items()}, judged, DEPTH))
    pairs = unjudged_pairs(fitted, as_runs({"r6": runs["r6"]}))
    assert [pairs.qids[topic] for topic in pairs.topic] == [topic for topic, _, _ in expected]
    assert pairs.docno.tolist() == [docno for _, docno, _ in expected]
    assert fitted.model is not None
    probabilities = fitted.model.probabilities(np.array([features for _, _, features in expected]))
    np.testing.assert_allclose(pairs.probability, probabilities, atol=1e-12)
    assert pairs.share[0] == pytest.approx(len(expected) / (DEPTH * len(judged)))


def test_rebuild_of_depth_pool(pooled: RunDict, judged: dict[str, dict[str, int]], fitted: Forecaster) -> None:
    """A pool rebuilt by a callable gives the model of the depth pool that it rebuilds."""
    qrels = as_qrels(judged)
    names = list(zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], strict=True))

    def rebuild(kept: Sequence[str]) -> NDArray[np.bool_]:
        pool = pool_of({tag: pooled[tag] for tag in kept}, judged, DEPTH)
        return np.array([docno in pool[topic] for topic, docno in names])

    again = fit_forecaster(as_runs(pooled), qrels, DEPTH, kinds=KINDS, rebuild=rebuild)
    assert fitted.model is not None
    assert again.model is not None
    np.testing.assert_allclose(again.model.weights, fitted.model.weights, atol=1e-12)
    assert again.spread == pytest.approx(fitted.spread)


def test_scores_under_draws(runs: RunDict, judged: dict[str, dict[str, int]], fitted: Forecaster) -> None:
    """Scores in a draw are those of `evaluate` under the judgments and the drawn labels, for all runs."""
    question = {"r6": runs["r6"], "r0": runs["r0"]}
    measures = [parse(name) for name in ("AP", "nDCG@10", "P@10", "RBP", "Bpref", "R@20")]
    scores = score_draws(fitted, as_runs(question), measures, n_draws=3, seed=5)
    drawn = draw_relevance(scores.pairs, 3, 5)
    before = evaluate(judged, question, measures, per_topic=True).value.to_numpy()
    np.testing.assert_allclose(scores.judged.ravel(), before, atol=1e-12)
    for draw in range(3):
        labels = {topic: dict(grades) for topic, grades in judged.items()}
        for pair, row in enumerate(scores.pairs.first_row):
            labels[scores.pairs.qids[scores.pairs.topic[row]]][scores.pairs.docno[row]] = int(drawn[draw, pair])
        after = evaluate(labels, question, measures, per_topic=True).value.to_numpy()
        np.testing.assert_allclose(scores.draws[draw].ravel(), after, atol=1e-12)


def test_shared_documents_have_one_label(runs: RunDict, fitted: Forecaster) -> None:
    """Two copies of a run share all pairs, and score the same in each draw."""
    copies = as_runs({"r6": runs["r6"], "r7": runs["r6"]})
    scores = score_draws(fitted, copies, [parse("AP")], n_draws=20)
    assert scores.pairs.n_pairs * 2 == len(scores.pairs.pair)
    np.testing.assert_array_equal(scores.draws[:, 0], scores.draws[:, 1])


@pytest.mark.parametrize("labelled", [False, True])
def test_order_makes_no_difference(
    runs: RunDict, pooled: RunDict, full: dict[str, dict[str, int]], judged: dict[str, dict[str, int]], labelled: bool
) -> None:
    """Scores in each draw stay the same when runs, topics and documents come in another order, with a second grade."""
    graded = {
        topic: {docno: 2 * g if docno.endswith("1") else g for docno, g in of.items()} for topic, of in judged.items()
    }
    names = [(topic, docno) for topic in full for docno in list(full[topic])[::3] if docno not in judged[topic]]
    labels = {"r6": {name: full[name[0]][name[1]] for name in names}} if labelled else {}
    measures = [parse("AP"), parse("nDCG@10")]

    def scores(backwards: bool) -> NDArray[np.float64]:
        step = -1 if backwards else 1
        qrels = as_qrels({topic: dict(list(graded[topic].items())[::step]) for topic in list(graded)[::step]})
        fitted = fit_forecaster(as_runs({tag: pooled[tag] for tag in list(pooled)[::step]}), qrels, DEPTH, kinds=KINDS)
        new = {"r6": runs["r6"], "s": {topic: runs["r6"][topic] for topic in list(runs["r6"])[2:]}, "r0": runs["r0"]}
        question = {tag: {topic: new[tag][topic] for topic in list(new[tag])[::step]} for tag in list(new)[::step]}
        found = score_draws(fitted, as_runs(question), measures, n_draws=30, labels=labels)
        order = [found.tags.index(tag) for tag in sorted(new)]
        return found.draws[:, order][:, :, [found.qids.index(qid) for qid in sorted(found.qids)]]

    np.testing.assert_allclose(scores(False), scores(True), atol=1e-12)


def test_intervals_stay_in_range(runs: RunDict, full: dict[str, dict[str, int]], fitted: Forecaster) -> None:
    """No interval ends outside the range of its measure, though it is widened by a share of the score."""
    best = {topic: sorted(full[topic], key=full[topic].__getitem__, reverse=True) for topic in full}
    perfect = {topic: {docno: -float(rank) for rank, docno in enumerate(best[topic])} for topic in best}
    measures = [parse(name) for name in ("RR", "P@10", "nDCG@10", "Success@1", "AP")]
    for forecast in forecast_scores(fitted, as_runs({"perfect": perfect, "r6": runs["r6"]}), measures):
        assert 0 <= forecast.low <= forecast.high <= 1, forecast


def test_intervals_stay_within_the_worst_case_bounds(runs: RunDict, fitted: Forecaster) -> None:
    """More labels only add to P@10 and RR, so no interval starts below the score, also with one unjudged document."""
    almost = {topic: dict(scores) for topic, scores in runs["r0"].items()}
    first = as_lists(almost)["q00"]
    almost["q00"]["unknown"] = almost["q00"][first[8]] - 1e-9
    new, measures = as_runs({"almost": almost, "r6": runs["r6"]}), [parse(name) for name in ("P@10", "RR", "AP")]
    bounds = worst_case_scores(fitted, new, measures)
    forecasts = forecast_scores(fitted, new, measures)
    assert forecasts[0].n_unjudged == 1
    for forecast, (low, high) in zip(forecasts, [one for run in bounds for one in run], strict=True):
        assert low <= forecast.low <= forecast.high <= high, forecast
        assert forecast.measure == "AP" or forecast.low >= forecast.as_judged


def test_shift_of_a_run_is_its_own(runs: RunDict, fitted: Forecaster) -> None:
    """A pooled run in the same question leaves the draws of the new run as they are."""
    lone = score_draws(fitted, as_runs({"r6": runs["r6"]}), [parse("AP")], n_draws=20)
    both = score_draws(fitted, as_runs({"r0": runs["r0"], "r6": runs["r6"]}), [parse("AP")], n_draws=20)
    np.testing.assert_array_equal(lone.draws[:, 0], both.draws[:, 1])


@pytest.mark.parametrize(("n_new", "sd"), [(7, None), (8, 3.0)])
def test_a_run_that_is_nearly_unjudged_has_a_wide_shift(
    pooled: RunDict, judged: dict[str, dict[str, int]], fitted: Forecaster, n_new: int, sd: float | None
) -> None:
    """Above 70% unjudged, intervals with the usual spread held in 21 of 40 cases of unlike runs."""
    run = {
        qid: {
            docno: -float(rank)
            for rank, docno in enumerate([*sorted(docs)[: 10 - n_new], *map("new{}".format, range(n_new))])
        }
        for qid, docs in judged.items()
    }
    [spread] = unjudged_pairs(fitted, as_runs({"far": run})).spread
    assert spread == (sd or np.hypot(fitted.spread, 0.8))


def test_drawn_labels(runs: RunDict, full: dict[str, dict[str, int]], fitted: Forecaster) -> None:
    """Drawn labels stay fixed in the draws, and move the probability of the other documents."""
    pairs = unjudged_pairs(fitted, as_runs({"r6": runs["r6"]}))
    names = [(pairs.qids[topic], docno) for topic, docno in zip(pairs.topic, pairs.docno, strict=True)]
    shares = []
    for grade in (0, 1):
        drawn = draw_relevance(pairs, 400, 0, {"r6": dict.fromkeys(names[::2], grade)})
        assert (drawn[:, ::2] == bool(grade)).all()
        shares.append(drawn[:, 1::2].mean())
    assert shares[0] + 0.1 < shares[1]


def test_labels_of_another_run_say_nothing(runs: RunDict, fitted: Forecaster) -> None:
    """Labels drawn for one run do not move the shift of another."""
    pairs = unjudged_pairs(fitted, as_runs({"r6": runs["r6"]}))
    names = [(pairs.qids[topic], docno) for topic, docno in zip(pairs.topic, pairs.docno, strict=True)]
    labelled = draw_relevance(pairs, 50, 0, {"other": dict.fromkeys(names, 1)})
    np.testing.assert_array_equal(labelled, draw_relevance(pairs, 50, 0))


def test_graded_draws(runs: RunDict, judged: dict[str, dict[str, int]], fitted: Forecaster) -> None:
    """Grades of documents drawn as relevant follow the shares among judged relevant documents."""
    graded = {
        topic: {docno: grade and 1 + (number % 4 == 0) for number, (docno, grade) in enumerate(sorted(grades.items()))}
        for topic, grades in judged.items()
    }
    qrels = as_qrels(graded)
    pairs = unjudged_pairs(fitted, as_runs({"r6": runs["r6"]}))
    relevance = draw_relevance(pairs, 500, 0)
    grades = draw_grades(relevance, pairs, qrels)
    np.testing.assert_array_equal(grades > 0, relevance)
    expected = np.mean(qrels.grade[qrels.grade > 0] == 2)
    assert np.mean(grades[relevance] == 2) == pytest.approx(expected, abs=0.08)


def test_interval(runs: RunDict, fitted: Forecaster) -> None:
    """An interval holds the median; a pooled run alone has its score and no width."""
    [new] = forecast_scores(fitted, as_runs({"r6": runs["r6"]}), [parse("AP")])
    assert new.low < new.median < new.high
    assert new.n_draws == 500
    assert new.is_fitted
    assert new.n_unjudged > 0
    assert 0 < new.unjudged_share < 1
    [known] = forecast_scores(fitted, as_runs({"r0": runs["r0"]}), [parse("AP")])
    assert known.low == known.median == known.high == pytest.approx(known.as_judged)


def test_same_seed_same_forecast(runs: RunDict, fitted: Forecaster) -> None:
    """A forecast is repeatable."""
    question = as_runs({"r6": runs["r6"]})
    first, again = (forecast_scores(fitted, question, [parse("P@10")], seed=2) for _ in range(2))
    assert repr(first) == repr(again)  # an undefined bound does not equal itself


def test_reasons(
    runs: RunDict, pooled: RunDict, judged: dict[str, dict[str, int]], full: dict[str, dict[str, int]]
) -> None:
    """Where no model can be fitted, the reason is stated and worst-case bounds take its place."""
    relevant_only = {topic: {x: g for x, g in grades.items() if g} for topic, grades in judged.items()}
    one_run, two_runs, three_runs = ({f"r{number}": pooled[f"r{number}"] for number in range(n)} for n in (1, 2, 3))
    cases = [
        (one_run, pool_of(one_run, full, DEPTH), "1 pooled run; expected at least 3"),
        (two_runs, pool_of(two_runs, full, DEPTH), "2 pooled runs; expected at least 3"),
        (pooled, relevant_only, "list only relevant documents"),
        (three_runs, full, "are not in the first 10 of any pooled run"),
        (pooled, {"q00": dict(list(judged["q00"].items())[:12])}, "expected at least 10"),
    ]
    for some, qrels, reason in cases:
        fitted = fit_forecaster(as_runs(some), as_qrels(qrels), DEPTH)
        assert fitted.model is None
        assert any(reason in text for text in fitted.reasons), fitted.reasons
        [forecast] = forecast_scores(fitted, as_runs({"r6": runs["r6"]}), [parse("AP")])
        assert not forecast.is_fitted
        assert np.isnan(forecast.median)
        assert forecast.lowest - 1e-12 <= forecast.as_judged <= forecast.highest + 1e-12


def test_row_limit(monkeypatch: pytest.MonkeyPatch, fitted: Forecaster) -> None:
    """Above the limit of rows only some left-out runs of random splits count; single runs all do."""
    every = training_rows(fitted.pool)
    monkeypatch.setattr(training, "MAX_ROWS", len(every.labels) // 3)
    fewer = training_rows(fitted.pool)
    assert len(every.labels) / 5 < len(fewer.labels) < len(every.labels) / 2
    assert set(range(len(fitted.pool.tags))) <= set(fewer.unit.tolist())


def test_depth_of_other_pools(pooled: RunDict, judged: dict[str, dict[str, int]]) -> None:
    """The depth is the largest rank at which half of the runs' documents are judged, at least 10."""
    assert infer_forecast_depth(as_runs(pooled), as_qrels(judged)) >= DEPTH
    first = pool_of(pooled, judged, 2)
    assert infer_forecast_depth(as_runs(pooled), as_qrels(first)) == 10


def test_vocabularies_may_differ(runs: RunDict, fitted: Forecaster) -> None:
    """The same run over another vocabulary has the same probabilities."""
    both = as_runs({"r6": runs["r6"], "r5": runs["r5"]}).select(["r6"])
    one, other = unjudged_pairs(fitted, both), unjudged_pairs(fitted, as_runs({"r6": runs["r6"]}))
    np.testing.assert_array_equal(one.docno, other.docno)
    np.testing.assert_allclose(one.probability, other.probability)
    assert replace(one, pair=other.pair).n_pairs == other.n_pairs


def test_fractional_grades(runs: RunDict, pooled: RunDict, judged: dict[str, dict[str, int]]) -> None:
    """Grades of 0.5 and 1 are drawn as such: the scores in a draw are those of `evaluate` under the drawn grades."""
    fractions = {
        topic: {docno: grade * (0.5 + number % 2 / 2) for number, (docno, grade) in enumerate(sorted(grades.items()))}
        for topic, grades in judged.items()
    }
    qrels, question = as_qrels(fractions), {"r6": runs["r6"]}
    fitted = fit_forecaster(as_runs(pooled), qrels, DEPTH)
    assert (fitted.rel, qrels.grade.dtype.name) == (0.5, "float64")
    measures = [parse(name) for name in ("nDCG@10", "AP(rel=0.5)", "P@10", "Bpref")]
    new = as_runs(question)
    pairs = unjudged_pairs(fitted, new)
    [(topic, docno), *_] = [(pairs.qids[topic], docno) for topic, docno in zip(pairs.topic, pairs.docno, strict=True)]
    labels = {"r6": {(topic, docno): 0.25}}
    scores = score_draws(fitted, new, measures, n_draws=2, labels=labels)
    drawn = draw_grades(draw_relevance(pairs, 2, 0, labels, fitted.rel), pairs, qrels, labels=labels, rel=fitted.rel)
    assert drawn.dtype == np.float64
    assert set(np.unique(drawn)) == {0, 0.25, 0.5, 1}
    for draw in range(2):
        graded = {topic: dict(grades) for topic, grades in fractions.items()}
        for pair, row in enumerate(pairs.first_row):
            graded[pairs.qids[pairs.topic[row]]][pairs.docno[row]] = float(drawn[draw, pair])
        after = evaluate(graded, question, measures, per_topic=True).value.to_numpy()
        np.testing.assert_allclose(scores.draws[draw].ravel(), after, atol=1e-12)


def test_judgments_of_a_sample_and_of_subtopics_have_no_model(pooled: RunDict) -> None:
    """Their documents have more than one grade, or stand for others."""
    qrels = as_qrels({"q00": {"d000": 1, "d001": 0}})
    sampled = replace(qrels, stratum=np.array(["a", "a"], object))
    assert fit_forecaster(as_runs(pooled), sampled, DEPTH).reasons[0].startswith("the judgments are a strat")


def test_worst_case_bounds_keep_drawn_labels(
    runs: RunDict, full: dict[str, dict[str, int]], fitted: Forecaster
) -> None:
    """With all labels drawn the bounds meet in the score under these labels."""
    new, measures = as_runs({"r6": runs["r6"]}), [parse("AP"), parse("P@10")]
    pairs = unjudged_pairs(fitted, new)
    names = [(pairs.qids[topic], docno) for topic, docno in zip(pairs.topic, pairs.docno, strict=True)]
    labels = {"r6": {(topic, docno): full[topic][docno] for topic, docno in names}}
    [bounds] = worst_case_scores(fitted, new, measures, labels)
    forecasts = forecast_scores(fitted, new, measures, labels=labels, n_draws=3)
    for (low, high), forecast in zip(bounds, forecasts, strict=True):
        assert low == pytest.approx(high) == pytest.approx(forecast.median)
    [loose] = worst_case_scores(fitted, new, measures)
    assert loose[0][0] < bounds[0][0] < loose[0][1]


@pytest.mark.parametrize("number", [0, 1, -1])
def test_one_drawn_label_narrows_the_bounds_by_one_document(runs: RunDict, fitted: Forecaster, number: int) -> None:
    """A label of the first, the second or the last unjudged document: the bounds of P are a document closer."""
    new, measures = as_runs({"r6": runs["r6"]}), [parse(f"P@{DEPTH}")]
    pairs = unjudged_pairs(fitted, new)
    pair = pairs.qids[pairs.topic[number]], pairs.docno[number]
    step = 1 / DEPTH / len(pairs.qids)
    [[(low, high)]] = worst_case_scores(fitted, new, measures)
    assert worst_case_scores(fitted, new, measures, {"r6": {pair: 1}}) == [[pytest.approx((low + step, high))]]
    assert worst_case_scores(fitted, new, measures, {"r6": {pair: 0}}) == [[pytest.approx((low, high - step))]]
