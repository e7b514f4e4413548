"""Precision of a new run from documents that were drawn and labelled."""

import numpy as np
import pytest

from cranfield.metrics.forecast.precision import MIN_LABELS, NewRunPrecision, forecast_precision, new_run_pairs

QIDS, K, N_UNJUDGED = ["1", "2"], 20, 24


def forecast(n_labels: int, n_relevant: int, probability: float = 0.5) -> NewRunPrecision:
    """Two topics of 20 documents, 12 of each unjudged; the first labels are relevant."""
    topic = np.repeat([0, 1], N_UNJUDGED // 2)
    docnos = [f"d{number:02}" for number in range(N_UNJUDGED)]
    pairs = new_run_pairs(
        "new", QIDS, topic, np.tile(np.arange(N_UNJUDGED // 2) + 1, 2), docnos,
        probability=np.full(N_UNJUDGED, probability), share=N_UNJUDGED / (2 * K),
    )  # fmt: skip
    drawn = list(range(0, N_UNJUDGED, 2)) + list(range(1, N_UNJUDGED, 2))
    labels = {(QIDS[topic[at]], docnos[at]): int(number < n_relevant) for number, at in enumerate(drawn[:n_labels])}
    return forecast_precision(pairs, 6, K, labels)


def test_labels_give_an_interval_between_the_bounds() -> None:
    """Its middle is near the share of relevant documents among the labelled ones, whatever was expected before."""
    for n_relevant, probability in ((5, 0.5), (10, 0.5), (0, 0.5), (5, 0.2)):
        found = forecast(10, n_relevant, probability)
        assert (found.n_unjudged, found.n_labels) == (N_UNJUDGED, 10)
        assert (found.as_judged, found.lowest) == (6 / 40, (6 + n_relevant) / 40)
        assert found.highest == pytest.approx((6 + n_relevant + 14) / 40)
        assert found.lowest <= found.low <= found.median <= found.high <= found.highest
        assert found.low < found.high
    medians = [forecast(10, n_relevant).median for n_relevant in (0, 5, 10)]
    assert medians == sorted(medians)
    assert medians[1] == pytest.approx((6 + 5 + 7) / 40, abs=0.06)


def test_few_labels_give_no_interval_and_all_labels_no_doubt() -> None:
    few, whole = forecast(MIN_LABELS - 1, 3), forecast(N_UNJUDGED, 8)
    assert np.isnan([few.low, few.median, few.high]).all()
    assert (whole.low, whole.median, whole.high) == (14 / 40,) * 3
