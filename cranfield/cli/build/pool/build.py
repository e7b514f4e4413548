"""pool build."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.options import StorePath
from cranfield.cli.pool_options import Batch, Budget, Considered, Total, method_called, options_of, tell_made
from cranfield.errors import InputError, blaming

if TYPE_CHECKING:
    from cranfield.pooling.stored.request import PoolResult

Runs = Annotated[list[str] | None, typer.Option("--run", metavar="TAG", help="Only this run; may be repeated.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="An option of the method; `cranfield pool methods` has them."),
]


def build(
    path: StorePath,
    method: Annotated[str, typer.Option(help="How documents are chosen; `cranfield pool methods` has them.")] = "depth",
    depth: Considered = 100,
    budget: Budget = None,
    total: Total = None,
    batch: Batch = None,
    seed: Annotated[int, typer.Option(help="For methods that leave something to chance.")] = 0,
    option: Options = None,
    run: Runs = None,
    per_team: Annotated[int | None, typer.Option(min=1, help="Only the first runs of each team, so many.")] = None,
) -> None:
    """Pool the runs of a store that contribute to pools, and store the pool.

    A run with a depth of its own, given at its import, is pooled to that. An adaptive method proposes documents a batch
    at a time, and goes on from the labels that are there, people's before models', until a batch waits or the budget is
    spent. Then `cranfield judge` takes the pool further, or build again, in the same words or on a larger budget, when
    some are judged. On a smaller one, or in smaller batches, another pool is made: what is pooled stays.

    Example: cranfield pool build track.db --method maxmean --batch 10
    """
    sizes = {"budget": budget, "total": total, "batch": batch}
    made = _build(path, method, depth, option or [], seed=seed, runs=run, per_team=per_team, **sizes)
    tell_made(path, made)


def build_pool(path: Path, depth: int, method: str = "depth") -> str:
    """Pool the runs of a store; what came of it, in one line."""
    return _build(path, method, depth).line


def _build(path: Path, method: str, depth: int, option: list[str] | None = None, **rest: Any) -> PoolResult:
    from cranfield.pooling.build import check_sizes
    from cranfield.pooling.stored.growth import build
    from cranfield.pooling.stored.request import PoolRequest
    from cranfield.store.store import Store

    row, options = method_called(method), options_of(option or [])
    try:
        row.filled(options)
        check_sizes(row, rest.get("budget"), rest.get("total"), rest.get("batch"), options)
    except InputError as error:
        raise typer.BadParameter(str(error)) from error
    wanted = PoolRequest(method, depth, options=options, **rest)
    with Store.open(path) as store, blaming(path), store.writing():  # an open pool stays as it is meanwhile
        return build(store, wanted)
