"""The command `judge`."""

from __future__ import annotations

from enum import StrEnum
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, TextIO

import typer


class OrderName(StrEnum):
    """The orders in which documents can be shown."""

    hash = "hash"
    docid = "docid"


def judge(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The store, with topics, documents and a pool.")],
    assessor: Annotated[str, typer.Option(help="Who judges; labels belong to this name.")],
    plain: Annotated[bool, typer.Option("--plain", help="Line mode, for screen readers, pipes and scripts.")] = False,
    order: Annotated[
        OrderName | None, typer.Option(help="Order of the documents of a topic. [default: as before, else hash]")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the hash order. [default: as before, else 0]")] = None,
    topic: Annotated[list[str] | None, typer.Option(metavar="QID", help="Only this topic; may be repeated.")] = None,
    pool: Annotated[int | None, typer.Option(help="Which pool. [default: the newest]")] = None,
) -> None:
    """Judge the pooled documents of a store at the keyboard.

    The digit you type is the grade. Every label is on disk before the next document is shown; stop whenever you like,
    and start again with the same command to go on where you were. Neither ranks nor runs nor other assessors' labels
    are shown.

    Example: cranfield judge track.db --assessor ada --plain
    """
    import shutil

    from cranfield.holdings import stored_pool
    from cranfield.judging.plain import Plain
    from cranfield.judging.session import Session
    from cranfield.store import Store

    with Store.open(store) as opened:
        session = Session(opened, assessor, stored_pool(opened, pool), order, seed, topic)
        width = min(shutil.get_terminal_size().columns, 100)
        Plain(session, *_streams(), width).run()


def _streams() -> tuple[TextIO, TextIO]:
    """The standard streams, told to spell out what their encoding does not have."""
    import sys

    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return sys.stdin, sys.stdout
