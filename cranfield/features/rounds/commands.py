"""`round`: open, close and list rounds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.options import Format, Output, ReadStore, StorePath
from cranfield.cli.tables import Display, TableFormat, emit, say
from cranfield.text import counted, moment

Named = Annotated[str, typer.Argument(metavar="NAME", help="The name of the round, such as 2.")]


def start(
    path: StorePath,
    name: Named,
    *,
    topics: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Its topics, one id a line; by default all that have come."),
    ] = None,
    documents: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Its documents, one docno a line; by default all.")
    ] = None,
    renamed: Annotated[
        Path | None,
        typer.Option(metavar="TSV", help="Documents that have another name from now on: old and new docno."),
    ] = None,
) -> None:
    """Open a round. The round before it must be closed; what came before any round is of round 1.

    Runs and judgments that come from now on are of this round, unless --round says otherwise. A renamed document keeps
    its judgments. `cranfield evaluate --round NAME` and all other analyses then leave out of the rankings what was
    judged in earlier rounds, and say how much that is.

    Example: cranfield round start track.db 2 --topics topics2.txt --renamed renamed.tsv
    """
    from cranfield.features.rounds.files import listed, pairs_in
    from cranfield.features.rounds.store import round_rows, start_round
    from cranfield.store.store import Store

    with Store.open(path) as store:
        start_round(
            store,
            name,
            topics=None if topics is None else listed(topics),
            documents=None if documents is None else listed(documents),
            renamed=None if renamed is None else pairs_in(renamed),
        )
        row = round_rows(store)[-1]
    held = ", ".join(counted(row[f"{what}s"], what) for what in ("topic", "document"))
    say(f"round {name}: open, with {held}" + (f", {row['renamed']:,} of them renamed" if row["renamed"] else ""))


def close(path: StorePath, name: Named) -> None:
    """Close a round, so that the next one can be opened. Judgments that come until then are still of it.

    Example: cranfield round close track.db 1
    """
    from cranfield.features.rounds.store import close_round, line_of, round_rows
    from cranfield.store.store import Store

    with Store.open(path) as store:
        closed = close_round(store, name)
        row = next(row for row in round_rows(store) if row["round"] == name)
    say(line_of(closed, row["judgments"]))


def list_(path: ReadStore, format: Format = TableFormat.table, output: Output = None) -> None:
    """List the rounds, with how much each has; judgments are its own.

    JSON: [{"round", "opened", "closed", "topics", "documents", "renamed", "runs", "judgments"}].

    Example: cranfield round list track.db
    """
    from cranfield.features.rounds.store import round_rows
    from cranfield.store.store import Store

    with Store.open(path) as store:
        rows = round_rows(store)
    emit(rows, format, output, display=Display(digits={"opened": moment, "closed": moment}, spare=("renamed",)))
