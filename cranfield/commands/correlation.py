"""How similar two rankings of the same systems are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, overload

from cranfield.arrays import WhichTopics
from cranfield.commands.calls import ViewedCall, ViewOptions, open_view, provenance_of
from cranfield.errors import ArgumentError, InputError, give_warning
from cranfield.extras import require_extra
from cranfield.lazy import lazy_type
from cranfield.options import Argument, Assessor, IgnoreOwnId, Labels, PolicyName, Topics
from cranfield.options.arguments import JudgedBefore, Round, RoundJudgments, check_arguments
from cranfield.options.correlation import (
    CorrelatedMeasures,
    EstimateMeasures,
)
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
    ScoresLike = lazy_type("cranfield.metrics.correlation.correlate", "ScoresLike")
    Store, View = lazy_type("cranfield.store.store", "Store"), lazy_type("cranfield.view", "View")
    MeasuresLike, Side = (
        lazy_type("cranfield.metrics.notation", "MeasuresLike"),
        lazy_type("cranfield.analysis.comparison", "Side"),
    )


ScoresOrFile: TypeAlias = ScoresLike | str | PathLike[str]
SourceOfScores: TypeAlias = str | PathLike[str] | Store | View
TrueScores = Annotated[
    ScoresOrFile | SourceOfScores,
    Argument(
        "One or two score files, or folders of them, written by `evaluate` (JSON, CSV, TSV), trec_eval, MTEB or"
        " AutoJudge. The first file is the truth. Alternatively, a store, or a qrels file followed by run files.",
        metavar="A [B...]", typed=list[Path], reads="store, or qrels and runs",
    ),
]  # fmt: skip


@dataclass(frozen=True, repr=False, eq=False)
class RankingCorrelation(Result):
    """Correlation coefficients between rankings.

    Columns: truth, estimate, systems, coefficient, value and "how to read it".

    Parameters
    ----------
    comparisons : sequence of dict
        One record for each pair: truth, estimate, systems, left_out, undefined and coefficients.
    pairs : sequence of pairs
        The truth and the estimate of each pair: a name, and the scores by system.
    """

    comparisons: Sequence[dict[str, Any]] = ()
    pairs: Sequence[tuple[Side, Side]] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per pair and coefficient."""
        from cranfield.analysis.comparison import table_rows

        return [
            {"truth": one["truth"], "estimate": one["estimate"], "systems": one["systems"], **row}
            for one in self.comparisons
            for row in table_rows(one)
        ]

    def plot(self, ax: Any = None) -> Any:
        """Draw a panel for each pair, with a point for each system. The systems whose ranks differ most are named."""
        require_extra("plot", "a plot")
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
    """Measure how similar two rankings of the same systems are.

    The command prints Kendall's tau, AP correlation, RBO and other coefficients. It compares the scores of one measure
    in two files, for example from two sets of judgments, or several measures from one source. The first file or measure
    is the truth; tau_AP and the "a" variants depend on which side is the truth. Check your own system's score first,
    because no coefficient over many systems shows what happens to a single system.

    A measure is compared with the same measure in the other file, or with the measure in `estimate_measures`.

    `.plot()` draws a point for each system, and names the systems whose ranks differ most.

    Example: cranfield correlate qrels.txt runs/*.gz -m AP -m P@10

    Example: cranfield correlate full.json sample.json -m AP --as "AP(judged_only=True)"

    Parameters
    ----------
    truth : scores, path, store or View
        The scores of the systems by one measure, as a dict or Series by system, a sequence, the result of `evaluate`,
        its frame, or a score file. If `estimate` is missing: a score file with several measures, a store or a View.
    estimate : scores or path, optional
        The scores of the same systems. Sequences must be in the same order. Other types are matched by system name,
        and a warning reports the number of systems without a counterpart.
    measures : measure or iterable of measures, optional
        The measures (files, stores and Views only). With a single source, the first measure is taken as the truth. The
        default is AP and P@10, or the first two measures of a file. For two files, the default is all measures that
        both contain.
    estimate_measures : measure or iterable of measures, optional
        The measures of the second file, in the order of `measures`, if they differ from `measures` (two files only).
    topics : str
        Topics to score: "all", "common", a topic set of the store, or a file of topic ids. With "all", a run scores 0
        on topics that it did not answer. With "common", only topics that every run answered count.
    ignore_own_id : bool
        Remove documents whose id equals the topic id.
    assessor, policy, labels : str, optional
        The assessors whose judgments count, and the policy for differing judgments (stores only).
    round, judged, remove_judged : str, optional
        The round and which of its judgments to use (stores), or a qrels file of earlier judgments (files).

    Returns
    -------
    RankingCorrelation
        Columns: truth, estimate, systems, coefficient, value and "how to read it".

    Raises
    ------
    InputError
        If no system has scores on both sides, or a measure has no scores.

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
        raise InputError(f"{chosen.given[0]} needs a store or a View; scores contain neither topics nor documents")
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
    from cranfield.metrics.notation import as_measure_list

    return [str(one) for one in as_measure_list(measures)]


def _pairs_of_source(
    call: ViewedCall, paths: Sequence[Path], measures: Sequence[str], others: Sequence[str]
) -> list[tuple[Side, Side]]:
    """The pairs of truth and estimate to compare; the other measures are those of the second of two files."""
    from cranfield.analysis.comparison import pair_by_file, read_score_table, score_table
    from cranfield.source import refuse_store_options

    view, tables = call.view, [read_score_table(path) for path in paths[:2]]
    if len(paths) > 2:
        if all(table is not None for table in tables):
            raise InputError("expected at most two score files; this is the third", paths[2])
        tables = []
    if any(table is not None for table in tables):
        refuse_store_options(paths[0], view.setting.labellers)
        if view.setting.labellers.ignore_own_id:
            raise InputError("--ignore-own-id needs runs; score files contain no documents", paths[0])
        if view.which is not WhichTopics.all:
            raise InputError("--topics needs runs; score files contain means, not topics", paths[0])
    if len(tables) == 2 and any(table is not None for table in tables):
        return _pairs_of_files(paths, measures, others)
    if others:
        raise ArgumentError("needs two score files; for one source, name both measures with -m", "estimate_measures")
    if len(tables) == 1 and tables[0] is not None:
        return pair_by_file(tables[0], measures or list(tables[0])[:2], paths[0])
    return pair_by_file(score_table(view, measures or ["AP", "P@10"]), [], paths[0] if paths else None)


def _pairs_of_files(paths: Sequence[Path], measures: Sequence[str], others: Sequence[str]) -> list[tuple[Side, Side]]:
    """Each measure of one file and the same measure of the other, or the one given for it."""
    from cranfield.analysis.comparison import measure_name_in_file, read_score_table, require_scores

    a, b = (require_scores(read_score_table(path), path) for path in paths)
    if others and len(others) != len(measures):
        raise ArgumentError(
            f"got {counted(len(others), 'measure')}, but -m names {len(measures)}; expected one for each",
            "estimate_measures",
        )
    ours = [measure_name_in_file(a, measure, paths[0]) for measure in measures] or [
        measure for measure in a if measure in b
    ]
    if not ours:
        raise InputError(
            f"the files have no measure in common ({', '.join(a)}; {', '.join(b)}), so choose a measure from each"
            " with -m and --as",
            paths[1],
        )
    theirs = [measure_name_in_file(b, measure, paths[1]) for measure in others or ours]
    return [((f"{x} in {paths[0]}", a[x]), (f"{y} in {paths[1]}", b[y])) for x, y in zip(ours, theirs, strict=True)]


def _pair_of_scores(
    truth: ScoresOrFile, estimate: ScoresOrFile, measures: Sequence[str], others: Sequence[str]
) -> tuple[Side, Side]:
    """Two sets of scores, each by one measure."""
    from cranfield.metrics.correlation.correlate import named_scores

    if (measures or others) and not any(isinstance(one, str | PathLike) for one in (truth, estimate)):
        raise InputError("measures applies only to score files; other scores have one measure")
    x, y = named_scores(_scores_by_one_measure(truth, measures), _scores_by_one_measure(estimate, others or measures))
    return (_name_of_side("truth", truth), x), (_name_of_side("estimate", estimate), y)


def _name_of_side(side: str, scores: ScoresOrFile) -> str:
    return f"{side} in {scores}" if isinstance(scores, str | PathLike) else side


def _scores_by_one_measure(scores: ScoresOrFile, measures: Sequence[str]) -> ScoresLike:
    from cranfield.analysis.comparison import measure_name_in_file, read_score_table, require_scores

    if not isinstance(scores, str | PathLike):
        return scores
    path = Path(scores)
    table = require_scores(read_score_table(path), path)
    names = [measure_name_in_file(table, measure, path) for measure in measures] or [*table]
    if len(names) != 1:
        listed = f"scores by {counted(len(names), 'measure')}: {', '.join(names)}"
        raise InputError(f"{listed}; choose one with measures=NAME", path)
    return table[names[0]]
