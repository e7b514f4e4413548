"""Pools in a store: built and extended.

A stored pool never changes, what is added makes a new one that holds it; but one that is open grows in its own rows
while it is judged (see cranfield/store/open_pools.py).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cranfield.errors import InputError
from cranfield.formats import RunInfo
from cranfield.pooling.adaptive import BATCH, grow, growing_topics, pass_all_judgments, pool_size_limits
from cranfield.pooling.budget import check_strata
from cranfield.pooling.build import build_pool_without_judgments, check_first_documents, check_sizes, frame
from cranfield.pooling.candidates import Candidates, candidates_by_topic, corpus_candidates, select_candidates
from cranfield.pooling.method import Method
from cranfield.pooling.methods import method_named
from cranfield.pooling.stored.request import (
    PoolRequest,
    PoolResult,
    add_labels_to_first_steps,
    already_judged_notes,
    built_line,
    explain_excess,
    judging_status_lines,
    judgments,
    nothing_line,
    shortfall_notes,
    unlearned_judgments,
)
from cranfield.pooling.verify import judged_pairs
from cranfield.store.labels import CountingLabels
from cranfield.store.open_pools import PoolStep, add_steps
from cranfield.store.pools import (
    Pool,
    PooledDocument,
    add_frame,
    add_pool,
    newest_built_pool,
    pool_with_present_names,
    preparing_pool,
)
from cranfield.store.qrels import labels_that_count
from cranfield.store.runs import run_info, stored_runs
from cranfield.store.store import Store
from cranfield.store.topic_sets import chosen_topics
from cranfield.store.withdrawals import settled_pairs, topics_that_count
from cranfield.text import counted, join_words, name_hint


def build(store: Store, request: PoolRequest, labels: CountingLabels | None = None) -> PoolResult:
    """Build the pool asked for: extend the newest if it is an earlier stage of it, else build another.

    An adaptive method learns from the `labels`, by default from all that count, the first assessor's where they differ.
    """
    return store_planned_pool(store, plan_pool(store, request, labels))


MAX_TAGS = 5  # of runs in a note


class PlannedPool(NamedTuple):
    """A pool that is worked out and not stored, with what storing it needs; `notes` are on an earlier pool."""

    pool: Pool
    growth: "_Grown"
    request: PoolRequest
    topics: Sequence[Candidates]
    before: Pool | None
    labels: CountingLabels | None
    notes: Sequence[str] = ()


def plan_pool(store: Store, request: PoolRequest, labels: CountingLabels | None = None) -> PlannedPool:
    """Work out the pool that `build` stores."""
    before, notes = latest(store, request), list[str]()
    if not before and (pool := _alike(store, request)) and (more := explain_excess(pool, request)):
        notes = [f"pool {pool.number} is kept unchanged ({more}); this pool is new"]
    return _work_out_pool(store, request, before, labels)._replace(notes=notes)


def store_planned_pool(store: Store, planned: PlannedPool) -> PoolResult:
    """Store a pool that is worked out, if there is anything new in it."""
    result = _store_grown_pool(
        store, planned.pool, planned.growth, request=planned.request, topics=planned.topics, before=planned.before,
        labels=planned.labels,
    )  # fmt: skip
    return result._replace(notes=[*planned.notes, *result.notes])


def make_pool(
    store: Store, request: PoolRequest, before: Pool | None = None, labels: CountingLabels | None = None
) -> PoolResult:
    """Build the wanted pool and store it; what `before` holds stays in it."""
    return store_planned_pool(store, _work_out_pool(store, request, before, labels))


def _work_out_pool(
    store: Store, request: PoolRequest, before: Pool | None, labels: CountingLabels | None
) -> PlannedPool:
    method = method_named(request.method)
    if labels is None and method.adaptive:
        labels = labels_that_count(store)
    options = method.fill_options(request.options)
    check_sizes(method, request.budget, request.total, request.batch, options)
    needs_run = method.corpus is None or request.runs is not None
    about = runs_to_pool(run_info(store), request.runs, request.per_team, request.most_runs, needs_run=needs_run)
    depths = {tag: info.depth for tag, info in about.items()}
    topics = candidates_by_topic(stored_runs(store, list(about)), request.depth, depths) if about else []
    if method.corpus is not None:
        topics = corpus_candidates(topics, method.corpus(store), list(about), request.budget)
        check_first_documents(method, topics, request.budget, options)
    topics = select_candidates(topics, request.topics)
    check_strata(method, topics, options=options, budget=request.budget, total=request.total, seed=request.seed)
    if method.adaptive:
        usual = None if method.corpus else BATCH
        batched_request = request._replace(batch=request.batch or (before and before.parameters.get("batch")) or usual)
        growth = _grow(store, method, options, request=batched_request, topics=topics, before=before, labels=labels)
    else:
        batched_request, documents = (
            request,
            build_pool_without_judgments(
                method, topics, options=options, budget=request.budget, total=request.total, seed=request.seed
            ),
        )
        growth = _Grown(documents, {}, [], None)
    held = [*(before.documents if before else ()), *growth.documents]
    by_pair = {(d.qid, d.docno): d for d in held}
    pool = Pool(
        method.name,
        _parameters(batched_request, list(about), options, batches=growth.batches, before=before, method=method),
        sorted(by_pair.values(), key=lambda d: d[:2]),
        request.seed if method.random else None,
    )
    return PlannedPool(pool, growth, request, topics, before, labels)


class _Grown(NamedTuple):
    """Documents of a pool, the batches that they came in, the steps that are new, and why it may stop, if it may."""

    documents: list[PooledDocument]
    batches: dict[str, list[int]]
    steps: list[PoolStep]
    stop: str | None


def _grow(
    store: Store,
    method: Method,
    options: Mapping[str, Any],
    *,
    request: PoolRequest,
    topics: Sequence[Candidates],
    before: Pool | None,
    labels: CountingLabels | None,
) -> _Grown:
    """Every topic of an adaptive pool with its next documents, as far as the judgments go."""
    judged = {} if labels is None else judgments(store, labels.qrels)
    final, in_pool = settled_pairs(store), docnos_by_topic(before.documents if before else ())
    old = dict(before.parameters.get("batches", {})) if before else {}
    growing = growing_topics(method, options, topics, in_pool=in_pool, batches=old, seed=request.seed)
    for topic in growing:
        pass_all_judgments(topic, judged.get(topic.topic.qid, {}))
    most = pool_size_limits(method, options, [len(topic) for topic in topics], request.budget, request.total)

    def waits(qid: str, docno: str) -> bool:
        return (qid, docno) not in final

    waiting = {qid: sum(waits(qid, docno) for docno in docnos) for qid, docnos in in_pool.items()}
    growth = grow(method, options, growing, most=most, batch=request.batch, judged=judged, waits=waits, waiting=waiting)
    batches = {topic.topic.qid: topic.batches for topic in growing if topic.batches}
    steps = add_labels_to_first_steps(growth.steps, unlearned_judgments(store, before, topics, judged))
    return _Grown([d for topic in growing for d in topic.pooled()], old | batches, steps, growth.stop)


def _store_grown_pool(
    store: Store,
    pool: Pool,
    growth: _Grown,
    *,
    request: PoolRequest,
    topics: Sequence[Candidates],
    before: Pool | None,
    labels: CountingLabels | None,
) -> PoolResult:
    """Store a pool, if there is anything new in it."""
    method, final = method_named(pool.method), settled_pairs(store)
    old = {d[:2] for d in before.documents} if before else set()
    new = [d[:2] for d in pool.documents if d[:2] not in old]
    waiting = sum(d[:2] not in final for d in pool.documents)
    counting = topics_that_count(store)
    qids = [topic.qid for topic in store.topics()] if request.topics is None else request.topics
    qids = [qid for qid in qids if counting is None or qid in counting]
    notes = [*shortfall_notes(request, method, topics, qids)]
    if request.runs is None:
        notes += unpooled_runs_note(run_info(store))
    if method.adaptive and labels is not None:
        judged, models = judged_pairs(labels.qrels), judged_pairs(labels.qrels.rows(labels.by_model))
        notes += already_judged_notes(len(new), [pair for pair in new if pair in judged], models)
    notes += judging_status_lines(method, pool.parameters, waiting, growth.stop)
    if not new:
        return PoolResult(None, nothing_line(before, request, waiting if method.adaptive else 0), notes)
    with preparing_pool(store, pool.documents) as prepared, store.writing():
        number = add_pool(store, pool, prepared)
        add_steps(store, number, growth.steps)
        add_frame(store, number, frame(method, topics, request.options, request.seed))
    return PoolResult(pool._replace(number=number), built_line(number, pool, request, before), notes)


def unpooled_runs_note(about: Mapping[str, RunInfo]) -> list[str]:
    """The note that names the runs whose teams table says pooled=no; empty without such a run.

    >>> unpooled_runs_note({"a": RunInfo("a"), "b": RunInfo("b", pooled=False)})
    ['1 of 2 runs is marked as not pooled and is not in the pool: b; name the runs to pool with --run']
    """
    tags = [tag for tag, info in about.items() if not info.pooled]
    if not tags:
        return []
    names = [*tags[:MAX_TAGS], *([f"{len(tags) - MAX_TAGS} more"] if len(tags) > MAX_TAGS else [])]
    share, listed = f"{len(tags)} of {counted(len(about), 'run')}", join_words(names)
    if len(tags) == 1:
        which = f"{share} is marked as not pooled and is not in the pool: {listed}"
    else:
        which = f"{share} are marked as not pooled and are not in the pool: {listed}"
    return [f"{which}; name the runs to pool with --run"]


def docnos_by_topic(documents: Iterable[PooledDocument]) -> dict[str, list[str]]:
    """The docnos of a pool by topic."""
    docnos: dict[str, list[str]] = {}
    for document in documents:
        docnos.setdefault(document.qid, []).append(document.docno)
    return docnos


def runs_to_pool(
    about: Mapping[str, RunInfo],
    tags: Sequence[str] | None = None,
    per_team: int | None = None,
    most: int | None = None,
    *,
    needs_run: bool = True,
) -> dict[str, RunInfo]:
    """The runs to pool: those marked as pooled, or those named; of each team the first few in the order they came.

    At `most` so many in all: the first run of each team, then the second of each that has one, and so on.

    >>> about = {"a1": RunInfo("a"), "b1": RunInfo("b", pooled=False), "a2": RunInfo("a")}
    >>> list(runs_to_pool(about)), list(runs_to_pool(about, per_team=1)), list(runs_to_pool(about, ["b1"]))
    (['a1', 'a2'], ['a1'], ['b1'])
    >>> several = {"a1": RunInfo("a"), "a2": RunInfo("a"), "b1": RunInfo("b")}
    >>> list(runs_to_pool(several, most=2)), list(runs_to_pool(several, most=3))
    (['a1', 'b1'], ['a1', 'a2', 'b1'])
    >>> runs_to_pool(about, ["a1", "a1"])
    Traceback (most recent call last):
    ...
    cranfield.errors.InputError: run 'a1' is given twice
    """
    for tag, times in Counter(tags or ()).items():
        if tag not in about:
            raise InputError(f"no run {tag!r} in this store{name_hint(tag, about)}")
        if times > 1:
            raise InputError(f"run {tag!r} is given twice")
    choice = {tag: info for tag, info in about.items() if (info.pooled if tags is None else tag in tags)}
    if not choice and needs_run:
        raise InputError(
            "no run in this store contributes to pools; add some with `cranfield import runs` or `cranfield search`"
        )
    turns, turn = Counter[str](), dict[str, int]()
    for tag, info in choice.items():
        turns[info.team] += 1
        turn[tag] = turns[info.team]
    chosen_tags = sorted((tag for tag in choice if per_team is None or turn[tag] <= per_team), key=turn.__getitem__)[
        :most
    ]
    return {tag: info for tag, info in choice.items() if tag in chosen_tags}


def _parameters(
    request: PoolRequest,
    tags: list[str],
    options: Mapping[str, Any],
    *,
    batches: Mapping[str, list[int]],
    before: Pool | None,
    method: Method,
) -> dict[str, Any]:
    """What a pool was made from. `depth` is for pools that hold all documents to it, else None."""
    whole = method.by_depth and request.budget is None and request.total is None
    optional = {
        "considered": None if whole else request.depth,
        "budget": request.budget,
        "total": request.total,
        "batch": request.batch,
        "options": dict(options),
        "batches": dict(batches),
        "holds": before.number if before and _has_requested_topics(before, request) else None,
        "topics": None if request.topics is None else list(request.topics),
    }
    present = {name: value for name, value in optional.items() if value not in (None, {})}
    return {"depth": request.depth if whole else None, "runs": tags, **present}


def _has_requested_topics(before: Pool, request: PoolRequest) -> bool:
    """Whether a pool is of the topics that are wanted, not only taken for these."""
    return before.parameters.get("topics") == (request.topics and [*request.topics])


def latest(store: Store, request: PoolRequest) -> Pool | None:
    """The newest pool, if it is an earlier stage of the wanted one: as asked for, no larger, no run lost."""
    pool = _alike(store, request)
    return pool if pool and not explain_excess(pool, request) else None


def _alike(store: Store, request: PoolRequest) -> Pool | None:
    """The newest pool, if it is of the method, options and seed that are wanted, and no run lost."""
    if not store.counts()["pool"]:
        return None
    pool, method = pool_with_present_names(store, newest_built_pool(store)), method_named(request.method)
    options = pool.parameters.get("options")  # a pool that the method itself has made has them
    if not method.adaptive or pool.method != method.name or options is None or not _has_requested_topics(pool, request):
        return None
    wanted_settings = method.fill_options(request.options), request.seed if method.random else None
    about = runs_to_pool(
        run_info(store), request.runs, request.per_team, request.most_runs, needs_run=method.corpus is None
    )
    return (
        pool
        if (method.fill_options(options), pool.seed) == wanted_settings and set(pool.parameters["runs"]) <= set(about)
        else None
    )


def extend(
    store: Store,
    *,
    number: int | None = None,
    depth: int | None = None,
    budget: int | None = None,
    total: int | None = None,
    batch: int | None = None,
    runs: Sequence[str] | None = None,
    labels: CountingLabels | None = None,
) -> PoolResult:
    """Extend a pool: with more runs, to a greater depth, on a larger budget; what is not given stays as it was.

    By default the runs come in that were imported since and contribute to pools. On a set of topics, if one is asked
    for, it becomes a pool of these alone. What a sample is drawn from cannot
    change, or its probabilities would be wrong: a sample takes a larger budget and nothing else. An adaptive method
    learns from the `labels`, as in `build`.
    """
    before = pool_with_present_names(store, newest_built_pool(store) if number is None else number)
    method, old = method_named(before.method), before.parameters
    if method.fixed or (method.samples and (depth or runs)):
        refusal = (
            "its sample was drawn for one size; build a larger pool, which keeps the judgments"
            if method.fixed
            else "other runs or depths would make its probabilities wrong; build a new pool, which keeps the judgments"
        )
        raise InputError(f"pool {before.number} is a sample ({method.name}): {refusal}")
    topics = tuple(old["topics"]) if "topics" in old else None
    if store.selection.topics:
        if method.adaptive:
            raise InputError(
                f"pool {before.number} ({before.method}) grows on all its topics during judging; build a new pool "
                "for these topics with `cranfield pool build --topics`"
            )
        had = before.parameters.get("topics")
        topics = tuple(qid for qid in chosen_topics(store, store.selection.topics) if had is None or qid in had)
        before = before._replace(documents=[document for document in before.documents if document.qid in topics])
    about = run_info(store)
    more = [tag for tag, info in about.items() if info.pooled] if runs is None else list(runs)
    runs_to_pool(about, more, needs_run=method.corpus is None)
    added = {tag: info for tag, info in about.items() if tag not in old["runs"]}
    unpooled = unpooled_runs_note(added) if runs is None else []
    tags = set(old["runs"]) if method.samples else {*old["runs"], *more}
    is_other_size = budget is not None or total is not None
    request = PoolRequest(
        before.method,
        depth or old["depth"] or old.get("considered", 100),
        budget if is_other_size else old.get("budget"),
        total=total if is_other_size else old.get("total"),
        batch=batch,
        seed=before.seed or 0,
        options=old.get("options", {}),
        runs=tuple(tag for tag in about if tag in tags),
        topics=topics,
    )
    result = make_pool(store, request, before, labels)
    return result._replace(notes=[*unpooled, *result.notes])
