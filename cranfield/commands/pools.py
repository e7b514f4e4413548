"""Pools of a store: build one, show it, compare two, estimate from a sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from cranfield.api.arguments import check_arguments
from cranfield.commands.opened import OpenedStore, open_store_call, provenance_of
from cranfield.errors import ArgumentError, InputError, blaming, blaming_argument
from cranfield.lazy import type_in
from cranfield.options import Argument, Assessor, Labels, Measures, PolicyName, PoolNumber
from cranfield.options.given import (
    STORE,
    JudgedBefore,
    OnlyTopics,
    PresentStore,
    ReadStore,
    Round,
    RoundJudgments,
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
from cranfield.rng import seed_of
from cranfield.selection import LabelledBy, Labellers
from cranfield.store.reading import SelectedPlace

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.analysis.delta import Delta
    from cranfield.pooling.stored.request import PoolResult
    from cranfield.store.pools import PooledDocument
    from cranfield.view import RunsGiven
else:
    DataFrame = type_in("pandas", "DataFrame")
    PooledDocument = type_in("cranfield.store.pools", "PooledDocument")
    RunsGiven = type_in("cranfield.view", "RunsGiven")

StoreOfPool = Annotated[RunsGiven, Argument(STORE, metavar="STORE", typed=Path, reads="store or release")]


class MethodTable(Result):
    """The pooling methods."""

    display: ClassVar[Display] = Display(spare=("source", "options"))


@check_arguments
def list_methods(method: ShownMethod = None) -> Result:
    """List the pooling methods, or the options of one.

    Adaptive methods use judgments. Samples record how likely each document was to be chosen, as estimators require.

    Example: cranfield pool methods maxmean

    Example: cranfield pool methods

    Parameters
    ----------
    method : str, optional
        List the options of this method instead.

    Returns
    -------
    Result
        Columns method, kind, what, options and source; of one method option, default, values and what.

    Raises
    ------
    InputError
        If there is no such method.

    Examples
    --------
    >>> list_methods().frame.set_index("method").loc["depth", "kind"]
    'static'
    """
    from cranfield.pooling.methods import METHODS, method_named

    context = CallContext(provenance=provenance_of("pooling.list_methods"))
    if method is None:
        return MethodTable([one.row for one in METHODS.values()], context=context)
    with blaming_argument("method"):
        row = method_named(method)
    rows = [
        {"option": option.name, "default": str(option.default), "values": option.right, "what": option.about}
        for option in row.options
    ]
    title = f"{method}: {row.description}" + ("" if rows else "; no options")
    return Result(rows, title=title, context=context)


@dataclass(frozen=True, repr=False, eq=False)
class StoredPool(ResultInLines):
    """The documents of a pool that was stored: query_id, doc_id, best rank (depth), and runs; of a sample more.

    Parameters
    ----------
    documents : sequence of PooledDocument
        The documents of the newest pool.
    """

    columns: ClassVar[tuple[str, ...]] = ("query_id", "doc_id", "depth", "runs", "stratum", "probability")

    documents: Sequence[PooledDocument] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each document; a sample also has its stratum and inclusion probability."""
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
    """List the documents of a pool with their best ranks and the runs that contributed them.

    In Python, runs of any form are pooled to a depth. The command line writes a table of a stored pool: qid, docno,
    depth, runs. It is comma-separated if the name of the file ends in .csv, otherwise tab-separated.

    Example: cranfield pool export track.db pool.tsv --pool 1

    Example: cranfield export pool track.db pool.csv

    Parameters
    ----------
    runs : store, View or runs
        Runs in any form that `cranfield.evaluate` takes, such as a dict {name: {query_id: {doc_id: score}}} or a list
        of paths; or a store, of which the stored pool is returned unless `depth` is given.
    number : int, optional
        The pool's number in the store; the newest by default.
    depth : int, optional
        Pool the runs to this depth, and store nothing. Of a store these are its contributing runs, to their own depths
        if they have any.
    depths : mapping, optional
        Depths of single runs.

    Returns
    -------
    PooledDocuments
        A row of `.frame` for each document: query_id, doc_id, depth (the document's best rank) and the runs that
        contributed it. A sample also has stratum and probability. `.frame.groupby("query_id").size()` counts the
        documents per topic.

    Raises
    ------
    InputError
        If there is no such pool, or runs come without a depth.

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
    from cranfield.view import View, check_depth, contributing_runs, store_in

    check_depth(depth)
    if isinstance(runs, View):
        number = runs.options_for("pool_runs", ["pool"], [] if number is None else ["pool"]).get("pool", number)
    if depth is not None and number is None:
        contributing, own = contributing_runs(runs)
        return PooledDocuments(documents=tuple(depth_pool(contributing, depth, {**own, **(depths or {})})))
    place = runs if isinstance(runs, SelectedPlace) else store_in(runs)
    if place is None:
        raise InputError("a pool of runs requires a depth; only a store has pools")
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
    batches, based on the labels so far (people's take precedence over models'), until a batch awaits judgment or the
    budget is spent. `cranfield judge` then extends the pool as it is judged; so does the same command again, also with
    a larger budget. A smaller budget or smaller batches make another pool, because pooled documents stay.

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
        Maximum number of documents per topic, or number of documents over all topics.
    batch : int, optional
        Number of documents per topic awaiting judgment at a time, for adaptive methods; 10 by default.
    rng : int or numpy.random.Generator, optional
        Random seed, or a generator that draws it; 0 by default.
    options : mapping, optional
        Options of the method by name.
    runs : sequence of str, optional
        Pool only these runs.
    per_team, most_runs : int, optional
        Pool at most this many runs of each team, or in all.
    topics : str, optional
        Pool only these topics: a set of the store, or the file of a list.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments count.

    Returns
    -------
    StoredPool
        The documents of the pool.

    Raises
    ------
    InputError
        If the method, its options and the sizes do not go together.

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

    with blaming_argument("method"):
        row = method_named(method)
    with blaming_argument():
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
    """What has to be judged for late runs: a row for each run.

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
    """Extend a pool with late runs, to a greater depth, or to a larger budget.

    The result is a new pool that includes the old one, so that no judgment is lost. A sample can only be extended to a
    larger budget: other runs or depths would invalidate its inclusion probabilities. With `topics` it is a pool of
    these topics alone, whose depth and runs hold for them.

    With `dry_run` nothing is pooled: it shows what would have to be judged for late runs, of each and of all together,
    the hours at the pace so far, and the score of each run if none of it is relevant, or all. Without it these are in
    the new pool, and what is judged already stays judged: `assign` and `export bundle --unjudged` hand out the rest.
    With `delta` just these are a pool as well, for `judge --pool N` and `assign --pool N`.

    Example: cranfield pool extend track.db --depth 20

    Example: cranfield pool extend track.db --run late --dry-run

    Parameters
    ----------
    store : path or Store
        The store.
    number : int, optional
        Number of the stored pool; the newest by default.
    depth : int, optional
        The depth of the new pool.
    budget, total : int, optional
        Maximum number of documents per topic, or number of documents over all topics.
    batch : int, optional
        Number of documents per topic awaiting judgment at a time, for adaptive methods.
    runs : sequence of str, optional
        The runs to add; by default all that were imported since.
    topics : str, optional
        Only these topics: a set of the store, or the file of a list.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments count.
    dry_run : bool
        Pool nothing, and return what would have to be judged.
    delta : bool
        Also keep what has to be judged as a pool of its own, before the new one.

    Returns
    -------
    StoredPool or PoolExtension
        The documents of the new pool; with `dry_run`, a row for each late run.

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
    from cranfield.analysis.delta import delta_of, keep_delta
    from cranfield.analysis.pools import extend_stored_pool

    if delta and dry_run:
        raise ArgumentError("keeps a pool; with --dry-run nothing is pooled", "delta")
    with open_store_call(store, selection_of(topics, round, judged, remove_judged)) as call:
        if not (delta or dry_run):
            with call.writing():
                sizes = {"depth": depth, "budget": budget, "total": total, "batch": batch, "runs": runs}
                return _stored_pool(call, "pooling.extend_pool", extend_stored_pool(call.store, number, **sizes))
        growth = delta_of(call.store, runs or (), depth, number)
        if dry_run:
            rows, context = growth.rows, call.context("pooling.extend_pool")
            return PoolExtension(rows, growth.title, {"depth": growth.depth, "runs": rows}, context, growth)
        has_own_documents, made = keep_delta(call.store, growth, number)
        stored = _stored_pool(call, "pooling.extend_pool", made)
        return replace(stored, lines=(f"pool {has_own_documents}: {growth.title}", *stored.lines))


class PoolTable(Result):
    """A pool by topic, run, team or pair of runs."""

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
    """Show a pool by topic: its documents, how many are unique to one run, how many are judged.

    By run or team: what each contributed to the pool, and its unique documents, which would be missing without it. By
    pair of runs: how certain it is, given the judgments so far, which run has the higher mean AP to the depth
    considered.

    Example: cranfield pool show track.db --by team

    Example: cranfield pool show track.db --pool 1 --format csv

    Parameters
    ----------
    store : path or Store
        The store.
    number : int, optional
        Number of the stored pool; the newest by default.
    by : {"topic", "run", "team", "pair"}
        What each row stands for.
    topics : str, optional
        Only these topics: a set of the store, or the file of a list.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments count.

    Returns
    -------
    PoolTable
        A row for each topic, run, team or pair; counts are of documents.

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
    from cranfield.analysis.pools import pool_contents_and_title

    with open_store_call(store, selection_of(topics, round, judged, remove_judged)) as call:
        rows, title = pool_contents_and_title(call.store, number, by)
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

    The "judged" columns show what the documents of only one of the pools would have cost or revealed.

    Example: cranfield pool diff track.db 1 2

    Example: cranfield pool diff track.db 2 3 --labels people

    Parameters
    ----------
    store : path or Store
        The store.
    one, other : int
        The numbers of the pools.
    assessor, policy : str, optional
        Count only the labels of this assessor, or count by this policy where labels differ.
    labels : {"people", "models", "all"}
        Whose labels count.
    topics : str, optional
        Only these topics: a set of the store, or the file of a list.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments count.

    Returns
    -------
    Result
        A row for each topic: the documents of both pools and of only one, and how many are judged.

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
    from cranfield.analysis.pools import compared_pools

    with open_store_call(store, selection_of(topics, round, judged, remove_judged)) as call:
        rows, whose = compared_pools(call.store, one, other, Labellers(assessor, LabelledBy(labels), policy))
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
    """Estimate runs' scores from a sampled pool, or with `by_topic` the number of relevant documents per topic.

    Estimates AP, AP@k and P@k as if all documents that the sample was drawn from were judged. The pool must have
    inclusion probabilities, have been able to draw every document, and be judged completely. Intervals cover the
    sampling error only. With few relevant documents the intervals of AP are wide, and there are none where most topics
    have fewer than two in the sample.

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
        AP, AP@k or P@k, as text or as objects.
    confidence : float
        Confidence level of the intervals.
    topics : str, optional
        Only these topics: a set of the store, or the file of a list.
    assessor, policy : str, optional
        Count only the labels of this assessor, or count by this policy where labels differ.
    labels : {"people", "models", "all"}
        Whose labels count.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments count.

    Returns
    -------
    Result
        A row for each run and measure, or for each topic; low and high are the interval.

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
    with open_store_call(store, selection_of(topics, round, judged, remove_judged)) as call, blaming(call.place):
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
