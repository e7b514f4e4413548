"""collection list."""

from __future__ import annotations

from cranfield.cli.options import Format, Output
from cranfield.cli.tables import TableFormat, emit


def list_(format: Format = TableFormat.table, output: Output = None) -> None:
    """List the bundled recipes.

    Example: cranfield collection list
    """
    from cranfield.analysis.recipes import recipe_rows

    emit(recipe_rows(), format, output)
