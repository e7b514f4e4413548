"""import bundle."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import note, say
from cranfield.text import counted


def bundle(
    path: StorePath,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A judged bundle, or the download of a page.")],
) -> None:
    """Merge a judged bundle: add its events that are not in the store yet. Merging a bundle twice does no harm.

    A bundle is checked before it is merged. It must belong to this collection and hold only its owner's work, on topics
    assigned to that assessor and documents pooled for them; its texts must be those of the store and its hash chain
    intact. Otherwise nothing is imported. What was downloaded from a page (`cranfield export page`) is checked in the
    same way, line by line; a later download of the same page adds only what is new.

    Example: cranfield import bundle track.db ada.db
    """
    from cranfield.store.bundles.bundle import merge_bundle
    from cranfield.store.store import Store

    with Store.open(path) as store:
        merged = merge_bundle(store, file)
    if not merged.recorded:
        note(
            f"{file}: this store has no record of exporting this bundle; make sure that it comes from {merged.assessor}"
        )
    say(
        f"{counted(merged.new, 'new event')} by {merged.assessor}, {merged.known} already known;"
        f" {counted(merged.outdated, 'decision')} older than the assessor's decisions here, which count instead"
    )
