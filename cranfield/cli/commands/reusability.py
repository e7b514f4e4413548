"""`reusability`, `depths`, `stability`, `diagnose`, `report`: how far scores hold for other runs, depths, topics."""

from collections.abc import Collection
from math import isnan
from pathlib import Path

import typer

from cranfield.cli.build import command
from cranfield.cli.common_options import GivenOptions, Plot, Printer
from cranfield.cli.tables import (
    FORECAST,
    TYPESET,
    TableFormat,
    loss_display,
    print_summary,
    say,
)
from cranfield.commands.new_run import NewRunDiagnosis
from cranfield.commands.new_run import diagnose as diagnose_new_run
from cranfield.commands.reports import WrittenReport, write_report
from cranfield.commands.reusability import ReusabilityVerdict
from cranfield.commands.reusability import reusability as of_left_out_units
from cranfield.commands.stability import PoolDepths, Stability
from cranfield.commands.stability import depths as of_pool_depths
from cranfield.commands.stability import stability as of_topics
from cranfield.formats.text_tables import Row
from cranfield.hooks import OptionError
from cranfield.results import Result
from cranfield.text import counted


def show_reusability(result: ReusabilityVerdict, *, plot: Plot = None, printer: Printer) -> None:
    """Print what each unit loses, and for people the verdict in sentences."""
    from cranfield.analysis.change_rows import change_rows_with_reason, sort_worst_first
    from cranfield.analysis.verdict import verdict_rows, verdict_sentences

    verdict = result.verdict
    if verdict is None and plot is not None:
        raise OptionError("plot", "works only for rankings")
    _save_plot(result, plot)
    rows = result.rows()
    if printer.format is TableFormat.table:
        first = result.left_out.measures[0]
        rows = [row for row in rows if row["measure"] == first]
        shown, display = loss_display(rows if verdict is None else sort_worst_first(rows), first)
        printer.emit(shown, title=result.title, display=display)
        if verdict is not None and printer.is_for_terminal and not verdict.left_out.no_verdict:
            say()
            say(verdict_sentences(verdict))
            for name in verdict.left_out.measures:
                say()
                printer.emit(verdict_rows(verdict, name))
        return
    if verdict is not None and printer.is_separated:
        printer.emit(change_rows_with_reason(verdict.left_out))
    elif printer.is_typeset:
        printer.emit_typeset(result)
    else:
        printer.emit(rows, document=result.document)


def show_depths(result: PoolDepths, *, plot: Plot = None, printer: Printer) -> None:
    """Print a row for each depth, and how to read them."""
    from cranfield.analysis.depths import HOW_TO_READ, rows

    if printer.is_separated:
        printer.emit(rows(result.by_depth, False), title=result.title)
    else:
        printer.emit_typeset(result)
    if printer.is_for_terminal:
        say(f"\n{HOW_TO_READ}")
    _save_plot(result, plot)


def show_stability(result: Stability, *, plot: Plot = None, printer: Printer) -> None:
    """Print a row for each number of topics, and what they say."""
    from cranfield.analysis.comparison import stability_rows, stability_sentences

    document = result.by_measure
    if printer.is_separated:
        printer.emit(stability_rows(document, False), title=result.title)
    else:
        printer.emit_typeset(result)
    if printer.is_for_terminal:
        for each in document["measures"]:
            say("\n" + "\n".join(stability_sentences(each, document["topics"])))
    _save_plot(result, plot)


def _save_plot(result: Result, plot: Path | None) -> None:
    if plot is not None:
        from cranfield.charts.style import save

        save(result.plot(), plot)


reusability = command(of_left_out_units, show_reusability, "trust")
depths = command(of_pool_depths, show_depths, "trust")
stability = command(of_topics, show_stability, "trust")


def show_report(result: WrittenReport) -> None:
    """Say what was written."""
    for line in result.lines:
        print_summary(result.path, line)


report = command(write_report, show_report, "trust")


SCORE_COLUMNS = ("measure", "score", "low", "high", "lowest", "highest", "unjudged", "labels")
NOT_OF_A_DRAW = ("draw", "pool_out", "store_pool", "format", "output", "release")  # not in a proposed command


def show_diagnosis(result: NewRunDiagnosis, *, given: GivenOptions, printer: Printer) -> None:
    """Print the table of scores with its sentences, and the command that draws documents to judge."""
    from cranfield.analysis.diagnosis import command_to_draw

    words, proposal = given.words(NOT_OF_A_DRAW), ""
    if result.n_proposed:
        proposal = command_to_draw(result.paths, result.n_proposed, words, result.draw_options)
    if printer.is_for_terminal:
        _say_diagnosis(result, proposal, printer)
    elif printer.format in TYPESET:
        rows = [_drop_columns(row, ("sentence", "difference sentence")) for row in result.rows()]
        below = [*result.lines, *result.sentences]
        printer.emit(rows, title=result.title, caption=result.title, below=below, display=FORECAST)
    else:
        document = {**result.content, "proposal": proposal or None}
        printer.emit(result.rows(), title=result.title, document=document)
    is_beside = not printer.is_for_terminal if result.is_learnt else printer.format is not TableFormat.table
    for line in result.written:
        typer.echo(line, err=is_beside)


def _say_diagnosis(result: NewRunDiagnosis, proposal: str, printer: Printer) -> None:
    rows = [{name: row[name] for name in SCORE_COLUMNS} for row in result.rows()]
    is_empty = {name for name in ("low", "high", "lowest", "highest") if all(isnan(row[name]) for row in rows)}
    is_empty |= {name for name in ("unjudged", "labels") if not any(row[name] for row in rows)}
    printer.emit([_drop_columns(row, is_empty) for row in rows], title=result.title, display=FORECAST)
    for sentence in (*result.lines, *result.sentences):
        say(f"\n{sentence}")
    if proposal:
        say(f"\nTo learn more, judge a random draw of {counted(result.n_proposed, 'unjudged document')}:")
        say(f"  {proposal}")


def _drop_columns(row: Row, names: Collection[str]) -> Row:
    return {name: value for name, value in row.items() if name not in names}


diagnose = command(diagnose_new_run, show_diagnosis, "trust")
