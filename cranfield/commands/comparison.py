"""Which runs differ significantly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.commands.calls import KnownRuns, QrelsOrStore, ViewedCall, ViewOptions, open_view
from cranfield.commands.subject import Subject
from cranfield.errors import ArgumentError, CombinationError, argument_named_in_errors
from cranfield.extras import require_extra
from cranfield.lazy import lazy_type
from cranfield.options import Assessor, Cluster, IgnoreOwnId, Labels, PolicyName, Topics, seed_of
from cranfield.options.arguments import JudgedBefore, Round, RoundJudgments, check_arguments
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
from cranfield.results import Result, TypesetTable, add_labellers_column
from cranfield.text import counted

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.analysis.comparison import JudgedOrScores, OpenedSubject
    from cranfield.analysis.gate import Condition, ConditionResult
    from cranfield.analysis.outcomes import ComparedOutcomes, CompareSetting
    from cranfield.call_view import CallView
    from cranfield.metrics.forecast.comparisons import FamilyOutcomes
else:
    DataFrame = lazy_type("pandas", "DataFrame")
    JudgedOrScores = lazy_type("cranfield.analysis.comparison", "JudgedOrScores")
    ConditionResult = lazy_type("cranfield.analysis.gate", "ConditionResult")
    ComparedOutcomes = lazy_type("cranfield.analysis.outcomes", "ComparedOutcomes")
    FamilyOutcomes = lazy_type("cranfield.metrics.forecast.comparisons", "FamilyOutcomes")


@dataclass(frozen=True, repr=False, eq=False)
class RunComparison(Result):
    """Differences between runs: a row for each pair and measure.

    Parameters
    ----------
    table : DataFrame
        The compared pairs.
    settings : dict
        The test, its correction and its level; None for settings that the test does not use.
    baseline : str or None
        The run with which every other run is compared; None for all pairs.
    subject : Judged, JudgedBlocks or DataFrame
        The judged runs, or the scores.
    compared : ComparedOutcomes or None
        The outcome of each pair, with regard to unjudged documents; None for scores, whose documents are unknown.
    checks : sequence of ConditionResult
        The result of each condition in `fail_if`, for each run.
    lack : str
        The reason why conditions are undecided, or how to decide them.
    below : sequence of str
        The notes that the command prints below its table.
    is_drawn : bool
        Whether the call drew unjudged documents.
    is_wide : bool
        Whether `.frame` contains the differences: a row for each measure and run_a, and a column for each run_b.
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
        return add_labellers_column(self.table.copy(), self.context.left_out)

    @property
    def typeset(self) -> TypesetTable:
        """A short table of the pairs. The caption contains the title and explains the marks."""
        from cranfield.analysis.comparison_rows import display_of, marks_in_words, short_rows, why_unchecked

        table, settings = self.table, self.settings
        rows = short_rows(table, settings, self.baseline, shows_judged=self.shows_judged)
        lack = why_unchecked(table)
        if lack:
            rows = [row | {"outcome": outcome} for row, outcome in zip(rows, table["outcome"], strict=True)]
        return TypesetTable(rows, display_of(rows), "; ".join([self.title, *marks_in_words(table, settings), *lack]))

    def plot(self, ax: Any = None) -> Any:
        """Draw one pair topic by topic, the difference of each run from the baseline, or a matrix of all pairs."""
        require_extra("plot", "a plot")
        from cranfield.analysis.comparison import plot_comparison

        return plot_comparison(self.subject, self.table, self.baseline, self.settings["alpha"], ax)


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
    """Test which differences between runs are significant.

    A difference is significant if the choice of topics is unlikely to explain it. Choose the paired t test or the
    permutation test, corrected for the number of pairs. Both compare means, give similar results on real runs, and keep
    the error rate at alpha. With tukey, one test compares all pairs of runs at once. Wilcoxon's test and the sign test
    compare ranks and wins, not means. On retrieval scores, their error rate exceeds alpha and grows with the number of
    topics. With fewer than 50 topics, the bootstrap gives too many false alarms, so the command prints no p for it. If
    a few of 50 topics dominate the mean, the t test gives false alarms in 6.8% of cases (at alpha 0.05). In that case,
    look at the differences by topic with `.plot()`. Sources: Smucker, Allan and Carterette (2007), Carterette (2012),
    Urbano, Lima and Hanjalic (2019).

    Choose the test, the measure and the baseline before you see the scores.
    Read the difference and its interval first, then p. JSON and CSV contain
    all columns.

    Unjudged documents can change the result. judged@k is the judged share of
    a run's first k documents. A model of the pooled runs (the store's, or
    `pool_runs`) simulates the labels of unjudged documents. A difference is
    marked significant (*) if it is significant in at least 90% of the
    simulations. It is "due to unjudged documents" if it is significant in at
    most 10%, and otherwise "not decided" (?). Without a model, it is marked
    significant only if both its smallest and its greatest possible values are
    significant. `settle` draws documents to judge; `drawn` reads their
    labels.

    `.plot()` draws one pair topic by topic. With `baseline`, it draws each run's difference from the baseline, with its
    interval. Otherwise it draws a matrix of all pairs.

    Generated answers of a store are compared by V_strict, or by `measures`,
    on the topics for which both answers are fully labelled.

    On the command line, SOURCE may also be files or folders with scores by topic. Write them with `cranfield evaluate
    --per-topic -o scores.csv` (also .json and .tsv), `trec_eval -q`, `ir_measures -q` or pytrec_eval (JSON). trec_eval
    and ir_measures round to four decimals. Score files contain no judgments. A difference is therefore "not decided" if
    the file reports unjudged documents, and "not checked" if the file has no judged shares.

    `fail_if` turns the comparison into a gate for continuous integration. Without `measures`, the measures of the
    conditions are compared. On the command line, the exit status is 3 if a condition holds. It is 4 if no condition
    holds but unjudged documents leave a condition undecided. Each of these conditions is reported on stderr.

    `cranfield compare og.qrels og.run new.run --changed-qrels new.qrels` computes p-MRR (FollowIR) instead. It measures
    whether ranks follow a change in the instructions. Documents that are relevant in the original qrels, but not in the
    changed ones, should move down. In Python, use `cranfield.metrics.p_mrr`.

    Example: cranfield compare qrels.txt runs/*.gz --baseline bm25 -m AP

    Example: cranfield compare track.db --test permutation --topics dev

    Parameters
    ----------
    qrels : judgments, store, View or scores
        The judgments in any form that `evaluate` accepts. Without `runs`, a store, a View, or a table of scores by
        topic. Such a table is the frame of `evaluate(..., per_topic=True)`, also with `pivot=True`, or its pivot with
        levels named run, query_id and measure.
    runs : runs, optional
        The runs in any form that `evaluate` accepts, such as {name: {query_id: {doc_id: score}}}.
    measures : measure or iterable of measures, optional
        The measures; by default AP, or all measures of a score table.
    baseline : str, optional
        The run with which every other run is compared: its key in a dict, or its tag in a file. By default all pairs
        are compared.
    test : {"t", "permutation", "tukey", "bootstrap", "wilcoxon", "sign"}
        The significance test.
    correction : {"holm", "bh", "bonferroni", "none"}, optional
        The correction for multiple comparisons; by default holm, or no correction with tukey.
    alpha : float
        The significance level, above 0 and below 1. Intervals have the confidence level 1 - alpha.
    samples : int
        Number of resamples for permutation, bootstrap and tukey.
    rng : int or numpy.random.Generator, optional
        Random seed of the resamples, or a generator that draws the seed; 0 by default.
    zeros : {"wilcox", "pratt", "zsplit"}
        How wilcoxon treats topics without a difference.
    pool_runs : runs, optional
        The runs from which the pool was made (for judgments and runs, not stores). They are not compared.
    drawn : path or iterable of paths, optional
        Labelled draws of unjudged documents, as `settle` writes them.
    topics : str
        Topics to score: "all", "common", a topic set of the store, or a file of topic ids. With "all", a run scores 0
        on topics that it did not answer. With "common", only topics that every run answered count.
    ignore_own_id : bool
        Remove documents whose id equals the topic id.
    assessor, policy, labels : str, optional
        The assessors whose judgments count, and the policy for differing judgments (stores only).
    round, judged, remove_judged : str, optional
        The round and which of its judgments to use (stores), or a qrels file of earlier judgments (files).
    cluster : str, optional
        Address of a Dask cluster, or local:N for N processes.
    fail_if : str or iterable of str
        Conditions to check, such as "AP < baseline - 2%" or "significant-loss"; requires `baseline`. Conditions do not
        raise an error. `checks` of the result shows which conditions hold.
    undecided : {"fail", "pass"}, optional
        How `fail_if` treats conditions that unjudged documents leave undecided.
    settle : path, optional
        A file for a random draw of 50 unjudged documents.
    junit : path, optional
        A file for the checks of `fail_if` as JUnit XML.
    pivot : bool
        Whether `.frame` contains the differences: a row for each measure and run_a, and a column for each run_b.
    subject : Subject, optional
        What to score instead of rankings, as an instance of a class in `cranfield.subjects`.

    Returns
    -------
    RunComparison
        `.frame` has a row for each pair of runs and measure, with these columns:

        - run_a, run_b, measure: the pair and the measure. With `baseline`, run_b is the baseline.
        - mean_a, mean_b, difference: the means over topics, and mean_a - mean_b
        - low, high: the interval of the difference by the paired t test at 1 - alpha, not corrected. NaN if the runs
          differ on fewer than eight topics.
        - effect: the difference divided by the standard deviation of the differences by topic
        - wins, ties, losses, topics: the numbers of topics on which run_a is better, equal and worse, and of all topics
        - p, p_corrected: p before and after the correction for the compared pairs of one measure
        - significant: p_corrected is at most alpha, and unjudged documents do not undo it
        - p_test: the test that gave p
        - exact: whether p is computed from all possible resamples; None for tests without resamples
        - judged_a, judged_b, judged_cutoff: the judged shares of the first judged_cutoff documents
        - outcome: "significant", "not significant", "not decided: unjudged documents" or "due to unjudged documents".
          For scores without judged shares, it is "not checked: unjudged documents".
        - significant_as_judged: p_corrected is at most alpha
        - share_higher, share_lower: the shares of simulated labellings in which run_a is significantly better and worse
        - forecast_low, forecast_high: the 95% interval of the difference over these labellings; without labellings, the
          lowest and highest possible differences
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
        comparison_as_json,
        comparison_of,
        outcomes_of,
        rows_with_settings,
        settings_of,
        unreachable_gate_notes,
    )
    from cranfield.analysis.comparison_rows import comparison_title, why_unchecked
    from cranfield.analysis.gate import check_conditions, measures_of, settle_undecided
    from cranfield.analysis.outcomes import (
        CompareSetting,
        add_outcomes_of_scores,
        explain_missing_model,
        worst_case_bounds_note,
    )

    texts = [fail_if] if isinstance(fail_if, str) else [*fail_if]
    if junit is not None and not texts:
        raise CombinationError("--junit requires --fail-if")
    if undecided is not None and not texts:
        raise ArgumentError("applies only with --fail-if", "undecided")
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
        settings, option = settings_of(setting), "--pool-runs" if call.is_command else "pool_runs"
        compared = outcomes_of(opened, table, setting) if opened.has_outcomes else None
        if compared is not None:
            table = compared.table
        elif opened.has_outcomes:
            if settle is not None or drawn:
                raise CombinationError("--settle and --drawn require qrels and runs; score files contain no judgments")
            table = add_outcomes_of_scores(table, opened.scores)
        lack = "" if compared is None else explain_missing_model(compared, option)
        families = None if compared is None else compared.families
        found = check_conditions(table, gate, baseline, families, lack) if baseline is not None else []
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
            comparison_title(table, settings, baseline, shows_judged=bool(compared and compared.has_unjudged)),
            comparison_as_json(table, settings, baseline, found), call.context("compare"),
            table=table, settings=settings, baseline=baseline, subject=opened.subject, compared=compared, checks=found,
            lack=lack, below=lines, is_drawn=settle is not None, is_wide=pivot,
        )  # fmt: skip


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
        raise ArgumentError("needs a baseline; name it with --baseline TAG", "fail_if")
    from cranfield.analysis.gate import measures_of, parse_conditions, refuse_missing
    from cranfield.metrics.notation import parse_measures

    rel, kind = view.min_relevant, "rankings" if subject is None else subject.scored
    chosen = None if measures is None else parse_measures(measures, rel, kind)
    with argument_named_in_errors("fail_if"):
        gate = parse_conditions(texts, rel, kind)
        refuse_missing(gate, measures_of(gate) if chosen is None else chosen)
    return gate


def _check_measured(gate: Sequence[Condition], subject: JudgedOrScores) -> None:
    """Refuse a condition on a measure of which files of scores have none."""
    from pandas import DataFrame

    from cranfield.analysis.gate import refuse_missing

    if isinstance(subject, DataFrame):
        with argument_named_in_errors("fail_if"):
            refuse_missing(gate, subject["measure"].unique())


def _draw_to_settle(
    path: str | PathLike[str],
    compared: ComparedOutcomes,
    checks: Sequence[ConditionResult],
    setting: CompareSetting,
) -> str:
    """Write a draw of documents that would help to decide, of the first run that has some; what was drawn."""
    from cranfield.analysis.outcomes import draw_documents_that_decide, runs_to_settle, undecided_runs
    from cranfield.analysis.random_draws import check_no_labels_are_lost
    from cranfield.formats.whole_files import write_text
    from cranfield.metrics.forecast.random_draw import format_draw

    tags = [*dict.fromkeys(one.run for one in checks if one.undecided)] or undecided_runs(compared)
    candidates = [tags, [setting.baseline] if tags and setting.baseline else []]
    draws = (draw_documents_that_decide(compared, some, setting.seed) for some in candidates)
    draw = next((draw for draw in draws if draw is not None), None)
    if draw is None:
        why = f"all unjudged documents of {', '.join(tags)} are labelled" if tags else "everything is decided"
        return f"{why}, so {path} was not written"
    check_no_labels_are_lost(Path(path), draw)
    write_text(Path(path), format_draw(draw))
    n_others = len(runs_to_settle(compared, tags)) - 1
    others = f"; {counted(n_others, 'other run is', 'other runs are')} also undecided, so settle one run at a time"
    n_labelled = sum(grade is not None for grade in draw.grades)
    labels = f" ({n_labelled} more are labelled)" if n_labelled else ""
    n_open = counted(len(draw.documents) - n_labelled, "document")
    return f"{path} lists {n_open} of run {draw.run} to judge, in this order{labels}{others if n_others else ''}"


def _write_junit(path: str | PathLike[str], checks: Sequence[ConditionResult]) -> None:
    from cranfield.analysis.gate import junit_cases
    from cranfield.formats.text_tables import as_junit
    from cranfield.formats.whole_files import write_text

    write_text(Path(path), as_junit("cranfield compare", junit_cases(checks)))
