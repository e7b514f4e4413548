"""`pool`: build, extend, show and compare pools; and `search` and `fuse`, which make runs for them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cranfield import hooks
from cranfield.cli import in_python
from cranfield.cli.build import command, show_lines, show_table
from cranfield.cli.commands.exports import pool as export
from cranfield.cli.common_options import Printer, StorePath
from cranfield.cli.reading_options import RUNS_AND_QRELS
from cranfield.cli.tables import Display, TableFormat, emit, note, notes, say
from cranfield.commands.pools import build_pool, compare_pools, list_methods, summarize_pool
from cranfield.errors import InputError, blaming
from cranfield.options import Written
from cranfield.options.pools import ExtendOptions, FuseOptions, SearchOptions
from cranfield.store.reading import Reading, SelectedPlace
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.pooling.method import Method
    from cranfield.pooling.stored.request import PoolResult


def method_called(name: str) -> Method:
    from cranfield.pooling.methods import method_named

    try:
        return method_named(name)
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint="--method") from None


def tell_pool(path: Path, result: PoolResult) -> None:
    from cranfield.store.names import strangers_among
    from cranfield.store.store import Store

    docnos = sorted({document.docno for document in result.pool.documents}) if result.pool else []
    with Store.open(path, tell=note) as store:
        unknown = strangers_among(store, "document", docnos, "documents of this pool")
    say(result.line)
    for text in (*result.notes, *(f"{line}; assessors cannot read them" for line in unknown)):
        note(text)


build = command(build_pool, show_lines, "pooling")


@in_python("pooling.extend_pool")
def extend(
    path: StorePath,
    *,
    options: ExtendOptions,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Only show what would have to be judged: pairs, hours, bounds of the score."),
    ] = False,
    delta: Annotated[
        bool, typer.Option("--delta", help="Also keep just what is to be judged as a pool, the one before the new one.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="With --dry-run: write the pairs to this file, as CSV."),
        Written(),
    ] = None,
    format: Annotated[
        TableFormat | None,
        typer.Option("--format", metavar="FORMAT", help="With --dry-run: table, json, csv, tsv, markdown or latex."),
    ] = None,
    reading: Reading,
) -> None:
    """Extend a pool with late runs, to a greater depth, or to a larger budget.

    The result is a new pool that includes the old one, so that no judgment is lost. A sample can only be extended to a
    larger budget: other runs or depths would invalidate its inclusion probabilities. With --topics it is a pool of
    these topics alone, whose depth and runs hold for them.

    With --dry-run nothing is pooled: it shows what would have to be judged for late runs, of each and of all together,
    the hours at the pace so far, and the score of each run if none of it is relevant, or all. Without it these are in
    the new pool, and what is judged already stays judged: `assign` and `export bundle --unjudged` hand out the rest.
    With --delta just these are a pool as well, for `judge --pool N` and `assign --pool N`.

    Example: cranfield pool extend track.db --depth 20

    Example: cranfield pool extend track.db --run late --dry-run
    """
    from cranfield.analysis.pools import extend_stored_pool

    if delta and dry_run:
        raise typer.BadParameter("keeps a pool; with --dry-run nothing is pooled", param_hint="--delta")
    if delta:
        _keep_delta(reading.of(path), options)
        return
    if dry_run or output is not None or format is not None:
        _show_delta(reading.of(path), options, output, format or TableFormat.table)
        return
    with reading.store(path) as store, blaming(path), store.writing():
        pool = extend_stored_pool(store, **options.arguments)
    tell_pool(path, pool)


def _keep_delta(place: SelectedPlace, options: ExtendOptions) -> None:
    from cranfield.analysis.delta import delta_of, keep_delta

    with place.open() as store:
        delta = delta_of(store, options.runs or (), options.depth, options.number)
        number, growth = keep_delta(store, delta, options.number)
    notes(growth.notes)
    say(f"pool {number}: {delta.title}\n{growth.line}")


def _show_delta(place: SelectedPlace, options: ExtendOptions, output: Path | None, format: TableFormat) -> None:
    from cranfield.analysis.delta import delta_of

    with place.open() as store:
        delta = delta_of(store, options.runs or (), options.depth, options.number)
        rows, title, pairs = delta.rows, delta.title, [] if output is None else delta.pair_rows
    left_out = place.reading.left_out
    if output is not None:
        emit(pairs, TableFormat.csv, output, left_out=left_out)
    emit(rows, format, title=title, document={"depth": delta.depth, "runs": rows}, left_out=left_out)


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
