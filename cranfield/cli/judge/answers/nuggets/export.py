"""answers nuggets export."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.export_options import OutputFile
from cranfield.cli.options import Nuggets, StorePath
from cranfield.cli.tables import notes, summary
from cranfield.text import counted


def export(
    path: StorePath,
    file: OutputFile,
    labels: Annotated[bool, typer.Option("--labels", help="Also write everybody's current labels of answers.")] = False,
    nuggets: Nuggets = None,
) -> None:
    """Write the current nuggets as JSON lines, which `cranfield answers nuggets import` reads.

    Each has its author and the author's kind. A model's nuggets are left out where there are people's, unless --nuggets
    says otherwise.

    Example: cranfield answers nuggets export track.db nuggets.jsonl --labels
    """
    from cranfield.errors import InputError
    from cranfield.formats.answers.nuggets import write
    from cranfield.store.answers.counted import counted_nuggets
    from cranfield.store.answers.nugget_files import nuggets_for_export
    from cranfield.store.store import Store

    with Store.open(path) as store:
        found, whose = nuggets_for_export(store, labels, nuggets), counted_nuggets(store, nuggets).said()
    if not found:
        raise InputError("no nuggets in this store; `cranfield answers nuggets make` adds some", path)
    write(file, found)
    said = f" with {counted(sum(len(one.labels) for one in found), 'label')}" if labels else ""
    summary(file, f"{counted(len(found), 'nugget')}{said}")
    notes(filter(None, [whose]))
