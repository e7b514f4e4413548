"""pool show."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from cranfield.cli.displays import POOL
from cranfield.cli.options import Format, Output, PoolNumber, StorePath
from cranfield.cli.tables import TableFormat, emit


class PoolTable(StrEnum):
    """What a row of a pool's table stands for."""

    topic = "topic"
    run = "run"
    team = "team"
    pair = "pair"


def show(
    path: StorePath,
    number: PoolNumber = None,
    by: Annotated[PoolTable, typer.Option(help="What each row stands for.")] = PoolTable.topic,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Show a pool by topic: its documents, how many are unique to one run, how many are judged.

    By run or team: what each contributed to the pool, and its unique documents, which would be missing without it. By
    pair of runs: how certain it is, given the judgments so far, which run has the higher mean AP to the depth
    considered.

    Example: cranfield pool show track.db --by team
    """
    from cranfield.analysis.stored_pools import contents
    from cranfield.store.store import Store

    with Store.open(path) as store:
        rows, head = contents(store, number, by)
    emit(rows, format, output, title=head, display=POOL)
