"""import bundle."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import note, say


def bundle(
    path: StorePath, file: Annotated[Path, typer.Argument(metavar="FILE", help="A bundle that was judged.")]
) -> None:
    """Bring back a bundle: add its events that are not here yet. Twice does no harm, nor do bundles of other people.

    Nothing in it is trusted. It has to be of this collection and of its owner alone, about topics that were assigned to
    her and documents pooled for them, its texts those of this store, its chain of hashes whole; else nothing is taken.

    Example: cranfield import bundle track.db ada.db
    """
    from cranfield.store.bundles.bundle import merge_bundle
    from cranfield.store.store import Store

    with Store.open(path) as store:
        merged = merge_bundle(store, file)
    if not merged.recorded:
        note(f"{file}: this store did not record that it made this bundle; be sure that it is from {merged.assessor}")
    say(
        f"{merged.new} new events by {merged.assessor}, {merged.known} known already; {merged.outdated} decisions of"
        " these are older than hers here and do not count"
    )
