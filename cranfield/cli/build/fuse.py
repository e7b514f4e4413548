"""fuse."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.pool_options import Considered, method_called, options_of
from cranfield.cli.tables import notes, say
from cranfield.errors import InputError
from cranfield.text import counted


def fuse(
    paths: Annotated[list[Path], typer.Argument(metavar="SOURCE...", help="A store, or run files.")],
    method: Annotated[str, typer.Option(help="A static method listed by `cranfield pool methods`.")] = "rrf",
    depth: Considered = 1000,
    keep: Annotated[int, typer.Option(min=1, help="Number of documents per topic in the fused run.")] = 1000,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="An option of the method; may be repeated."),
    ] = None,
    run: Annotated[
        list[str] | None, typer.Option("--run", metavar="TAG", help="Fuse only this run; may be repeated.")
    ] = None,
    tag: Annotated[str | None, typer.Option(help="Tag of the fused run; the method's name by default.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write a run file instead of adding the run to the store."),
    ] = None,
) -> None:
    """Fuse runs into one, and add it to the store or write it as a run file.

    In a store the fused run does not contribute to pools, because it has no documents of its own. Its scores only
    encode ranks.

    Example: cranfield fuse track.db --method combmnz --option norm=zmuv
    """
    from cranfield.analysis.fusion import add_fused, apart, runs_to_fuse
    from cranfield.formats import write_run
    from cranfield.pooling import fusion

    if output is None and not _stored(paths):
        raise typer.BadParameter("run files are not modified; give the file for the fused run", param_hint="--output")
    row, name = method_called(method), tag or method
    try:
        options = row.filled(options_of(option or []))
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint="--option") from error
    runs = runs_to_fuse(paths, run)
    notes(apart(runs))
    fused = fusion.fuse(runs, row, options, depth, keep, name)
    if output is None:
        add_fused(paths[0], fused, f"{method} of {', '.join(runs.tags)} to depth {depth}")
    else:
        write_run(output, fused, name)
    fused_runs, documents = counted(len(runs.tags), "run"), counted(len(fused), "document")
    say(f"{name}: {fused_runs} fused by {method}, {documents}, in {output or paths[0]}")


def _stored(paths: list[Path]) -> bool:
    from cranfield.source import is_store

    return is_store(paths[0])
