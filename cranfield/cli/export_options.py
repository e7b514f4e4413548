"""Arguments and options of exports, and their common check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.errors import InputError

OutputFile = Annotated[Path, typer.Argument(metavar="OUT", help="Output file; - for the standard output.")]
OutputFolder = Annotated[Path, typer.Argument(metavar="FOLDER", help="Output folder.")]
TextFormat = Annotated[str, typer.Option(metavar="NAME", help="Output format.")]

SafeCsv = Annotated[
    bool, typer.Option("--safe-csv", help="In CSV and TSV, quote text that a spreadsheet would read as a formula.")
]


def refuse_empty(path: Path, what: str, there: bool) -> None:
    """Refuse to write an empty file, which could not be read again."""
    if not there:
        raise InputError(f"no {what} in this store; `cranfield import {what}` adds them", path)
