"""What the labels of an active-learning pool say of a new run: P@k, had its first k documents been judged.

A logistic regression of each pooled document's label on three values, each as it was before the document was judged:

    log of its position in the classifier's order        its score        log odds of the topic's relevant share so far

It gives each unjudged document of a new run a probability of relevance, from its position in the order as it is now.
Its log odds may be shifted for a new run, by up to about exp(2 x 0.8) times the odds, so that without labels of this
run there are bounds and no interval: sums of these probabilities were 0.2 to 8.8 times the truth. A random draw of the
run's unjudged documents gives the shift, and so an interval (see draw_relevance in metrics/forecast).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.features.collecting.learning import Learner, ranked
from cranfield.metrics.forecast.draws import N_DRAWS, draw_relevance
from cranfield.metrics.forecast.forecaster import UnjudgedPairs
from cranfield.metrics.forecast.forecasts import interval_of_draws
from cranfield.metrics.forecast.model import MIN_SHIFT_SD, LogisticModel, fit_logistic

FIT_AGAIN = 4  # the classifier is fitted again after a quarter more labels
MIN_LABELS = 10  # of the new run, below which no interval is given


class JudgedOrder(NamedTuple):
    """The judged documents of a topic in the order in which they were proposed, as numbers of the corpus."""

    qid: str
    documents: Ints
    relevant: Mask


class TopicFeatures(NamedTuple):
    """The features of a topic's judged documents in order, and of the documents asked for."""

    judged: Floats
    wanted: Floats


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


def topic_features(learner: Learner, order: JudgedOrder, wanted: Ints) -> TopicFeatures:
    """The features of judged documents, each before it was judged, and of others after all these.

    >>> from cranfield.features.collecting.examples import wings
    >>> order = JudgedOrder("q", np.array([0, 3]), np.array([True, False]))
    >>> found = topic_features(Learner(wings(), "q", seed=0, negatives=1), order, np.array([1, 2]))
    >>> found.judged[:, [0, 2]].round(2).tolist()
    [[0.0, 0.0], [0.69, 1.1]]
    >>> np.exp(found.wanted[:, 0]).round().tolist()
    [3.0, 4.0]
    """
    open_ = learner.corpus.counting()
    known, hits, next_fit, rows = dict[int, bool](), 0, 0, list[tuple[float, float, float]]()
    scores = np.zeros(len(open_))
    for number, (document, relevant) in enumerate(zip(order.documents.tolist(), order.relevant.tolist(), strict=True)):
        if number >= next_fit:
            scores = learner.scores(known, open_, number)
            next_fit = number + max(number // FIT_AGAIN, 1)
        rows.append((np.log(number + 1), scores[document], _yield(hits, number)))
        known[document], hits = relevant, hits + relevant
        open_[document] = False
    scores = learner.scores(known, open_, len(known))
    position = np.full(len(open_), len(open_))
    proposed = ranked(scores, open_, int(open_.sum()))
    position[proposed] = len(known) + 1 + np.arange(len(proposed))
    share = np.full(len(wanted), _yield(hits, len(known)))
    return TopicFeatures(
        np.array(rows, float).reshape(len(rows), 3), np.c_[np.log(position[wanted]), scores[wanted], share]
    )


def _yield(hits: int, judged: int) -> float:
    """The log odds of being relevant among judged documents, with half a document of each more."""
    return float(np.log((hits + 0.5) / (judged - hits + 0.5)))


def fit_pool_model(features: Sequence[Floats], relevant: Sequence[Mask]) -> LogisticModel:
    """The regression of the labels of all topics on these features."""
    labels = np.concatenate(relevant).astype(float)
    return fit_logistic(np.concatenate(features), labels, np.ones(len(labels)))


def new_run_pairs(
    tag: str, qids: Sequence[str], topic: Ints, rank: Ints, docnos: Sequence[str], *, probability: Floats, share: float
) -> UnjudgedPairs:
    """The unjudged documents of a new run with their probabilities, as forecasts take them."""
    return UnjudgedPairs(
        (tag,), tuple(qids), np.zeros(len(topic), np.int64), topic, rank, np.array(docnos, object),
        np.arange(len(topic)), probability, np.array([share]), np.array([MIN_SHIFT_SD]),
    )  # fmt: skip


def forecast_precision(
    pairs: UnjudgedPairs, relevant_judged: int, k: int, labels: Mapping[tuple[str, str], int], rel: int = 1,
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
