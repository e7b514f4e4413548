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

Runs = Annotated[list[str] | None, typer.Option("--run", metavar="TAG", help="Pool only this run; may be repeated.")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="NAME=VALUE", help="An option of the method; `cranfield pool methods METHOD` lists them."
    ),
]


def build(
    path: StorePath,
    method: Annotated[str, typer.Option(help="Pooling method; `cranfield pool methods` lists them.")] = "depth",
    depth: Considered = 100,
    budget: Budget = None,
    total: Total = None,
    batch: Batch = None,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    option: Options = None,
    run: Runs = None,
    per_team: Annotated[
        int | None, typer.Option(min=1, help="Pool at most this many runs per team, the first ones.")
    ] = None,
) -> None:
    """Pool the contributing runs of a store, and store the pool.

    A run that was imported with its own depth is pooled to that depth. An adaptive method proposes documents in
    batches, based on the labels so far (people's take precedence over models'), until a batch awaits judgment or the
    budget is spent. `cranfield judge` then extends the pool as it is judged; so does the same command again, also with
    a larger budget. A smaller budget or smaller batches make another pool, because pooled documents stay.

    Example: cranfield pool build track.db --method maxmean --batch 10
    """
    sizes = {"budget": budget, "total": total, "batch": batch}
    made = _build(path, method, depth, option or [], seed=seed, runs=run, per_team=per_team, **sizes)
    tell_made(path, made)


def build_pool(path: Path, depth: int, method: str = "depth") -> str:
    """Pool the runs of a store; the result, in one line."""
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
    with Store.open(path) as store, blaming(path), store.writing():  # no growing pool changes meanwhile
        return build(store, wanted)
