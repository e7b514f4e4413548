"""search: baseline runs over the stored corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import Format, Output
from cranfield.cli.tables import TableFormat, emit, note, say


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

    They give a builder with one system a varied pool. Each family of rankers counts as a team. A ranker whose run is
    here already is left out, and so is one that retrieves nothing.

    Example: cranfield search track.db --system bm25 --system lsa
    """
    from cranfield.search.stored import search_store
    from cranfield.search.table import SYSTEMS

    if systems:
        rows = [{"system": s.name, "family": s.family, "field": s.field, "what": s.description} for s in SYSTEMS]
        emit(rows, format, output)
    elif path is None:
        raise typer.BadParameter("a store is needed", param_hint="STORE")
    else:
        searched = search_store(path, system, depth)
        say(f"{len(searched.tags)} runs")
        for text in searched.notes:
            note(text)
