"""`topics`: named sets of topics, and folds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli import completion
from cranfield.cli.options import Format, Output, ReadStore, StorePath
from cranfield.cli.tables import Display, TableFormat, emit, say
from cranfield.text import counted, moment

SetName = Annotated[str, typer.Argument(metavar="NAME", help="What the set is called, such as dev.")]


def set_(
    path: StorePath,
    name: SetName,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", exists=True, dir_okay=False, help="One topic id a line, or topics."),
    ],
) -> None:
    """Name a set of topics, for --topics NAME. A set that has changed is another version; NAME@1 is the first.

    Example: cranfield topics set track.db dev dev.txt
    """
    from cranfield.errors import blaming
    from cranfield.store.store import Store
    from cranfield.store.topic_sets import keep_topic_set, qids_in

    with Store.open(path) as store, blaming(file):
        made = keep_topic_set(store, name, qids_in(file), {"file": file.name})
    say(f"{made.name}, version {made.version}: {counted(len(made.topics), 'topic')}")


def split(
    path: StorePath,
    name: SetName,
    *,
    folds: Annotated[int, typer.Option(min=2, metavar="N", help="How many folds.")],
    seed: Annotated[int, typer.Option(min=0, help="Random seed; the same seed gives the same folds.")] = 0,
    of: Annotated[
        str, typer.Option(metavar="NAME", help="Split this set instead of all topics."), completion.TOPIC_SETS
    ] = "",
) -> None:
    """Split the topics into folds, drawn at random: NAME-1, NAME-2, ..., each a set of its own.

    Example: cranfield topics split track.db fold --folds 5 --seed 1
    """
    from cranfield.store.store import Store
    from cranfield.store.topic_sets import split_topics

    with Store.open(path) as store:
        for made in split_topics(store, name, folds, seed, of):
            say(f"{made.name}, version {made.version}: {counted(len(made.topics), 'topic')}")


def list_(path: ReadStore, format: Format = TableFormat.table, output: Output = None) -> None:
    """List the sets of topics of a store, every version.

    JSON: [{"set", "version", "topics", "made", "from", "members"}].

    Example: cranfield topics list track.db
    """
    from cranfield.store.store import Store
    from cranfield.store.topic_sets import set_rows

    with Store.open(path) as store:
        rows = set_rows(store)
    emit(rows, format, output, display=Display(digits={"made": moment}, spare=("members",)))
