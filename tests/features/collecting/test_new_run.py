"""P@k of a new run on an active-learning pool: features before each label, recovery, coverage, and what is withheld."""

import numpy as np
import pytest

from cranfield.features.collecting.learning import Learner
from cranfield.features.collecting.new_run import (
    JudgedOrder,
    fit_pool_model,
    forecast_precision,
    new_run_pairs,
    topic_features,
)
from cranfield.features.collecting.vectors import VectorCorpus, vectors_of
from cranfield.metrics.forecast.forecaster import UnjudgedPairs
from cranfield.pooling.candidates import in_corpus
from cranfield.pooling.methods import METHODS
from cranfield.pooling.replay import proposals
from tests.conftest import usually
from tests.features.collecting.corpora import TOPICS, documents, relevant

QIDS = [f"q{number:02}" for number in range(30)]


def made_up(
    random: np.random.Generator, shift: float
) -> tuple[UnjudgedPairs, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """The unjudged documents of a run, five a topic, and which are relevant: with odds that are exp(shift) as large."""
    probability = random.beta(1, 4, 150)
    odds = probability / (1 - probability) * np.exp(shift)
    topic, docnos = np.repeat(np.arange(30), 5), [f"d{number:03}" for number in range(150)]
    pairs = new_run_pairs("new", QIDS, topic, topic % 10 + 1, docnos, probability=probability, share=0.5)
    return pairs, random.random(150) < odds / (1 + odds)


def test_features_are_those_before_the_label() -> None:
    """A label changes the features of later documents only; the position of others goes on after the judged ones."""
    corpus = VectorCorpus(vectors_of(documents()), TOPICS)
    [topic] = [one for one in in_corpus([], corpus, ()) if one.qid == "1"]
    truth = np.array([relevant("1", docno) for docno in topic.docnos])
    order = proposals(METHODS["cal"].start(topic), truth, 24)
    others = np.setdiff1d(np.arange(len(truth)), order)
    changed = truth[order].copy()
    changed[12] = not changed[12]
    learner = Learner(corpus, "1", 0)
    first = topic_features(learner, JudgedOrder("1", order, truth[order]), others)
    second = topic_features(learner, JudgedOrder("1", order, changed), others)
    assert np.array_equal(first.judged[:13], second.judged[:13])
    assert (first.judged[13:, 2] != second.judged[13:, 2]).all()
    assert sorted(np.exp(first.wanted[:, 0]).round().astype(int)) == list(range(25, 61))
    model = fit_pool_model([first.judged], [truth[order]])
    assert (
        model.probabilities(first.judged)[truth[order]].mean() > model.probabilities(first.judged)[~truth[order]].mean()
    )


def test_without_labels_there_are_bounds_only() -> None:
    """The bounds count all labelled documents; fewer than ten labels give no interval."""
    pairs, truth = made_up(np.random.default_rng(0), 0.0)
    found = forecast_precision(pairs, 60, 10, {})
    assert (found.as_judged, found.lowest) == (0.2, 0.2)
    assert found.highest == pytest.approx(0.7)
    assert np.isnan([found.low, found.median, found.high]).all()
    labels = {(QIDS[pairs.topic[row]], pairs.docno[row]): int(truth[row]) for row in range(9)}
    few = forecast_precision(pairs, 60, 10, labels)
    assert np.isnan(few.low)
    assert few.highest == pytest.approx(0.7 - (9 - truth[:9].sum()) / 300)


def test_with_all_labels_it_is_known() -> None:
    """The interval is the score."""
    pairs, truth = made_up(np.random.default_rng(1), 0.0)
    labels = {
        (QIDS[topic], docno): int(label) for topic, docno, label in zip(pairs.topic, pairs.docno, truth, strict=True)
    }
    found = forecast_precision(pairs, 60, 10, labels)
    assert found.low == found.median == found.high == found.lowest == found.highest == (60 + truth.sum()) / 300


@pytest.mark.parametrize("n_labels", [20, 50])
def test_intervals_hold_for_runs_that_differ(n_labels: int) -> None:
    """Runs whose odds are half to twice those of the model, on average; and the true label of the draw is kept."""
    trials, holds, errors, judged_errors = usually(60, 400), 0, list[float](), list[float]()
    for seed in range(trials):
        random = np.random.default_rng(seed)
        pairs, truth = made_up(random, float(random.normal(0, 0.7)))
        drawn = random.permutation(150)[:n_labels]
        labels = {(QIDS[pairs.topic[row]], pairs.docno[row]): int(truth[row]) for row in drawn}
        found = forecast_precision(pairs, 60, 10, labels, seed=seed)
        score = (60 + truth.sum()) / 300
        holds += found.low <= score <= found.high
        errors.append(abs(found.median - score))
        judged_errors.append(abs(found.as_judged - score))
    assert holds >= 0.88 * trials
    assert np.mean(errors) < 0.4 * np.mean(judged_errors)
