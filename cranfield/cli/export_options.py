"""Arguments and options of exports, and what several of them say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.errors import InputError

OutputFile = Annotated[Path, typer.Argument(metavar="OUT", help="The file to write; - for the standard output.")]
OutputFolder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to write into.")]
TextFormat = Annotated[str, typer.Option(metavar="NAME", help="The format to write.")]


def refuse_empty(path: Path, what: str, there: bool) -> None:
    """What is written can be read again, which a file of nothing cannot."""
    if not there:
        raise InputError(f"no {what} here to write; `cranfield import {what}` adds them", path)
