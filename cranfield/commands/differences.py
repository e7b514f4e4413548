"""How two sets of judgments differ, and what that changes for the runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import nan
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from cranfield.commands.calls import open_reading, open_store_call, provenance_of, single_store_path
from cranfield.errors import ArgumentError
from cranfield.options import Measures
from cranfield.options.arguments import JudgedBefore, OnlyTopics, Round, RoundJudgments, check_arguments, selection_of
from cranfield.options.judging import ChangedContents, ComparedSides, LabelsOfEither, StoreOrQrels
from cranfield.results import CallContext, Result, TypesetTable

if TYPE_CHECKING:
    from cranfield.analysis.changes import ContentChanges
    from cranfield.analysis.labels import LabelDiff
    from cranfield.judging.labels.diff import LabelChanges, SystemChanges
    from cranfield.selection import Selection

ShownDifferences = Literal["systems", "labels", "flips"]


@dataclass(frozen=True, repr=False, eq=False)
class JudgmentDifferences(Result):
    """Differences between two or more sets of judgments.

    Parameters
    ----------
    diffs : sequence of (str, str, LabelDiff)
        The names of each pair of sets, and their differences.
    every : bool
        Whether all labels of both sides were compared.
    show : {"systems", "labels", "flips"}
        The rows of the result.
    """

    diffs: Sequence[tuple[str, str, LabelDiff]] = ()
    every: bool = False
    show: ShownDifferences = "systems"

    def shown_rows(self, show: ShownDifferences) -> list[dict[str, Any]]:
        """Return the rows that the command prints for two sets."""
        [(_, _, (labels, systems, _))] = self.diffs
        if show == "labels":
            return _label_rows(labels, self.every)
        return _flip_rows(systems) if show == "flips" else _system_rows(systems)

    @property
    def typeset(self) -> TypesetTable:
        """The rows that the command prints."""
        return TypesetTable(self.shown_rows(self.show) if len(self.diffs) == 1 else self.rows())


@dataclass(frozen=True, repr=False, eq=False)
class ReleaseChanges(Result):
    """Changes from one release to another.

    Parameters
    ----------
    changes : ContentChanges
        The changes, and the scores of the runs in both releases.
    """

    columns: ClassVar[tuple[str, ...]] = ("what", "change", "name", "detail")

    changes: ContentChanges = field(kw_only=True)


@check_arguments
def compare_judgments(
    store: StoreOrQrels,
    a: ComparedSides,
    b: str | PathLike[str] | None = None,
    *,
    measures: Measures = ("AP", "nDCG@10"),
    every: LabelsOfEither = False,
    contents: ChangedContents = False,
    topics: OnlyTopics = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    show: ShownDifferences = "systems",
) -> Result:
    """Compare two sets of judgments, and their effect on the runs.

    A and B are policies (such as primary or median-low), assessors, people or models, releases, or qrels files. The
    command shows which labels differ, and how scores, ranks and significance change. Runs are scored on the documents
    that both sides labelled, because a document with one label is not a disagreement. With `every`, runs are scored on
    all labels of both sides, on their common topics; documents that a side did not label count as unjudged. For two
    releases, the runs that are in both are scored.

    Read the score and rank changes of single runs before tau, which hardly changes when one run moves. Significance is
    tested by the paired t test at 5%, without correction. Among many pairs, some differences appear or vanish by
    chance.

    With `contents`, the command lists the items that are new, missing, renamed, withdrawn or changed in B. B is a later
    release or the current store. It scores the runs that are in both with all labels, on their common topics.

    Instead of a store, you can give two or more qrels files, followed by runs. With three or more, the table has a row
    for each pair.

    Example: cranfield diff track.db primary median-low

    Example: cranfield diff old.qrels new.qrels runs/*.gz

    Parameters
    ----------
    store : path or Store
        The store, or a qrels file.
    a, b : str or path
        The two sides: policies, assessors, people or models, releases, or qrels files. `a` may also be a sequence of
        all sides. With files, `a` is the second qrels file, and `b` the runs.
    measures : measure or iterable of measures
        The measures of the runs.
    every : bool
        Whether to compare all labels of both sides, not only documents that both labelled.
    contents : bool
        Whether to compare the contents of releases: topics, documents, runs and labels. `b` is by default the current
        store.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments to use.
    show : {"systems", "labels", "flips"}
        The rows of the result: scores and ranks of the runs, labels that differ, or pairs of runs that gain or lose a
        significant difference.

    Returns
    -------
    Result
        The rows of `show`. With more than two sides, a row for each pair: a, b, same, changed, only a, only b, and tau
        of each measure. With `contents`, a row for each change: what, change, name and detail.

    Raises
    ------
    InputError
        If there are fewer than two sides, or a side is unknown.

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
    >>> for name, grade in {"ada": 1, "bob": 0}.items():
    ...     _ = cranfield.store.import_qrels(store, {"q": {"d1": grade}}, assessor=name, kind="human")
    >>> table = compare_judgments(store, ["ada", "bob"]).frame
    >>> table[["run", "measure", "a", "b"]].values.tolist()[:2]
    [['a', 'AP', 1.0, 0.0], ['b', 'AP', 0.0, 0.0]]
    >>> store.close()
    """
    names = [str(name) for name in ([a] if isinstance(a, str | PathLike) else a)] + ([] if b is None else [str(b)])
    if contents:
        if topics is not None:
            raise ArgumentError("lists all changes; leave out --topics", "contents")
        return _changes(store, names, measures)
    selection = selection_of(topics, round, judged, remove_judged)
    return _judgment_differences(store, names, measures, every=every, show=show, selection=selection)


def _changes(store: Any, names: Sequence[str], measures: Any) -> ReleaseChanges:
    from cranfield.analysis.changes import content_changes
    from cranfield.text import counted

    with open_store_call(store) as call:
        delta = content_changes(call.store, names, measures)
        for side, whose in delta.labelled_by.items():
            call.note(f"{delta.a if side == 'a' else delta.b} uses the labels of {whose}, the store's choice")
        found = counted(len(delta.changes), "change") if delta.changes else "no change"
        return ReleaseChanges(
            [change._asdict() for change in delta.changes],
            title=f"from {delta.a} to {delta.b}: {found}",
            document=delta.document,
            changes=delta,
            context=call.context("judging.compare_judgments"),
        )


def _judgment_differences(
    store: Any, names: Sequence[str], measures: Any, *, every: bool, show: ShownDifferences, selection: Selection
) -> JudgmentDifferences:
    from cranfield.analysis.labels import label_diffs_in_files, label_diffs_in_store
    from cranfield.store.reading import SelectedPlace
    from cranfield.view import View, find_store

    if isinstance(store, View):
        store.options_for("compare_judgments", (), ())
    with open_reading([store], selection) as reading:
        place = find_store(store)
        if place is None:
            diffs = label_diffs_in_files([str(store), *names], reading, measures, every)
        else:
            place = place.place if isinstance(place, SelectedPlace) else place
            diffs = label_diffs_in_store(reading.select_place(place), names, measures, every)
    if not diffs:
        raise ArgumentError("expected two or more sets to compare", "a")
    provenance = provenance_of("judging.compare_judgments", single_store_path(store), reading.selection)
    context = CallContext(left_out=reading.left_out, provenance=provenance)
    if len(diffs) > 1:
        taus = list(dict.fromkeys(name for *_, one in diffs if one.systems for name in one.systems.tau))
        rows: list[dict[str, Any]] = [_pair_row(*pair, taus) for pair in diffs]
        documents = [pair[2].document for pair in diffs]
        return JudgmentDifferences(rows, document=documents, diffs=diffs, every=every, context=context)
    document = diffs[0][2].document
    rows = document["labels"]["changes"] if show == "labels" else document[show]
    return JudgmentDifferences(rows, document=document, diffs=diffs, every=every, show=show, context=context)


def _pair_row(a: str, b: str, one: LabelDiff, measures: Sequence[str]) -> dict[str, Any]:
    """One of several pairs: how many labels differ, and how far the system ranking moves by each measure."""
    labels, tau = {"same": one.labels.n_same, "changed": one.labels.n_different}, one.systems.tau if one.systems else {}
    taus = {f"tau {name}": tau.get(name, nan) for name in measures}
    return {"a": a, "b": b, **labels, "only a": one.labels.only_a, "only b": one.labels.only_b, **taus}


def _label_rows(labels: LabelChanges, every: bool) -> list[dict[str, Any]]:
    changes = [one for one in labels.changes if every or None not in one]
    return [{"topic": qid, "document": docno, "a": x, "b": y} for (qid, docno), x, y in changes]


def _system_rows(systems: SystemChanges | None) -> list[dict[str, Any]]:
    if systems is None:
        return []
    return [
        {
            "run": it.run, "measure": it.measure, "a": it.a, "b": it.b, "change": it.b - it.a,
            "rank in a": it.rank_a, "rank in b": it.rank_b,
        }
        for measure in systems.tau
        for it in systems.changes_of_measure(measure)
    ]  # fmt: skip


def _flip_rows(systems: SystemChanges | None) -> list[dict[str, Any]]:
    words = {1: "better", 0: "no difference", -1: "worse"}
    return [
        {"measure": it.measure, "run": it.run, "than": it.other, "a": words[it.a], "b": words[it.b]}
        for it in (systems.flips if systems else ())
    ]
