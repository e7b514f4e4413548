"""store backup."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import say


def backup(
    path: StorePath, copy: Annotated[Path, typer.Argument(metavar="COPY", help="A new file, such as copy.db.")]
) -> None:
    """Copy a store into a new file while others work in it, and verify the copy.

    While a store is open, what was written last may be in a second file beside it, so that `cp` of the one is not
    enough.

    Example: cranfield store backup track.db copy.db
    """
    from cranfield.store.backup import backup
    from cranfield.store.store import Store

    with Store.open(path) as store:
        events, _, head = backup(store, copy)
    say(f"{copy}: all of {path}; its {events} events hold; head {head or 'none'}")
