"""The command `assign`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.options import Format, OnlyTopics, Output, PoolNumber, StorePath
from cranfield.cli.tables import TableFormat, emit, say
from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.store.store import Store


def assign(
    path: StorePath,
    assessor: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Who gets topics; once for each.")] = None,
    queue: Annotated[bool, typer.Option("--queue", help="To nobody yet: whoever comes claims a topic.")] = False,
    topic: OnlyTopics = None,
    overlap: Annotated[str, typer.Option(metavar="SHARE", help="Pairs for a second assessor too, as 10%.")] = "0%",
    cannot_judge: Annotated[
        bool, typer.Option("--cannot-judge", help="What a topic's assessor cannot judge goes to a second one.")
    ] = False,
    repeat: Annotated[int, typer.Option(min=0, help="Documents a topic that its assessor is shown twice.")] = 0,
    seed: Annotated[int, typer.Option(help="Seed of both samples.")] = 0,
    lease: Annotated[float, typer.Option(min=0.01, help="Hours a claim holds without a sign of life.")] = 24,
    pool: PoolNumber = None,
    give: Annotated[
        list[str] | None, typer.Option(metavar="QID=NAME", help="Pass an assigned topic on; QID= puts it in the queue.")
    ] = None,
    give_second: Annotated[
        list[str] | None, typer.Option(metavar="QID=NAME", help="The same for the second assessor of a topic.")
    ] = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Distribute the pooled topics: to assessors or to a queue. Alone, it shows who has what.

    One assessor judges a whole topic. With --overlap a random sample of all pairs is drawn now, before anybody judges,
    for a second assessor; it is what agreement is estimated from. With --cannot-judge what the first cannot judge goes
    to the second one, too, unannounced. With --repeat a few documents of each topic come up a second time for the same
    assessor, unannounced. What somebody has settled stays hers when a topic passes on.

    Assigned are the topics of the newest pool; of a larger one that is built later they are then, too. With --pool N it
    is that pool, and the topics stay with it.

    Example: cranfield assign track.db --assessor ada --assessor bob --overlap 10% --repeat 2
    """
    from cranfield.judging.planning.assign import organise, percentage
    from cranfield.store.store import Store

    if assessor and queue:
        raise typer.BadParameter("either --assessor or --queue", param_hint="--queue")
    with Store.open(path) as store:
        seconds, asked = round(lease * 3600), (assessor or [], topic or [])
        with store.writing():  # all of it or nothing
            _pass_on(store, give or [], give_second or [])
            if assessor or queue:
                organise(store, *asked, percentage(overlap), repeat, seed, seconds, cannot_judge, pool)
        _show(store, pool, format, output)


def _pass_on(store: Store, first: list[str], second: list[str]) -> None:
    from cranfield.store.assignments import give

    for text in first:
        give(store, *_given(text, "--give"))
    for text in second:
        qid, _, name = _given(text, "--give-second")
        give(store, qid, "second", name)


def _given(text: str, option: str) -> Any:
    qid, sign, name = text.rpartition("=")
    if not sign:
        raise typer.BadParameter(f"written as QID=NAME, not {text!r}", param_hint=option)
    return qid, "first", name or None


def _show(store: Store, pool: int | None, format: TableFormat, output: Path | None) -> None:
    """Who has what, of a pool or of all."""
    from cranfield.store.assignments import assignments, plans
    from cranfield.store.pools.pools import pool_depth

    pool_depth(store, pool)  # refuses one that is not there
    given = [g for g in assignments(store) if pool in (None, g.pool)]
    if not given:
        whose = f" of pool {pool}" if pool else ""
        raise InputError(f"nothing{whose} is assigned yet; --assessor NAME or --queue does it")
    several = len({g.pool for g in given}) > 1
    rows = [
        {
            "topic": g.qid,
            "role": g.role,
            "assessor": g.assessor or "(queue)",
            **({"pool": g.pool} if several else {}),
            "documents": g.documents,
            "unfinished": g.unfinished,
            "repeats": g.repeats,
            "held until": g.lease or "",
        }
        for g in given
    ]
    document = {"plans": [plan._asdict() for plan in plans(store)], "assignments": [g._asdict() for g in given]}
    emit(rows, format, output, document=document)
    if format is TableFormat.table and output is None and any(g.cannot_judge for g in given):
        say("\nA second assessor also gets what the first cannot judge.")
