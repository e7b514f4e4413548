"""collection build."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import RecipeName
from cranfield.cli.tables import note, say
from cranfield.errors import InputError
from cranfield.text import counted


def build(
    name: RecipeName,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the collection's files.")],
    out: Annotated[Path, typer.Argument(metavar="STORE", help="The new store.")],
) -> None:
    """Build a collection into a new store.

    Example: cranfield collection build cranfield1400 downloads/cran cranfield.db
    """
    from cranfield.analysis.recipes import read_recipe
    from cranfield.publishing.stored import build_described
    from cranfield.store.names.unknown import lacks

    if not folder.is_dir():
        raise InputError("no such folder", folder)
    notes: list[str] = []
    with build_described(read_recipe(name), folder, out, notes.append) as store:
        counts, unknown = store.counts(), lacks(store)
    parts = {"document": "document", "topic": "topic", "qrels": "judgment"}
    say(f"{out}: {', '.join(counted(counts[table], noun) for table, noun in parts.items())}")
    for text in notes:
        note(text)
    for lack in unknown:
        note(lack.sentence(f"{lack.table}s here"))
