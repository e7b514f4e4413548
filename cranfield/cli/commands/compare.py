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

from typing import TYPE_CHECKING

import typer

from cranfield.cli.build import command
from cranfield.cli.common_options import Plot, Printer
from cranfield.cli.tables import BAD, HEAD, TableFormat, columns_left_out, print_notes, print_remark, say
from cranfield.commands.comparison import RunComparison
from cranfield.commands.comparison import compare as compare_runs
from cranfield.commands.instructions import InstructionFollowing, measure_instruction_following
from cranfield.commands.topic_plan import TopicPlan, plan_topics
from cranfield.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.analysis.gate import ConditionResult


def show_comparison(result: RunComparison, *, plot: Plot = None, printer: Printer) -> None:
    """Print the pairs and what unjudged documents leave of them; exit with 3 or 4 by the conditions."""
    if plot is not None:
        from cranfield.charts.style import save

        save(result.plot(), plot)
    _print_pairs(result, printer)
    _print_outcomes(result, printer)
    print_notes(result.below)
    _end(result.checks)


def _print_pairs(result: RunComparison, printer: Printer) -> None:
    """Print all columns for programs, otherwise what fits, with a title and how to read it."""
    from cranfield.analysis.comparison_rows import display_of, reading_guide, short_rows

    table, settings = result.table, result.settings
    if printer.is_separated or printer.format is TableFormat.json:
        printer.emit(result.rows(), document=result.document)
        return
    if not printer.is_for_terminal:
        printer.emit_typeset(result)
        return
    rows = short_rows(table, settings, result.baseline, shows_judged=result.shows_judged)
    display = display_of(rows)
    printer.emit(rows, title=result.title, display=display)
    left_out = columns_left_out(rows, display, wide=printer.wide)
    say(f"\n{reading_guide(table, settings, left_out)}")


def _print_outcomes(result: RunComparison, printer: Printer) -> None:
    """Say which differences unjudged documents leave open: below the table, or counted beside other formats."""
    from cranfield.analysis.outcomes import outcome_sentences

    compared = result.compared
    if compared is None:
        return
    if not printer.is_for_terminal:
        n_open = sum(compared.table["outcome"].str.startswith("not decided"))
        n_due = sum(compared.table["outcome"].str.startswith("due to"))
        numbers = {"not decided": n_open, "due to unjudged documents": n_due}
        counts = [f"{number} {'is' if number == 1 else 'are'} {what}" for what, number in numbers.items() if number]
        if counts:
            total = counted(len(compared.table), "difference")
            print_notes([f"of {total}, {' and '.join(counts)}; see the column outcome"])
    elif sentences := outcome_sentences(compared, drawn=result.is_drawn):
        say("\n" + "\n".join(sentences))


def _end(checks: "Sequence[ConditionResult]") -> None:
    """Name each check that failed or is undecided; end with 3 if any failed, otherwise with 4 if any is undecided."""
    from cranfield.analysis.gate import failure_lines, undecided_lines

    for line in failure_lines(checks):
        print_remark("failed:", BAD, line)
    for line in undecided_lines(checks):
        print_remark("undecided:", HEAD, line)
    if any(one.failed for one in checks):
        raise typer.Exit(3)
    if any(one.undecided for one in checks):
        raise typer.Exit(4)


def show_plan(result: TopicPlan, *, printer: Printer) -> None:
    """Print how many topics a difference takes."""
    rows = result.typeset.rows
    printer.emit(rows, document=result.document)
    if printer.is_for_terminal:
        lacks = any(row["detectable"] != row["detectable"] for row in rows)
        none = ' ("-" means that no difference is large enough)' if lacks else ""
        say(
            f"\nWith the number of topics in the column needed, a paired t test at {result.alpha:g} finds a true"
            f" difference of {result.difference:g} in four of five cases. The column detectable contains the difference"
            f" that the available topics find equally often{none}. The column deviation contains the standard"
            " deviation over topics of the difference between two runs. For many pairs, divide --alpha by their number."
        )


def show_instruction_following(result: InstructionFollowing, *, printer: Printer) -> None:
    """Print p-MRR by topic, and how to read it.

    JSON: {"measure": "p-MRR", "original", "new", "mean", "topics": [{"topic", "documents", "p-MRR"}]}; `documents` is
    the number of documents that the changed instruction makes not relevant. CSV and TSV: the topics, then their mean as
    "all".
    """
    printer.emit(result.rows(), title=result.title, document=result.document)
    if printer.is_for_terminal:
        lost = counted(
            result.n_documents, "document that is no longer relevant", "documents that are no longer relevant"
        )
        say(
            f"\nAbove 0: the new run ranks the {lost} lower, as the change requires. Below 0: it ranks them higher. 0:"
            " no effect."
        )


compare = command(
    compare_runs,
    show_comparison,
    instead={
        "difference": command(plan_topics, show_plan),
        "changed_qrels": command(measure_instruction_following, show_instruction_following),
    },
)
