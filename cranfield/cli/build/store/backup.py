"""store backup."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import say
from cranfield.text import counted


def backup(
    path: StorePath, copy: Annotated[Path, typer.Argument(metavar="COPY", help="The new file, such as copy.db.")]
) -> None:
    """Copy a store to a new file, even while others work in it, and verify the copy.

    While a store is open, the latest changes may be in a second file beside it, so that copying the store file alone is
    not enough.

    Example: cranfield store backup track.db copy.db
    """
    from cranfield.store.backup import backup
    from cranfield.store.store import Store

    with Store.open(path) as store:
        found = backup(store, copy)
    events = counted(found.events + found.other_events, "event")
    say(f"{copy}: a complete copy of {path}; {events} verified; head {found.head or 'none'}")
