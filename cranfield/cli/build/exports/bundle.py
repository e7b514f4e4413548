"""export bundle."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.tables import say


def bundle(
    path: StorePath,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A new file, such as ada.db.")],
    assessor: Annotated[str, typer.Option(metavar="NAME", help="Whose work.")],
) -> None:
    """Put one assessor's work into a file of its own, to be judged anywhere: `cranfield judge OUT --assessor NAME`.

    It holds her topics, documents and own labels; no runs, no ranks, nobody else's labels. `cranfield import bundle`
    brings it back.

    Example: cranfield export bundle track.db ada.db --assessor ada
    """
    from cranfield.store.bundles.bundle import write_bundle
    from cranfield.store.store import Store

    with Store.open(path) as store:
        topics, documents, events = write_bundle(store, out, assessor)
    say(f"{out}: {topics} topics, {documents} documents to judge, {events} events so far")
