"""answers nuggets import."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.import_options import check_kind
from cranfield.cli.options import InputFormat, InputPaths, StorePath
from cranfield.cli.tables import say
from cranfield.text import counted


def import_(
    path: StorePath,
    files: InputPaths,
    assessor: Annotated[
        str, typer.Option(metavar="NAME", help="Whose nuggets and labels these are where the file does not say.")
    ],
    format: InputFormat = "auto",
    kind: Annotated[
        str, typer.Option(help="Kind of assessors where the file does not say: human, model, or import if unknown.")
    ] = "human",
) -> None:
    """Import nuggets, and labels of answers if the files have any: JSON lines, or what nuggetizer writes.

    A nugget that its topic already has is not added again; one that has another importance here is an error, as is a
    label of an answer that the store does not have. An assignment that failed becomes "cannot judge", never a label.
    Everything is imported, or nothing. Nuggets that a model wrote, as nuggetizer's, come with --kind model.

    Example: cranfield answers nuggets import track.db nuggets.jsonl --assessor ada
    """
    from cranfield.formats import read_nuggets
    from cranfield.store.answers.nugget_files import import_nuggets
    from cranfield.store.history import importing
    from cranfield.store.store import Store

    check_kind(kind)
    found = [nugget for file in files for nugget in read_nuggets(file, format)]
    with Store.open(path) as store, importing(store, "nuggets", files):
        added = import_nuggets(store, found, assessor, kind)
    say(f"{counted(added.nuggets, 'new nugget')}, {counted(added.labels, 'new label')}")
