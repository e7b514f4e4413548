"""store verify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import say


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
    from cranfield.store.verification import published, verify

    against = None if manifest is None else published(manifest)
    with Store.open(path) as store:
        events, chains, head = verify(store, against)
    say(f"{events} events in {chains} chains hold; head {head or 'none'}")
    if against is not None:
        say(f"the first {against[0]} of them are those of {manifest}")
