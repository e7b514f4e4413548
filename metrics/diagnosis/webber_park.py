"""Webber and Park's adjustment: add to a new run's score what runs like it would have lost."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Ints, Mask
from cranfield.errors import InputError
from cranfield.metrics.diagnosis.unjudged_ranks import unjudged_ranks
from cranfield.metrics.evaluate import mean
from cranfield.metrics.measure import Measure
from cranfield.metrics.reusability.results import ScoreChange


def mean_loss(changes: Iterable[ScoreChange]) -> float:
    """The mean over left-out runs of what their own score loses, by one measure; NaN where none was left out.

    >>> mean_loss([ScoreChange("a", "AP", 0.5, 0.4, 1, 2, 2), ScoreChange("b", "AP", 0.2, 0.2, 2, 2, 2)])
    0.05
    """
    losses = [change.full - change.reduced for change in changes]
    return round(float(np.mean(losses)), 15) if losses else np.nan


def common_topic_loss(new: Judged, own: Mask, common: Ints, measure: Measure) -> float:
    """What the new run loses on the common topics without its own documents (a mask over judgments).

    >>> from cranfield.metrics.examples import example
    >>> from cranfield.metrics.notation.parse import parse
    >>> common_topic_loss(example([1, 0, 1]), np.array([True, False, False]), np.array([0]), parse("P@3")).__round__(3)
    0.333
    """
    full, without = (measure.scores(judged)[common] for judged in (new, new.only(~own)))
    return float(mean(full - without))


def common_topics(new: Judged, qids: Iterable[str], depth: int) -> Ints:
    """The numbers of the common topics; each must be judged to the depth."""
    unknown = unjudged_ranks(new, depth)
    found = []
    for qid in dict.fromkeys(qids):
        if qid not in new.qids:
            raise InputError(f"the common topic {qid!r} is not among the judged topics")
        missing = unknown.rank[unknown.ranking == new.qids.index(qid)]
        if len(missing):
            raise InputError(
                f"the common topic {qid!r} has {len(missing)} unjudged documents among the run's first {depth},"
                f" the first at rank {missing[0]}, where all have to be judged"
            )
        found.append(new.qids.index(qid))
    return np.array(found, np.int64)


def own_documents(new: Judged, pooled: Mask, depth: int) -> Mask:
    """Per judgment: did only the new run retrieve it within the depth? `pooled`: in the pool of the other runs.

    >>> from cranfield.metrics.examples import example
    >>> own_documents(example([1, 0, 1]), np.array([False, True, False]), depth=2)
    array([ True, False, False])
    """
    brought = np.zeros(len(new.qrels_grade), bool)
    brought[new.judgment[new.rank <= depth]] = True
    return brought & ~pooled


def adjusted(new: Judged, measure: Measure, loss: float, common: Ints | None = None) -> float:
    """The mean score of the new run with the loss added on every topic that is not a common one.

    Webber and Park's adjustment: add to a new run's score what runs like it would have lost.

    From the pooled runs: each is left out of the pool in turn, with its unit, and the mean of what it loses (its score
    with all judgments less its score without its own) is added to the new run's score. From common topics: on some
    topics the new run's documents have been judged as well; what it would lose there without its unique ones is added
    on the others.

    The first assumes that the new run differs from the pooled ones as they differ from each other; a run of a new kind
    differs more, and then the adjustment is too small. The second does not assume this, but needs topics that were
    chosen before anybody saw the scores and judged to the pool's depth. An adjusted mean is for comparing systems; it
    says nothing about single topics.

    Source: Webber and Park, Score adjustment for correction of pooling bias, SIGIR 2009 (read through its abstract and
    WebberOnRuns in Lipani's PoolBiasEstimators).

    >>> from cranfield.metrics.examples import example
    >>> from cranfield.metrics.notation.parse import parse
    >>> adjusted(example([1, None]), parse("P@2"), 0.1), adjusted(example([1, None]), parse("P@2"), 0.1, np.array([0]))
    (0.6, 0.5)
    """
    more = np.full(len(new.qids), loss)
    more[[] if common is None else common] = 0.0
    return float(mean(measure.scores(new) + more))
