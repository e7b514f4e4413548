"""answers nuggets export."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.export_options import OutputFile
from cranfield.cli.options import StorePath
from cranfield.cli.tables import say
from cranfield.text import counted


def export(
    path: StorePath,
    file: OutputFile,
    labels: Annotated[bool, typer.Option("--labels", help="Also write everybody's current labels of answers.")] = False,
) -> None:
    """Write the current nuggets as JSON lines, which `cranfield answers nuggets import` reads.

    Example: cranfield answers nuggets export track.db nuggets.jsonl --labels
    """
    from cranfield.errors import InputError
    from cranfield.formats.answers.nuggets import write
    from cranfield.store.answers.nugget_files import nuggets_for_export
    from cranfield.store.store import Store

    with Store.open(path) as store:
        found = nuggets_for_export(store, labels)
    if not found:
        raise InputError("no nuggets in this store; `cranfield answers nuggets make` adds some", path)
    write(file, found)
    said = f" with {counted(sum(len(one.labels) for one in found), 'label')}" if labels else ""
    say(f"{counted(len(found), 'nugget')}{said}")
