"""pool extend."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.options import PoolNumber, StorePath
from cranfield.cli.pool_options import Batch, Budget, Total, tell_made
from cranfield.errors import blaming


def extend(
    path: StorePath,
    number: PoolNumber = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Consider the runs to this depth.")] = None,
    budget: Budget = None,
    total: Total = None,
    batch: Batch = None,
    run: Annotated[
        list[str] | None, typer.Option("--run", metavar="TAG", help="Add this run; all that came since by default.")
    ] = None,
) -> None:
    """Take a pool further: with runs that came late, to a greater depth, or on a larger budget.

    Makes a new pool that holds the old one, so that nothing judged is lost. A sample takes a larger budget only: other
    runs or depths would make its probabilities wrong.

    Example: cranfield pool extend track.db --depth 20
    """
    from cranfield.pooling.stored.growth import extend
    from cranfield.store.store import Store

    with Store.open(path) as store, blaming(path), store.writing():
        made = extend(store, number, depth, budget, total, batch, run)
    tell_made(path, made)
