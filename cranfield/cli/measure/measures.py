"""measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cranfield.cli.options import (
    Format,
    Output,
)
from cranfield.cli.tables import TableFormat, emit

if TYPE_CHECKING:
    from cranfield.metrics.measure import Measure


def measures(
    name: Annotated[str | None, typer.Argument(metavar="[MEASURE]", help="Describe this measure.")] = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """List the measures, or describe one: what it is for, when it misleads, its source.

    A measure of your own is a function in a Python module, local or installed, that is registered under a name:
    cranfield.metrics.register("FirstTwo", first_two). Then every command accepts -m mine:FirstTwo, or with a path, -m
    folder/mine.py:FirstTwo. docs/measures.md describes the function's arguments, with examples.

    Example: cranfield measures nDCG
    """
    from cranfield.metrics import MEASURES
    from cranfield.metrics.notation.parse import parse

    if name is None:
        emit([row(measure) for measure in MEASURES], format, output)
    else:
        typer.echo(parse(name).about)


def row(measure: Measure) -> dict[str, str]:
    """A measure as a table row."""
    low, high = ("" if abs(bound) == float("inf") else f"{bound:g}" for bound in measure.range)
    return {
        "measure": measure.name,
        "options": ", ".join(measure.defaults),
        "range": f"{low}..{high}",
        "trec_eval": ", ".join(measure.synonyms).replace("{}", "k"),
        "what": measure.description,
    }
