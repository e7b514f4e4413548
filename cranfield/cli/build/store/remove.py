"""store remove."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import say


class Removable(StrEnum):
    """What can be removed."""

    run = "run"
    topic = "topic"
    pool = "pool"
    import_ = "import"


def remove(
    path: StorePath,
    kind: Annotated[Removable, typer.Argument(metavar="WHAT", help="run, topic, pool or import.")],
    names: Annotated[
        list[str], typer.Argument(metavar="NAME...", help="Tags, qids, or the numbers of pools or imports.")
    ],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="The reason, recorded in the store's history.")] = "",
) -> None:
    """Remove runs, topics, pools or imports that were added by mistake: all that are named, or none if one must stay.

    What labels depend on cannot be removed. Removing an import of judgments appends a retraction for each of them; the
    judgment log keeps both. `cranfield store history` shows the numbers of imports, and everything that was removed.

    Example: cranfield store remove track.db run bm25
    """
    from cranfield.store.removal import remove
    from cranfield.store.store import Store

    if kind in (Removable.pool, Removable.import_):
        for name in names:
            if not name.isdecimal():
                raise typer.BadParameter(f"{name!r}; expected the number of a pool or import", param_hint="NAME")
    with Store.open(path) as store:
        for line in remove(store, kind, names, reason):
            say(line)
