"""Options of every command that prints tables."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from typer.core import TyperOption

from cranfield.cli.tables import SAFE_CELLS, WIDE, TableFormat

OPTIONS: dict[str, tuple[ContextVar[bool], str]] = {
    "--wide": (WIDE, "Show all columns and digits of a table, however narrow the terminal."),
    "--safe-csv": (SAFE_CELLS, "In CSV and TSV, quote text that a spreadsheet would read as a formula."),
}
ALWAYS_TABLES = ("demo",)  # commands that print tables and write no other format


def add_table_options(command: Any) -> None:
    """Give --wide, and where the format can be chosen --safe-csv, to a command that prints tables."""
    chosen = any([*getattr(parameter.type, "choices", ())] == [*TableFormat] for parameter in command.params)
    for name in OPTIONS if chosen else ["--wide"] if command.name in ALWAYS_TABLES else []:
        setting, text = OPTIONS[name]
        command.params.append(
            TyperOption(param_decls=[name], is_flag=True, expose_value=False, callback=_setter(setting), help=text)
        )


def _setter(setting: ContextVar[bool]) -> Any:
    def given(context: Any, option: Any, wanted: bool) -> None:
        setting.set(wanted)

    return given
