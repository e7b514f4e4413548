"""`round`: open, close and list rounds; `lag`: the same systems from round to round."""

from collections.abc import Mapping
from typing import Any

from cranfield.cli.build import command, show_lines, show_table
from cranfield.cli.common_options import Printer
from cranfield.cli.tables import SEPARATED, TableFormat
from cranfield.commands import rounds
from cranfield.formats.text_tables import FormattedNumber
from cranfield.results import Result

start = command(rounds.start, show_lines, "rounds")
close = command(rounds.close, show_lines, "rounds")
list_ = command(rounds.summarize, show_table, "rounds")
same = command(rounds.declare_same_system, show_lines, "rounds")


def show_changes(result: Result, *, printer: Printer) -> None:
    """Print the change of each system; for people each number with its interval."""
    table = result.rows()
    is_for_programs = printer.format in (TableFormat.json, *SEPARATED)
    printer.emit(table if is_for_programs else [_short(row) for row in table], columns=result.columns)


lag = command(rounds.compare_systems, show_changes, "rounds")


def _short(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row for people: each number with its interval."""

    def number_with_interval(name: str) -> FormattedNumber:
        value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
        return FormattedNumber(f"{value:+.4f} [{low:+.3f} {high:+.3f}]")

    ends = {head: number_with_interval(name) for head, name in HEADS.items() if name in row}
    plain = {name: row[name] for name in ("system", "measure", "round", "topics", "first", "now")}
    return {**plain, **ends}


HEADS = {"change": "change", "dRI": "delta_ri", "ER": "er"}
