"""store history."""

from __future__ import annotations

from cranfield.cli.options import Format, Output, StorePath
from cranfield.cli.tables import Display, TableFormat, emit
from cranfield.text import moment


def history(path: StorePath, format: Format = TableFormat.table, output: Output = None) -> None:
    """Show what was imported and removed, in order.

    Example: cranfield store history track.db
    """
    from cranfield.store.history import history
    from cranfield.store.store import Store

    with Store.open(path) as store:
        rows = [line._asdict() for line in history(store)]
    emit(rows, format, output, display=Display(digits={"at": moment}, spare=("reason", "number")))
