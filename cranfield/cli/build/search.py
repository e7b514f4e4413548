"""search."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.lists import names
from cranfield.cli.options import Format, Output
from cranfield.cli.tables import Display, TableFormat, emit, note, say
from cranfield.text import counted


def search(
    path: Annotated[Path | None, typer.Argument(metavar="STORE", help="A store, such as track.db.")] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", callback=names, help="A ranker, or several: bm25,lsa. [default: all]"),
    ] = None,
    depth: Annotated[int, typer.Option(min=1, help="Maximum number of documents per topic.")] = 1000,
    systems: Annotated[bool, typer.Option("--list", help="List the rankers and exit.")] = False,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Run baseline rankers over the stored corpus and topics, and store their runs.

    They give a varied pool to a collection with few systems. Each family of rankers counts as a team. A ranker is
    skipped if its run is already in the store or if it retrieves nothing.

    Example: cranfield search track.db --system bm25 --system lsa
    """
    from cranfield.search.stored import search_store
    from cranfield.search.table import SYSTEMS

    if systems:
        rows = [{"system": s.name, "family": s.family, "field": s.field, "what": s.description} for s in SYSTEMS]
        emit(rows, format, output, display=Display(spare=("field", "family")))
    elif path is None:
        raise typer.BadParameter("give a store", param_hint="STORE")
    else:
        searched = search_store(path, system, depth)
        say(counted(len(searched.tags), "run"))
        for text in searched.notes:
            note(text)
