"""pool build, show, verify."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.errors import StoreError
from cranfield.options import Format, Output, SourcePaths, StorePath, Teams
from cranfield.tables import TableFormat, emit

app = typer.Typer(help="Choose the documents that assessors are to judge.", no_args_is_help=True)


@app.command()
def build(
    path: StorePath,
    depth: Annotated[int, typer.Option(min=1, help="How many documents of each run and topic.")] = 100,
    method: Annotated[str, typer.Option(help="depth: the union of the runs' first documents.")] = "depth",
) -> None:
    """Pool the runs of a store that contribute to pools, and store the pool.

    A run with a depth of its own, given at its import, is pooled to that.

    Example: cranfield pool build track.db --depth 10
    """
    typer.echo(build_pool(path, depth, method))


def build_pool(path: StorePath, depth: int, method: str = "depth") -> str:
    """Pool the runs of a store; what came of it, in one line."""
    from cranfield.holdings import Pool, add_pool, run_info, stored_runs
    from cranfield.pooling.methods import METHODS
    from cranfield.store import Store

    if method not in METHODS:
        raise typer.BadParameter(f"{method} is none of {', '.join(METHODS)}", param_hint="--method")
    with Store.open(path) as store:
        about = {tag: info for tag, info in run_info(store).items() if info.pooled}
        if not about:
            raise StoreError(f"{path}: no run here contributes to pools; `cranfield import runs` or `search` add some")
        depths = {tag: info.depth for tag, info in about.items()}
        documents = METHODS[method].build(stored_runs(store, list(about)), depth, depths)
        number = add_pool(store, Pool(method, {"depth": depth, "runs": list(about)}, documents))
    topics = len({document.qid for document in documents})
    return f"pool {number}: {len(documents)} documents for {topics} topics from {len(about)} runs, depth {depth}"


@app.command()
def show(
    path: StorePath,
    number: Annotated[int | None, typer.Option("--pool", help="Which pool; the newest by default.")] = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Show a pool by topic: its documents, how many only one run brought, how many are judged.

    Example: cranfield pool show track.db
    """
    from cranfield.holdings import stored_pool
    from cranfield.log import qrels_of
    from cranfield.pooling.show import by_topic
    from cranfield.store import Store

    with Store.open(path) as store:
        pool = stored_pool(store, number)
        rows = by_topic(pool, qrels_of(store))
    emit(rows, format, output, title=f"pool {pool.number}: {pool.method}, depth {pool.parameters['depth']}")


@app.command()
def verify(
    paths: SourcePaths,
    teams: Teams = None,
    depth: Annotated[int | None, typer.Option(min=1, help="The pool's depth; found out by default.")] = None,
    examples: Annotated[int, typer.Option(min=0, help="How many exceptions to show of each kind.")] = 5,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Check whether the runs, pooled anew, give the judgments; find the depth and who contributed.

    With --teams, or on a store, the runs marked as pooled are taken; else contributors are found out too.

    Example: cranfield pool verify qrels.txt runs/*.gz --teams teams.tsv
    """
    from cranfield.pooling.verify import summary, verify
    from cranfield.source import is_store, open_source

    source = open_source(paths, teams)
    told = teams is not None or is_store(paths[0])
    pooled = [tag for tag, info in source.about.items() if info.pooled] if told else None
    closure = verify(source.runs, source.qrels, pooled, depth)
    rows = [{"what": name, "found": str(value)} for name, value in summary(closure, examples)]
    emit(rows, format, output, document=closure._asdict())
