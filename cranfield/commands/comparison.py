"""Which runs differ significantly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.api.arguments import check_arguments
from cranfield.commands.subject import Subject
from cranfield.commands.viewed import KnownRuns, QrelsOrStore, ViewedCall, ViewOptions, open_view
from cranfield.errors import ArgumentError, CombinationError, blaming_argument
from cranfield.extras import require
from cranfield.lazy import type_in
from cranfield.options import Assessor, Cluster, IgnoreOwnId, Labels, PolicyName, Topics
from cranfield.options.comparison import (
    Alpha,
    Baseline,
    ComparedMeasures,
    CorrectionName,
    GateConditions,
    JunitFile,
    LabelledDraws,
    PoolRuns,
    Resamples,
    ResampleSeed,
    SettlingDraw,
    SignificanceTest,
    UndecidedRule,
    ZerosRule,
)
from cranfield.options.given import JudgedBefore, Round, RoundJudgments
from cranfield.results import Result, TypesetTable, with_labellers
from cranfield.rng import seed_of
from cranfield.text import counted

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.analysis.comparison import JudgedOrScores, OpenedSubject
    from cranfield.analysis.gate import Condition, ConditionResult
    from cranfield.analysis.outcomes import ComparedOutcomes, CompareSetting
    from cranfield.call_view import CallView
    from cranfield.metrics.forecast.comparisons import FamilyOutcomes
else:
    DataFrame = type_in("pandas", "DataFrame")
    JudgedOrScores = type_in("cranfield.analysis.comparison", "JudgedOrScores")
    ConditionResult = type_in("cranfield.analysis.gate", "ConditionResult")
    ComparedOutcomes = type_in("cranfield.analysis.outcomes", "ComparedOutcomes")
    FamilyOutcomes = type_in("cranfield.metrics.forecast.comparisons", "FamilyOutcomes")


@dataclass(frozen=True, repr=False, eq=False)
class RunComparison(Result):
    """Differences between runs: a row for each pair and measure.

    Parameters
    ----------
    table : DataFrame
        The pairs.
    settings : dict
        The test, its correction and its level; None where the test does not use a setting.
    baseline : str or None
        The run with which every other run is compared; None for all pairs.
    subject : Judged, JudgedBlocks or DataFrame
        What was compared.
    compared : ComparedOutcomes or None
        The outcomes by what is unjudged; None for scores, whose documents are not known.
    checks : sequence of ConditionResult
        The conditions of `fail_if`, by run.
    lack : str
        What an undecided condition lacks.
    below : sequence of str
        The notes that the command prints below its table.
    is_drawn : bool
        Whether a draw of unjudged documents was asked for.
    is_wide : bool
        Whether `.frame` has the differences, with a row for each measure and run a, and a column for each run b.
    """

    table: DataFrame = field(kw_only=True)
    settings: dict[str, Any] = field(kw_only=True)
    subject: JudgedOrScores = field(kw_only=True)
    baseline: str | None = None
    compared: ComparedOutcomes | None = None
    checks: Sequence[ConditionResult] = ()
    lack: str = ""
    below: Sequence[str] = ()
    is_drawn: bool = False
    is_wide: bool = False

    @property
    def families(self) -> Mapping[str, FamilyOutcomes] | None:
        """The outcomes by measure; None where the documents of the runs are not known."""
        return None if self.compared is None else self.compared.families

    @property
    def shows_judged(self) -> bool:
        """Whether any run has unjudged documents."""
        return self.compared is not None and self.compared.has_unjudged

    @property
    def frame(self) -> DataFrame:
        """The pairs as a new pandas DataFrame."""
        from cranfield.api.frames import pivot_table

        if self.is_wide:
            return pivot_table(self.table, ["measure", "run_a"], "run_b", "difference")
        return with_labellers(self.table.copy(), self.context.left_out)

    @property
    def typeset(self) -> TypesetTable:
        """The pairs in short, with the title and how to read the marks as caption."""
        from cranfield.analysis.comparison_rows import display_of, marks_in_words, short_rows, why_unchecked

        table, settings = self.table, self.settings
        rows = short_rows(table, settings, self.baseline, shows_judged=self.shows_judged)
        lack = why_unchecked(table)
        if lack:
            rows = [row | {"outcome": outcome} for row, outcome in zip(rows, table["outcome"], strict=True)]
        return TypesetTable(rows, display_of(rows), "; ".join([self.title, *marks_in_words(table, settings), *lack]))

    def plot(self, ax: Any = None) -> Any:
        """Draw one pair topic by topic, the difference of each run from the baseline, or a matrix of all pairs."""
        require("plot", "a plot")
        from cranfield.analysis.comparison import draw

        return draw(self.subject, self.table, self.baseline, self.settings["alpha"], ax)


@check_arguments
def compare(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    measures: ComparedMeasures = None,
    *,
    baseline: Baseline = None,
    test: SignificanceTest = "t",
    correction: CorrectionName = None,
    alpha: Alpha = 0.05,
    samples: Resamples = 100_000,
    rng: ResampleSeed = None,
    zeros: ZerosRule = "wilcox",
    pool_runs: PoolRuns = None,
    drawn: LabelledDraws = None,
    topics: Topics = "all",
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    cluster: Cluster = None,
    fail_if: GateConditions = (),
    undecided: UndecidedRule = None,
    settle: SettlingDraw = None,
    junit: JunitFile = None,
    pivot: bool = False,
    subject: Subject | None = None,
) -> RunComparison:
    """Test which runs differ significantly, by more than the choice of topics explains.

    Which test: the paired t test or the permutation test, corrected for
    the number of pairs. Both test the mean, agree on real runs and keep
    the error rate alpha. For all pairs of runs, tukey tests all of them
    at once. Wilcoxon's test and the sign test are about ranks and wins,
    not about means; on retrieval scores their error rate exceeds alpha,
    the more so the more topics there are. The bootstrap gives too many
    false alarms with few topics, so it has no p below 50. Where a few of 50
    topics decide, the p of the t test is at most .05 in 6.8% of the cases
    without a difference: look at the differences by topic with `.plot()`.
    (Smucker, Allan and Carterette 2007; Carterette 2012; Urbano, Lima and
    Hanjalic 2019.)

    Read the difference and its interval first, then p. Choose test,
    measure and baseline before you see the scores. JSON and CSV have all
    columns of each pair.

    Unjudged documents can make a difference. judged@k is the judged share of
    a run's first k documents. A difference is significant (*) if it is so in
    at least 90% of simulated labellings of what is unjudged, "due to
    unjudged documents" if in at most 10%, and otherwise not decided (?). The
    labels are simulated by a model of the pooled runs: those of the store or
    of `pool_runs`. Without them a difference stands only if it is
    significant at its least and at its greatest value on every topic.
    `settle` draws documents to judge; `drawn` reads their labels.

    `.plot()` draws one pair by one measure topic by topic; with `baseline` the
    difference of each run and its interval; otherwise a matrix of all pairs.

    The generated answers of a store are compared by V_strict unless
    `measures` names others, on the topics on which both have all labels.

    On the command line, SOURCE may also be files with scores by topic, or
    folders with such files. `cranfield evaluate --per-topic -o scores.csv`
    writes one (also .json and .tsv). `trec_eval -q`, `ir_measures -q` and
    pytrec_eval (JSON) write others. trec_eval and ir_measures write four
    decimals, the others all digits. Scores hold no judgments: a difference is
    not decided where the file says that documents are unjudged, and not
    checked where it does not say.

    With `fail_if` it is a gate for continuous integration. Without `measures`
    the measures that the conditions name are compared. On the command line
    the exit status is 3 where a condition holds, and 4 where unjudged
    documents leave one undecided and none holds, with a line for each on
    stderr.

    `cranfield compare og.qrels og.run new.run --changed-qrels new.qrels`, in
    Python `cranfield.metrics.p_mrr`, measures p-MRR (FollowIR) instead:
    whether ranks follow a change of the instructions. Documents that are
    relevant in the original qrels and judged not relevant in the changed ones
    should move down.

    Example: cranfield compare qrels.txt runs/*.gz --baseline bm25 -m AP

    Example: cranfield compare track.db --test permutation --topics dev

    Parameters
    ----------
    qrels : judgments, store, View or scores
        The judgments in any form that `evaluate` takes; or, alone, a store, a View or scores: a table as
        `evaluate(..., per_topic=True)` returns it, long or with `pivot=True`, or a pivot of it whose levels are named
        run, query_id and measure.
    runs : runs, optional
        The runs in any form that `evaluate` takes, such as a dict {name: {query_id: {doc_id: score}}}.
    measures : measure or iterable of measures, optional
        The measures; AP by default, all of a table of scores.
    baseline : str, optional
        The name of the run with which every other run is compared: its key in a dict, or its tag in a file. By default
        all pairs are compared.
    test : {"t", "permutation", "tukey", "bootstrap", "wilcoxon", "sign"}
        The significance test.
    correction : {"holm", "bh", "bonferroni", "none"}, optional
        The correction for multiple comparisons; holm by default, none with tukey.
    alpha : float
        The significance level, above 0 and below 1. Intervals have the confidence level 1 - alpha.
    samples : int
        Number of resamples for permutation, bootstrap and tukey.
    rng : int or numpy.random.Generator, optional
        Random seed of the resamples, or a generator that draws it; 0 by default.
    zeros : {"wilcox", "pratt", "zsplit"}
        What wilcoxon does with topics without a difference.
    pool_runs : runs, optional
        For judgments and runs: the runs that the pool was made from. They are not compared.
    drawn : path or iterable of paths, optional
        Labelled draws of unjudged documents, as `settle` writes them.
    topics : str
        "all", where a topic that a run did not answer is 0 for it; "common", the topics that all runs answered; a topic
        set of the store; or the file of a list.
    ignore_own_id : bool
        Remove documents whose id is the topic's.
    assessor, policy, labels : str, optional
        Of a store: whose judgments count, and what counts where they differ.
    round, judged, remove_judged : str, optional
        Of a store: a round, and which of its judgments count. Of files: what was judged earlier.
    cluster : str, optional
        Address of a Dask cluster, or local:N for N processes.
    fail_if : str or iterable of str
        With `baseline`: conditions to check, such as "AP < baseline - 2%" or "significant-loss". They do not raise an
        error; `checks` of the result says which hold.
    undecided : {"fail", "pass"}, optional
        With `fail_if`: what becomes of a condition that unjudged documents leave undecided.
    settle : path, optional
        A file for a random draw of 50 unjudged documents.
    junit : path, optional
        With `fail_if`: a file for the checks as JUnit XML.
    pivot : bool
        Whether `.frame` has the differences, with a row for each measure and run a, and a column for each run b.
    subject : Subject, optional
        What to score instead of rankings; `cranfield.subjects` has the classes.

    Returns
    -------
    RunComparison
        A row of `.frame` for each pair of runs and measure, with these columns:

        - run_a, run_b, measure: with `baseline`, run_b is the baseline
        - mean_a, mean_b, difference: the means over topics, and mean_a - mean_b
        - low, high: the interval of the difference by the paired t test at 1 - alpha, not corrected. They are NaN where
          the runs differ on fewer than eight topics.
        - effect: the difference divided by the standard deviation of the differences by topic
        - wins, ties, losses, topics: the number of topics on which run_a is better, equal or worse, and of all
        - p, p_corrected: before and after the correction, which counts the compared pairs of one measure
        - significant: p_corrected is at most alpha, and unjudged documents do not undo it
        - p_test: the test that gave p
        - exact: whether p counts all possible resamples; None where the test draws none
        - judged_a, judged_b, judged_cutoff: the judged shares of the first judged_cutoff documents
        - outcome: "significant", "not significant", "not decided: unjudged documents" or "due to unjudged documents".
          Of scores without judged shares it is "not checked: unjudged documents".
        - significant_as_judged: p_corrected is at most alpha
        - share_higher, share_lower: the shares of simulated labellings in which run_a is significantly better, or worse
        - forecast_low, forecast_high: the 95% interval of the difference over these labellings, or without labellings
          its lowest and highest possible value
        - labellings: the number of simulated labellings

    Raises
    ------
    InputError
        If there are fewer than two runs or two topics, or a run or test is unknown.
    MeasureError
        If a measure is unknown.

    See Also
    --------
    cranfield.evaluate : Score runs.
    cranfield.plot.difference_bars : Draw the difference of two runs on each topic.
    cranfield.trust.diagnose : Forecast what a new run would score if its documents were judged.

    Examples
    --------
    >>> scores = {"good": {t: {"d": 1.0} for t in "123"}, "poor": {"1": {"d": 1.0}, "2": {"e": 1.0}, "3": {"e": 1.0}}}
    >>> qrels = {topic: {"d": 1, "e": 0} for topic in "123"}
    >>> compare(qrels, scores, measures="RR", test="t").frame[["run_a", "difference", "p"]].round(3)
      run_a  difference      p
    0  good       0.667  0.184

    Several runs with a baseline, corrected by Holm's method, which is the default:

    >>> runs = scores | {"fair": {"1": {"d": 1.0}, "2": {"d": 1.0}, "3": {"e": 1.0}}}
    >>> found = compare(qrels, runs, "RR", baseline="poor", correction="holm").frame
    >>> found[["run_a", "run_b", "difference", "p", "p_corrected"]].round(3)
      run_a run_b  difference      p  p_corrected
    0  good  poor       0.667  0.184        0.367
    1  fair  poor       0.333  0.423        0.423
    """
    from cranfield.analysis.comparison import (
        add_common_difference,
        comparison_of,
        document,
        outcomes_of,
        rows_with_settings,
        settings_of,
        unreachable_gate_notes,
    )
    from cranfield.analysis.comparison_rows import title, why_unchecked
    from cranfield.analysis.gate import checks, measures_of, settle_undecided
    from cranfield.analysis.outcomes import (
        CompareSetting,
        add_outcomes_of_scores,
        lack_of_model,
        worst_case_bounds_note,
    )

    texts = [fail_if] if isinstance(fail_if, str) else [*fail_if]
    if junit is not None and not texts:
        raise CombinationError("--junit requires --fail-if")
    if undecided is not None and not texts:
        raise ArgumentError("decides the conditions of --fail-if", "undecided")
    qrels, runs = _read_once(qrels, runs, measures)
    chosen = ViewOptions(topics, ignore_own_id, assessor, policy, labels, round, judged, remove_judged)
    with open_view(qrels, runs, chosen, cluster=cluster, function="compare") as call:
        gate = _gate(texts, measures, baseline, call.view, subject)
        asked = [str(one) for one in measures_of(gate)] or None if measures is None else measures
        setting = CompareSetting(
            asked, baseline, test, correction, alpha, samples, seed_of(rng, min_seed=0), zeros, pool_runs, drawn
        )
        opened = open_compared(call, setting, subject)
        _check_measured(gate, opened.subject)
        table = add_common_difference(opened.subject, comparison_of(opened.subject, opened.measures, setting))
        settings, option = settings_of(setting), _option_of_pool_runs(call)
        compared = outcomes_of(opened, table, setting) if opened.has_outcomes else None
        if compared is not None:
            table = compared.table
        elif opened.has_outcomes:
            if settle is not None or drawn:
                raise CombinationError("--settle and --drawn require qrels and runs; scores hold no judgments")
            table = add_outcomes_of_scores(table, opened.scores)
        lack = "" if compared is None else lack_of_model(compared, option)
        families = None if compared is None else compared.families
        found = checks(table, gate, baseline, families, lack) if baseline is not None else []
        of_draw = "" if compared is None or settle is None else _draw_to_settle(settle, compared, found, setting)
        found = settle_undecided(found, undecided)
        if junit is not None:
            _write_junit(junit, found)
        pool_words = [] if compared is None else [*filter(None, [worst_case_bounds_note(compared, option)])]
        if call.is_command:
            pool_words = [*(compared.pool_notes if compared else ()), *pool_words]
        lines = [
            *(compared.notes if compared else ()), *pool_words, *filter(None, [of_draw]),
            *(why_unchecked(table) if call.is_command else ()), *unreachable_gate_notes(gate, table, settings),
        ]  # fmt: skip
        (call.keep if call.is_command else call.note)(*lines)
        return RunComparison(
            rows_with_settings(table, settings, baseline),
            title(table, settings, baseline, shows_judged=bool(compared and compared.has_unjudged)),
            document(table, settings, baseline, found), call.context("compare"),
            table=table, settings=settings, baseline=baseline, subject=opened.subject, compared=compared, checks=found,
            lack=lack, below=lines, is_drawn=settle is not None, is_wide=pivot,
        )  # fmt: skip


def _option_of_pool_runs(call: ViewedCall) -> str:
    """What names the runs of the pool; nothing for a store, which has them."""
    if call.view.is_stored:
        return ""
    return "--pool-runs" if call.is_command else "pool_runs"


def _read_once(qrels: Any, runs: Any, measures: ComparedMeasures) -> tuple[Any, Any]:
    """The judgments and the runs, read where they can be read only once; scores as a table in long form."""
    from cranfield.metrics.inputs import as_qrels, as_runs, convert_foreign_table
    from cranfield.metrics.score_tables import long_scores
    from cranfield.store.reading import SelectedPlace

    if isinstance(qrels, SelectedPlace):
        return qrels, runs
    qrels = qrels.frame if isinstance(qrels, Result) else qrels
    if runs is None and not isinstance(qrels, str | PathLike):
        qrels = long_scores(convert_foreign_table(qrels), measures)
    runs = [*runs] if isinstance(runs, Iterator) else runs
    if any(map(_is_pipe, runs if isinstance(runs, list | tuple) else [runs])):
        runs = as_runs(runs)
    return as_qrels(qrels) if _is_pipe(qrels) else qrels, runs


def _is_pipe(given: object) -> bool:
    return (
        isinstance(given, str | PathLike)
        and Path(given).exists()
        and not (Path(given).is_file() or Path(given).is_dir())
    )


def open_compared(call: ViewedCall, setting: CompareSetting, subject: Subject | None) -> OpenedSubject:
    """What a call compares: judged runs, scores from files or a table, or the scores of a subject."""
    from cranfield.analysis.comparison import OpenedSubject, open_judged_subject, open_scores, open_subject
    from cranfield.arrays.judged import Judged
    from cranfield.view import ObjectsGiven

    view = call.view
    if subject is not None:
        return OpenedSubject(subject.score_topics(view, setting), None, view, has_outcomes=False)
    if call.is_command:
        return open_subject(view, setting)
    if not isinstance(view.given, ObjectsGiven):
        return open_judged_subject(view, setting)
    if view.given.qrels is None:
        return open_scores(view, setting)
    return open_judged_subject(view, setting)._replace(has_outcomes=not isinstance(view.given.runs, Judged))


def _gate(
    texts: Sequence[str], measures: ComparedMeasures, baseline: str | None, view: CallView, subject: Subject | None
) -> list[Condition]:
    """The conditions, refused where they cannot be read or no such measure is compared."""
    if not texts:
        return []
    if baseline is None:
        raise ArgumentError("compares with a baseline; name its run with --baseline", "fail_if")
    from cranfield.analysis.gate import measures_of, parse_conditions, refuse_missing
    from cranfield.metrics.notation import parse_all

    rel, kind = view.min_relevant, "rankings" if subject is None else subject.scored
    chosen = None if measures is None else parse_all(measures, rel, kind)
    with blaming_argument("fail_if"):
        gate = parse_conditions(texts, rel, kind)
        refuse_missing(gate, measures_of(gate) if chosen is None else chosen)
    return gate


def _check_measured(gate: Sequence[Condition], subject: JudgedOrScores) -> None:
    """Refuse a condition on a measure of which files of scores have none."""
    from pandas import DataFrame

    from cranfield.analysis.gate import refuse_missing

    if isinstance(subject, DataFrame):
        with blaming_argument("fail_if"):
            refuse_missing(gate, subject["measure"].unique())


def _draw_to_settle(
    path: str | PathLike[str],
    compared: ComparedOutcomes,
    checks: Sequence[ConditionResult],
    setting: CompareSetting,
) -> str:
    """Write a draw of documents that would help to decide, of the first run that has some; what was drawn."""
    from cranfield.analysis.outcomes import runs_to_settle, settling_draw, undecided_runs
    from cranfield.analysis.random_draws import check_no_labels_are_lost
    from cranfield.formats.whole_files import write_text
    from cranfield.metrics.forecast.random_draw import format_draw

    tags = [*dict.fromkeys(one.run for one in checks if one.undecided)] or undecided_runs(compared)
    candidates = [tags, [setting.baseline] if tags and setting.baseline else []]
    draws = (settling_draw(compared, some, setting.seed) for some in candidates)
    draw = next((draw for draw in draws if draw is not None), None)
    if draw is None:
        why = f"all unjudged documents of {', '.join(tags)} have labels" if tags else "everything is decided"
        return f"{why}, so {path} was not written"
    check_no_labels_are_lost(Path(path), draw)
    write_text(Path(path), format_draw(draw))
    n_others = len(runs_to_settle(compared, tags)) - 1
    others = f"; {counted(n_others, 'other run')} with undecided results: settle one after the other"
    n_labelled = sum(grade is not None for grade in draw.grades)
    labels = f" ({n_labelled} more have their labels)" if n_labelled else ""
    n_open = counted(len(draw.documents) - n_labelled, "document")
    return f"{path} has {n_open} of {draw.run} to judge, in this order{labels}{others if n_others else ''}"


def _write_junit(path: str | PathLike[str], checks: Sequence[ConditionResult]) -> None:
    from cranfield.analysis.gate import junit_cases
    from cranfield.formats.text_tables import as_junit
    from cranfield.formats.whole_files import write_text

    write_text(Path(path), as_junit("cranfield compare", junit_cases(checks)))
