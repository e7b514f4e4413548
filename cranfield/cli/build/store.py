"""store remove, history, verify, backup."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import (Format, Output, StorePath)
from cranfield.cli.tables import TableFormat, emit, say

app = typer.Typer(
    help="Look after a store: take back mistakes, see what came, check the judgment log, copy it.",
    no_args_is_help=True,
    add_completion=False,
)


class Kind(StrEnum):
    """What can be taken back."""

    run = "run"
    topic = "topic"
    pool = "pool"
    import_ = "import"


@app.command()
def remove(
    path: StorePath,
    kind: Annotated[Kind, typer.Argument(metavar="WHAT", help="run, topic, pool or import.")],
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

    if kind in (Kind.pool, Kind.import_):
        for name in names:
            if not name.isdecimal():
                raise typer.BadParameter(f"pools and imports have numbers, not {name!r}", param_hint="NAME")
    with Store.open(path) as store:
        for line in remove(store, kind, names, reason):
            say(line)


@app.command()
def history(path: StorePath, format: Format = TableFormat.table, output: Output = None) -> None:
    """Show what was imported and what was taken back, in the order it happened.

    Example: cranfield store history track.db
    """
    from cranfield.store.history import history
    from cranfield.store.store import Store

    with Store.open(path) as store:
        rows = [line._asdict() for line in history(store)]
    emit(rows, format, output)


@app.command()
def verify(
    path: StorePath,
    manifest: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", exists=True, dir_okay=False, help="Also hold the log against that of exported qrels."
        ),
    ] = None,
) -> None:
    """Check that nobody changed the judgment log: recompute every hash, and name the first event that does not hold.

    Each event carries a hash of what it says, of the text that was judged, and of the event before it. The head, a hash
    over the last events, stands in the manifest of every export: publish it, and --manifest shows that the judgments of
    then are all still here as they were.

    Example: cranfield store verify track.db --manifest qrels.txt.manifest.json
    """
    from cranfield.store.store import Store
    from cranfield.store.verification import (published, verify)

    against = None if manifest is None else published(manifest)
    with Store.open(path) as store:
        events, chains, head = verify(store, against)
    say(f"{events} events in {chains} chains hold; head {head or 'none'}")
    if against is not None:
        say(f"the first {against[0]} of them are those of {manifest}")


@app.command()
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
