"""Pools of a store: build one, show it, compare two, estimate from a sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from cranfield.commands.calls import OpenedStore, open_store_call, provenance_of
from cranfield.errors import ArgumentError, InputError, argument_named_in_errors, file_named_in_errors
from cranfield.lazy import lazy_type
from cranfield.options import Argument, Assessor, Labels, Measures, PolicyName, PoolNumber, seed_of
from cranfield.options.arguments import (
    STORE,
    JudgedBefore,
    OnlyTopics,
    PresentStore,
    ReadStore,
    Round,
    RoundJudgments,
    check_arguments,
    selection_of,
)
from cranfield.options.pools import (
    Batch,
    Budget,
    Confidence,
    Considered,
    DeltaPool,
    DepthOfPool,
    DryExtension,
    FirstPool,
    MethodName,
    OptionsOfMethod,
    PooledTopics,
    PoolRow,
    RunsInAll,
    RunsPerTeam,
    RunsToAdd,
    RunsToPool,
    SecondPool,
    SeedOfPool,
    ShownMethod,
    TopicForecastOption,
    Total,
)
from cranfield.results import CallContext, Display, Result, ResultInLines, signed_formatter
from cranfield.selection import LabelledBy, Labellers
from cranfield.store.reading import SelectedPlace

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.analysis.delta import Delta
    from cranfield.pooling.stored.request import PoolResult
    from cranfield.store.pools import PooledDocument
    from cranfield.view import RunsGiven
else:
    DataFrame = lazy_type("pandas", "DataFrame")
    PooledDocument = lazy_type("cranfield.store.pools", "PooledDocument")
    RunsGiven = lazy_type("cranfield.view", "RunsGiven")

StoreOfPool = Annotated[RunsGiven, Argument(STORE, metavar="STORE", typed=Path, reads="store or release")]


class MethodTable(Result):
    """The pooling methods."""

    display: ClassVar[Display] = Display(spare=("source", "options"))


@check_arguments
def list_methods(method: ShownMethod = None) -> Result:
    """List the pooling methods, or the options of one method.

    Adaptive methods use judgments. Sampling methods record each document's inclusion probability, which estimators
    require.

    Example: cranfield pool methods maxmean

    Example: cranfield pool methods

    Parameters
    ----------
    method : str, optional
        Method whose options to list.

    Returns
    -------
    Result
        Columns method, kind, what, options and source. With `method`, columns option, default, values and what.

    Raises
    ------
    InputError
        If the method is unknown.

    Examples
    --------
    >>> list_methods().frame.set_index("method").loc["depth", "kind"]
    'static'
    """
    from cranfield.pooling.methods import METHODS, method_named

    context = CallContext(provenance=provenance_of("pooling.list_methods"))
    if method is None:
        return MethodTable([one.row for one in METHODS.values()], context=context)
    with argument_named_in_errors("method"):
        row = method_named(method)
    rows = [
        {"option": option.name, "default": str(option.default), "values": option.right, "what": option.about}
        for option in row.options
    ]
    title = f"{method}: {row.description}" + ("" if rows else "; no options")
    return Result(rows, title=title, context=context)


@dataclass(frozen=True, repr=False, eq=False)
class StoredPool(ResultInLines):
    """Documents of a stored pool. Columns: query_id, doc_id, depth (best rank) and runs; a sample has further columns.

    Parameters
    ----------
    documents : sequence of PooledDocument
        Documents of the newest pool.
    """

    columns: ClassVar[tuple[str, ...]] = ("query_id", "doc_id", "depth", "runs", "stratum", "probability")

    documents: Sequence[PooledDocument] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per document. A sample also has each document's stratum and inclusion probability."""
        names = self.columns if any(one.probability is not None for one in self.documents) else self.columns[:4]
        values = (one._replace(runs=list(one.runs)) for one in self.documents)  # type: ignore[arg-type]
        return [dict(zip(names, row, strict=False)) for row in values]


@dataclass(frozen=True, repr=False, eq=False)
class PooledDocuments(StoredPool):
    """The documents of a pool: query_id, doc_id, best rank (depth), and runs; of a sample more."""

    @property
    def frame(self) -> DataFrame:
        """The documents as a new pandas DataFrame; only that of a sample has a stratum and a probability."""
        from cranfield.api.frames import pool_frame

        return pool_frame(self.documents)


@check_arguments
def pool_runs(
    runs: StoreOfPool, *, number: PoolNumber = None, depth: int | None = None, depths: Mapping[str, int] | None = None
) -> PooledDocuments:
    """List a pool's documents, with best ranks and contributing runs.

    In Python, you can also pool any given runs to a depth. The command writes a table of a stored pool, with the
    columns qid, docno, depth and runs. It is comma-separated if the file name ends in .csv, otherwise tab-separated.

    Example: cranfield pool export track.db pool.tsv --pool 1

    Example: cranfield export pool track.db pool.csv

    Parameters
    ----------
    runs : store, View or runs
        Runs in any form that `cranfield.evaluate` accepts, such as a dict {name: {query_id: {doc_id: score}}} or a list
        of paths. For a store, the stored pool is returned unless `depth` is given.
    number : int, optional
        Number of the stored pool; the newest by default.
    depth : int, optional
        Pool the runs to this depth, and store nothing. For a store, the contributing runs are pooled, to their own
        depths if they have any.
    depths : mapping, optional
        Depths of single runs.

    Returns
    -------
    PooledDocuments
        `.frame` has one row per document: query_id, doc_id, depth (the document's best rank) and the runs that
        contributed it. For a sample, it also has stratum and probability. `.frame.groupby("query_id").size()` counts
        the documents per topic.

    Raises
    ------
    InputError
        If the pool does not exist, or runs are given without a depth.

    See Also
    --------
    cranfield.pooling.build_pool : Build a pool by any method, and store it.
    cranfield.pooling.list_unjudged : List what must still be judged for runs.

    Examples
    --------
    >>> pool = pool_runs({"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0}}}, depth=1)
    >>> pool.frame[["doc_id", "depth"]].values.tolist()
    [['d1', 1], ['d2', 1]]
    """
    from cranfield.pooling.build import depth_pool
    from cranfield.store.names import unknown_among_notes
    from cranfield.store.pools import pool_with_present_names
    from cranfield.view import View, check_depth, contributing_runs, find_store

    check_depth(depth)
    if isinstance(runs, View):
        number = runs.options_for("pool_runs", ["pool"], [] if number is None else ["pool"]).get("pool", number)
    if depth is not None and number is None:
        contributing, own = contributing_runs(runs)
        return PooledDocuments(documents=tuple(depth_pool(contributing, depth, {**own, **(depths or {})})))
    place = runs if isinstance(runs, SelectedPlace) else find_store(runs)
    if place is None:
        raise InputError("runs without a store have no pool depth; pass depth=N")
    with open_store_call(place) as call:
        documents = pool_with_present_names(call.store, number).documents
        docnos = sorted({document.docno for document in documents})
        call.note(*unknown_among_notes(call.store, "document", docnos, "documents of this pool"))
        return PooledDocuments(documents=tuple(documents), context=call.context("pooling.pool_runs"))


@check_arguments
def build_pool(
    store: PresentStore,
    *,
    method: MethodName = "depth",
    depth: Considered = 100,
    budget: Budget = None,
    total: Total = None,
    batch: Batch = None,
    rng: SeedOfPool = None,
    options: OptionsOfMethod = None,
    runs: RunsToPool = None,
    per_team: RunsPerTeam = None,
    most_runs: RunsInAll = None,
    topics: PooledTopics = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
) -> StoredPool:
    """Pool the contributing runs of a store, and store the pool.

    A run that was imported with its own depth is pooled to that depth. An adaptive method proposes documents in
    batches, based on the labels so far. It stops when a batch contains unjudged documents, or when the budget is spent.
    People's labels take precedence over models' labels. `cranfield judge` extends the pool while it is judged. Running
    the same command again, even with a larger budget, also extends the pool. A smaller budget or batch makes a new
    pool, because pooled documents are never removed.

    Example: cranfield pool build track.db --method maxmean --batch 10

    Example: cranfield pool build track.db --depth 20 --topics dev

    Parameters
    ----------
    store : path or Store
        The store.
    method : str
        Pooling method; `list_methods` lists them.
    depth : int
        Number of documents considered per run and topic.
    budget, total : int, optional
        Maximum number of documents per topic, or total number over all topics.
    batch : int, optional
        Number of unjudged documents per topic in each batch of an adaptive method; 10 by default.
    rng : int or numpy.random.Generator, optional
        Random seed, or a generator that draws the seed; 0 by default.
    options : mapping, optional
        Options of the method by name.
    runs : sequence of str, optional
        Pool only these runs.
    per_team, most_runs : int, optional
        Maximum number of runs per team, and total number of runs.
    topics : str, optional
        Topics to pool: a topic set of the store, or a file of topic ids.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments to use.

    Returns
    -------
    StoredPool
        Documents of the pool.

    Raises
    ------
    InputError
        If the method, its options and the sizes are incompatible.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> _ = cranfield.store.import_runs(store, runs)
    >>> build_pool(store, depth=1)
    pool 1: 2 documents for 1 topic from 2 runs, depth 1
    >>> store.close()
    """
    from cranfield.analysis.pools import build_stored_pool
    from cranfield.pooling.build import check_sizes
    from cranfield.pooling.methods import method_named
    from cranfield.pooling.stored.request import PoolRequest
    from cranfield.store.topic_sets import chosen_topics

    with argument_named_in_errors("method"):
        row = method_named(method)
    with argument_named_in_errors():
        check_sizes(row, budget, total, batch, row.fill_options(options or {}))
    with open_store_call(store, selection_of(None, round, judged, remove_judged)) as call, call.writing():
        tags = None if runs is None else tuple(runs)
        qids = None if topics is None else chosen_topics(call.store, topics)
        request = PoolRequest(
            method, depth, budget, total, batch, seed_of(rng), options or {}, tags, per_team, most_runs, qids
        )
        return _stored_pool(call, "pooling.build_pool", build_stored_pool(call.store, request))


def _stored_pool(call: OpenedStore, function: str, made: PoolResult) -> StoredPool:
    """What was stored, with notes on it and on documents that assessors cannot read."""
    from cranfield.store.names import unknown_among_notes
    from cranfield.store.pools import pool_with_present_names

    documents = pool_with_present_names(call.store).documents if made.pool or call.store.count("pool") else []
    docnos = sorted({document.docno for document in made.pool.documents}) if made.pool else []
    unknown = unknown_among_notes(call.store, "document", docnos, "documents of this pool")
    call.note(*made.notes, *(f"{line}; assessors cannot read them" for line in unknown))
    return StoredPool(lines=(made.line,), documents=tuple(documents), context=call.context(function))


@dataclass(frozen=True, repr=False, eq=False)
class PoolExtension(Result):
    """Documents to judge for late runs, with one row per run.

    Parameters
    ----------
    delta : Delta
        The pairs to judge.
    """

    delta: Delta | None = None

    @property
    def pairs(self) -> list[dict[str, Any]]:
        """The pairs to judge: query_id, doc_id, rank and runs."""
        return self.delta.pair_rows if self.delta else []


@check_arguments
def extend_pool(
    store: PresentStore,
    *,
    number: PoolNumber = None,
    depth: DepthOfPool = None,
    budget: Budget = None,
    total: Total = None,
    batch: Batch = None,
    runs: RunsToAdd = None,
    topics: OnlyTopics = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    dry_run: DryExtension = False,
    delta: DeltaPool = False,
) -> StoredPool | PoolExtension:
    """Extend a pool with late runs, more depth or a larger budget.

    The result is a new pool that includes the old one, so that no judgment is lost. A sample can be extended only to a
    larger budget, because other runs or depths would invalidate its inclusion probabilities. With `topics`, only these
    topics are extended, and the depth and runs apply only to them.

    With `dry_run`, nothing is stored. The command shows the number of documents to judge, per late run and for all runs
    together. It also estimates the hours at the current pace. The table has bounds on each run's score: if none of
    these documents is relevant, and if all are. Without `dry_run`, the documents are added to the new pool and existing
    labels are kept. `assign` and `export bundle --unjudged` then distribute the unjudged documents. With `delta`, the
    documents are also stored as a separate pool for `judge --pool N` and `assign --pool N`.

    Example: cranfield pool extend track.db --depth 20

    Example: cranfield pool extend track.db --run late --dry-run

    Parameters
    ----------
    store : path or Store
        The store.
    number : int, optional
        Number of the stored pool; the newest by default.
    depth : int, optional
        Depth of the new pool.
    budget, total : int, optional
        Maximum number of documents per topic, or total number over all topics.
    batch : int, optional
        Number of unjudged documents per topic in each batch of an adaptive method.
    runs : sequence of str, optional
        Runs to add; by default all runs imported since the pool was built.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments to use.
    dry_run : bool
        Store nothing, and return the documents that would have to be judged.
    delta : bool
        Also store the unjudged documents as a separate pool, numbered before the new pool.

    Returns
    -------
    StoredPool or PoolExtension
        The documents of the new pool, or with `dry_run` one row per late run.

    Raises
    ------
    InputError
        If the pool cannot be extended in this way.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> _ = cranfield.store.import_runs(store, runs)
    >>> _ = build_pool(store, depth=1)
    >>> extend_pool(store, depth=2).frame["doc_id"].tolist()
    ['d1', 'd2', 'd3']
    >>> store.close()
    """
    from cranfield.analysis.delta import plan_delta, store_delta
    from cranfield.analysis.pools import extend_stored_pool

    if delta and dry_run:
        raise ArgumentError("cannot be combined with --dry-run, which stores nothing", "delta")
    with open_store_call(store, selection_of(topics, round, judged, remove_judged)) as call:
        if not (delta or dry_run):
            with call.writing():
                sizes = {"depth": depth, "budget": budget, "total": total, "batch": batch, "runs": runs}
                return _stored_pool(call, "pooling.extend_pool", extend_stored_pool(call.store, number, **sizes))
        growth = plan_delta(call.store, runs or (), depth, number)
        if dry_run:
            rows, context = growth.rows, call.context("pooling.extend_pool")
            return PoolExtension(rows, growth.title, {"depth": growth.depth, "runs": rows}, context, growth)
        has_own_documents, made = store_delta(call.store, growth, number)
        stored = _stored_pool(call, "pooling.extend_pool", made)
        return replace(stored, lines=(f"pool {has_own_documents}: {growth.title}", *stored.lines))


class PoolTable(Result):
    """Summary of a pool by topic, run, team or pair of runs."""

    display: ClassVar[Display] = Display(
        {"alone": "unique", "relevant alone": "unique relevant", "from one run": "unique to a run"},
        {"difference": signed_formatter(4)},
    )


@check_arguments
def summarize_pool(
    store: ReadStore,
    *,
    number: PoolNumber = None,
    by: PoolRow = "topic",
    topics: OnlyTopics = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
) -> PoolTable:
    """Summarize a pool by topic, run, team or pair of runs.

    For each topic, the table counts all documents, judged documents, and documents unique to one run. For each run or
    team, it counts the documents that the unit contributed, and the documents that the pool would lack without the
    unit. For each pair, it shows which of two runs has the higher mean AP within the pool depth. It also shows the
    confidence in this order under the current judgments.

    Example: cranfield pool show track.db --by team

    Example: cranfield pool show track.db --pool 1 --format csv

    Parameters
    ----------
    store : path or Store
        The store.
    number : int, optional
        Number of the stored pool; the newest by default.
    by : {"topic", "run", "team", "pair"}
        Unit of each row.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments to use.

    Returns
    -------
    PoolTable
        One row per topic, run, team or pair. The counts are numbers of documents.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> _ = cranfield.store.import_runs(store, runs)
    >>> _ = build_pool(store, depth=1)
    >>> summarize_pool(store, by="run").frame[["run", "documents", "alone"]].values.tolist()
    [['a', 1, 1], ['b', 1, 1]]
    >>> store.close()
    """
    from cranfield.analysis.pools import pool_rows_and_title

    with open_store_call(store, selection_of(topics, round, judged, remove_judged)) as call:
        rows, title = pool_rows_and_title(call.store, number, by)
        return PoolTable(rows, title=title, context=call.context("pooling.summarize_pool"))


@check_arguments
def compare_pools(
    store: ReadStore,
    one: FirstPool,
    other: SecondPool,
    *,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    topics: OnlyTopics = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
) -> Result:
    """Compare two pools of a store, topic by topic.

    The "judged" columns count the judged documents that are in only one of the pools.

    Example: cranfield pool diff track.db 1 2

    Example: cranfield pool diff track.db 2 3 --labels people

    Parameters
    ----------
    store : path or Store
        The store.
    one, other : int
        Numbers of the pools.
    assessor, policy : str, optional
        The assessor whose labels count, or the policy for documents with differing labels.
    labels : {"people", "models", "all"}
        Kind of assessors whose labels count.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments to use.

    Returns
    -------
    Result
        One row per topic: the documents in both pools and in only one pool, and how many of them are judged.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> _ = cranfield.store.import_runs(store, runs)
    >>> _ = build_pool(store, depth=1), build_pool(store, depth=2)
    >>> compare_pools(store, 1, 2).frame[["topic", "in both", "only in 1", "only in 2"]].values.tolist()
    [['q', 2, 0, 1], ['all', 2, 0, 1]]
    >>> store.close()
    """
    from cranfield.analysis.pools import pool_difference_rows

    with open_store_call(store, selection_of(topics, round, judged, remove_judged)) as call:
        rows, whose = pool_difference_rows(call.store, one, other, Labellers(assessor, LabelledBy(labels), policy))
        call.note(whose)
        return Result(rows, title=f"pools {one} and {other}", context=call.context("pooling.compare_pools"))


@check_arguments
def estimate_from_sample(
    store: ReadStore,
    *,
    number: PoolNumber = None,
    by_topic: TopicForecastOption = False,
    measures: Measures = ("AP", "P@10"),
    confidence: Confidence = 0.95,
    topics: OnlyTopics = None,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
) -> Result:
    """Estimate runs' scores from a sampled pool.

    The command estimates AP, AP@k and P@k as if all documents from which the sample was drawn were judged. With
    `by_topic`, it estimates the number of relevant documents per topic instead. The pool must have inclusion
    probabilities, its method must be able to draw every document, and it must be fully judged. Intervals reflect only
    the sampling error. With few relevant documents, the intervals of AP are wide. If most topics have fewer than two
    relevant documents in the sample, there are no intervals.

    Example: cranfield pool estimate track.db -m AP -m P@10

    Example: cranfield pool estimate track.db --by-topic

    Parameters
    ----------
    store : path or Store
        The store.
    number : int, optional
        Number of the stored pool; the newest by default.
    by_topic : bool
        Estimate the number of relevant documents per topic instead of scores.
    measures : measure or iterable of measures
        AP, AP@k or P@k, as text or measure objects.
    confidence : float
        Confidence level of the intervals.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    assessor, policy : str, optional
        The assessor whose labels count, or the policy for documents with differing labels.
    labels : {"people", "models", "all"}
        Kind of assessors whose labels count.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments to use.

    Returns
    -------
    Result
        One row per run and measure, or per topic. The columns low and high are the ends of the interval.

    Examples
    --------
    >>> import cranfield
    >>> from cranfield.formats import Document, Topic
    >>> store = cranfield.Store.memory("small")
    >>> documents = [Document(docno, text="wing flutter") for docno in ("d1", "d2", "d3")]
    >>> store.add_documents(documents), store.add_topics([Topic("q", "flutter")])
    (3, 1)
    >>> runs = {"a": {"q": {"d1": 2.0, "d2": 1.0}}, "b": {"q": {"d2": 2.0, "d3": 1.0}}}
    >>> _ = cranfield.store.import_runs(store, runs)
    >>> _ = build_pool(store, method="uniform", depth=2, budget=3)
    >>> _ = cranfield.store.import_qrels(store, {"q": {"d1": 1, "d2": 0, "d3": 1}}, assessor="ada", kind="human")
    >>> estimate_from_sample(store, measures="P@1").frame[["run", "value"]].values.tolist()
    [['a', 1.0], ['b', 0.0]]
    >>> store.close()
    """
    from cranfield.analysis.pools import estimates_of

    labellers = Labellers(assessor, LabelledBy(labels), policy)
    with (
        open_store_call(store, selection_of(topics, round, judged, remove_judged)) as call,
        file_named_in_errors(call.place),
    ):
        made = estimates_of(call.store, measures, labellers, number=number, confidence=confidence)
        call.note(made.whose, None if by_topic else made.lack)
        pool = made.pool
        size = f"{len(pool.documents)} sampled documents; {confidence:.0%} intervals"
        head = {"pool": pool.number, "method": pool.method, "confidence": confidence}
        return Result(
            made.topics if by_topic else made.scores,
            title=f"pool {pool.number}: {pool.method}, {size}",
            document=head | {"topics": made.topics, "scores": made.scores},
            context=call.context("pooling.estimate_from_sample"),
        )
