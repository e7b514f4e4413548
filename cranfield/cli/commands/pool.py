"""`pool`: build, extend, show and compare pools; and `search` and `fuse`, which make runs for them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield import hooks
from cranfield.cli import completion
from cranfield.cli.commands.exports import pool as export
from cranfield.cli.common_options import RUNS_AND_QRELS
from cranfield.cli.options import Format, Labels, Output, PoolNumber, ReadStore, StorePath, names
from cranfield.cli.tables import POOL, Display, TableFormat, emit, note, notes, say
from cranfield.errors import InputError, blaming
from cranfield.options.shared import SetOptions
from cranfield.store.labelled_by import LabelledBy
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.pooling.method import Method
    from cranfield.pooling.stored.request import PoolResult


Considered = Annotated[int, typer.Option(min=1, help="Number of documents considered per run and topic.")]
Budget = Annotated[int | None, typer.Option(min=1, help="Maximum number of documents per topic.")]
Total = Annotated[int | None, typer.Option(min=1, help="Number of documents over all topics, distributed among them.")]
Batch = Annotated[
    int | None,
    typer.Option(
        min=1, help="Adaptive methods: number of documents per topic awaiting judgment at a time; 10 by default."
    ),
]


def method_called(name: str) -> Method:
    from cranfield.pooling.methods.table import METHODS

    if name not in METHODS:
        raise typer.BadParameter(f"unknown method {name!r}; available: {', '.join(METHODS)}", param_hint="--method")
    return METHODS[name]


def options_of(given: list[str]) -> dict[str, str]:
    wrong = [text for text in given if "=" not in text]
    if wrong:
        raise typer.BadParameter(f"{wrong[0]!r}; expected NAME=VALUE", param_hint="--option")
    return dict(text.split("=", 1) for text in given)


def tell_made(path: Path, made: PoolResult) -> None:
    from cranfield.store.names import strangers_among
    from cranfield.store.store import Store

    docnos = sorted({document.docno for document in made.pool.documents}) if made.pool else []
    with Store.open(path) as store:
        unknown = strangers_among(store, "document", docnos, "documents of this pool")
    say(made.line)
    for text in (*made.notes, *(f"{line}; assessors cannot read them" for line in unknown)):
        note(text)


Runs = Annotated[
    list[str] | None, typer.Option("--run", metavar="TAG", help="Pool only this run; may be repeated."), completion.RUNS
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", metavar="NAME=VALUE", help="An option of the method; `cranfield pool methods METHOD` lists them."
    ),
]


def build(
    path: StorePath,
    *,
    method: Annotated[
        str, typer.Option(help="Pooling method; `cranfield pool methods` lists them."), completion.METHOD
    ] = "depth",
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
    runs: Annotated[
        int | None, typer.Option(min=1, help="Pool this many runs in all, one of each team in turn, the first ones.")
    ] = None,
    topics: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="Pool only these topics: a set of the store, or a list of ids."),
        completion.TOPIC_SETS,
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
    asked = {"seed": seed, "runs": run, "per_team": per_team, "most_runs": runs, "topics": topics}
    made = _build(path, method, depth, option or [], **asked, **sizes)
    tell_made(path, made)


def build_pool(path: Path, depth: int, method: str = "depth") -> str:
    """Pool the runs of a store; the result, in one line."""
    return _build(path, method, depth).line


def _build(path: Path, method: str, depth: int, option: list[str] | None = None, **rest: Any) -> PoolResult:
    from cranfield.pooling.build import check_sizes
    from cranfield.pooling.stored.growth import build
    from cranfield.pooling.stored.request import PoolRequest
    from cranfield.store.store import Store
    from cranfield.store.topic_sets import chosen_topics

    row, options = method_called(method), options_of(option or [])
    try:
        row.filled(options)
        check_sizes(row, rest.get("budget"), rest.get("total"), rest.get("batch"), options)
    except InputError as error:
        raise typer.BadParameter(str(error)) from error
    topics = rest.pop("topics", None)
    wanted = PoolRequest(method, depth, options=options, **rest)
    with Store.open(path) as store, blaming(path), store.writing():  # no growing pool changes meanwhile
        return build(store, wanted if topics is None else wanted._replace(topics=chosen_topics(store, topics)))


def extend(
    path: StorePath,
    *,
    number: PoolNumber = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Pool the runs to this depth.")] = None,
    budget: Budget = None,
    total: Total = None,
    batch: Batch = None,
    run: Annotated[
        list[str] | None,
        typer.Option("--run", metavar="TAG", help="Add this run; may be repeated; by default all runs imported since."),
        completion.RUNS,
    ] = None,
    chosen: SetOptions,
) -> None:
    """Extend a pool with late runs, to a greater depth, or to a larger budget.

    The result is a new pool that includes the old one, so that no judgment is lost. A sample can only be extended to a
    larger budget: other runs or depths would invalidate its inclusion probabilities. With --topics it is a pool of
    these topics alone, whose depth and runs hold for them.

    With --dry-run nothing is pooled: it shows what would have to be judged for late runs, of each and of all together,
    the hours at the pace so far, and the score of each run if none of it is relevant, or all. Without it these are in
    the new pool, and what is judged already stays judged: `assign` and `export bundle --unjudged` hand out the rest.

    Example: cranfield pool extend track.db --depth 20
    """
    from cranfield.pooling.stored.growth import extend
    from cranfield.store.store import Store

    if other := hooks.instead("pool extend"):
        other.run(path, run=run, depth=depth, number=number)
        return
    with Store.open(path) as store, blaming(path), store.writing():
        made = extend(store, number=number, depth=depth, budget=budget, total=total, batch=batch, runs=run)
    tell_made(path, made)


class PoolTable(StrEnum):
    """What a row of a pool's table stands for."""

    topic = "topic"
    run = "run"
    team = "team"
    pair = "pair"


def show(
    path: ReadStore,
    number: PoolNumber = None,
    by: Annotated[PoolTable, typer.Option(help="What each row stands for.")] = PoolTable.topic,
    *,
    chosen: SetOptions,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Show a pool by topic: its documents, how many are unique to one run, how many are judged.

    By run or team: what each contributed to the pool, and its unique documents, which would be missing without it. By
    pair of runs: how certain it is, given the judgments so far, which run has the higher mean AP to the depth
    considered.

    Example: cranfield pool show track.db --by team
    """
    from cranfield.analysis.pools import contents
    from cranfield.store.store import Store

    with Store.open(path) as store:
        rows, head = contents(store, number, by)
    emit(rows, format, output, title=head, display=POOL)


__all__ = ["export"]


def diff(
    path: ReadStore,
    one: Annotated[int, typer.Argument(metavar="A", help="Number of a pool."), completion.POOLS],
    other: Annotated[int, typer.Argument(metavar="B", help="Number of another pool."), completion.POOLS],
    *,
    labels: Labels = LabelledBy.all,
    chosen: SetOptions,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Compare two pools of a store, topic by topic.

    The "judged" columns show what the documents of only one of the pools would have cost or revealed.

    Example: cranfield pool diff track.db 1 2
    """
    from cranfield.analysis.pools import compared_pools
    from cranfield.store.store import Store

    with Store.open(path) as store:
        rows, whose = compared_pools(store, one, other, labels)
    if whose:
        note(whose)
    emit(rows, format, output, title=f"pools {one} and {other}")


def methods(
    name: Annotated[
        str | None, typer.Argument(metavar="[METHOD]", help="Show the options of this method."), completion.METHOD
    ] = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """List the pooling methods, or the options of one.

    Adaptive methods use judgments. Samples record how likely each document was to be chosen, as estimators require.

    Example: cranfield pool methods maxmean
    """
    from cranfield.pooling.methods.table import METHODS

    if name is None:
        display = Display(spare=("source", "options"))
        emit([method.row for method in METHODS.values()], format, output, display=display)
    else:
        rows = [
            {"option": o.name, "default": str(o.default), "values": o.right, "what": o.about}
            for o in method_called(name).options
        ]
        emit(rows, format, output, title=f"{name}: {METHODS[name].description}" + ("" if rows else "; no options"))


def search(
    path: Annotated[Path | None, typer.Argument(metavar="STORE", help="A store, such as track.db.")] = None,
    *,
    system: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", callback=names, help="A ranker, or several: bm25,lsa. [default: all]"),
        completion.SYSTEMS,
    ] = None,
    depth: Annotated[int, typer.Option(min=1, help="Maximum number of documents per topic.")] = 1000,
    extend: Annotated[
        bool, typer.Option("--extend", help="Run systems that are in the store for the topics that are new to them.")
    ] = False,
    tag: Annotated[
        str | None, typer.Option(metavar="NAME", help="Add the run of one system, of all topics, under this tag.")
    ] = None,
    systems: Annotated[bool, typer.Option("--list", help="List the rankers and exit.")] = False,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Run baseline rankers over the stored corpus and topics, and store their runs.

    They give a varied pool to a collection with few systems. Each family of rankers counts as a team. A ranker is
    skipped if its run is already in the store or if it retrieves nothing. With --extend that run gets the topics that
    have come since; one that a release has, or that is older than the corpus, stays as it is: --tag makes another run.
    In a new round each is run again.

    A file such as shop.toml describes a system outside: over HTTP, a command, or embeddings. --preset prints one to
    begin with, --try asks it without a store. Its answers are kept until all have come: the same command goes on.

    Example: cranfield search track.db --system bm25 --system lsa
    """
    from cranfield.search.systems import SYSTEMS, search_store

    outside = hooks.instead("search")
    if outside or any(name.endswith(".toml") for name in system or ()):
        (outside.run if outside else hooks.rows("search.outside")[0])(path, system, depth, extend=extend, tag=tag)
    elif systems:
        rows = [{"system": s.name, "family": s.family, "field": s.field, "what": s.description} for s in SYSTEMS]
        emit(rows, format, output, display=Display(spare=("field", "family")))
    elif path is None:
        raise typer.BadParameter("give a store", param_hint="STORE")
    else:
        if tag is not None and (extend or len(system or ()) != 1):
            raise typer.BadParameter("needs one --system, and no --extend", param_hint="--tag")
        searched = search_store(path, system, depth, extend=extend, tag=tag or "")
        say(counted(len(searched.tags), "run"))
        for text in searched.notes:
            note(text)


def fuse(
    paths: Annotated[list[Path], typer.Argument(metavar="SOURCE...", help="A store, or run files."), RUNS_AND_QRELS],
    *,
    method: Annotated[
        str, typer.Option(help="A static method listed by `cranfield pool methods`."), completion.METHOD
    ] = "rrf",
    depth: Considered = 1000,
    keep: Annotated[int, typer.Option(min=1, help="Number of documents per topic in the fused run.")] = 1000,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="An option of the method; may be repeated."),
    ] = None,
    run: Annotated[
        list[str] | None,
        typer.Option("--run", metavar="TAG", help="Fuse only this run; may be repeated."),
        completion.RUNS,
    ] = None,
    tag: Annotated[str | None, typer.Option(help="Tag of the fused run; the method's name by default.")] = None,
    chosen: SetOptions,
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
    from cranfield.pooling import build

    if output is None and not _stored(paths):
        raise typer.BadParameter(
            "run files are not modified; give the file for the fused run, -o fused.run", param_hint="--output"
        )
    row, name = method_called(method), tag or method
    try:
        options = row.filled(options_of(option or []))
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint="--option") from error
    runs = runs_to_fuse(paths, run)
    notes(apart(runs))
    fused = build.fuse(runs, row, options=options, depth=depth, keep=keep, tag=name)
    if output is None:
        add_fused(paths[0], fused, f"{method} of {', '.join(runs.tags)} to depth {depth}")
    else:
        write_run(output, fused, name)
    fused_runs, documents = counted(len(runs.tags), "run"), counted(len(fused), "document")
    say(f"{name}: {fused_runs} fused by {method}, {documents}, in {output or paths[0]}")


def _stored(paths: list[Path]) -> bool:
    from cranfield.source import is_store

    return is_store(paths[0])
