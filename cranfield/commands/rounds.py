"""The rounds of a collection that lives, and the same systems from round to round."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from cranfield.commands.calls import open_store_call
from cranfield.formats.text_tables import FormattedNumber
from cranfield.options import Measures, Topics
from cranfield.options.arguments import PresentStore, ReadStore, check_arguments
from cranfield.options.rounds import (
    ComparedRounds,
    ComparedSystems,
    EarlierRun,
    LaterJudgments,
    LaterRun,
    PivotSystem,
    RenamedDocuments,
    RoundDocuments,
    RoundName,
    RoundTopics,
)
from cranfield.results import Display, Result, ResultInLines, TypesetTable
from cranfield.selection import Selection
from cranfield.text import counted, format_moment

if TYPE_CHECKING:
    from cranfield.store.store import Store


@check_arguments
def start(
    store: PresentStore,
    name: RoundName,
    *,
    topics: RoundTopics = None,
    documents: RoundDocuments = None,
    renamed: RenamedDocuments = None,
) -> ResultInLines:
    """Open a round.

    The previous round must be closed. Data added before the first round belong to round 1. Runs and judgments added
    from now on belong to the new round, unless their import names another round. A renamed document keeps its
    judgments. `cranfield evaluate --round NAME` and all other analyses remove documents judged in earlier rounds from
    the rankings, and report how many there are.

    Example: cranfield round start track.db 2 --topics topics2.txt --renamed renamed.tsv

    Example: cranfield round start track.db 3

    Parameters
    ----------
    store : path or Store
        The store.
    name : str
        Name of the round.
    topics : str, path or iterable of str, optional
        A topic set of the store, a file of topic ids, or the ids; by default all topics.
    documents : path or iterable of str, optional
        A file of docnos, or the docnos; by default all documents.
    renamed : path or mapping, optional
        A file of old and new docnos, or a mapping from old to new docnos.

    Returns
    -------
    ResultInLines
        One row, with the columns of `summarize`.

    Raises
    ------
    StoreError
        If the previous round is open, or the name is already used.
    """
    from cranfield.formats.round_files import read_docno_list, read_renamed_docnos
    from cranfield.store.named_documents import unknown_documents
    from cranfield.store.round_changes import round_rows, start_round

    files = {"old name": renamed, "document": documents}
    docnos = read_docno_list(Path(documents)) if isinstance(documents, str | PathLike) else documents
    docnos = None if docnos is None else [*docnos]
    names = renamed if isinstance(renamed, Mapping) else {} if renamed is None else read_renamed_docnos(Path(renamed))
    named = {"old name": [*names], "document": docnos or []}
    with open_store_call(store) as call:
        new = {what: unknown_documents(call.store, some) for what, some in named.items()}
        start_round(call.store, name, topics=_qids(call.store, topics), documents=docnos, new_names=names)
        row = round_rows(call.store)[-1]
        for what, unknown in new.items():
            file = files[what]
            of_file = f" of {file}" if isinstance(file, str | PathLike) else ""
            if unknown:
                there = (
                    f"{counted(len(unknown), what)}{of_file} {'is' if len(unknown) == 1 else 'are'} new to the store"
                )
                call.note(f"{there}, first {unknown[0]!r}")
        sizes = ", ".join(counted(row[f"{what}s"], what) for what in ("topic", "document"))
        line = f"round {name}: open, with {sizes}" + (f", {row['renamed']:,} of them renamed" if row["renamed"] else "")
        return ResultInLines([row], context=call.context("rounds.start"), lines=[line])


def _qids(store: Store, topics: RoundTopics) -> list[str] | None:
    from cranfield.store.topic_sets import qids_of_set

    if topics is None:
        return None
    qids = qids_of_set(store, str(topics)) if isinstance(topics, str | PathLike) else topics
    return list(dict.fromkeys(qids))


@check_arguments
def close(store: PresentStore, name: RoundName) -> ResultInLines:
    """Close a round, so that the next one can be opened.

    Judgments added before the next round opens still belong to the closed round.

    Example: cranfield round close track.db 1

    Example: cranfield round close track.db 2

    Parameters
    ----------
    store : path or Store
        The store.
    name : str
        Name of the round.

    Returns
    -------
    ResultInLines
        One row, with the columns of `summarize`.

    Raises
    ------
    StoreError
        If there is no open round with this name.
    """
    from cranfield.store.round_changes import close_round, line_of, round_rows

    with open_store_call(store) as call:
        closed = close_round(call.store, name)
        row = next(row for row in round_rows(call.store) if row["round"] == name)
        return ResultInLines([row], context=call.context("rounds.close"), lines=[line_of(closed, row["judgments"])])


class RoundTable(Result):
    """Rounds of a store."""

    columns: ClassVar[tuple[str, ...]] = (
        "round", "opened", "closed", "topics", "documents", "renamed", "runs", "judgments",
    )  # fmt: skip
    display: ClassVar[Display] = Display(digits={"opened": format_moment, "closed": format_moment}, spare=("renamed",))


@check_arguments
def summarize(store: ReadStore) -> RoundTable:
    """List the rounds with their numbers of topics, runs and judgments.

    Only the round's own judgments are counted.

    JSON: [{"round", "opened", "closed", "topics", "documents", "renamed", "runs", "judgments"}].

    Example: cranfield round list track.db

    Example: cranfield round list track.db --format json

    Parameters
    ----------
    store : path or Store
        The store.

    Returns
    -------
    RoundTable
        Columns round, opened, closed, topics, documents, renamed, runs and judgments.
    """
    from cranfield.store.round_changes import round_rows

    with open_store_call(store) as call:
        return RoundTable(round_rows(call.store), context=call.context("rounds.summarize"))


@check_arguments
def declare_same_system(store: PresentStore, run: LaterRun, earlier: EarlierRun) -> ResultInLines:
    """Declare that two runs from different rounds are the same system.

    `cranfield lag` compares a system across rounds. Runs with the same team and
    tag are always the same system. Other runs count as the same system only
    if you declare them to be.

    Example: cranfield round same track.db 2/bm25-v2 1/bm25

    Example: cranfield round same track.db 3/bm25 2/bm25-v2

    Parameters
    ----------
    store : path or Store
        The store.
    run : str
        Later run.
    earlier : str
        Run of an earlier round.

    Returns
    -------
    ResultInLines
        One row, with the columns run and earlier.

    Raises
    ------
    StoreError
        If a run is unknown, or both runs are from the same round.
    """
    from cranfield.store.round_changes import record_same_system

    with open_store_call(store) as call:
        record_same_system(call.store, run, earlier)
        row = {"run": run, "earlier": earlier}
        line = f"{run} is now linked to {earlier} as the same system"
        return ResultInLines([row], context=call.context("rounds.declare_same_system"), lines=[line])


HEADS = {"change": "change", "dRI": "delta_ri", "ER": "er"}


class SystemChangeTable(Result):
    """Change of each system from round to round."""

    @property
    def typeset(self) -> TypesetTable:
        """The rows, with an interval next to each number."""
        return TypesetTable([_join_intervals(row) for row in self.rows()])


def _join_intervals(row: Mapping[str, Any]) -> dict[str, Any]:
    def add_ends(name: str) -> FormattedNumber:
        value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
        return FormattedNumber(f"{value:+.4f} [{low:+.3f} {high:+.3f}]")

    ends = {head: add_ends(name) for head, name in HEADS.items() if name in row}
    return {name: row[name] for name in ("system", "measure", "round", "topics", "first", "now")} | ends


@check_arguments
def compare_systems(
    store: ReadStore,
    rounds: ComparedRounds,
    *,
    runs: ComparedSystems = (),
    pivot: PivotSystem = None,
    measures: Measures = "nDCG@10",
    topics: Topics = "all",
    judged: LaterJudgments = None,
) -> Result:
    """Show how the scores of the same systems change between rounds.

    Each change in a mean has a 95% interval over topics. A system is in two rounds if its team and tag are in both, or
    if it was declared with `cranfield round same`. Topics and documents differ between rounds, and this changes every
    mean. A pivot is an unchanged system, so the change in its scores shows this effect. The column dRI is the decrease
    since the first round in relative improvement over the pivot (0: no decrease). The column ER is the remaining share
    of the improvement (1: all of it). With `topics` common, only the topics that these rounds share are used.

    JSON: [{"system", "measure", "round", "topics", "first", "now", "change", "change_low", "change_high", "delta_ri",
    "delta_ri_low", "delta_ri_high", "er", "er_low", "er_high"}].

    Example: cranfield lag track.db --rounds 1,2 --pivot bm25 --topics common

    Example: cranfield lag track.db --rounds 1,2,3 --pivot bm25 -m nDCG@10

    Parameters
    ----------
    store : path or Store
        The store.
    rounds : sequence of str
        Names of the rounds. The first is the reference.
    runs : iterable of str
        Systems to show; by default all systems in these rounds.
    pivot : str, optional
        Unchanged system, whose scores show the effect of new topics and documents.
    measures : measure or iterable of measures
        Measures.
    topics : str
        "all", "common", a topic set of the store, or a file of topic ids.
    judged : {"residual", "own", "cumulative"}, optional
        Judgments to use in the rounds after the first.

    Returns
    -------
    Result
        One row per system, measure and round after the first. Columns: system, measure, round, topics, first, now and
        change, and with a pivot delta_ri and er. Columns that end in _low and _high contain the ends of the 95%
        intervals for change, delta_ri and er.

    Raises
    ------
    InputError
        If fewer than two rounds are given, or no system is in all of them.
    """
    from cranfield.analysis.lag import lag_display_rows, system_lag_rows
    from cranfield.arrays import parse_topics, topic_set_of
    from cranfield.metrics.notation import parse_measures

    with open_store_call(store, Selection(topics=topic_set_of(topics))) as call:
        scorers = parse_measures(measures, call.store.collection.min_relevant)
        rows, lines = system_lag_rows(
            call.store, list(rounds), scorers, pivot=pivot, runs=runs, topics=parse_topics(topics), judged=judged
        )
        call.note(*lines)
        return SystemChangeTable(lag_display_rows(rows), context=call.context("rounds.compare_systems"))
