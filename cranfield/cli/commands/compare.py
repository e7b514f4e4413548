"""compare.

JSON: {"test", "correction", "alpha", "samples", "seed", "zeros", "baseline", "pairs": [{"run_a", "run_b", "measure",
"mean_a", "mean_b", "difference", "low", "high", "effect", "wins", "ties", "losses", "topics", "p", "p_corrected",
"significant", "p_test", "exact", "judged_a", "judged_b", "judged_cutoff", "outcome", "significant_as_judged",
"share_higher", "share_lower", "forecast_low", "forecast_high", "labellings"}]}.
`samples`, `seed`, `zeros` and `exact` are null where the test does not use them,
`baseline` for all pairs, `effect` where all differences are equal; `low` and `high` are the paired t interval at
1 - alpha, not corrected, and null where the runs differ on fewer than eight topics or by the same amount on all;
`p_test` is the test that gave p: where all differences are equal, t is undefined and p is the sign test's; `exact` says
whether p counts all possible resamples, so that none was drawn at random.
From `judged_a` on: `judged_a` and `judged_b` are the judged shares of the runs' first `judged_cutoff` documents, null
where the judgments list relevant documents only; `outcome` is "significant", "not significant", "not decided: unjudged
documents" or "due to unjudged documents", and `significant` is true for the first alone; `significant_as_judged` is
whether p_corrected is at most alpha; `share_higher` and `share_lower` are the shares of the `labellings` simulated in
which a is significantly better and worse, null where none were; `forecast_low` and `forecast_high` are the 95% interval
of the difference over the labellings or, without them, its worst-case bounds. Answers lack these. Files of scores have
the outcome "not decided: unjudged documents" where they hold judged shares below 1. Without judged shares it is "not
checked: unjudged documents", and `significant` is the test's.
CSV and TSV: the columns of "pairs", and baseline, test, correction and alpha in each row;
where "labelled_by" has a line, also the column labels_of with this line.
With --fail-if also "checks": [{"condition", "run", "measure", "mean", "bound", "failed", "message", "undecided",
"share"}], one for each condition and run, of a loss for each measure; `bound` is what the mean is compared with, of a
loss the baseline's mean; `share` is the share of simulated labellings in which the condition holds, null without them.
With --plan: {"alpha", "power", "difference", "measures": [{"measure", "topics", "residual_variance", "deviation",
"difference", "topics_needed", "detectable"}]}.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import floor, isnan, log10
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from cranfield import hooks
from cranfield.arrays import WhichTopics
from cranfield.cli.common_options import Plot, Printer, SourceView
from cranfield.cli.pages import UsageError
from cranfield.cli.tables import BAD, GOOD, HEAD, Display, TableFormat, note, notes, remark, say
from cranfield.errors import CranfieldError
from cranfield.formats.text_tables import FormattedNumber, as_junit
from cranfield.options import CompareOptions, Option, Options, Written
from cranfield.store.reading import Reading
from cranfield.text import counted

if TYPE_CHECKING:
    from pandas import DataFrame, Series

    from cranfield.analysis.comparison import Measured, Subject
    from cranfield.analysis.gate import Condition, ConditionResult
    from cranfield.analysis.outcomes import ComparedOutcomes
    from cranfield.call_view import CallView
    from cranfield.metrics.forecast.random_draw import RandomDraw
    from cranfield.metrics.measure import Of


TESTED = (
    "fail_if",
    "baseline",
    "test",
    "correction",
    "samples",
    "seed",
    "zeros",
    "pool_runs",
    "settle",
)  # what a plan does not look at
ROUNDING = 1e-12  # what a difference of equal means may be
Row = dict[str, Any]


def _direction(row: Mapping[str, Any]) -> str:
    """The colour of a significant difference."""
    p = next(text for name, text in row.items() if name.startswith("p"))
    return "" if not p.endswith("*") else BAD if row["a - b"].startswith("-") else GOOD


DISPLAY = Display(spare=["means", "mean", "w/t/l", "d", "interval"], colours={"a - b": _direction})


class GateOptions(Options):
    """When it fails."""

    fail_if: Annotated[
        Sequence[str],
        Option(
            "With --baseline: exit with 3 if this holds for a run; may be repeated. 'nDCG@10 < baseline - 0.01',"
            " 'AP < baseline - 2%', 'P@10 < 0.3' or significant-loss.",
            metavar="CONDITION",
        ),
    ] = ()
    undecided: Annotated[
        Literal["fail", "pass"] | None,
        Option(
            "With --fail-if: what becomes of a condition that unjudged documents leave undecided."
            " [default: exit with 4]",
            show_default=False,
        ),
    ] = None
    settle: Annotated[
        Path | None,
        Option(
            "Write a random draw of 50 unjudged documents to this file. Judging them decides about half of what is not"
            " decided.",
            metavar="FILE",
        ),
        Written(),
    ] = None
    junit: Annotated[
        Path | None, Option("With --fail-if: write the checks as JUnit XML, for CI.", metavar="FILE"), Written()
    ] = None


class CompareCommand(CompareOptions, GateOptions):
    """Comparisons, plans and gates."""

    plan: Annotated[
        float | None,
        Option("Estimate instead how many topics are needed to find a difference of D.", metavar="D", before="topics"),
    ] = None
    changed_qrels: Annotated[
        Path | None,
        Option(
            "Measure p-MRR instead: whether the second run follows instructions that were changed so that these"
            " judgments hold. SOURCE is the original qrels, the run before the change and the run after it.",
            metavar="FILE",
            before="topics",
        ),
    ] = None


def compare(
    view: SourceView, *, options: CompareCommand, plot: Plot = None, printer: Printer, reading: Reading
) -> None:
    """Test which runs differ significantly, by more than the choice of topics explains.

    Which test: the paired t test or the permutation test, corrected for
    the number of pairs. Both test the mean, agree on real runs and keep
    the error rate alpha. For all pairs of runs, tukey tests all of them
    at once. Wilcoxon's test and the sign test are about ranks and wins,
    not about means; on retrieval scores their error rate exceeds alpha,
    the more so the more topics there are. The bootstrap gives too many
    false alarms with few topics, so it has no p below 50. Where a few of 50
    topics decide, the p of the t test is at most .05 in 6.8% of the cases
    without a difference: look at the differences by topic with --plot.
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
    of --pool-runs. Without them a difference stands only if it is
    significant at its least and at its greatest value on every topic.
    --settle draws documents to judge; --drawn reads their labels.

    --plot draws one pair by one measure topic by topic; with --baseline the
    difference of each run and its interval; otherwise a matrix of all pairs.

    With --answers the generated answers of a store are compared, by V_strict
    unless -m says otherwise, on the topics on which both have all labels.

    SOURCE may also be one or more files written by evaluate --per-topic
    -o scores.csv (or .json, .tsv), trec_eval -q, ir_measures -q or
    pytrec_eval (JSON), or folders of them. trec_eval and ir_measures write
    four decimals, the others all digits. Scores hold no judgments: a difference is not decided
    where the file says that documents are unjudged, and not checked where it
    does not say.

    With --fail-if it is a gate for continuous integration: the exit status
    is 3 where a condition holds, and 4 where unjudged documents leave one
    undecided and none holds, with a line for each on stderr. Without -m the
    measures that the conditions name are compared.

    With --changed-qrels it measures p-MRR (FollowIR) instead: whether ranks
    follow a change of the instructions. Documents that are relevant in the
    original qrels and judged not relevant in the changed ones should move
    down: `cranfield compare og.qrels og.run new.run --changed-qrels new.qrels`.

    Example: cranfield compare qrels.txt runs/*.gz --baseline bm25 -m AP

    Example: cranfield compare track.db --test permutation --topics dev
    """
    from cranfield.analysis.comparison import (
        OpenedSubject,
        comparison_of,
        draw,
        never_found,
        open_subject,
        outcomes_of,
        settings_of,
        with_common,
    )
    from cranfield.analysis.gate import cases, checks, measures_of, settle_undecided
    from cranfield.analysis.outcomes import add_outcomes_of_scores, lack_of_model

    _check_usage(options, plot, reading)
    if options.changed_qrels is not None:
        from cranfield.cli.commands.instructions import print_p_mrr

        print_p_mrr(view.paths, options.changed_qrels, printer, reading)
        return
    other = hooks.instead("compare", reading.added)
    gate = _gate(options, view, cast("Of", other.of) if other else "rankings")
    options = options.but(measures=options.measures or [str(one) for one in measures_of(gate)] or None)
    if other is not None:
        opened = OpenedSubject(other.run(view, options, tell=note), None, view)
    else:
        opened = open_subject(view, options)
    subject, names = opened.subject, opened.measures
    _check_measured(gate, subject)
    if options.plan is not None:
        print_plan(subject, names, options.plan, options.alpha, printer=printer)
        return
    table = with_common(subject, comparison_of(subject, names, options))
    compared = None if other is not None else outcomes_of(opened, table, options)
    table = table if compared is None else compared.table
    if compared is None and other is None:
        if options.settle is not None or options.drawn:
            raise UsageError("--settle and --drawn require qrels and runs; scores hold no judgments")
        table = add_outcomes_of_scores(table, cast("DataFrame", subject))
    baseline, settings = options.baseline, settings_of(options)
    families = None if compared is None else compared.families
    lack = "" if compared is None else lack_of_model(compared, "" if view.is_stored else "--pool-runs")
    results = checks(table, gate, baseline, families, lack) if baseline is not None else []
    open_runs = [] if compared is None else _undecided_runs(compared, results)
    settling = (
        None if compared is None or options.settle is None
        else _settling_draw(options.settle, compared, [open_runs, [baseline] if open_runs and baseline else []],
                            options.seed)
    )  # fmt: skip
    results = settle_undecided(results, options.undecided)
    if plot is not None:
        draw(subject, table, baseline, options.alpha, plot)
    if options.junit is not None:
        from cranfield.formats.whole_files import write_text

        write_text(options.junit, as_junit("cranfield compare", cases(results)))
    _print_comparison(
        table, settings, baseline, results, printer, shows_judged=bool(compared and compared.has_unjudged)
    )
    if compared is not None:
        _tell_outcomes(compared, view.is_stored, is_separate=not printer.for_people, drawn=options.settle is not None)
        if options.settle is not None:
            _write_draw(options.settle, compared, settling, open_runs)
    notes([*_of_unchecked(table), *never_found(gate, table, settings)])
    _end(results)


def _print_comparison(
    table: DataFrame,
    settings: Row,
    baseline: str | None,
    results: Sequence[ConditionResult],
    printer: Printer,
    *,
    shows_judged: bool,
) -> None:
    """Print the pairs: all columns for programs, otherwise what fits, with a title and how to read it."""
    from cranfield.analysis.comparison import document, rows_with_settings

    if printer.is_separated or printer.format is TableFormat.json:
        rows = rows_with_settings(table, settings, baseline)
        printer.emit(rows, document=document(table, settings, baseline, results))
        return
    rows = short_rows(table, settings, baseline, shows_judged=shows_judged)
    heading = title(table, settings, baseline, shows_judged=shows_judged)
    lack = _of_unchecked(table)
    if lack and not printer.for_people:
        rows = [row | {"outcome": outcome} for row, outcome in zip(rows, table["outcome"], strict=True)]
    caption = "; ".join([heading, *marks_in_words(table, settings), *lack])
    printer.emit(rows, title=heading, display=DISPLAY, caption=caption)
    if printer.for_people:
        say(f"\n{reading(table, settings)}")


def _of_unchecked(table: DataFrame) -> list[str]:
    """Why unjudged documents were not checked; empty where they were."""
    from cranfield.analysis.outcomes import SCORES_ONLY
    from cranfield.metrics.forecast.outcomes import Outcome

    return [SCORES_ONLY] if "outcome" in table and (table["outcome"] == Outcome.UNCHECKED).any() else []


def _check_usage(options: CompareCommand, plot: Path | None, reading: Reading) -> None:
    if options.changed_qrels is not None:
        allowed = ("changed_qrels",) if options.which is WhichTopics.common else ("changed_qrels", "topics")
        fields = [one for one in options.option_fields() if one.option and one.name not in allowed]
        flags = [(one.option and one.option.flags) or [f"--{one.name.replace('_', '-')}"] for one in fields]
        used = {flag[-1]: options.unless_default(one.name) for flag, one in zip(flags, fields, strict=True)}
        for flag in [flag for flag, value in {"--plot": plot, **used}.items() if value is not None]:
            raise typer.BadParameter("cannot be used with --changed-qrels", param_hint=flag)
        if hooks.instead("compare", reading.added) is not None:
            raise typer.BadParameter("is about runs; leave the options of answers out", param_hint="--changed-qrels")
    if options.plan is not None:
        used = {"plot": plot, **{name: options.unless_default(name) for name in TESTED}}
        for name in [name for name, value in used.items() if value is not None]:
            raise typer.BadParameter("cannot be used with --plan", param_hint=f"--{name.replace('_', '-')}")
    if options.junit is not None and not options.fail_if:
        raise UsageError("--junit requires --fail-if")
    if options.undecided is not None and not options.fail_if:
        raise typer.BadParameter("decides the conditions of --fail-if", param_hint="--undecided")


def _gate(options: CompareCommand, view: CallView, of: Of) -> list[Condition]:
    """The conditions, refused where they cannot be read or no such measure is compared."""
    if not options.fail_if:
        return []
    if options.baseline is None:
        raise typer.BadParameter("compares with a baseline; name its run with --baseline", param_hint="--fail-if")
    from cranfield.analysis.gate import conditions, measures_of, refuse_missing
    from cranfield.metrics.notation import parse_all

    rel = view.min_relevant
    measures = parse_all(options.measures, rel, of) if options.measures else None
    with _blaming_option():
        gate = conditions(options.fail_if, rel, of)
        refuse_missing(gate, measures_of(gate) if measures is None else measures)
    return gate


def _check_measured(gate: list[Condition], subject: Subject) -> None:
    """Refuse a condition on a measure of which files of scores have none."""
    from pandas import DataFrame

    from cranfield.analysis.gate import refuse_missing

    if isinstance(subject, DataFrame):
        with _blaming_option():
            refuse_missing(gate, subject["measure"].unique())


@contextmanager
def _blaming_option() -> Iterator[None]:
    try:
        yield
    except CranfieldError as error:
        raise typer.BadParameter(str(error), param_hint="--fail-if") from error


def _end(results: Sequence[ConditionResult]) -> None:
    """Name each check that failed or is undecided; end with 3 if any failed, otherwise with 4 if any is undecided."""
    from cranfield.analysis.gate import failures, undecided_lines

    for line in failures(results):
        remark("failed:", BAD, line)
    for line in undecided_lines(results):
        remark("undecided:", HEAD, line)
    if any(one.failed for one in results):
        raise typer.Exit(3)
    if any(one.undecided for one in results):
        raise typer.Exit(4)


def _tell_outcomes(compared: ComparedOutcomes, is_store: bool, *, is_separate: bool, drawn: bool) -> None:
    """Say which differences unjudged documents leave open: below the table, or as notes beside other formats."""
    from cranfield.analysis.outcomes import outcome_sentences, pool_note

    sentences = outcome_sentences(compared, drawn=drawn)
    if is_separate:
        n_open = sum(compared.table["outcome"].str.startswith("not decided"))
        n_due = sum(compared.table["outcome"].str.startswith("due to"))
        counts = [f"{n_open} not decided"] * bool(n_open) + [f"{n_due} due to unjudged documents"] * bool(n_due)
        sentences = [f"{', '.join(counts)}, of {counted(len(compared.table), 'difference')}; see outcome"] * bool(
            counts
        )
        notes(sentences)
    elif sentences:
        say("\n" + "\n".join(sentences))
    notes(
        [*compared.notes, *compared.pool_notes, *filter(None, [pool_note(compared, "" if is_store else "--pool-runs")])]
    )


def _undecided_runs(compared: ComparedOutcomes, results: Sequence[ConditionResult]) -> list[str]:
    """The runs of undecided conditions; where all are decided, those of undecided differences."""
    from cranfield.analysis.outcomes import undecided_runs

    tags = [one.run for one in results if one.undecided]
    return [*dict.fromkeys(tags)] if tags else undecided_runs(compared)


def _settling_draw(
    path: Path, compared: ComparedOutcomes, candidates: Sequence[Sequence[str]], seed: int
) -> RandomDraw | None:
    """The draw of documents that would help to decide, of the first runs that have some; no labels may be lost."""
    from cranfield.analysis.outcomes import settling_draw
    from cranfield.analysis.random_draws import check_no_labels_are_lost

    draws = (settling_draw(compared, tags, seed) for tags in candidates)
    draw = next((draw for draw in draws if draw is not None), None)
    if draw is not None:
        check_no_labels_are_lost(path, draw)
    return draw


def _write_draw(path: Path, compared: ComparedOutcomes, draw: RandomDraw | None, tags: Sequence[str]) -> None:
    from cranfield.analysis.outcomes import runs_to_settle
    from cranfield.formats.whole_files import write_text
    from cranfield.metrics.forecast.random_draw import format_draw

    if draw is None:
        why = f"all unjudged documents of {', '.join(tags)} have labels" if tags else "everything is decided"
        note(f"{why}, so {path} was not written")
        return
    write_text(path, format_draw(draw))
    others = len(runs_to_settle(compared, tags)) - 1
    more = f"; {counted(others, 'other run')} with undecided results: settle one after the other" if others else ""
    n_labelled = sum(grade is not None for grade in draw.grades)
    labels = f" ({n_labelled} more have their labels)" if n_labelled else ""
    n_open = counted(len(draw.documents) - n_labelled, "document")
    note(f"{path} has {n_open} of {draw.run} to judge, in this order{labels}{more}")


def short_rows(table: DataFrame, settings: Row, baseline: str | None, *, shows_judged: bool = False) -> list[Row]:
    """Rows that fit a terminal: what all share is in the title; of the two p values only the decisive one is shown."""
    several = table["measure"].nunique() > 1
    names_test = bool((_p_tests(table) != settings["test"]).any())
    cutoffs = judged_shares(table) if shows_judged else {}
    return [
        {
            **({"measure": row["measure"]} if several else {}),
            **_who(row, baseline),
            "a - b": FormattedNumber(short(row["difference"], "+")),
            "interval": FormattedNumber(_interval(row)),
            "d": FormattedNumber(short(row["effect"], "+", 2)),
            "w/t/l": FormattedNumber(f"{row['wins']}/{row['ties']}/{row['losses']}"),
            "p" if settings["correction"] == "none" else f"p {settings['correction']}": FormattedNumber(_p(row)),
            **({"test": row["p_test"] or "-"} if names_test else {}),
            **(_judged(row, cutoffs, baseline) if shows_judged else {}),
            **(_on_common(row) if "topics_common" in row else {}),
        }
        for row in table.to_dict("records")
    ]


def judged_shares(table: DataFrame) -> dict[int, dict[str, float]]:
    """The judged share of each run by cutoff."""
    shares: dict[int, dict[str, float]] = {}
    for row in table.to_dict("records"):
        own = shares.setdefault(int(row["judged_cutoff"]), {})
        own |= {row["run_a"]: row["judged_a"], row["run_b"]: row["judged_b"]}
    return dict(sorted(shares.items()))


def _judged(row: Mapping[Any, Any], cutoffs: Mapping[int, Mapping[str, float]], baseline: str | None) -> Row:
    """The judged shares of both runs, or of the run that is compared with the baseline, and the outcome."""
    runs = [row["run_a"]] if baseline is not None else [row["run_a"], row["run_b"]]
    shares = {
        f"judged@{cutoff}": FormattedNumber(" ".join(_share(own[run]) for run in runs))
        for cutoff, own in cutoffs.items()
    }
    return {**shares, "outcome": row["outcome"].partition(":")[0].removesuffix(" documents")}


def _share(value: float) -> str:
    """A share in percent, rounded down so that only all is 100%.

    >>> _share(1.0), _share(0.9999), _share(float("nan"))
    ('100%', '99%', 'undefined')
    """
    return "undefined" if isnan(value) else f"{int(100 * value + 1e-9)}%"


def _p_tests(table: DataFrame) -> Series[Any]:
    """The names of the tests that gave the p values."""
    return table["p_test"].dropna()


def _on_common(row: Mapping[Any, Any]) -> Row:
    """The difference on the topics that both runs answered, and how many these are."""
    return {"on common topics": FormattedNumber(f"{short(row['difference_common'], '+')} of {row['topics_common']}")}


def _who(row: Mapping[Any, Any], baseline: str | None) -> Row:
    a, b = short(row["mean_a"]), short(row["mean_b"])
    if baseline is not None:
        return {"run a": row["run_a"], "mean": FormattedNumber(a)}
    return {"run a": row["run_a"], "run b": row["run_b"], "means": FormattedNumber(f"{a} {b}")}


def _interval(row: Mapping[Any, Any]) -> str:
    return "-" if isnan(row["low"]) else f"{short(row['low'], '+')} {short(row['high'], '+')}"


def _p(row: Mapping[Any, Any]) -> str:
    p = row["p_corrected"]
    if isnan(p):
        return "- "
    mark = "*" if row["significant"] else "?" if str(row.get("outcome", "")).startswith("not decided") else " "
    return ("<.0001" if p < 0.0001 else short(p, digits=4)) + mark


def short(value: float, sign: str = "", digits: int = 3) -> str:
    """A number without its leading 0; a dash if undefined. A signed one that rounds to 0 has its first digit instead.

    >>> short(0.25), short(-0.25, "+"), short(12.5), short(float("nan"))
    ('.250', '-.250', '12.500', '-')
    >>> short(-0.00042, "+"), short(-0.003, "+", 2), short(-0.00003, "+"), short(0.0, "+"), short(-1e-17, "+")
    ('-.0004', '-.003', '-.00003', '+.000', '+.000')
    """
    if isnan(value):
        return "-"
    if abs(value) <= ROUNDING:
        value = 0.0
    elif sign and abs(value) < 0.5 * 10**-digits:
        digits = -floor(log10(abs(value)))
    text = format(value, f"{sign}.{digits}f")
    return text.replace("0.", ".", 1) if abs(value) < 1 else text


def title(table: DataFrame, settings: Row, baseline: str | None, *, shows_judged: bool = False) -> str:
    """The title of the table; next to judged shares of the other runs, the baseline's."""
    from cranfield.metrics.significance.pairs import CORRECTIONS
    from cranfield.metrics.significance.tests import TESTS
    from cranfield.metrics.significance.titles import title_of_p_tests

    first = table.drop_duplicates("measure")
    if baseline is None:
        about = f"all pairs by {', '.join(first['measure'])}"
    else:
        means = [f"{measure} {short(mean)}" for measure, mean in zip(first["measure"], first["mean_b"], strict=True)]
        cutoffs = judged_shares(table) if shows_judged else {}
        means += [f"judged@{cutoff} {_share(own[baseline])}" for cutoff, own in cutoffs.items()]
        about = f"b is {baseline} ({', '.join(means)})"
    least, most = table["topics"].min(), table["topics"].max()
    topics = counted(most, "topic") if least == most else f"{least} to {most} topics"
    test = TESTS[settings["test"]]
    tests = title_of_p_tests(table["p_test"], test)
    how = tests if test.whole else f"{tests}, {CORRECTIONS[settings['correction']].title}"
    return f"{about}; {topics}; {how}"


def reading(table: DataFrame, settings: Row) -> str:
    """How to read the table, in a few sentences."""
    return (
        f"{counts(table, settings)}\nRead the difference and its {100 * (1 - settings['alpha']):.4g}% interval"
        f" (paired t, not corrected) first, then p. d is the difference divided by its standard deviation; w/t/l counts"
        f" the topics that a wins, ties and loses. No star does not mean that two runs are equal: --plan .05 estimates"
        f" how many topics it takes to find a difference of .05."
    )


def marks_in_words(table: DataFrame, settings: Row) -> list[str]:
    """What the marks after p mean, those that occur."""
    stars = [f"* significant at {settings['alpha']:g}"] * bool(table["significant"].any())
    is_open = "outcome" in table and bool(table["outcome"].str.startswith("not decided").any())
    return [*stars, *["? not decided, or may become significant"] * is_open]


def counts(table: DataFrame, settings: Row) -> str:
    """How many pairs are significant by each measure, and whether any could be."""
    from cranfield.analysis.comparison import none_can_be
    from cranfield.metrics.significance.pairs import why_no_interval, why_no_p
    from cranfield.metrics.significance.tests import TESTS

    shares = [
        f"{group['significant'].sum()} of {len(group)} pairs in {measure}"
        for measure, group in table.groupby("measure", sort=False)
    ]
    text = f"Significant at {settings['alpha']:g} (*): {', '.join(shares)}."
    if "outcome" in table and (is_open := table["outcome"].str.startswith("not decided")).any():
        text += f"\nNot decided, or may become significant (?): {is_open.sum()} of {len(table)} pairs."
    text += "".join(f"\nNone could be: {why}." for why in none_can_be(table, settings))
    for why, number in Counter(filter(None, (why_no_p(TESTS[settings["test"]], n) for n in table["topics"]))).items():
        text += f"\nNo p (-) for {number} of {len(table)} pairs: {why}."
    whole = sum(one is True for one in table["exact"])
    every = "all pairs" if whole == len(table) else f"{whole} of {len(table)} pairs"
    without = table[table["low"].isna() & table["difference"].notna()]
    reasons = Counter(
        why_no_interval(wins + losses) for wins, losses in zip(without["wins"], without["losses"], strict=True)
    )
    for why, number in reasons.items():
        text += f"\nNo interval (-) for {number} of {len(table)} pairs: {why}."
    if by_signs := int((_p_tests(table) != settings["test"]).sum()):
        why = "t is undefined where all differences are equal"
        text += f"\np is the sign test's for {by_signs} of {len(table)} pairs: {why}."
    return text + f"\np is exact for {every}: all possible resamples were tried." * bool(whole)


def print_plan(subject: Subject, measures: Measured, difference: float, alpha: float, *, printer: Printer) -> None:
    """Print how many topics a difference takes."""
    from cranfield.metrics.significance.topic_set_size import plan

    table = plan(subject, difference=difference, measures=measures, alpha=alpha)
    rows = [{str(name).replace("_", " "): value for name, value in row.items()} for row in table.to_dict("records")]
    about = {"alpha": alpha, "power": 0.8, "difference": difference, "measures": table.to_dict("records")}
    printer.emit(rows, document=about)
    if printer.for_people:
        none = " (- where no difference is so large)" if table["detectable"].isna().any() else ""
        say(
            f"\nWith the topics needed, a paired t test at {alpha:g} finds a true difference of {difference:g} in four"
            f" of five cases; the topics here suffice for the difference under detectable{none}. deviation is the"
            f" standard deviation of the difference of two of these runs over topics. For many pairs, divide --alpha by"
            f" their number."
        )
