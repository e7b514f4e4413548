"""pool methods."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.options import Format, Output
from cranfield.cli.pool_options import method_called
from cranfield.cli.tables import Display, TableFormat, emit


def methods(
    name: Annotated[str | None, typer.Argument(metavar="[METHOD]", help="Show the options of this method.")] = None,
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
