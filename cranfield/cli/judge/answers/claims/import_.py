"""answers claims import."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.import_options import check_kind
from cranfield.cli.options import InputPaths, StorePath
from cranfield.cli.tables import say
from cranfield.text import counted


def import_(
    path: StorePath,
    files: InputPaths,
    assessor: Annotated[str, typer.Option(metavar="NAME", help="Who wrote the claims.")],
    kind: Annotated[str, typer.Option(help="Kind of the assessor: human, model, or import if unknown.")] = "human",
) -> None:
    """Import claims: the sentences of reference answers, or what answers state, as JSON lines.

    A line {"qid": "1", "claims": ["...", "..."]} is the reference answer to a topic, as CtxR needs; with "run" as well
    it is what the answer of a run states, as Faithful needs. Claims of the same author on the same answer replace
    earlier ones. Everything is imported, or nothing.

    Example: cranfield answers claims import track.db references.jsonl --assessor ada
    """
    from cranfield.formats.answers.claims import read_claims
    from cranfield.store.answers.claims import import_claims
    from cranfield.store.history import importing
    from cranfield.store.store import Store

    check_kind(kind)
    found = [claims for file in files for claims in read_claims(file)]
    with Store.open(path) as store, importing(store, "claims", files):
        number = import_claims(store, found, assessor, kind)
    say(f"{counted(number, 'claim')} imported")
