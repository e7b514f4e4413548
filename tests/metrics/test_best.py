"""Comparisons with the best run: how often any of equal runs is found to be worse."""

import numpy as np
import pytest

from cranfield.metrics import RR
from cranfield.metrics.inputs import join_judged
from cranfield.metrics.significance.best import compare_with_best, correct_for_best
from cranfield.metrics.significance.compare import compare
from cranfield.metrics.significance.pairs import Pairs, holm, p_values
from cranfield.metrics.significance.tests import TESTS
from tests.conftest import usually

RUNS, TOPICS = 10, 30


def test_the_best_of_equal_runs_raises_no_false_alarm() -> None:
    """Corrected for the comparisons with the best alone, a run is below it in more than 10 % of collections."""
    random, draws = np.random.default_rng(2), usually(300, 3000)
    alarms = np.zeros(2)
    for _ in range(draws):
        scores = random.beta(2, 3, (RUNS, TOPICS))
        best = int(scores.mean(axis=1).argmax())
        others = np.delete(np.arange(RUNS), best)
        p = p_values(TESTS["t"], Pairs(scores, others, np.full(RUNS - 1, best)))
        alarms += [correct_for_best(p, RUNS).min() <= 0.05, holm(p).min() <= 0.05]
    assert alarms[0] / draws < 0.08
    assert alarms[1] / draws > 0.1


def test_p_is_that_of_compare_times_the_pairs() -> None:
    qrels = {str(topic): {"d": 1} for topic in range(12)}
    runs = {
        name: {qid: {"d": 1.0} if topic % every else {"x": 2.0, "d": 1.0} for topic, qid in enumerate(qrels)}
        for name, every in (("good", 13), ("fair", 4), ("poor", 2))
    }
    judged = join_judged(qrels, runs)
    table = compare_with_best(judged, RR, "good")
    plain = compare(judged, measures=[RR], baseline="good", correction="none")
    assert table["p"].tolist() == plain["p"].tolist()
    assert table["p_corrected"].tolist() == pytest.approx(np.minimum(1, 3 * plain["p"]).tolist())
    assert table["significant"].tolist() == (3 * plain["p"] <= 0.05).tolist()
