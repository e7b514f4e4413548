"""store remove."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import say


class Removable(StrEnum):
    """What can be taken back."""

    run = "run"
    topic = "topic"
    pool = "pool"
    import_ = "import"


def remove(
    path: StorePath,
    kind: Annotated[Removable, typer.Argument(metavar="WHAT", help="run, topic, pool or import.")],
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Tags, qids, or numbers of pools or imports.")],
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why, for the store's history.")] = "",
) -> None:
    """Take back runs, topics, pools or imports that were a mistake: all that are named or, if one must stay, none.

    What labels depend on stays. An import of judgments is taken back by an event for each; the judgment log keeps both.
    Imports have numbers: `cranfield store history` shows them, and everything that was taken back.

    Example: cranfield store remove track.db run bm25
    """
    from cranfield.store.removal import remove
    from cranfield.store.store import Store

    if kind in (Removable.pool, Removable.import_):
        for name in names:
            if not name.isdecimal():
                raise typer.BadParameter(f"pools and imports have numbers, not {name!r}", param_hint="NAME")
    with Store.open(path) as store:
        for line in remove(store, kind, names, reason):
            say(line)
