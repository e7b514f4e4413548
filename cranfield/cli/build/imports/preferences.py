"""import preferences."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.import_options import check_kind
from cranfield.cli.options import InputFormat, StorePath
from cranfield.cli.tables import say


def import_preferences(
    path: StorePath,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of preferences; - for standard input.")],
    format: InputFormat = "auto",
    assessor: Annotated[str, typer.Option(metavar="NAME", help="The assessor. [default: the groups of the file]")] = "",
    kind: Annotated[str, typer.Option(help="Kind of the assessors: human, model, or import if unknown.")] = "import",
) -> None:
    """Import preferences between documents, in the forms of trec_eval: prefs or qrels_prefs.

    Every two documents of a subgroup become a preference, or a tie if they have the same level. Each counts as if it
    had been given in both orders. A group of the file is an assessor, unless one is named.

    Example: cranfield import preferences track.db prefs.txt --assessor nist
    """
    from cranfield.errors import blaming
    from cranfield.formats import read_preferences
    from cranfield.judging.preferences.imported import import_preferences
    from cranfield.store.history import importing
    from cranfield.store.store import Store
    from cranfield.text import counted

    check_kind(kind)
    with Store.open(path) as store, blaming(file), importing(store, "preferences", [file]):
        number = import_preferences(store, read_preferences(file, format), assessor, kind)
    say(f"{counted(number, 'preference')} imported")
