"""store releases."""

from __future__ import annotations

from cranfield.cli.options import Format, Output, StorePath
from cranfield.cli.tables import Display, TableFormat, emit


def releases(path: StorePath, format: Format = TableFormat.table, output: Output = None) -> None:
    """List the releases of a store, with how much each has.

    Example: cranfield store releases track.db
    """
    from cranfield.store.releases.releases import listed
    from cranfield.store.store import Store

    with Store.open(path) as store:
        rows = listed(store)
    emit(rows, format, output, display=Display(spare=("sha256",)))
