"""`task`: describe a shared task, its phases, teams, submissions, results and archive; and `submit`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cranfield.cli import not_in_python
from cranfield.cli.build import command, show_lines, show_table
from cranfield.cli.commands.serve import BASE
from cranfield.cli.common_options import Printer, StorePath
from cranfield.cli.tables import note, print_notes, say
from cranfield.extras import require
from cranfield.features.tasks import functions
from cranfield.features.tasks.functions import RankedRuns, TaskDescription
from cranfield.results import Result, ResultInLines
from cranfield.text import counted

Reason = Annotated[str, typer.Option(metavar="TEXT", help="Why the task goes back to an earlier phase.")]


def show_task(result: TaskDescription) -> None:
    """Print the description, or what was described."""
    if result.rows():
        show_lines(result)
    else:
        typer.echo(result.text, nl=False)


describe = command(functions.describe, show_task, "tasks")


@not_in_python("cranfield.features.tasks.store.begin_phase does it")
def open_(path: StorePath, *, reason: Reason = "") -> None:
    """Open the task for runs now, whatever its date.

    Example: cranfield task open track.db

    Example: cranfield task open track.db --reason "a team was late"
    """
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        _say_begun(store, "open", reason)


@not_in_python("cranfield.features.tasks.store.begin_phase does it")
def close(path: StorePath, *, reason: Reason = "") -> None:
    """Close the task now, if its date has not, and take the runs that stand into the collection.

    Runs come by priority, then time: `cranfield pool build --per-team N` pools the first N of each team. Late runs that
    come afterwards are taken by the next `close`, and are not pooled.

    Example: cranfield task close track.db

    Example: cranfield task close track.db --reason "the deadline has passed"
    """
    from cranfield.features.tasks.store import phase
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        now = phase(store)
        _end(store, "closed", reason, begun=now == "closed" or (now == "results" and not reason))


@not_in_python("cranfield.features.tasks.store.begin_phase does it")
def release(path: StorePath, *, reason: Reason = "") -> None:
    """Show the results to teams now, whatever their date. Runs that stand and were not taken yet are taken first.

    Example: cranfield task release track.db

    Example: cranfield task release track.db --reason "all is judged"
    """
    require("serve", "`cranfield task release`")
    from cranfield.features.tasks.scoring import is_public
    from cranfield.features.tasks.submissions import waiting
    from cranfield.features.tasks.transfers import gives_qrels
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        if waiting(store):
            _end(store, "results", reason)
        else:
            _say_begun(store, "results", reason)
            print_notes(_unsettled_notes(store))
        if gives_qrels(store):
            note('teams can download the qrels; qrels = "hidden" in the description keeps them')
        if is_public(store):
            note("anybody can read the results at /leaderboard")


def _end(store: Any, new: str, reason: str, begun: bool = False) -> None:
    """Begin a phase, unless it has begun, in which the runs that stand are taken."""
    from cranfield.features.tasks.submissions import equal_priorities, take_runs

    same = equal_priorities(store)
    if not begun:
        _say_begun(store, new, reason)
    names = take_runs(store)
    say(f"{counted(len(names), 'run')} taken into the collection")
    print_notes([*same, *_unsettled_notes(store)])


def _unsettled_notes(store: Any) -> list[str]:
    from cranfield.features.tasks.unsettled import unsettled_lines
    from cranfield.features.tasks.withdrawing import waiting_lines

    return [*unsettled_lines(store), *waiting_lines(store)]


def _say_begun(store: Any, new: str, reason: str) -> None:
    from cranfield.features.tasks.description import change_of_phase
    from cranfield.features.tasks.store import begin_phase

    say(change_of_phase(begin_phase(store, new, reason), new))


def _address(base: str) -> str:
    if not base.startswith(("http://", "https://")):
        raise typer.BadParameter(f"{base!r}; expected an address such as https://track.example", param_hint="--base")
    return base


def show_link(
    result: Result,
    base: Annotated[
        str,
        typer.Option(
            metavar="URL", callback=_address, help="Where the store is served, as `cranfield serve` prints it."
        ),
    ] = BASE,
) -> None:
    """Print the link of a team."""
    say(f"{base.rstrip('/')}/team/enter/{result.records[0]['token']}")
    if base == BASE:
        note(f"the link leads to {BASE}, the address of `cranfield serve` without --port; --base names another address")
    print_notes(result.context.notes)


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
        Path | None, typer.Argument(metavar="DIR", help="Write a page for each run into this folder, too.")
    ] = None,
    *,
    printer: Printer,
) -> None:
    """Print the results of runs, or write their pages."""
    from cranfield.features.tasks.archive import write_results
    from cranfield.formats.whole_files import folder_created

    if folder is not None:
        with folder_created(folder) as new:
            write_results(result.found, result.task, result.dates, Path(new))
        note(f"{counted(len(result.found.judged.tags), 'page')} in {folder}")
    if printer.is_separated:
        printer = printer._replace(left_out=result.context.left_out)  # tables say it in a note
    show_table_and_notes(result, printer)


def show_archive(result: ResultInLines) -> None:
    """Print how many runs the archive has, and what it lacks."""
    show_lines(result)
    print_notes(result.context.notes)


results = command(functions.list_results, show_results, "tasks")
archive = command(functions.write_archive, show_archive, "tasks")
receipt = command(functions.check_receipt, show_lines, "tasks")
