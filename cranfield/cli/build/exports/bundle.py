"""export bundle."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import say
from cranfield.text import counted


def bundle(
    path: StorePath,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The new bundle, such as ada.db.")],
    assessor: Annotated[str, typer.Option(metavar="NAME", help="The assessor whose work is exported.")],
) -> None:
    """Write one assessor's work to a bundle that can be judged offline: `cranfield judge OUT --assessor NAME`.

    A bundle holds the assessor's topics, documents and own labels, but no runs, no ranks and no labels of others.
    `cranfield import bundle` merges it when it is judged.

    Example: cranfield export bundle track.db ada.db --assessor ada
    """
    from cranfield.store.bundles.bundle import write_bundle
    from cranfield.store.store import Store

    with Store.open(path) as store:
        topics, documents, events = write_bundle(store, out, assessor)
    say(
        f"{out}: {counted(topics, 'topic')}, {counted(documents, 'document')} to judge,"
        f" {counted(events, 'event')} so far"
    )
