"""pool show."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

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
    from cranfield.pooling.stored.contents import by_pair, by_topic, by_unit, pairs_title, seconds_each, title
    from cranfield.pooling.verify.verify import judged_pairs
    from cranfield.store.pools.pools import stored_pool
    from cranfield.store.qrels import counted
    from cranfield.store.runs import run_info
    from cranfield.store.store import Store

    with Store.open(path) as store:
        pool, seconds, (qrels, by_model, _) = stored_pool(store, number), seconds_each(store), counted(store)
        models = judged_pairs(qrels.rows(by_model))
        head, least = title(pool, qrels, seconds, models), store.collection.min_relevant
        rows: list[Any]
        if by is PoolTable.pair:
            pairs = by_pair(store, pool)
            rows, head = [pair._asdict() for pair in pairs], f"{head}; {pairs_title(pairs)}"
        elif by is PoolTable.topic:
            rows = by_topic(pool, qrels, models)
        else:
            units = {tag: info.team if by is PoolTable.team else tag for tag, info in run_info(store).items()}
            rows = by_unit(pool, qrels, units, by, least)
    emit(rows, format, output, title=head, display=POOL)
