"""P@k of a run from the relevance of its unjudged documents: bounds, and an interval where some have drawn labels."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.metrics.forecast.draws import N_DRAWS, draw_relevance
from cranfield.metrics.forecast.forecaster import UnjudgedPairs
from cranfield.metrics.forecast.forecasts import interval_of_draws
from cranfield.metrics.forecast.model import MIN_SHIFT_SD

MIN_LABELS = 10  # of the run, below which no interval is given


class NewRunPrecision(NamedTuple):
    """P@k of a new run: as judged, its bounds over all labels, and an interval where the run has drawn labels.

    Parameters
    ----------
    as_judged : float
        P@k with unjudged documents counted as not relevant.
    lowest, highest : float
        P@k with all unlabelled documents not relevant, and all relevant.
    low, median, high : float
        The 95% interval and the median; NaN with fewer than 10 labels.
    n_unjudged, n_labels : int
        The run's unjudged documents within k, and those of them with drawn labels.
    """

    as_judged: float
    lowest: float
    highest: float
    low: float
    median: float
    high: float
    n_unjudged: int
    n_labels: int


def new_run_pairs(
    tag: str, qids: Sequence[str], topic: Ints, rank: Ints, docnos: Sequence[str], *, probability: Floats, share: float
) -> UnjudgedPairs:
    """The unjudged documents of a new run with their probabilities, as forecasts take them."""
    return UnjudgedPairs(
        (tag,), tuple(qids), np.zeros(len(topic), np.int64), topic, rank, np.array(docnos, object),
        np.arange(len(topic)), probability, np.array([share]), np.array([MIN_SHIFT_SD]),
    )  # fmt: skip


def forecast_precision(
    pairs: UnjudgedPairs, relevant_judged: int, k: int, labels: Mapping[tuple[str, str], float], rel: float = 1,
    *, n_draws: int = N_DRAWS, seed: int = 0,
) -> NewRunPrecision:  # fmt: skip
    """P@k of a new run from its unjudged documents within k, of which some have randomly drawn labels.

    >>> none = new_run_pairs("new", ["1", "2"], np.array([0, 1]), np.array([2, 9]), ["a", "b"],
    ...                      probability=np.array([0.5, 0.1]), share=0.1)
    >>> forecast_precision(none, 6, 10, {})[:4]
    (0.3, 0.3, 0.4, nan)
    """
    size, number = len(pairs.qids) * k, len(pairs.topic)
    names = [(pairs.qids[topic], docno) for topic, docno in zip(pairs.topic, pairs.docno, strict=True)]
    used = {name: labels[name] for name in names if name in labels}
    hits = sum(grade >= rel for grade in used.values())
    lowest = (relevant_judged + hits) / size
    highest = lowest + (number - len(used)) / size
    low = median = high = np.nan
    if len(used) == number:
        low = median = high = lowest
    elif len(used) >= MIN_LABELS:
        drawn = draw_relevance(pairs, n_draws, seed, {pairs.tags[0]: used}, rel).sum(axis=1)
        ends = interval_of_draws((relevant_judged + drawn) / size)
        low, median, high = (float(np.clip(end, lowest, highest)) for end in ends)
    return NewRunPrecision(relevant_judged / size, lowest, highest, low, median, high, number, len(used))
