"""`reusability`, `depths`, `stability`, `diagnose`, `report`: how far scores hold for other runs, depths, topics."""

from collections.abc import Callable, Sequence
from functools import partial
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli import completion, in_python
from cranfield.cli.build import command
from cranfield.cli.common_options import ONLY_READ, GivenOptions, Plot, Printer
from cranfield.cli.reading_options import RUNS_AND_QRELS
from cranfield.cli.tables import (
    FORECAST,
    TYPESET,
    TableFormat,
    loss_display,
    note,
    say,
    summary,
)
from cranfield.commands.reports import WrittenReport, write_report
from cranfield.commands.reusability import ReusabilityVerdict
from cranfield.commands.reusability import reusability as of_left_out_units
from cranfield.commands.stability import PoolDepths, Stability
from cranfield.commands.stability import depths as of_pool_depths
from cranfield.commands.stability import stability as of_topics
from cranfield.errors import InputError
from cranfield.formats.text_tables import Row
from cranfield.hooks import OptionError
from cranfield.options import Option
from cranfield.options.trusting import (
    DiagnoseOptions,
)
from cranfield.results import Result
from cranfield.store.reading import Reading
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.analysis.diagnosis import ComparedNewRun, Diagnosis
    from cranfield.call_view import CallView


def show_reusability(result: ReusabilityVerdict, *, plot: Plot = None, printer: Printer) -> None:
    """Print what each unit loses, and for people the verdict in sentences."""
    from cranfield.analysis.change_rows import change_rows_with_reason, worst_first
    from cranfield.analysis.verdict import headline, verdict_rows

    verdict = result.verdict
    if verdict is None and plot is not None:
        raise OptionError("plot", "draws the ranks of rankings only")
    _save_plot(result, plot)
    rows = result.rows()
    if printer.format is TableFormat.table:
        first = result.left_out.measures[0]
        rows = [row for row in rows if row["measure"] == first]
        shown, display = loss_display(rows if verdict is None else worst_first(rows), first)
        printer.emit(shown, title=result.title, display=display)
        if verdict is not None and printer.is_for_terminal and not verdict.left_out.no_verdict:
            say()
            say(headline(verdict))
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
        summary(result.path, line)


report = command(write_report, show_report, "trust")


NOT_OF_A_DRAW = ("draw", "pool_out", "store_pool", "format", "output", "release")  # not in a proposed command


class DiagnoseCommand(DiagnoseOptions):
    """The same, and whom to beat."""

    against: Annotated[
        str | None,
        Option(
            "Test the difference between the new run and this one, as judged and under simulated labels.",
            metavar="TAG",
            complete="run",
            before="draw",
        ),
    ] = None


@in_python("trust.diagnose")
def diagnose(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="SOURCE... NEWRUN",
            help="A store, or a qrels file and the known runs; then the new run: a file, or the tag of a stored run.",
        ),
        RUNS_AND_QRELS,
        ONLY_READ,
        completion.RUNS,
    ],
    *,
    options: DiagnoseCommand,
    printer: Printer,
    given: GivenOptions,
    reading: Reading,
) -> None:
    """Forecast what a run that did not help to build the pool would score.

    Use it before you report scores of a new system on an old collection.
    For each measure it prints the score as judged and a 95% interval: what
    the score would be if the run's first documents were judged to the
    pool's depth. Where no forecast can be made, it prints worst-case bounds
    and the command that draws documents to judge.

    low, high: the 95% interval. lowest, highest: the bounds under any
    labels. With --against: whether the difference to another run is
    significant, not decided, or due to unjudged documents.

    Example: cranfield diagnose qrels.txt runs/*.gz new.run --against bm25

    Example: cranfield diagnose track.db new.run --draw 50 draw.tsv --store-pool
    """
    from cranfield.analysis.diagnosis import diagnosis_of, hand_out, open_case
    from cranfield.analysis.new_run import has_learnt_model
    from cranfield.analysis.random_draws import check_destinations
    from cranfield.call_view import CallView

    if len(paths) < 2:
        raise typer.BadParameter("give a store or a qrels file, and then the new run", param_hint="SOURCE... NEWRUN")
    if options.draw is None and (options.pool_out or options.store_pool):
        raise typer.BadParameter("--pool-out and --store-pool require --draw N OUT", param_hint="--draw")
    view = CallView.view_of_places(paths[:-1], options, reading, note)
    check_destinations(options, view)
    case = open_case(view, paths[-1], options)
    if has_learnt_model(case.whole, options.depth):
        _diagnose_learnt(case, view, options, printer, partial(_proposal, paths, view, given))
        return
    diagnosis = diagnosis_of(case, options, against=options.against, path=paths[0], tell=note)
    proposes = diagnosis.n_proposed and options.draw is None
    proposal = _proposal(paths, view, given, diagnosis.n_proposed) if proposes else ""
    _show_diagnosis(diagnosis, proposal, printer)
    for line in hand_out(diagnosis, options, view):
        typer.echo(line, err=printer.format is not TableFormat.table)


def _proposal(paths: Sequence[Path], view: "CallView", given: GivenOptions, n: int) -> str:
    from cranfield.analysis.diagnosis import command_to_draw

    return command_to_draw(paths, n, given.words(NOT_OF_A_DRAW), is_stored=view.is_stored)


def _show_diagnosis(diagnosis: "Diagnosis", proposal: str, printer: Printer) -> None:
    """Print the table of scores; as a table on the standard output, also the sentences."""
    from cranfield.analysis.diagnosis import as_document, lines_of, pair_rows, score_rows, title_of, wide_rows

    rows, title = score_rows(diagnosis), title_of(diagnosis)
    if not printer.is_for_terminal:
        _emit_for_programs(
            wide_rows(diagnosis), printer, title=title, document=as_document(diagnosis, proposal),
            sentences=[*lines_of(diagnosis), *(row["sentence"] for row in (*rows, *pair_rows(diagnosis)))],
        )  # fmt: skip
        return
    is_empty = {name for name in ("low", "high", "lowest", "highest") if all(isnan(row[name]) for row in rows)}
    is_empty |= {"labels"} if not diagnosis.n_labels else set()
    printer.emit([_drop_columns(row, ("sentence", "status", *is_empty)) for row in rows], title=title, display=FORECAST)
    for sentence in [*lines_of(diagnosis), *(row["sentence"] for row in rows)]:
        say()
        say(sentence)
    for row in pair_rows(diagnosis):
        say()
        say(row["sentence"])
    if proposal:
        say()
        say(f"A random draw of {counted(diagnosis.n_proposed, 'unjudged document')}, judged, would say more:")
        say(f"  {proposal}")


def _diagnose_learnt(
    case: "ComparedNewRun", view: "CallView", options: DiagnoseCommand, printer: Printer, propose: Callable[[int], str]
) -> None:
    """Print what is known of a new run where active learning built the pool, and write a draw on request."""
    from cranfield.analysis.new_run import diagnose_learnt, hand_out_learnt, learnt_document, learnt_title
    from cranfield.metrics.notation import parse_all

    measures = parse_all(options.measures, case.whole.min_relevant)
    found = diagnose_learnt(case.whole, case.tag, measures, view, Path(options.drawn) if options.drawn else None)
    if options.against is not None:
        raise InputError(f"{found.reason}: no difference is forecast for it; leave out --against")
    proposes = found.n_proposed and options.draw is None
    proposal = propose(found.n_proposed) if proposes else ""
    title = learnt_title(found)
    if not printer.is_for_terminal:
        _emit_for_programs(
            found.rows, printer, title=title, document=learnt_document(found, proposal),
            sentences=[f"No forecast by the pooled runs: {found.reason}.", *(row["sentence"] for row in found.rows)],
        )  # fmt: skip
    else:
        bounds = ("low", "high", "lowest", "highest")
        is_empty = {name for name in bounds if all(isnan(row[name]) for row in found.rows)}
        is_empty |= set() if any(row["labels"] for row in found.rows) else {"labels"}
        printer.emit(
            [_drop_columns(row, ("sentence", "status", *is_empty)) for row in found.rows], title=title, display=FORECAST
        )
        say(f"\nNo forecast by the pooled runs: {found.reason}.")
        for row in found.rows:
            say(f"\n{row['sentence']}")
        if proposal:
            say(f"\nA random draw of {counted(found.n_proposed, 'unjudged document')}, judged, would say more:")
            say(f"  {proposal}")
    for line in hand_out_learnt(found, options, view):
        typer.echo(line, err=not printer.is_for_terminal)


def _emit_for_programs(
    rows: Sequence[Row], printer: Printer, *, title: str, document: object, sentences: Sequence[str]
) -> None:
    """Print scores with their sentences: as columns, or under the table in Markdown and LaTeX."""
    if printer.format in TYPESET:
        rows = [_drop_columns(row, ("sentence", "difference sentence")) for row in rows]
        printer.emit(rows, title=title, caption=title, below=sentences, display=FORECAST)
    else:
        printer.emit(rows, title=title, document=document)


def _drop_columns(row: Row, names: Sequence[str]) -> Row:
    return {name: value for name, value in row.items() if name not in names}
