"""assessor list."""

from __future__ import annotations

from cranfield.cli.options import Format, Output, StorePath
from cranfield.cli.tables import TableFormat, emit


def list_(path: StorePath, format: Format = TableFormat.table, output: Output = None) -> None:
    """List the links that were given to assessors, with their state.

    Example: cranfield assessor list track.db
    """
    from cranfield.store.invitations import invitations
    from cranfield.store.store import Store, now
    from cranfield.text import visible_line

    with Store.open(path) as store:
        rows = [
            {
                "assessor": visible_line(one.assessor),
                "role": one.role,
                "invited": one.at[:16],
                "expires": (one.expires or "never")[:16],
                "state": one.state(now()),
            }
            for one in invitations(store)
        ]
    emit(rows, format, output)
