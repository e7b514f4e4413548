"""A pool as asked for, what came of it in words, and the judgments of a store that are new to it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cranfield.arrays.rankings import Qrels
from cranfield.arrays.selection import join_first_names
from cranfield.pooling.adaptive import Known
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.method import Method
from cranfield.store.open_pools import PoolStep, known_labels
from cranfield.store.pools import Pool
from cranfield.store.store import Store
from cranfield.text import counted


def judgments(store: Store, qrels: Qrels) -> dict[str, dict[str, bool]]:
    """Whether each judged document is relevant, by topic, on the scale of the store."""
    least = store.collection.min_relevant
    by_topic: dict[str, dict[str, bool]] = {}
    for qid, docno, grade in zip(
        qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], qrels.grade.tolist(), strict=True
    ):
        by_topic.setdefault(qid, {})[docno] = grade >= least
    return by_topic


def unlearned_judgments(
    store: Store, before: Pool | None, topics: Sequence[Candidates], judged: Known
) -> dict[str, dict[str, bool | None]]:
    """What a pool has not learned yet: judgments of its topics' documents that are new, or other than they were."""
    last = known_labels(store, before.number, [topic.qid for topic in topics]) if before else {}
    return {topic.qid: _changes(topic, last.get(topic.qid, {}), judged.get(topic.qid, {})) for topic in topics}


def _changes(topic: Candidates, last: Mapping[str, bool], now: Mapping[str, bool]) -> dict[str, bool | None]:
    docnos = {*last, *(docno for docno in now if docno in topic.numbers)}
    return {docno: now.get(docno) for docno in sorted(docnos) if now.get(docno) != last.get(docno)}


def add_labels_to_first_steps(
    steps: Sequence[PoolStep], news: Mapping[str, Mapping[str, bool | None]]
) -> list[PoolStep]:
    """These steps, the first of them with what was new then; none where there are none."""
    if not steps:
        return []
    first = {step.qid: step for step in steps if step.number == 1}
    for qid, changes in news.items():
        if changes:
            first[qid] = first.get(qid, PoolStep(1, qid, None))._replace(labels=changes)
    return [*first.values(), *(step for step in steps if step.number > 1)]


class PoolRequest(NamedTuple):
    """A pool to be built, as asked for on the command line."""

    method: str = "depth"
    depth: int = 100  # how far down the runs are considered
    budget: int | None = None
    total: int | None = None
    batch: int | None = None
    seed: int = 0
    options: Mapping[str, object] = {}
    runs: tuple[str, ...] | None = None
    per_team: int | None = None
    most_runs: int | None = None  # of all teams, one of each in turn
    topics: tuple[str, ...] | None = None  # of a set of topics


class PoolResult(NamedTuple):
    """The result: the pool, None where there was nothing to add; one line; what the user should know."""

    pool: Pool | None
    line: str
    notes: list[str]


def pool_size_in_words(budget: int | None, total: int | None) -> str:
    """The size of a pool in words.

    >>> pool_size_in_words(30, None), pool_size_in_words(None, 300), pool_size_in_words(None, None)
    ('30 per topic', '300 in total', 'no budget')
    """
    return f"{budget} per topic" if budget is not None else "no budget" if total is None else f"{total} in total"


def explain_excess(pool: Pool, request: PoolRequest) -> str | None:
    """How a pool exceeds what is asked for, so that it cannot be extended to it; None if it can.

    >>> pool = Pool("mtf", {"considered": 100, "budget": 30, "batch": 10}, [])
    >>> requests = ({"budget": 30}, {"budget": 31, "batch": 20}, {})
    >>> [explain_excess(pool, PoolRequest("mtf", **asked)) for asked in requests]
    [None, None, None]
    >>> explain_excess(pool, PoolRequest("mtf", budget=12)), explain_excess(pool, PoolRequest("mtf", total=750))
    ('30 per topic, not 12 per topic', '30 per topic, not 750 in total')
    >>> explain_excess(pool, PoolRequest("mtf", budget=30, batch=5))
    'batches of 10, not of 5'
    >>> explain_excess(pool, PoolRequest("mtf", depth=50, budget=30))
    'runs to depth 100, not 50'
    """
    parameters = pool.parameters
    old, new = (parameters.get("budget"), parameters.get("total")), (request.budget, request.total)
    larger = any(had is not None and had <= (now or 0) for had, now in zip(old, new, strict=True))
    if new != (None, None) and not larger:
        return f"{pool_size_in_words(*old)}, not {pool_size_in_words(*new)}"
    if (batch := parameters.get("batch") or 0) > (request.batch or batch):
        return f"batches of {batch}, not of {request.batch}"
    depth = parameters.get("depth") or parameters.get("considered") or 0
    return f"runs to depth {depth}, not {request.depth}" if depth > request.depth else None


def built_line(number: int, pool: Pool, request: PoolRequest, before: Pool | None) -> str:
    """What was made, in one line."""
    topics = len({document.qid for document in pool.documents})
    to = f"depth {request.depth}" if pool.method == "depth" else f"{pool.method} to depth {request.depth}"
    has_runs = any(document.runs for document in pool.documents)
    how = f"from {counted(len(pool.parameters['runs']), 'run')}, {to}" if has_runs else f"by {pool.method}"
    if request.budget is not None or request.total is not None:
        how += f", {pool_size_in_words(request.budget, request.total)}"
    text = f"pool {number}: {counted(len(pool.documents), 'document')} for {counted(topics, 'topic')} {how}"
    if before:
        more = explain_excess(before, request)
        text += f"; {len(pool.documents) - len(before.documents)} are new, and the others are from pool {before.number}"
        text += f" ({more})" if more else ""
    return text


def nothing_line(before: Pool | None, request: PoolRequest, waiting: int) -> str:
    """Why nothing was added, in one line."""
    if before is None:
        return "nothing to add: no pool was built"
    text = f"nothing to add: pool {before.number} contains {counted(len(before.documents), 'document')}"
    if more := explain_excess(before, request):
        return f"{text}, which are kept ({more}); build a new pool with `cranfield pool build`"
    if waiting:
        return f"{text}, of which {waiting} await judgment"
    has_limit = request.budget is not None or request.total is not None
    budget = f"a budget of {pool_size_in_words(request.budget, request.total)} allows"
    return f"{text}, which is all that {budget if has_limit else 'there are'}"


def shortfall_notes(
    request: PoolRequest, method: Method, topics: Sequence[Candidates], qids: Sequence[str]
) -> Iterator[str]:
    """What was asked for and does not exist; `qids` are all topics."""
    present = {topic.qid for topic in topics}
    silent = [qid for qid in qids if qid not in present]
    if silent:
        start = f"no run answered {counted(len(silent), 'topic')}{' without a text' if method.corpus else ''}"
        yield f"{start}, so the pool contains no documents for: {join_first_names(silent)}"
    blind = [one.qid for one in topics if one.corpus and not len(one.run) and not one.corpus.knows(one.qid)]
    if blind and not method.is_random:
        yield (
            f"no run answered {counted(len(blind), 'topic')} whose text has no word that occurs in two documents;"
            f" their documents come in arbitrary order until one is relevant: {join_first_names(blind)}"
        )
    short = [topic for topic in topics if len(topic) < (request.budget or 0)]
    if short:
        least = min(short, key=len)
        yield (
            f"for {len(short)} of {len(topics)} topics, the runs retrieved fewer documents to depth {request.depth}"
            f" than the budget of {request.budget} (topic {least.qid}: {counted(len(least), 'document')}), so the"
            " pool may contain all of them"
        )
    there = sum(map(len, topics))
    if there < (request.total or 0):
        documents = counted(there, "document")
        yield (
            f"the total of {request.total} exceeds the {documents} to depth {request.depth}, so the pool may contain"
            " all of them"
        )


def already_judged_notes(
    new: int, judged: Collection[tuple[str, str]], models: Collection[tuple[str, str]]
) -> Iterator[str]:
    """How many of the new documents already had a label; `models` are the pairs labelled by a model.

    >>> list(already_judged_notes(9, [("q", "d1"), ("q", "d2")], [("q", "d1")]))
    ['2 of 9 new documents are already judged, 1 of them by models']
    """
    if judged:
        by = f", {len([pair for pair in judged if pair in models])} of them by models" if models else ""
        are = "is" if len(judged) == 1 else "are"
        yield f"{len(judged)} of {counted(new, 'new document')} {are} already judged{by}"


def judging_status_lines(
    method: Method, parameters: Mapping[str, Any], waiting: int, stop: str | None
) -> Iterator[str]:
    """What is to be judged, or why judging may stop."""
    if stop:
        yield f"judging may stop: {stop}"
    elif method.adaptive and waiting:
        compete = parameters.get("options", {}).get("scope") == "global"
        then = "build the pool again after judging some" if compete else "`cranfield judge` extends the pool"
        yield f"{counted(waiting, 'document')} {'awaits' if waiting == 1 else 'await'} judgment; {then}"
