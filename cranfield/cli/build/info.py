"""info."""

from __future__ import annotations

from pathlib import Path

from cranfield.cli.options import Format, Output, StorePath
from cranfield.cli.tables import TableFormat, emit, note


def info(path: StorePath, format: Format = TableFormat.table, output: Output = None) -> None:
    """Show what a store contains. Unknown documents and topics occur in runs or judgments but were never imported.

    Example: cranfield info track.db
    """
    from cranfield.analysis.overview import overview
    from cranfield.store.store import Store

    if Path(f"{path}-wal").exists():
        beside = f"the latest changes may still be in {path}-wal"
        note(f"{path} is open in another program, and {beside}: copy the store with `cranfield store backup`")
    with Store.open(path) as store:
        rows, document = overview(store)
    emit(rows, format, output, document=document)
