"""store verify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import say
from cranfield.text import counted


def verify(
    path: StorePath,
    manifest: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Also compare the log with the manifest of exported qrels.",
        ),
    ] = None,
) -> None:
    """Verify that the judgment log was not altered: recompute every hash, and report the first event that fails.

    Each event carries a hash of its content, of the judged text and of the previous event. The head, a hash over the
    last events, is part of the manifest of every export: publish it, and --manifest proves that all judgments of that
    time are still here and unchanged.

    Example: cranfield store verify track.db --manifest qrels.txt.manifest.json
    """
    from cranfield.store.store import Store
    from cranfield.store.verification import published, verify

    against = None if manifest is None else published(manifest)
    with Store.open(path) as store:
        events, chains, head = verify(store, against)
    say(f"{counted(events, 'event')} in {counted(chains, 'chain')} verified; head {head or 'none'}")
    if against is not None:
        say(f"the first {against[0]} of them are those of {manifest}")
