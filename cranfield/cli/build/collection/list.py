"""collection list."""

from __future__ import annotations

from cranfield.cli.options import Format, Output
from cranfield.cli.tables import TableFormat, emit


def list_(format: Format = TableFormat.table, output: Output = None) -> None:
    """List the bundled recipes.

    Example: cranfield collection list
    """
    from cranfield.analysis.recipes import bundled_recipes, read_recipe

    recipes = [read_recipe(name) for name in bundled_recipes()]
    rows = [{"name": r.name, "bundled": r.bundled, "what": r.data.get("description", "")} for r in recipes]
    emit(rows, format, output)
