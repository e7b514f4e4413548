"""Pools built from runs at once, and runs fused by the same methods."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, cast

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Runs, sort_runs
from cranfield.errors import InputError
from cranfield.pooling.budget import (
    CompetingTopic,
    allocate_total,
    check_strata,
    group_documents,
    split_budget,
    topics_compete,
)
from cranfield.pooling.candidates import Candidates, candidates_by_topic
from cranfield.pooling.method import CorpusState, FixedOrder, Method, State, StratifiedSample
from cranfield.pooling.methods.static import DEPTH
from cranfield.store.pools import PooledDocument


def build_pool(
    method: Method,
    runs: Runs,
    depth: int,
    *,
    depths: Mapping[str, int | None] | None = None,
    options: Mapping[str, object] | None = None,
    budget: int | None = None,
    total: int | None = None,
    seed: int = 0,
) -> list[PooledDocument]:
    """The pool of these runs, sorted by topic, then docno, so nothing shows rank or run.

    Runs are considered to `depth`, or to their own in `depths`. `budget` is per topic, `total` for all. An adaptive
    method hears no judgment here: this is its first batch.

    >>> from cranfield.metrics.inputs import as_runs
    >>> from cranfield.pooling.methods import METHODS
    >>> runs = as_runs({"a": {"q1": {"d1": 3.0, "d2": 2.0}}, "b": {"q1": {"d2": 9.0, "d3": 8.0}}})
    >>> for document in build_pool(METHODS["rrf"], runs, 100, budget=1):
    ...     print(document.docno, document.depth, document.runs)
    d2 1 ('a', 'b')
    """
    topics = candidates_by_topic(runs, depth, depths)
    check_strata(method, topics, options=options, budget=budget, total=total, seed=seed)
    return build_pool_without_judgments(method, topics, options=options, budget=budget, total=total, seed=seed)


def depth_pool(runs: Runs, depth: int, depths: Mapping[str, int | None] | None = None) -> list[PooledDocument]:
    """The depth-k pool of all these runs; `depths` gives single runs a depth of their own.

    Sorted by topic, then docno, so nothing shows rank or run. A run without a topic adds nothing to it.

    >>> from cranfield.metrics.inputs import as_runs
    >>> runs = as_runs({"a": {"q1": {"d1": 3.0, "d2": 2.0}}, "b": {"q1": {"d2": 9.0, "d1": 9.0}}})
    >>> for document in depth_pool(runs, 1):
    ...     print(document.docno, document.depth, document.runs)
    d1 1 ('a',)
    d2 1 ('b',)
    >>> [(document.docno, document.depth) for document in depth_pool(runs, 2, {"a": 1})]
    [('d1', 1), ('d2', 1)]
    """
    return build_pool(DEPTH, runs, depth, depths=depths)


def build_pool_without_judgments(
    method: Method,
    topics: Sequence[Candidates],
    *,
    options: Mapping[str, object] | None = None,
    budget: int | None = None,
    total: int | None = None,
    seed: int = 0,
) -> list[PooledDocument]:
    """The pool of these topics without a judgment heard."""
    states = [method.start(topic, options, seed) for topic in topics]
    parts = zip(
        topics, choose(method, topics, states, options=options, budget=budget, total=total), states, strict=True
    )
    return [
        document for topic, documents, state in parts for document in make_pooled_documents(topic, documents, state)
    ]


def choose(
    method: Method,
    topics: Sequence[Candidates],
    states: Sequence[State],
    *,
    options: Mapping[str, object] | None = None,
    budget: int | None = None,
    total: int | None = None,
) -> list[list[int]]:
    """The documents of each topic that states at their beginning choose without a judgment heard."""
    sizes = [len(topic) for topic in topics]
    if topics_compete(method, options):
        everything = sum(sizes) if total is None else total
        return group_documents(
            allocate_total(cast("list[CompetingTopic]", states), [0] * len(states), everything), len(states)
        )
    return [state.next(size).tolist() for state, size in zip(states, split_budget(sizes, budget, total), strict=True)]


def frame(
    method: Method, topics: Sequence[Candidates], options: Mapping[str, object] | None, seed: int
) -> Iterator[tuple[str, str, str]]:
    """Every document that a stratified sample could draw, with its topic and stratum; nothing for other methods.

    >>> from cranfield.pooling.examples import example
    >>> from cranfield.pooling.methods import METHODS
    >>> [stratum for _, _, stratum in frame(METHODS["tail"], [example("a b")], {"k": 1}, seed=1)]
    ['top', 'tail']
    """
    for topic in topics:
        state = method.start(topic, options, seed) if method.samples else None
        if isinstance(state, StratifiedSample) and state.stratum is not None:
            yield from zip(repeat(topic.qid), topic.docnos.tolist(), state.stratum.tolist())


def check_sizes(
    method: Method,
    budget: int | None,
    total: int | None,
    batch: int | None = None,
    options: Mapping[str, object] | None = None,
) -> None:
    """Refuse a budget twice over, a sample of no size, nothing to compete for, and batches of what does not listen."""
    if batch is not None and not method.adaptive:
        raise InputError(f"{method.name} does not use judgments, so it does not work in batches; leave --batch out")
    if budget is not None and total is not None:
        raise InputError("two budgets were given; expected a budget per topic (--budget) or for all topics (--total)")
    if method.sized and budget is None and total is None:
        raise InputError(f"{method.name} needs a size; give --budget per topic, or --total for all topics")
    if total is None and topics_compete(method, options):
        raise InputError(f"{method.name} with scope=global needs --total, the budget that all topics share")


def check_first_documents(
    method: Method, topics: Sequence[Candidates], budget: int | None, options: Mapping[str, Any]
) -> None:
    """Raise InputError if the first documents of the runs use up the budget of a method over a corpus."""
    first = options.get("first", 0)
    if budget is not None and budget <= first and any(len(topic.run) for topic in topics):
        raise InputError(
            f"a budget of {budget} suffices only for the first {first} documents of the runs, so {method.name} never "
            f"starts; expected more than {first}, or a smaller --option first"
        )


def make_pooled_documents(topic: Candidates, documents: Ints | Iterable[int], state: State) -> list[PooledDocument]:
    """Documents of a topic as a pool has them, in docno order: best rank and runs within the considered depth."""
    if isinstance(state, CorpusState):
        return state.pooled(documents)
    is_pooled = np.zeros(len(topic), bool)
    is_pooled[np.fromiter(documents, np.int64)] = True
    rows = np.flatnonzero(is_pooled[topic.document])
    rows = rows[np.lexsort((topic.priority[topic.run[rows]], topic.document[rows]))]
    document, tags = topic.document[rows], np.array(topic.tags, object)[topic.run[rows]]
    starts = np.flatnonzero(np.diff(document, prepend=-1))
    which = document[starts]
    strata = [None] * len(which) if state.stratum is None else state.stratum[which].tolist()
    chances = [None] * len(which) if state.probability is None else state.probability[which].tolist()
    ends = [*starts[1:], len(rows)][: len(starts)]
    columns = (topic.docnos[which].tolist(), topic.best[which].tolist(), starts, ends, strata, chances)
    return [
        PooledDocument(topic.qid, docno, depth, runs=tuple(tags[start:end]), stratum=stratum, probability=chance)
        for docno, depth, start, end, stratum, chance in zip(*columns, strict=True)
    ]


def fuse(
    runs: Runs, method: Method, *, options: Mapping[str, object] | None = None, depth: int = 1000, keep: int = 1000,
    tag: str = "fused", seed: int = 0,
) -> Runs:  # fmt: skip
    """The run that a static method makes of many: `depth` documents of each are considered, `keep` of the result stay.

    Scores are the method's own; of a method that has only an order they count down to 1.

    >>> from cranfield.metrics.inputs import as_runs
    >>> from cranfield.pooling.methods import METHODS
    >>> runs = as_runs({"a": {"q": {"d1": 3.0, "d2": 2.0}}, "b": {"q": {"d2": 9.0, "d3": 8.0}}})
    >>> fused = fuse(runs, METHODS["rrf"])
    >>> fused.docnos.names[fused.document].tolist(), fused.score.round(4).tolist()
    (['d2', 'd1', 'd3'], [0.0325, 0.0164, 0.0161])
    """
    if not method.makes_ranking:
        raise InputError(f"{method.name} builds pools, not rankings; it cannot fuse runs")
    candidates = candidates_by_topic(runs, depth)
    with np.errstate(over="ignore", invalid="ignore"):  # checked below
        states = [method.start(topic, options, seed) for topic in candidates]
    orders = [state.next(keep) for state in states]
    size = [len(order) for order in orders]
    docnos = np.concatenate(
        [topic.docnos[order] for topic, order in zip(candidates, orders, strict=True)] or [np.zeros(0, object)]
    )
    qids = np.array([topic.qid for topic in candidates], object)
    topics = np.repeat(runs.topics.codes(qids), size)
    scores = [_fused_scores(state, order) for state, order in zip(states, orders, strict=True)]
    score = np.concatenate(scores or [np.zeros(0)])
    if not np.isfinite(score).all():
        qid = runs.topics.names[topics[np.flatnonzero(~np.isfinite(score))[0]]]
        raise InputError(
            f"topic {qid}: a fused score of {method.name} is not finite; expected smaller scores, or ranks (rrf)"
        )
    order = np.lexsort((-score, topics))
    document = runs.docnos.codes(docnos)[order]
    return sort_runs(
        [tag],
        runs.topics,
        runs.docnos,
        run=np.zeros(len(order), np.int64),
        topic=topics[order],
        document=document,
        score=score[order],
    )


def _fused_scores(state: State, order: Ints) -> Floats:
    """The method's own scores of these documents; n to 1 where it has only an order."""
    score = state.score if isinstance(state, FixedOrder) else None
    return np.arange(len(order), 0, -1.0) if score is None else score[order]
