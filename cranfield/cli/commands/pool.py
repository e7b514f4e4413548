"""`pool`: build, extend, show and compare pools; and `search` and `fuse`, which make runs for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield import hooks
from cranfield.cli import in_python
from cranfield.cli.build import command, show_lines, show_table
from cranfield.cli.commands.exports import pool as export
from cranfield.cli.common_options import Printer
from cranfield.cli.reading_options import RUNS_AND_QRELS
from cranfield.cli.tables import Display, TableFormat, emit, note, notes, say
from cranfield.commands.pools import (
    PoolExtension,
    StoredPool,
    build_pool,
    compare_pools,
    extend_pool,
    list_methods,
    summarize_pool,
)
from cranfield.errors import InputError
from cranfield.options import Implies, Written
from cranfield.options.pools import FuseOptions, SearchOptions
from cranfield.store.reading import Reading
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.pooling.method import Method


def method_called(name: str) -> Method:
    from cranfield.pooling.methods import method_named

    try:
        return method_named(name)
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint="--method") from None


build = command(build_pool, show_lines, "pooling")


def show_growth(
    result: StoredPool | PoolExtension,
    *,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="With --dry-run: write the pairs to this file, as CSV."),
        Written(),
        Implies("dry_run"),
    ] = None,
    format: Annotated[
        TableFormat | None,
        typer.Option("--format", metavar="FORMAT", help="With --dry-run: table, json, csv, tsv, markdown or latex."),
        Implies("dry_run"),
    ] = None,
) -> None:
    """Print what was pooled, or what would have to be judged."""
    if isinstance(result, StoredPool):
        show_lines(result)
        return
    left_out = result.context.left_out
    if output is not None:
        emit(result.pairs, TableFormat.csv, output, left_out=left_out)
    emit(result.rows(), format or TableFormat.table, title=result.title, document=result.document, left_out=left_out)


extend = command(extend_pool, show_growth, "pooling")
show = command(summarize_pool, show_table, "pooling")
__all__ = ["export"]
diff = command(compare_pools, show_table, "pooling")
methods = command(list_methods, show_table, "pooling")


@in_python("store.search_corpus")
def search(
    path: Annotated[Path | None, typer.Argument(metavar="STORE", help="A store, such as track.db.")] = None,
    *,
    options: SearchOptions,
    list_rankers: Annotated[bool, typer.Option("--list", help="List the rankers and exit.")] = False,
    printer: Printer,
    reading: Reading,
) -> None:
    """Run baseline rankers over the stored corpus and topics, and store their runs.

    They give a varied pool to a collection with few systems. Each family of rankers counts as a team. A ranker is
    skipped if its run is already in the store or if it retrieves nothing. With --extend that run gets the topics that
    have come since; one that a release has, or that is older than the corpus, stays as it is: --tag makes another run.
    In a new round each is run again.

    A file such as shop.toml describes a system outside: over HTTP, a command, or embeddings. --preset prints one to
    begin with, --try asks it without a store. Its answers are kept until all have come: the same command goes on.

    Example: cranfield search track.db --system bm25 --system lsa

    Example: cranfield search track.db --depth 200
    """
    from cranfield.search.systems import SYSTEMS, search_store

    outside, names = hooks.instead("search", reading.added), options.systems or ()
    extend, tag = options.extend, options.tag
    if outside:
        outside.run(path, options.systems, options.depth, extend=extend, tag=tag)
    elif any(name.endswith(".toml") for name in names):
        if not hooks.ask_until(lambda extension: extension.search_systems(path, names, options.depth, extend, tag)):
            raise InputError("no installed feature searches with systems that files describe")
    elif list_rankers:
        rows = [{"system": s.name, "family": s.family, "field": s.field, "what": s.description} for s in SYSTEMS]
        printer.emit(rows, display=Display(spare=("field", "family")))
    elif path is None:
        raise typer.BadParameter("give a store", param_hint="STORE")
    else:
        if tag is not None and (extend or len(names) != 1):
            raise typer.BadParameter("needs one --system, and no --extend", param_hint="--tag")
        outcome = search_store(path, options.systems, options.depth, extend=extend, tag=tag or "", tell=note)
        say(counted(len(outcome.tags), "run"))
        for text in outcome.notes:
            note(text)


def fuse(
    paths: Annotated[list[Path], typer.Argument(metavar="SOURCE...", help="A store, or run files."), RUNS_AND_QRELS],
    *,
    options: FuseOptions,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write a run file instead of adding the run to the store."),
        Written(),
    ] = None,
    reading: Reading,
) -> None:
    """Fuse runs into one, and add it to the store or write it as a run file.

    In a store the fused run does not contribute to pools, because it has no documents of its own. Its scores only
    encode ranks.

    Example: cranfield fuse track.db --method combmnz --option norm=zmuv

    Example: cranfield fuse a.run b.run --method rrf --output fused.run
    """
    from cranfield.analysis.pools import add_fused, apart, runs_to_fuse
    from cranfield.formats import write_run
    from cranfield.pooling import build

    if output is None and not _is_stored(paths):
        raise typer.BadParameter(
            "run files are not modified; give the file for the fused run, -o fused.run", param_hint="--output"
        )
    row, name = method_called(options.method), options.tag or options.method
    try:
        settings = options.settings
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint="--option") from error
    runs = runs_to_fuse(reading.of_all(paths), options.tags)
    notes(apart(runs))
    fusion = build.fuse(runs, row, options=settings, depth=options.depth, keep=options.keep, tag=name)
    if output is None:
        add_fused(paths[0], fusion, f"{options.method} of {', '.join(runs.tags)} to depth {options.depth}", tell=note)
    else:
        write_run(output, fusion, name)
    fused_runs, documents = counted(len(runs.tags), "run"), counted(len(fusion), "document")
    say(f"{name}: {fused_runs} fused by {options.method}, {documents}, in {output or paths[0]}")


def _is_stored(paths: list[Path]) -> bool:
    from cranfield.source import is_store

    return is_store(paths[0])
