"""collection list, show, build."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.errors import InputError
from cranfield.cli.options import (Format, Output)
from cranfield.formats.output import as_written
from cranfield.cli.tables import TableFormat, emit, note, say

app = typer.Typer(help="Build classic collections by recipe.", no_args_is_help=True, add_completion=False)

RecipeName = Annotated[str, typer.Argument(metavar="NAME", help="A bundled recipe, or the path of your own.")]


@app.command("list")
def list_(format: Format = TableFormat.table, output: Output = None) -> None:
    """List the recipes that come with cranfield.

    Example: cranfield collection list
    """
    from cranfield.analysis.recipes import (bundled_recipes, read_recipe)

    recipes = [read_recipe(name) for name in bundled_recipes()]
    rows = [{"name": r.name, "bundled": r.bundled, "what": r.data.get("description", "")} for r in recipes]
    emit(rows, format, output)


@app.command()
def show(name: RecipeName) -> None:
    """Show a recipe: its parts, grades, citation, checksums and quirks.

    Example: cranfield collection show cranfield1400
    """
    from cranfield.analysis.recipes import bundled_recipes

    path = bundled_recipes().get(name, Path(name))
    if not path.is_file():
        raise InputError(f"there is no recipe {name!r}; there are {', '.join(bundled_recipes())}")
    as_written(path.read_text(encoding="utf-8", errors="backslashreplace"))


@app.command()
def build(
    name: RecipeName,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder that holds the collection's files.")],
    out: Annotated[Path, typer.Argument(metavar="STORE", help="The new store.")],
) -> None:
    """Build a collection into a new store.

    Example: cranfield collection build cranfield1400 downloads/cran cranfield.db
    """
    from cranfield.analysis.recipes import (build, read_recipe)
    from cranfield.store.unknown import lacks

    if not folder.is_dir():
        raise InputError("there is no such folder", folder)
    notes: list[str] = []
    with build(read_recipe(name), folder, out, notes.append) as store:
        counts, unknown = store.counts(), lacks(store)
    say(f"{out}: {counts['document']} documents, {counts['topic']} topics, {counts['qrels']} judgments")
    for text in notes:
        note(text)
    for lack in unknown:
        note(lack.told(f"{lack.table}s here"))
