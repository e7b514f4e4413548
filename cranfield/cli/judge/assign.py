"""assign."""

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
    assessor: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="An assessor to assign topics to; may be repeated.")
    ] = None,
    queue: Annotated[
        bool, typer.Option("--queue", help="Put topics in a queue, from which assessors claim them.")
    ] = False,
    topic: OnlyTopics = None,
    overlap: Annotated[
        str, typer.Option(metavar="SHARE", help="Share of documents that a second assessor judges as well, as 10%.")
    ] = "0%",
    cannot_judge: Annotated[
        bool, typer.Option("--cannot-judge", help="Pass what a topic's assessor cannot judge to a second one.")
    ] = False,
    repeat: Annotated[
        int, typer.Option(min=0, help="Number of documents per topic that its assessor is shown twice.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="Random seed of the overlap and of the repeats.")] = 0,
    lease: Annotated[float, typer.Option(min=0.01, help="Hours after which an idle claim lapses.")] = 24,
    pool: PoolNumber = None,
    give: Annotated[
        list[str] | None, typer.Option(metavar="QID=NAME", help="Reassign a topic; QID= puts it in the queue.")
    ] = None,
    give_second: Annotated[
        list[str] | None, typer.Option(metavar="QID=NAME", help="Reassign the second assessment of a topic.")
    ] = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Assign the pooled topics to assessors or to a queue. Without options, show the assignments.

    Each topic is judged by one assessor. With --overlap, a random sample of all documents is drawn now, before judging
    begins, for a second assessor; agreement is estimated from it. With --cannot-judge, documents that the first
    assessor cannot judge also go to the second, unannounced. With --repeat, a few documents of each topic are shown
    again to the same assessor, unannounced. Documents that are already judged stay with their assessor when a topic is
    reassigned.

    The topics of the newest pool are assigned, and follow larger pools that are built later. With --pool N they are
    those of that pool, and stay with it.

    Example: cranfield assign track.db --assessor ada --assessor bob --overlap 10% --repeat 2
    """
    from cranfield.judging.planning.assign import organise, percentage
    from cranfield.store.store import Store

    if assessor and queue:
        raise typer.BadParameter("give either --assessor or --queue", param_hint="--queue")
    with Store.open(path) as store:
        seconds, asked = round(lease * 3600), (assessor or [], topic or [])
        with store.writing():  # all or nothing
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
        raise typer.BadParameter(f"{text!r}; expected QID=NAME", param_hint=option)
    return qid, "first", name or None


def _show(store: Store, pool: int | None, format: TableFormat, output: Path | None) -> None:
    """Show the assignments of one pool or of all."""
    from cranfield.store.assignments import assignments, plans
    from cranfield.store.pools.pools import pool_depth

    pool_depth(store, pool)  # refuses an unknown pool
    given = [g for g in assignments(store) if pool in (None, g.pool)]
    if not given:
        whose = f" of pool {pool}" if pool else ""
        raise InputError(f"nothing{whose} is assigned yet; assign topics with --assessor NAME or --queue")
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
        say("\nA second assessor also judges what the first cannot judge.")
