"""How similar two rankings of the same systems are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, overload

from cranfield.api.arguments import check_arguments
from cranfield.arrays import WhichTopics
from cranfield.commands.opened import provenance_of
from cranfield.commands.viewed import ViewedCall, ViewOptions, open_view
from cranfield.errors import ArgumentError, InputError, give_warning
from cranfield.extras import require
from cranfield.lazy import type_in
from cranfield.options import Argument, Assessor, IgnoreOwnId, Labels, PolicyName, Topics
from cranfield.options.correlation import (
    CorrelatedMeasures,
    EstimateMeasures,
)
from cranfield.options.given import JudgedBefore, Round, RoundJudgments
from cranfield.results import CallContext, Result
from cranfield.selection import EVERYTHING
from cranfield.store.reading import SelectedPlace
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.analysis.comparison import Side
    from cranfield.metrics.correlation.correlate import ScoresLike
    from cranfield.metrics.notation import MeasuresLike
    from cranfield.store.store import Store
    from cranfield.view import View
else:
    ScoresLike = type_in("cranfield.metrics.correlation.correlate", "ScoresLike")
    Store, View = type_in("cranfield.store.store", "Store"), type_in("cranfield.view", "View")
    MeasuresLike, Side = (
        type_in("cranfield.metrics.notation", "MeasuresLike"),
        type_in("cranfield.analysis.comparison", "Side"),
    )


ScoresOrFile: TypeAlias = ScoresLike | str | PathLike[str]
SourceOfScores: TypeAlias = str | PathLike[str] | Store | View
TrueScores = Annotated[
    ScoresOrFile | SourceOfScores,
    Argument(
        "One or two files of scores, written by `evaluate` (JSON, CSV, TSV), trec_eval, MTEB or AutoJudge, or"
        " folders of them; or a store, or a qrels file followed by run files. The first is the truth.",
        metavar="A [B...]", typed=list[Path], reads="store, or qrels and runs",
    ),
]  # fmt: skip


@dataclass(frozen=True, repr=False, eq=False)
class RankingCorrelation(Result):
    """Coefficients of pairs of rankings: truth, estimate, systems, coefficient, value, how to read it.

    Parameters
    ----------
    comparisons : sequence of dict
        For each pair: truth, estimate, systems, left_out, undefined and coefficients.
    pairs : sequence of pairs
        The truth and the estimate of each pair: a name, and the scores by system.
    """

    comparisons: Sequence[dict[str, Any]] = ()
    pairs: Sequence[tuple[Side, Side]] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each pair and coefficient."""
        from cranfield.analysis.comparison import table_rows

        return [
            {"truth": one["truth"], "estimate": one["estimate"], "systems": one["systems"], **row}
            for one in self.comparisons
            for row in table_rows(one)
        ]

    def plot(self, ax: Any = None) -> Any:
        """Draw a point for each system, a panel for each pair; the systems whose ranks differ most have their names."""
        require("plot", "a plot")
        from cranfield.charts.rankings import scatter_plot

        return scatter_plot(self.pairs, [one["coefficients"]["tau_b"] for one in self.comparisons], ax)


@overload
def correlate(
    truth: ScoresOrFile,
    estimate: ScoresOrFile,
    measures: MeasuresLike = (),
    *,
    estimate_measures: MeasuresLike = (),
) -> RankingCorrelation: ...
@overload
def correlate(
    truth: SourceOfScores,
    estimate: None = None,
    measures: MeasuresLike = (),
    *,
    topics: str = "all",
    ignore_own_id: bool = False,
    assessor: str | None = None,
    policy: str | None = None,
    labels: Labels = "all",
    round: str | None = None,
    judged: RoundJudgments = None,
    remove_judged: str | PathLike[str] | None = None,
) -> RankingCorrelation: ...
@check_arguments
def correlate(
    truth: TrueScores,
    estimate: ScoresOrFile | None = None,
    measures: CorrelatedMeasures = (),
    *,
    estimate_measures: EstimateMeasures = (),
    topics: Topics = "all",
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
) -> RankingCorrelation:
    """Measure how similar two rankings of the same systems are: Kendall's tau, AP correlation, RBO and others.

    Compares either two files of scores by one measure, such as scores from two sets of judgments, or several measures
    of one source. The first is taken as the truth; tau_AP and the "a" variants depend on it. Check your own system's
    score first, because no coefficient over many systems shows what happens to one.

    A measure is compared with the same measure of the other file, or with the one that `estimate_measures` names.

    `.plot()` draws a point for each system, and names those whose ranks differ most.

    Example: cranfield correlate qrels.txt runs/*.gz -m AP -m P@10

    Example: cranfield correlate full.json sample.json -m AP --as "AP(judged_only=True)"

    Parameters
    ----------
    truth : scores, path, store or View
        The scores of the systems: a dict or Series by system, a sequence, the result of `evaluate` by one measure or
        its frame, or a file of scores; or, alone, a file of scores by several measures, a store or a View.
    estimate : scores or path, optional
        The scores of the same systems. Sequences are in the same order; otherwise systems are matched by name, and a
        warning gives the number of the others.
    measures : measure or iterable of measures, optional
        Of files, a store or a View: the measures. Of one source, the first is the truth; by default AP and P@10, or the
        first two measures of the file. Of two files, all that both have by default.
    estimate_measures : measure or iterable of measures, optional
        Of two files: the measures of the second file where they differ, in the order of `measures`.
    topics : str
        "all", where a topic that a run did not answer is 0 for it; "common", the topics that all runs answered; a topic
        set of the store; or the file of a list.
    ignore_own_id : bool
        Remove documents whose id is the topic's.
    assessor, policy, labels : str, optional
        Of a store: whose judgments count, and what counts where they differ.
    round, judged, remove_judged : str, optional
        Of a store: a round, and which of its judgments count. Of files: what was judged earlier.

    Returns
    -------
    RankingCorrelation
        Columns truth, estimate, systems, coefficient, value and how to read it.

    Raises
    ------
    InputError
        If there is no system on both sides, or a measure has no scores.

    Examples
    --------
    >>> table = correlate({"a": 0.3, "b": 0.2, "c": 0.1}, {"c": 0.1, "b": 0.6, "a": 0.5}).frame
    >>> table.set_index("coefficient")["value"][["tau_b", "tau_AP"]].round(4).to_dict()
    {'tau_b': 0.3333, 'tau_AP': 0.0}
    """
    from cranfield.metrics.correlation.correlate import notes_on_scores

    chosen = ViewOptions(topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged)
    names, other_names = _measure_names(measures), _measure_names(estimate_measures)
    given: Any = truth
    if isinstance(given, list) and given and isinstance(given[0], SelectedPlace):
        with open_view(given[0], given[1:], chosen, function="correlate") as call:
            pairs = _pairs_of_source(call, call.view.paths, names, other_names)
            return _correlation(pairs, call.context("correlate"))
    if estimate is None:
        with open_view(given, None, chosen, function="correlate") as call:
            paths = [Path(truth)] if isinstance(truth, str | PathLike) else []
            pairs = _pairs_of_source(call, paths, names, other_names)
            return _correlation(pairs, call.context("correlate"))
    if chosen.given:
        raise InputError(f"{chosen.given[0]} needs a store or a View; scores have no topics and no documents")
    provenance = provenance_of("correlate", None, EVERYTHING)
    if isinstance(truth, str | PathLike) and isinstance(estimate, str | PathLike):
        pairs = _pairs_of_files([Path(truth), Path(estimate)], names, other_names)
    else:
        pairs = [_pair_of_scores(given, estimate, names, other_names)]
    notes = tuple(line for x, y in pairs for line in notes_on_scores(x[1], y[1]))
    for line in notes:
        give_warning(line)
    return _correlation(pairs, CallContext(notes, provenance=provenance))


def _correlation(pairs: Sequence[tuple[Side, Side]], context: CallContext) -> RankingCorrelation:
    from cranfield.analysis.comparison import coefficients

    comparisons = [coefficients(truth, estimate) for truth, estimate in pairs]
    return RankingCorrelation(
        document={"comparisons": comparisons}, context=context, comparisons=comparisons, pairs=pairs
    )


def _measure_names(measures: MeasuresLike) -> list[str]:
    from cranfield.metrics.notation import one_or_several

    return [str(one) for one in one_or_several(measures)]


def _pairs_of_source(
    call: ViewedCall, paths: Sequence[Path], measures: Sequence[str], others: Sequence[str]
) -> list[tuple[Side, Side]]:
    """The pairs of truth and estimate to compare; the other measures are those of the second of two files."""
    from cranfield.analysis.comparison import pair_by_file, score_table, table_of
    from cranfield.source import refuse_store_options

    view, tables = call.view, [table_of(path) for path in paths[:2]]
    if len(paths) > 2:
        if all(table is not None for table in tables):
            raise InputError("a third file; two files of scores are compared at a time", paths[2])
        tables = []
    if any(table is not None for table in tables):
        refuse_store_options(paths[0], view.setting.labellers)
        if view.setting.labellers.ignore_own_id:
            raise InputError("--ignore-own-id needs runs; files of scores have means, not documents", paths[0])
        if view.which is not WhichTopics.all:
            raise InputError("--topics needs runs; files of scores have means, not topics", paths[0])
    if len(tables) == 2 and any(table is not None for table in tables):
        return _pairs_of_files(paths, measures, others)
    if others:
        raise ArgumentError("for two files of scores only; for one source, -m names both measures", "estimate_measures")
    if len(tables) == 1 and tables[0] is not None:
        return pair_by_file(tables[0], measures or list(tables[0])[:2], paths[0])
    return pair_by_file(score_table(view, measures or ["AP", "P@10"]), [], paths[0] if paths else None)


def _pairs_of_files(paths: Sequence[Path], measures: Sequence[str], others: Sequence[str]) -> list[tuple[Side, Side]]:
    """Each measure of one file and the same measure of the other, or the one given for it."""
    from cranfield.analysis.comparison import as_written, require_scores, table_of

    a, b = (require_scores(table_of(path), path) for path in paths)
    if others and len(others) != len(measures):
        raise ArgumentError(
            f"{len(others)} of them, but -m names {len(measures)}; expected one for each", "estimate_measures"
        )
    ours = [as_written(a, measure, paths[0]) for measure in measures] or [measure for measure in a if measure in b]
    if not ours:
        raise InputError(
            f"no measure is in both files: {', '.join(a)} there, {', '.join(b)} here; choose with -m and --as",
            paths[1],
        )
    theirs = [as_written(b, measure, paths[1]) for measure in others or ours]
    return [((f"{x} in {paths[0]}", a[x]), (f"{y} in {paths[1]}", b[y])) for x, y in zip(ours, theirs, strict=True)]


def _pair_of_scores(
    truth: ScoresOrFile, estimate: ScoresOrFile, measures: Sequence[str], others: Sequence[str]
) -> tuple[Side, Side]:
    """Two sets of scores, each by one measure."""
    from cranfield.metrics.correlation.correlate import named_scores

    if (measures or others) and not any(isinstance(one, str | PathLike) for one in (truth, estimate)):
        raise InputError("measures are those of files; scores of other forms are by one measure")
    x, y = named_scores(_scores_by_one_measure(truth, measures), _scores_by_one_measure(estimate, others or measures))
    return (_name_of_side("truth", truth), x), (_name_of_side("estimate", estimate), y)


def _name_of_side(side: str, scores: ScoresOrFile) -> str:
    return f"{side} in {scores}" if isinstance(scores, str | PathLike) else side


def _scores_by_one_measure(scores: ScoresOrFile, measures: Sequence[str]) -> ScoresLike:
    from cranfield.analysis.comparison import as_written, require_scores, table_of

    if not isinstance(scores, str | PathLike):
        return scores
    path = Path(scores)
    table = require_scores(table_of(path), path)
    names = [as_written(table, measure, path) for measure in measures] or [*table]
    if len(names) != 1:
        listed = f"scores by {counted(len(names), 'measure')}: {', '.join(names)}"
        raise InputError(f"{listed}; expected one; choose with measures=NAME", path)
    return table[names[0]]
