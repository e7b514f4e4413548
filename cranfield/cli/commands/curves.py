"""`curve` and `correlate`: precision by recall, and how alike two system rankings are."""

from typing import Annotated

import typer

from cranfield.cli import completion
from cranfield.cli.build import command
from cranfield.cli.common_options import Plot, Printer
from cranfield.cli.tables import print_note, say
from cranfield.commands import correlation, curves

CurveRuns = Annotated[
    list[str] | None,
    typer.Option(
        "--run",
        metavar="TAG",
        help="Run to draw with --plot; may be repeated. [default: the best, the median and the worst run, or all"
        " if they are few]",
    ),
    completion.RUNS,
]


def show_curve(result: curves.RecallCurve, *, run: CurveRuns = None, plot: Plot = None, printer: Printer) -> None:
    """Print the points; draw them on request."""
    if run and plot is None:
        raise typer.BadParameter("requires --plot", param_hint="--run")
    if result.is_raw:
        drawable, rankings = len(result.frame[["run", "query_id"]].drop_duplicates()), result.n_rankings
        if drawable < rankings:
            print_note(
                f"{rankings - drawable} of {rankings} rankings contain no relevant document, so they have no points"
            )
    if plot is not None:
        from cranfield.charts.style import save

        save(result.plot(runs=run or ()), plot)
    rows = result.rows()
    is_by_recall = printer.is_separated and not result.is_raw  # for people, who may have many runs, a row for each run
    printer.emit(result.wide_rows(by_recall=True) if is_by_recall else result.typeset.rows, document=rows)


curve = command(curves.curve, show_curve)


def show_correlations(result: correlation.RankingCorrelation, *, plot: Plot = None, printer: Printer) -> None:
    """Print the coefficients; for people a table for each pair."""
    from cranfield.analysis.comparison import correlation_title, table_rows

    if plot is not None:
        from cranfield.charts.style import save

        save(result.plot(), plot)
    if not printer.is_for_terminal:
        printer.emit(result.rows(), document=result.document)
        return
    for number, one in enumerate(result.comparisons):
        printer.emit(table_rows(one), title=("\n" if number else "") + correlation_title(one))
        if one["undefined"]:
            say(f"A dash means undefined: {one['undefined']}.")


correlate = command(correlation.correlate, show_correlations)
