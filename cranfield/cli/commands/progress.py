"""`progress`, `why` and `rehearse`: how the work goes, where a label comes from, and what other policies would give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from cranfield.cli.build import command, show_table
from cranfield.cli.common_options import Printer
from cranfield.cli.tables import TableFormat, say
from cranfield.commands import judging
from cranfield.commands.judging import JudgingProgress, LabelExplanation, explain_label
from cranfield.commands.rehearsal import RehearsalResult
from cranfield.commands.rehearsal import rehearse as simulate_assessors
from cranfield.formats.text_tables import Row, align_columns
from cranfield.formats.whole_files import write_text
from cranfield.results import Result
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.judging.labels.why import Why
    from cranfield.judging.planning.rehearsal import Rehearsal, RehearsalPlan, RehearsalSetting


def show_progress(result: Result, printer: Printer) -> None:
    """Print the summary and the tables by assessor, or the table that was asked for."""
    if not isinstance(result, JudgingProgress):  # a table of a feature instead
        show_table(result, printer)
        return
    section, tables = result.section, dict(result.tables)
    if printer.format is TableFormat.table:
        tables = {name: [_shown_row(name, row) for row in rows] for name, rows in tables.items()}
    if section or printer.format is not TableFormat.table:
        printer.emit(tables[section or "work"], title=result.title, document=result.document)
    else:
        _print_tables(result, tables, printer)


progress = command(judging.progress, show_progress, "judging")


def _round_seconds(row: Row) -> Row:
    """A row whose median time is in whole seconds."""
    seconds = row.get("median seconds")
    return row if seconds is None else {**row, "median seconds": round(seconds)}


def _shown_row(table: str, row: Row) -> Row:
    """A row of a table as a terminal shows it."""
    if table == "pace":
        return _narrow(row)
    return _narrow_labeller(row) if {"task", "hours left"} <= row.keys() else _round_seconds(row)


def _narrow_labeller(row: Mapping[str, Any]) -> dict[str, object]:
    """A row of `labeller_rows` that fits a screen."""
    from cranfield.judging.planning.label_work import time_left

    names = ("task", "assessor", "kind", "done", "later", "cannot judge", "left")
    return {
        **{name: row[name] for name in names},
        "seconds": row["median seconds"] and round(row["median seconds"]),
        "an hour": row["per active hour"],
        "time left": time_left(row),
    }


def _narrow(row: Mapping[str, Any]) -> dict[str, object]:
    """A row of the pace that fits a screen."""
    likely, low, high = (row[name] for name in ("hours left", "from", "to"))
    return {
        "assessor": row["assessor"],
        "judged": row["judged"],
        "left": row["remaining"] + row["later"] + row["repeats"],
        "seconds": row["median seconds"] and round(row["median seconds"]),
        "an hour": row["per active hour"],
        "hours": f"{row['active hours']:g}",
        "hours left": row["basis"] if likely is None else f"{likely:g} ({low:g} to {high:g})" if high else "none",
    }


def _print_tables(result: JudgingProgress, tables: Mapping[str, Sequence[Row]], printer: Printer) -> None:
    """Print the tables that have rows, one below the other."""
    head, titles = "\n".join(filter(None, [result.head, *result.summary])), result.titles
    full = {name: rows for name, rows in tables.items() if rows and name != "work"}
    work = tables.get("work")
    topics = f"{counted(len(work), 'row')} by assessor and topic: add --show work" if work else ""
    if printer.output is not None:
        texts = [align_columns(rows, titles[name]) for name, rows in full.items()]
        write_text(
            printer.output, "\n".join([*([f"{head}\n"] if head else []), *texts, *([f"{topics}\n"] if topics else [])])
        )
        return
    if head or not full:
        say(head or "There is no pool yet; build a pool with `cranfield pool build`.")
    for number, (name, rows) in enumerate(full.items()):
        printer.emit(rows, title=("\n" if head or number else "") + titles[name])
    if topics:
        say(f"\n{topics}")


def show_explanation(result: LabelExplanation, printer: Printer) -> None:
    """Print the events, for people with what the grade rests on above and below them."""
    from cranfield.judging.labels.why import evidence_lines

    reasons, display = result.reasons, result.display
    if reasons is None or not printer.is_for_terminal:
        printer.emit(result.cells, document=result.document, display=display)
        return
    say("\n".join(_reason_lines(reasons)))
    cells = [{name: value for name, value in row.items() if name != "evidence"} for row in result.cells]
    printer.emit(cells, display=display)
    say("\n".join(evidence_lines(reasons)))


why = command(explain_label, show_explanation, "judging")


def _reason_lines(reasons: Why) -> list[str]:
    """The lines above the events."""
    from cranfield.judging.labels.why import pool_lines, retrieving_run_lines, text_availability, verdict
    from cranfield.text import visible_line

    name = visible_line(f"Topic {reasons.qid}, document {reasons.docno}")
    return [
        f"{name}: {verdict(reasons)}",
        text_availability(reasons),
        *pool_lines(reasons),
        *retrieving_run_lines(reasons),
    ]


def show_rehearsal(result: RehearsalResult, *, printer: Printer) -> None:
    """Print the cost, the agreement to expect, and what each policy changes."""
    if printer.is_for_terminal:
        _show(result.outcome, result.content, result.setting, result.repeats, printer)
    else:
        printer.emit(result.rows(), document=result.document)


rehearse = command(simulate_assessors, show_rehearsal, "judging")


def _show(
    outcome: Rehearsal, document: dict[str, Any], setting: RehearsalSetting, repeats: int, printer: Printer
) -> None:
    say(_cost_text(outcome.plan))
    if outcome.plan.twice:
        say()
        rows = [_drop_interval(row) for row in document["agreement"]]
        printer.emit(rows, title=f"agreement on the overlap, in {counted(repeats, 'simulation')}")
    say()
    rows = [
        {
            "policy": row["policy"], "measure": row["measure"], "tau": row["tau"], "lowest tau": row["tau_min"],
            "tau_AP": row["tau_ap"], "largest |change|": row["max_change"], "of top 5 lost": row["top_5_left"],
            "best lost": f"{row['best_lost']:.0%}",
        }
        for row in document["systems"]
    ]  # fmt: skip
    printer.emit(rows, title="system rankings compared with the ranking by the true grades")
    say("\n" + _advice(outcome, setting))


def _cost_text(plan: RehearsalPlan) -> str:
    documents = counted(plan.unknown, "document")
    unknown = f" (time is also planned for {documents} without a true grade)" if plan.unknown else ""
    each = plan.hours / plan.assessors
    return (
        f"The plan covers {counted(plan.documents, 'document')} on {counted(plan.topics, 'topic')}{unknown}."
        f" {plan.twice} of these documents are judged by all assessors, so {counted(plan.assessors, 'assessor')} make"
        f" {counted(plan.judgments, 'judgment')} in total. At {plan.seconds:g} seconds each, these take"
        f" {plan.hours:.1f} hours, or {each:.1f} per assessor."
    )


def _drop_interval(row: dict[str, Any]) -> dict[str, Any]:
    """A row for people: low and high are the lowest and highest of the simulations, and no interval."""
    names = {"low": "lowest", "high": "highest"}
    return {
        names.get(name, name): "undefined" if isinstance(value, float) and isnan(value) else value
        for name, value in row.items()
    }


def _advice(outcome: Rehearsal, setting: RehearsalSetting) -> str:
    if not outcome.plan.twice:
        return "No document is judged twice, so agreement cannot be estimated and all policies give the same result."
    if setting.overlap < 1:
        return (
            f"Policies can differ only on the {setting.overlap:.0%} of documents that all assessors judge. Use"
            " --overlap 1 to see the largest differences."
        )
    return "All assessors judge all documents. This is the most expensive plan, and policies differ most in it."
