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
    depth: Annotated[int | None, typer.Option(min=1, help="Pool the runs to this depth.")] = None,
    budget: Budget = None,
    total: Total = None,
    batch: Batch = None,
    run: Annotated[
        list[str] | None,
        typer.Option("--run", metavar="TAG", help="Add this run; may be repeated; by default all runs imported since."),
    ] = None,
) -> None:
    """Extend a pool with late runs, to a greater depth, or to a larger budget.

    The result is a new pool that includes the old one, so that no judgment is lost. A sample can only be extended to a
    larger budget: other runs or depths would invalidate its inclusion probabilities.

    Example: cranfield pool extend track.db --depth 20
    """
    from cranfield.pooling.stored.growth import extend
    from cranfield.store.store import Store

    with Store.open(path) as store, blaming(path), store.writing():
        made = extend(store, number, depth, budget, total, batch, run)
    tell_made(path, made)
