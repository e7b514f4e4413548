"""The pools of a store: what is in one, how two differ, what a sampled one estimates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.pooling.stored.contents import by_pair, by_topic, by_unit, difference, pairs_title, seconds_each, title
from cranfield.pooling.verify.verify import judged_pairs
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.pools import stored_pool
from cranfield.store.qrels import counted
from cranfield.store.runs import run_info, stored_runs

if TYPE_CHECKING:
    from cranfield.metrics.measure import Measure
    from cranfield.pooling.estimate.judged_sample import JudgedSample
    from cranfield.store.pools import Pool
    from cranfield.store.store import Store

Rows = list[dict[str, Any]]


def contents(store: Store, number: int | None, by: str) -> tuple[Rows, str]:
    """The rows of a pool by topic, run, team or pair, and their title."""
    pool, seconds, (qrels, by_model, _) = stored_pool(store, number), seconds_each(store), counted(store)
    models = judged_pairs(qrels.rows(by_model))
    head, least = title(pool, qrels, seconds, models), store.collection.min_relevant
    if by == "pair":
        pairs = by_pair(store, pool)
        return [pair._asdict() for pair in pairs], f"{head}; {pairs_title(pairs)}"
    if by == "topic":
        return by_topic(pool, qrels, models), head
    units = {tag: info.team if by == "team" else tag for tag, info in run_info(store).items()}
    return by_unit(pool, qrels, units, by, least), head


def compared_pools(store: Store, one: int, other: int, labels: LabelledBy) -> tuple[Rows, str]:
    """How two pools differ by topic, and whose labels were used where that is a question."""
    found = counted(store, whose=labels)
    return difference(stored_pool(store, one), stored_pool(store, other), found.qrels), found.said(labels)


class Estimated(NamedTuple):
    """What a sampled pool estimates: scores, and relevant documents by topic; notes on either."""

    pool: Pool
    scores: Rows
    topics: Rows
    whose: str
    lack: str | None  # why there are no scores by some measure


def estimated(
    store: Store,
    number: int | None,
    measures: Sequence[Measure],
    confidence: float,
    assessor: str | None,
    labels: LabelledBy,
) -> Estimated:
    """Estimate the scores of the runs and the numbers of relevant documents from a sampled pool."""
    from cranfield.pooling.estimate.estimate import estimate, why_none
    from cranfield.pooling.estimate.judged_sample import check_frame, samples

    pool, found, least = stored_pool(store, number), counted(store, assessor, labels), store.collection.min_relevant
    runs, drawn = stored_runs(store), samples(pool, found.qrels, least)
    check_frame(pool, runs, {tag: about.depth for tag, about in run_info(store).items()})
    scores = estimate(pool, runs, found.qrels, measures, least, confidence)
    topics = [_topic_row(sample, confidence) for sample in drawn]
    return Estimated(pool, scores, topics, found.said(labels, assessor), why_none(drawn, measures))


def _topic_row(sample: JudgedSample, confidence: float) -> dict[str, Any]:
    """The estimated number of relevant documents of a topic."""
    from cranfield.pooling.estimate.estimate import number_relevant

    found = number_relevant(sample, confidence)
    return {
        "query_id": sample.qid,
        "sampled": len(sample.docnos),
        "found": int(sample.relevant.sum()),
        "relevant": found.value,
        "low": found.low,
        "high": found.high,
    }
