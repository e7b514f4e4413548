"""`task`: describe a shared task, its phases, teams, submissions, results and archive; and `submit`."""

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.build import command, show_lines, show_lines_and_notes, show_table
from cranfield.cli.commands.assessor import BaseAddress, print_link
from cranfield.cli.commands.serve import BASE
from cranfield.cli.common_options import Printer
from cranfield.cli.tables import print_note, print_notes
from cranfield.features.tasks import functions, phases
from cranfield.features.tasks.functions import RankedRuns, TaskDescription
from cranfield.results import Result
from cranfield.text import counted


def show_task(result: TaskDescription) -> None:
    """Print the description, or what was described."""
    if result.rows():
        show_lines(result)
    else:
        typer.echo(result.text, nl=False)


describe = command(functions.describe, show_task, "tasks")


open_ = command(phases.open_task, show_lines, "tasks")
close = command(phases.close_task, show_lines_and_notes, "tasks")
release = command(phases.release_results, show_lines_and_notes, "tasks")


def show_link(result: Result, base: BaseAddress = BASE) -> None:
    """Print the link of a team."""
    print_link(result, base, "team/enter")


invite = command(functions.invite, show_link, "tasks")


revoke = command(functions.revoke, show_lines, "tasks")
teams = command(functions.list_teams, show_table, "tasks")


def show_table_and_notes(result: Result, printer: Printer) -> None:
    """Print the table, and the notes below it."""
    show_table(result, printer)
    print_notes(result.context.notes)


submissions = command(functions.list_submissions, show_table_and_notes, "tasks")


withdrawals = command(functions.list_withdrawals, show_table, "tasks")
decide = command(functions.decide_withdrawal, show_lines, "tasks")


def show_results(
    result: RankedRuns,
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="Folder to create, with a page for each run.")
    ] = None,
    *,
    printer: Printer,
) -> None:
    """Print the results of runs, or write their pages."""
    from cranfield.features.tasks.archive import write_results
    from cranfield.formats.whole_files import write_folder_atomically

    if folder is not None:
        with write_folder_atomically(folder) as new:
            write_results(result.found, result.task, result.dates, Path(new))
        print_note(f"{counted(len(result.found.judged.tags), 'page')} in {folder}")
    if printer.is_separated:
        printer = printer._replace(left_out=result.context.left_out)  # tables say it in a note
    show_table_and_notes(result, printer)


results = command(functions.list_results, show_results, "tasks")
archive = command(functions.write_archive, show_lines_and_notes, "tasks")
receipt = command(functions.check_receipt, show_lines, "tasks")
