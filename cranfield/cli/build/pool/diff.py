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
    from cranfield.analysis.stored_pools import compared_pools
    from cranfield.store.store import Store

    with Store.open(path) as store:
        rows, whose = compared_pools(store, one, other, labels)
    if whose:
        note(whose)
    emit(rows, format, output, title=f"pools {one} and {other}")
