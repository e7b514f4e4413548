"""export page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import OnlyTopics, StorePath
from cranfield.cli.tables import note, say
from cranfield.text import counted


def page(
    path: StorePath,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The new page, such as ada.html.")],
    assessor: Annotated[str, typer.Option(metavar="NAME", help="The assessor whose work is exported.")],
    topic: OnlyTopics = None,
    pool: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="The pool; by default the newest with work left for the assessor."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Export at most this many documents that are to be judged.")
    ] = None,
) -> None:
    """Write one assessor's work to a single HTML file that can be judged offline in any browser.

    The page holds the assessor's topics, documents and own labels, but no document ids, no runs, no ranks and no labels
    of others. The browser keeps the work as it is done; the page's Download button gives a file that
    `cranfield import bundle` merges. The exported topics stay the assessor's until they are given away.

    Example: cranfield export page track.db ada.html --assessor ada
    """
    from cranfield.store.store import Store
    from cranfield.web.offline_page import write_page

    with Store.open(path) as store:
        made = write_page(store, out, assessor, topic, pool, limit)
    say(
        f"{out}: {counted(made.topics, 'topic')}, {counted(made.documents, 'document')} to judge,"
        f" {counted(made.events, 'event')} so far"
    )
    if made.earlier:
        note(
            f"{assessor} has {counted(made.earlier, 'earlier bundle or page', 'earlier bundles and pages')};"
            " import what was judged there, since this page does not have it"
        )
