"""`round`: open, close and list rounds; `lag`: the same systems from round to round."""

from cranfield.cli.build import command, show_lines, show_table
from cranfield.cli.common_options import Printer
from cranfield.cli.tables import SEPARATED, TableFormat
from cranfield.commands import rounds
from cranfield.results import Result

start = command(rounds.start, show_lines, "rounds")
close = command(rounds.close, show_lines, "rounds")
list_ = command(rounds.summarize, show_table, "rounds")
same = command(rounds.declare_same_system, show_lines, "rounds")


def show_changes(result: Result, *, printer: Printer) -> None:
    """Print the change of each system; for people each number with its interval."""
    table = result.rows()
    is_for_programs = printer.format in (TableFormat.json, *SEPARATED)
    printer.emit(table if is_for_programs else result.typeset.rows, columns=result.columns)


lag = command(rounds.compare_systems, show_changes, "rounds")
