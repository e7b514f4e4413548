"""The command `judge`."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from cranfield.errors import StoreError

if TYPE_CHECKING:
    from cranfield.holdings import Pool
    from cranfield.judging.keys import Keys
    from cranfield.judging.session import Session
    from cranfield.store import Store


class OrderName(StrEnum):
    """The orders in which documents can be shown."""

    hash = "hash"
    docid = "docid"
    priority = "priority"
    adaptive = "adaptive"


def judge(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The store, with topics, documents and a pool.")],
    assessor: Annotated[str, typer.Option(help="Who judges; labels belong to this name.")],
    plain: Annotated[bool, typer.Option("--plain", help="Line mode, for screen readers, pipes and scripts.")] = False,
    order: Annotated[
        OrderName | None,
        typer.Option(
            help="Order of a topic's documents; priority and adaptive are not blind."
            " [default: adaptive if the pool is, else as before, else hash]"
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the hash order. [default: as before, else 0]")] = None,
    topic: Annotated[list[str] | None, typer.Option(metavar="QID", help="Only this topic; may be repeated.")] = None,
    pool: Annotated[int | None, typer.Option(help="Which pool. [default: the newest]")] = None,
    guidelines: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Guidelines to show. [default: those in the store]")
    ] = None,
    keys: Annotated[
        Path | None, typer.Option(metavar="FILE", help='Other keys for commands: TOML, lines such as undo = "z".')
    ] = None,
) -> None:
    """Judge the pooled documents of a store at the keyboard.

    The digit you type is the grade. Every label is on disk before the next document is shown; stop whenever you like,
    and start again with the same command to go on where you were. Neither ranks nor runs nor other assessors' labels
    are shown. On a terminal it takes the whole screen; in a pipe, and with --plain, it reads and writes lines.

    A pool of an adaptive method grows while it is judged: when all that it has of a topic is done, the method proposes
    the next batch from the labels so far, until the budget is spent. When a topic of the queue is done, the next one is
    claimed.

    Example: cranfield judge track.db --assessor ada
    """
    from cranfield.holdings import stored_pool
    from cranfield.judging.keys import DEFAULT, read_keys
    from cranfield.judging.session import Session
    from cranfield.log import guidelines as stored_guidelines
    from cranfield.store import Store

    chosen = read_keys(keys) if keys else DEFAULT
    with Store.open(store) as opened:
        told = guidelines.read_text("utf-8", "replace") if guidelines else stored_guidelines(opened)
        work = stored_pool(opened, pool) if pool else work_for(opened, assessor)
        if not work:
            raise StoreError(f"nothing is assigned to {assessor!r}, and nothing waits to be claimed")
        more = None if pool or topic else partial(work_for, opened, assessor)
        session = Session(opened, assessor, work, order, seed, topic, more=more)
        if plain or not _full_screen(session):
            _judge_plain(session, chosen, told)
        else:
            _judge_full_screen(session, chosen, told)


def work_for(store: Store, assessor: str) -> Pool | None:
    """The newest pool, narrowed to what is planned for the assessor or claimed from the queue; with second showings.

    What she has done is in it, too. None where there is nothing for her, and never was.
    """
    from cranfield.assignments import claim, organised, repeats_of, work_of
    from cranfield.holdings import stored_pool
    from cranfield.judging.assign import narrowed
    from cranfield.judging.live import mend
    from cranfield.judging.repeats import with_repeats

    if organised(store):
        mend(store)
    pool = stored_pool(store)
    claim(store, assessor)
    work = work_of(store, assessor)
    return with_repeats(narrowed(pool, work), repeats_of(store, assessor)) if work else None


def _full_screen(session: Session) -> bool:
    """Whether there is a screen, and a digit for every grade."""
    import os
    import sys

    terminal = (
        all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
        and os.environ.get("TERM", "dumb") != "dumb"
    )
    return terminal and all(-9 <= grade <= 9 for grade in session.grades)


def _judge_plain(session: Session, keys: Keys, guidelines: str) -> None:
    import shutil

    from cranfield.judging.plain import Plain

    width = min(shutil.get_terminal_size().columns, 100)
    Plain(session, *_streams(), width, keys, guidelines).run()


def _judge_full_screen(session: Session, keys: Keys, guidelines: str) -> None:
    from cranfield.judging.terminal import Terminal

    terminal = Terminal(session, keys, guidelines)
    terminal.run(mouse=False)
    if terminal.failure:
        raise terminal.failure
    typer.echo(session.summary)


def _streams() -> tuple[TextIO, TextIO]:
    """The standard streams, told to spell out what their encoding does not have."""
    import sys

    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return sys.stdin, sys.stdout
