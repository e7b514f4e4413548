"""`online`: what a log has, A/B tests, and offline beside online differences."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.build import command
from cranfield.cli.common_options import Plot, Printer
from cranfield.cli.tables import Display, TableFormat, print_note, print_notes, say, signed_formatter
from cranfield.features.online.functions import (
    ArmComparison,
    ArmDivergence,
    LogMeasures,
    compare_arms,
    measure_divergence,
    summarize_log,
)
from cranfield.options import Option
from cranfield.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.features.online.analysis.ab import AbTest
    from cranfield.features.online.analysis.divergence import Divergence
    from cranfield.formats.text_tables import Row


def show_log_measures(
    result: LogMeasures,
    most: Annotated[int, Option("Number of positions or queries to show.", "-n", min=1, before="confidence")] = 20,
    plot: Plot = None,
    *,
    printer: Printer,
) -> None:
    """Print the measures of the first groups."""
    from cranfield.features.online.analysis.log import LIMITED, first_groups, interval_notes

    first, groups = first_groups(result.rows(), result.by, most)
    shown = first
    if len({row.get("experiment") for row in first}) == 1 and printer.format is TableFormat.table:
        shown = [{name: value for name, value in row.items() if name != "experiment"} for row in first]
    printer.emit(shown, title=result.title, display=result.display)
    if groups > most and result.by in LIMITED:
        print_note(f"{result.by}: the first {most} of {groups:,}; -n shows more")
    print_notes([*interval_notes(first), *result.context.notes])
    if plot is not None:
        from cranfield.charts.style import save
        from cranfield.features.online.charts import online_plot

        save(online_plot(shown, result.by, result.confidence), plot)


show = command(summarize_log, show_log_measures, "online")


def show_arms(result: ArmComparison, plot: Plot = None, *, printer: Printer) -> None:
    """Print the differences of arms with a sentence on each, or how many users a test takes."""
    test = result.test
    if test is None:
        if plot is not None:
            raise typer.BadParameter("draws differences, so it cannot be used with --plan", param_hint="--plot")
        printer.emit(result.records, title=result.title, display=result.typeset.display)
        return
    if plot is not None:
        from cranfield.charts.style import save
        from cranfield.features.online.charts import effect_plot

        save(effect_plot(test.document), plot)
    if printer.is_separated or printer.format is TableFormat.json:
        printer.emit(result.records, document=result.document)
    else:
        printer.emit(result.typeset.rows, title=result.title, display=result.typeset.display)
        if printer.is_for_terminal:
            say(f"\n{_reading(test)}")
    print_notes(result.context.notes)


ab = command(compare_arms, show_arms, "online")


def _reading(result: AbTest) -> str:
    lines = [
        f"{row['arm']} {'raises' if row['difference'] > 0 else 'lowers'} {row['measure']}{_place_words(row)}"
        for row in result.rows if row["significant"] and not row["margin"]
    ]  # fmt: skip
    guardrails = [row for row in result.rows if row["margin"]]
    lines += [f"{row['measure']} of {row['arm']}{_place_words(row)}: {row['guardrail']}" for row in guardrails]
    claims = [row for row in result.rows if not row["margin"]]
    no_test = sum(isnan(row["p"]) for row in claims)
    unclear = sum(not row["significant"] for row in claims) - no_test
    open_ = (
        f"{counted(unclear, 'difference is', 'differences are')} not significant, which does not show that there"
        " is no difference."
    )
    none = f"{counted(no_test, 'difference is', 'differences are')} not tested."
    return " ".join([f"{'; '.join(lines)}."] * bool(lines) + [open_] * bool(unclear) + [none] * bool(no_test))


def _place_words(row: dict[str, Any]) -> str:
    return f" for {row['segment'] or '(none)'}" if "segment" in row else ""


WARNING = (
    "the best measure was chosen on these pairs, so expect less agreement on new pairs. Pairs share arms and are not"
    " independent, so the agreement has no interval"
)


def show_divergence(
    result: ArmDivergence,
    most: Annotated[int, Option("Number of topics to show.", "-n", min=0, before="confidence")] = 10,
    plot: Plot = None,
    *,
    printer: Printer,
) -> None:
    """Print the pairs, the agreement of each measure, and the topics that differ most."""
    print_notes(result.context.notes)
    if plot is not None:
        from cranfield.charts.style import save
        from cranfield.features.online.charts import divergence_plot

        save(divergence_plot(result.rows(), result.found.online), plot)
    if not printer.is_for_terminal:
        printer.emit(result.records, document=result.document)
        return
    _say(result.found, most, printer)


divergence = command(measure_divergence, show_divergence, "online")


def _say(result: Divergence, most: int, printer: Printer) -> None:
    from cranfield.features.online.analysis.divergence import agreement_rows, pair_rows

    heads = {"arm_a": "a", "arm_b": "b", "online": result.online, "online_low": "low ", "online_high": "high ",
             "offline_low": "low", "offline_high": "high", "lists_a": "lists a", "lists_b": "lists b",
             "judged_a": "Judged@10 a", "judged_b": "Judged@10 b", "slope": "slope per .01"}  # fmt: skip
    digits = {name: signed_formatter(4) for name in pair_rows(result)[0] if name.startswith(("offline", "online"))}
    measures = sorted({pair.measure for pair in result.pairs})
    offline = measures[0] if len(measures) == 1 else "offline"
    printer.emit(
        _drop_alike(pair_rows(result)), title=f"differences a - b, {offline} and {result.online}",
        display=Display(heads=heads, digits=digits, spare=("experiment",)),
    )  # fmt: skip
    if rows := agreement_rows(result):
        say()
        printer.emit(rows, title="agreement over pairs", display=Display(heads=heads))
        print_note(WARNING if len(rows) > 1 else WARNING.partition(". ")[2])
    else:
        print_note("there are fewer than 4 pairs, which is too few to measure agreement")
    if result.topics and most:
        say()
        digits |= {"days": "{:.0f}".format}
        printer.emit(
            _drop_alike(result.topics[:most]), title="topics with the largest differences",
            display=Display(heads=heads, digits=digits, spare=("experiment",)),
        )  # fmt: skip


def _drop_alike(rows: Sequence[Row]) -> list[Row]:
    """The rows without their experiment or measure where all have the same."""
    alike = {name for name in ("experiment", "measure") if len({row.get(name) for row in rows}) == 1}
    return [{name: value for name, value in row.items() if name not in alike} for row in rows]
