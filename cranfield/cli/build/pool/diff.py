"""pool diff."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.options import Format, Labels, Output, StorePath
from cranfield.cli.tables import TableFormat, emit, note
from cranfield.store.labelled_by import LabelledBy


def diff(
    path: StorePath,
    one: Annotated[int, typer.Argument(metavar="A", help="Number of a pool.")],
    other: Annotated[int, typer.Argument(metavar="B", help="Number of another pool.")],
    labels: Labels = LabelledBy.all,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Compare two pools of a store, topic by topic.

    The "judged" columns show what the documents of only one of the pools would have cost or revealed.

    Example: cranfield pool diff track.db 1 2
    """
    from cranfield.pooling.stored.contents import difference
    from cranfield.store.pools.pools import stored_pool
    from cranfield.store.qrels import counted
    from cranfield.store.store import Store

    with Store.open(path) as store:
        found = counted(store, whose=labels)
        rows = difference(stored_pool(store, one), stored_pool(store, other), found.qrels)
    if whose := found.said(labels):
        note(whose)
    emit(rows, format, output, title=f"pools {one} and {other}")
