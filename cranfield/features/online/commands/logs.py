"""`import log`, `measures --online`, and the names that the shell completes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.cli.build import command, show_lines
from cranfield.cli.tables import print_notes
from cranfield.features.online.functions import ImportedLog, import_log

if TYPE_CHECKING:
    from cranfield.features.online.subjects import InteractionLogs


def show_log_import(result: ImportedLog) -> None:
    """Print the notes on an import, and how much it added."""
    print_notes(result.context.notes)
    show_lines(result)


log = command(import_log, show_log_import, "store")


class OnlineMeasures(NamedTuple):
    """Whether measures are those of logs."""

    online: Annotated[
        bool,
        typer.Option("--online", help="List the measures of interaction logs, for `cranfield online show`."),
    ] = False

    def subject(self) -> InteractionLogs:
        """The measures of logs."""
        from cranfield.features.online.subjects import InteractionLogs

        return InteractionLogs()
