"""search: baseline runs over the stored corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.options import Format, Output
from cranfield.tables import TableFormat, emit


def search(
    path: Annotated[Path | None, typer.Argument(metavar="STORE", help="A store, such as track.db.")] = None,
    system: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this ranker; may be repeated. All by default.")
    ] = None,
    depth: Annotated[int, typer.Option(min=1, help="How many documents a topic at most.")] = 1000,
    systems: Annotated[bool, typer.Option("--list", help="List the rankers and stop.")] = False,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Rank the stored corpus for the stored topics with baseline rankers, and store their runs.

    They give a builder with one system a varied pool. Each family of rankers counts as a team.

    Example: cranfield search track.db --system bm25 --system lsa
    """
    from cranfield.search import SYSTEMS

    if systems:
        rows = [{"system": s.name, "family": s.family, "field": s.field, "what": s.description} for s in SYSTEMS]
        emit(rows, format, output)
    elif path is None:
        raise typer.BadParameter("a store is needed", param_hint="STORE")
    else:
        typer.echo(f"{search_store(path, system, depth)} runs")


def search_store(path: Path, systems: list[str] | None, depth: int = 1000) -> int:
    """Run baselines over a store and add their runs; how many."""
    from cranfield.formats import RunInfo
    from cranfield.holdings import add_runs
    from cranfield.progress import progress_bar
    from cranfield.search import SYSTEMS, search
    from cranfield.store import Store

    about = {s.name: RunInfo(f"baseline {s.family}", description=s.description) for s in SYSTEMS}
    with Store.open(path) as store:
        documents, topics = list(store.documents()), store.topics()
        with progress_bar("searching", len(systems or SYSTEMS)) as advance:
            runs = search(documents, topics, systems, depth, fts=store.search, progress=advance)
        return add_runs(store, runs, about)
