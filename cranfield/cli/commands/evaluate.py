"""`evaluate`: the scores of runs."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cranfield.cli.build import command
from cranfield.cli.common_options import Plot, Printer
from cranfield.cli.tables import print_note, print_notes, score_display
from cranfield.commands.evaluation import Scores
from cranfield.commands.evaluation import evaluate as score_runs
from cranfield.options import Written


def _no_stream(path: Path | None) -> Path | None:
    """Refuse the standard output, which has the table."""
    if str(path) == "-":
        raise typer.BadParameter("expected a file, because the table goes to standard output")
    return path


ScoreRows = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        callback=_no_stream,
        help="Output file for per-topic scores and means in TREC AutoJudge format (JSON lines).",
    ),
    Written(),
]


def show_scores(result: Scores, *, plot: Plot = None, score_rows: ScoreRows = None, printer: Printer) -> None:
    """Print the scores, the best run first; write and draw them on request."""
    print_notes([line for line in [result.undefined_shares] if line and line not in result.notes])
    if score_rows is not None:
        _write_rows(score_rows, result.topic_document)
    rows, document = result.printed
    if not printer.is_separated:
        rows = [dict(row) for row in result.typeset.rows]
    printer.emit(rows, document=document, display=score_display(rows))
    if plot is not None:
        from cranfield.charts.style import save

        save(result.plot(), plot)


evaluate = command(score_runs, show_scores)


def _write_rows(path: Path, document: dict[str, Any]) -> None:
    from cranfield.formats.score_files import write_score_rows
    from cranfield.text import counted

    if omissions := write_score_rows(path, document["scores"]):
        print_note(f"{counted(omissions, 'undefined score')} left out of {path}")
