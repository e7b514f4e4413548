"""export answers."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.export_options import OutputFile, TextFormat, refuse_empty
from cranfield.cli.options import StorePath
from cranfield.cli.tables import say
from cranfield.text import counted


def export_answers(
    path: StorePath,
    file: OutputFile,
    format: TextFormat = "rag25",
    run: Annotated[str | None, typer.Option(metavar="TAG", help="Only the answers of this run.")] = None,
) -> None:
    """Write generated answers, one per line, in a format that `cranfield import answers` reads: rag24, rag25, ragtime.

    What a format cannot store is an error: rag24 and rag25 have no confidence of a citation.

    Example: cranfield export answers track.db answers.jsonl --format ragtime
    """
    from cranfield.errors import InputError
    from cranfield.formats.table import named
    from cranfield.store.answers.answers import answer_runs, exported
    from cranfield.store.store import Store

    write = named("answers", format).write
    assert write
    with Store.open(path) as store:
        if run is not None and run not in answer_runs(store):
            raise InputError(f"no run {run!r} has answers in this store", path)
        found = exported(store, run)
    refuse_empty(path, "answers", bool(found))
    write(file, found)
    say(counted(len(found), "answer"))
