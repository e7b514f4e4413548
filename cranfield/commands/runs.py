"""Runs that are made of others, or by searching: fuse, search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from cranfield import hooks
from cranfield.commands.calls import OpenedStore, open_store_call
from cranfield.commands.read_runs import RunsOfCall, runs_of_call
from cranfield.commands.subject import Subject
from cranfield.errors import ArgumentError, InputError, argument_named_in_errors
from cranfield.extras import require_extra
from cranfield.lazy import lazy_type
from cranfield.options import Argument, split_names
from cranfield.options.arguments import JudgedBefore, OnlyTopics, Round, RoundJudgments, check_arguments, selection_of
from cranfield.options.pools import (
    Considered,
    ExtendsRuns,
    FusedDocuments,
    FusedTag,
    FusionMethod,
    FusionOptions,
    ListsRankers,
    RunsToFuse,
    SearchDepth,
    SearchedTag,
    StoreToSearch,
    Systems,
    check_one_word,
)
from cranfield.results import Display, Result, ResultInLines
from cranfield.text import counted

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.arrays.rankings import Runs
    from cranfield.store.reading import Place
    from cranfield.view import RunsGiven
else:
    DataFrame = lazy_type("pandas", "DataFrame")
    Runs = lazy_type("cranfield.arrays.rankings", "Runs")
    Place = Any
    RunsGiven = lazy_type("cranfield.view", "RunsGiven")

RunsOrStore = Annotated[
    "RunsGiven | Iterable[str | PathLike[str]]",
    Argument("A store, or run files.", metavar="SOURCE...", typed=list[Path], reads="store, or qrels and runs"),
]


@dataclass(frozen=True, repr=False, eq=False)
class FusedRun(Result):
    """A fused run. `rows()` returns one row; `.frame` has one row per document.

    Parameters
    ----------
    fusion : Runs
        The run.
    about : str
        Fusion method and its options.
    place : path or Store, optional
        The store with the runs.
    """

    fusion: Runs | None = None
    about: str = ""
    place: Place | None = None

    @property
    def frame(self) -> DataFrame:
        """The run as a new pandas DataFrame: run, query_id, doc_id, rank and score."""
        from cranfield.api.frames import runs_frame

        assert self.fusion is not None
        return runs_frame(self.fusion)


@check_arguments
def fuse(
    runs: RunsOrStore,
    *,
    method: FusionMethod = "rrf",
    depth: Considered = 1000,
    keep: FusedDocuments = 1000,
    options: FusionOptions = None,
    tags: RunsToFuse = None,
    tag: FusedTag = None,
    topics: OnlyTopics = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
) -> FusedRun:
    """Fuse several runs into one run.

    The command adds the fused run to the store, or writes it to a run file. In a store, the fused run does not
    contribute to pools, because it adds no documents. The fusion method computes the scores. If it computes only an
    order, as condorcet does, the first of n documents gets the score n, and the last gets 1. `cranfield pool methods
    combsum` lists the score normalizations, with their sources.

    Example: cranfield fuse track.db --method combmnz --option norm=zmuv

    Example: cranfield fuse a.run b.run --method rrf --output fused.run

    Parameters
    ----------
    runs : runs, store or View
        A store, or runs in any form that `cranfield.evaluate` accepts, such as a dict {name: {query_id: {doc_id:
        score}}} or a list of paths. The Python function does not store the fused run.
    method : str
        A fusion method such as rrf or borda, optionally with options, such as combsum:norm=zmuv. In the table that
        `cranfield.pooling.list_methods()` returns, fusion methods have the kind "static".
    depth : int
        Number of documents considered per run and topic.
    keep : int
        Number of documents per topic in the fused run.
    options : mapping, optional
        Options of the method by name, such as {"c": 60} for rrf or {"norm": "zmuv"} for combsum.
        `cranfield.pooling.list_methods("rrf")` lists the options of rrf.
    tags : sequence of str, optional
        Fuse only these runs.
    tag : str, optional
        Tag of the fused run; by default the method's name.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    round, judged, remove_judged : str, optional
        The round and which of its judgments to use (stores), or a qrels file of earlier judgments (files).

    Returns
    -------
    FusedRun
        `.frame` has the columns run, query_id, doc_id, rank and score. `cranfield.evaluate` accepts the result as a
        run. To write it to a file, call `cranfield.formats.write_run(Path("fused.run"), fused.fusion, "rrf")`. The
        third argument is the fused run's tag: `tag`, or the method's name.

    Raises
    ------
    InputError
        If the method does not produce a ranking, or a run is unknown.

    See Also
    --------
    cranfield.pooling.tune_fusion : Choose the method and its options on held-out topics.
    cranfield.pooling.list_methods : List the methods, or the options of one.

    Examples
    --------
    >>> runs = {"a": {"q": {"d1": 3.0, "d2": 2.0}}, "b": {"q": {"d2": 9.0, "d3": 8.0}}}
    >>> fuse(runs).frame[["run", "doc_id", "score"]].round(4).values.tolist()
    [['rrf', 'd2', 0.0325], ['rrf', 'd1', 0.0164], ['rrf', 'd3', 0.0161]]
    >>> import cranfield
    >>> qrels = {"q": {"d1": 0, "d2": 1, "d3": 0}}
    >>> cranfield.evaluate(qrels, {**runs, "rrf": fuse(runs, options={"c": 10})}, "RR").frame
       run measure  value  judged
    0    a      RR    0.5     1.0
    1    b      RR    1.0     1.0
    2  rrf      RR    1.0     1.0

    Write a fused run, and score the file next to another fused run:

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from cranfield.formats import write_run
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "fused.run"
    ...     write_run(path, fuse(runs, tag="fused").fusion, "fused")
    ...     cranfield.evaluate(qrels, {"fused": path, "borda": fuse(runs, method="borda")}, "RR").frame
         run measure  value  judged
    0  fused      RR    1.0     1.0
    1  borda      RR    1.0     1.0
    """
    from cranfield.analysis.pools import disjoint_run_notes
    from cranfield.pooling import build
    from cranfield.pooling.methods import fusion_method_named
    from cranfield.pooling.simulate import parse_trial

    with argument_named_in_errors("method"):
        trial = parse_trial(method)
        method, row = trial.method, fusion_method_named(trial.method)
    with argument_named_in_errors("options"):
        settings = row.fill_options({**trial.options, **(options or {})})
    name = method if tag is None else check_one_word(tag)
    with runs_of_call(runs, selection_of(topics, round, judged, remove_judged), function="fuse") as call:
        several = _read_without_qrels(call, None if tags is None else list(tags))
        call.note(*disjoint_run_notes(several))
        fusion = build.fuse(several, row, options=settings, depth=depth, keep=keep, tag=name)
        record = {"run": name, "method": method, "runs": list(several.tags), "documents": len(fusion)}
        numbers = f"{counted(len(several.tags), 'run')} fused by {method}, {counted(len(fusion), 'document')}"
        about = f"{method} of {', '.join(several.tags)} to depth {depth}"
        return FusedRun([record], f"{name}: {numbers}", None, call.context("fuse"), fusion, about, call.store)


def _read_without_qrels(call: RunsOfCall, tags: list[str] | None) -> Runs:
    try:
        return call.read_named_runs(tags)
    except InputError as error:
        found, is_of_qrels, _ = error.message.partition("; this looks like qrels")
        if not is_of_qrels:
            raise
        raise InputError(
            f"{found}; this looks like qrels, but fuse accepts only runs", error.path, error.line
        ) from error


@dataclass(frozen=True, repr=False, eq=False)
class SearchedRuns(ResultInLines):
    """Runs of systems that searched a store. `.frame` has one row per document.

    Parameters
    ----------
    runs : Runs, optional
        The added runs, read back from the store; None on the command line.
    """

    runs: Runs | None = None

    @property
    def frame(self) -> DataFrame:
        """The runs as a new pandas DataFrame: run, query_id, doc_id, rank and score."""
        from cranfield.api.frames import runs_frame

        return super().frame if self.runs is None else runs_frame(self.runs)


class RankerTable(Result):
    """The rankers. Columns: system, family, field and what."""

    display: ClassVar[Display] = Display(spare=("field", "family"))


@check_arguments
def search_corpus(
    store: StoreToSearch = None,
    *,
    systems: Systems = None,
    depth: SearchDepth = 1000,
    extend: ExtendsRuns = False,
    tag: SearchedTag = None,
    list_rankers: ListsRankers = False,
    subject: Subject | None = None,
) -> Result:
    """Run baseline rankers on the stored topics, and store their runs.

    Baseline rankers make the pool more varied if a collection has few systems. Each family of rankers counts as a team.
    A ranker is skipped if its run is already in the store or if it retrieves nothing. With `extend`, the stored run
    gets rankings for new topics. A run that is part of a release or older than the corpus is not extended; use `tag` to
    make another run. In a new round, each ranker runs again.

    A file such as shop.toml describes an external system, which is called over HTTP, as a command, or through
    embeddings. `cranfield search --preset` prints a template, and `cranfield search --try` tests the system without a
    store. Partial answers are kept, so that you can run the same command again to continue.

    Example: cranfield search track.db --system bm25 --system lsa

    Example: cranfield search track.db --depth 200

    Parameters
    ----------
    store : path or Store, optional
        The store with the corpus and the topics, to which the runs are added.
    systems : str or sequence of str, optional
        Names of rankers (all by default), or a file that describes an external system.
    depth : int
        Maximum number of documents per topic.
    extend : bool
        Add new topics to runs that are already in the store.
    tag : str, optional
        Tag for a new run of one system over all topics.
    list_rankers : bool
        Return the list of rankers instead, without a store.
    subject : Subject, optional
        What to search instead of the stored topics, or the system to search with, as an instance of a class in
        `cranfield.subjects`.

    Returns
    -------
    SearchedRuns
        `.frame` has the added runs, with the columns run, query_id, doc_id, rank and score.

    Raises
    ------
    InputError
        If the store has no corpus or no topics, or a system is unknown.

    Examples
    --------
    >>> from cranfield.formats import Document, Topic
    >>> from cranfield.store.store import Store
    >>> with Store.memory("tiny") as store:
    ...     _ = store.add_topics([Topic("q1", "wing")]), store.add_documents([Document("d1", text="a wing")])
    ...     search_corpus(store, systems="bm25").frame[["run", "doc_id"]].values.tolist()
    [['bm25', 'd1']]
    """
    from cranfield.search.systems import SYSTEMS, find_systems, search_with_systems

    several, tag = (
        split_names([systems]) if isinstance(systems, str) else systems,
        None if tag is None else check_one_word(tag),
    )
    if (searcher := subject or hooks.subject_for_files("search", several or ())) is not None:
        found: Result = searcher.search(store, several, depth, extend=extend, tag=tag)
        return found
    if any(name.endswith(".toml") for name in several or ()):
        raise InputError("no installed feature supports systems described by files")
    if list_rankers:
        return RankerTable([{"system": s.name, "family": s.family, "field": s.field, "what": s.description}
                            for s in SYSTEMS])  # fmt: skip
    if store is None:
        raise ArgumentError("give a store", "store")
    if tag is not None and (extend or len(several or ()) != 1):
        raise ArgumentError("requires exactly one --system, and cannot be combined with --extend", "tag")
    find_systems(several)
    require_extra("search", "a search")
    with open_store_call(store) as call:
        outcome = search_with_systems(call.store, several, depth, extend=extend, tag=tag or "")
        call.note(*outcome.notes)
        return searched_runs(call, outcome.tags, counted(len(outcome.tags), "run"))


def searched_runs(call: OpenedStore, tags: Sequence[str], line: str) -> SearchedRuns:
    """The runs with these tags that a search has added, and a line on them."""
    from cranfield.store.runs import stored_runs

    runs = stored_runs(call.store, tags) if call.is_in_python else None
    return SearchedRuns(
        [{"run": tag} for tag in tags], lines=[line], context=call.context("store.search_corpus"), runs=runs
    )
