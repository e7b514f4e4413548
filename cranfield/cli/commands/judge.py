"""`judge` and `assign`: who judges what, at the keyboard."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from cranfield import hooks
from cranfield.cli import completion, not_in_python
from cranfield.cli.build import command
from cranfield.cli.common_options import KeyFile, OnlyTopics, PlainMode, Printer
from cranfield.cli.tables import escaping_streams, note, print_notes, say, width
from cranfield.commands.judging import AssignmentTable, assign_topics
from cranfield.errors import InputError, StoreError
from cranfield.extras import require
from cranfield.options import PoolNumber
from cranfield.store.reading import Reading

if TYPE_CHECKING:
    from cranfield.judging.session.session import Session
    from cranfield.store.store import Store


class OrderName(StrEnum):
    """The orders in which documents can be shown."""

    hash = "hash"
    docid = "docid"
    priority = "priority"
    adaptive = "adaptive"


@not_in_python("people judge at the terminal")
def judge(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="A store with topics, documents and a pool.")],
    assessor: Annotated[
        str,
        typer.Option(metavar="NAME", help="Your name as an assessor; labels are stored under it."),
        completion.ASSESSORS,
    ],
    *,
    plain: PlainMode = False,
    order: Annotated[
        OrderName | None,
        typer.Option(
            help="Order of a topic's documents; priority and adaptive are not blind."
            " [default: adaptive if the pool is, else as before, else hash]"
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Random seed of the hash order. [default: as before, else 0]")
    ] = None,
    topic: OnlyTopics = None,
    pool: PoolNumber = None,
    guidelines: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Guidelines to show. [default: those in the store]")
    ] = None,
    keys: KeyFile = None,
    reading: Reading,
) -> None:
    """Judge the pooled documents of a store at the keyboard.

    The digit you type is the grade. Every label is on disk before the next document is shown; stop at any time, and
    resume with the same command. Ranks, runs and other assessors' labels are not shown. On a terminal it uses the whole
    screen; in a pipe, with --plain, or where a grade has two digits, it reads and writes lines.

    The pool of an adaptive method grows while it is judged, the newest or another: when all its documents of a topic
    are judged, the method proposes the next batch based on the labels so far, until the budget is spent. When a topic
    from the queue is finished, the next one is claimed.

    What the organiser has set up for new assessors comes before your first document.

    With --pairs you say which of two documents is better; every pair is shown twice, the second time the other way
    round, and different answers make it a tie. adjacent are neighbours, in the fused order of all runs, of the same
    relevant grade; disputed are documents that two people's labels order differently. The pairs are kept with your
    name: judge them in the browser, too.

    Example: cranfield judge track.db --assessor ada

    Example: cranfield judge track.db --assessor ada --plain
    """
    from cranfield.judging.frontends.keys import DEFAULT, read_keys
    from cranfield.store.log import guidelines as stored_guidelines
    from cranfield.store.store import Store

    check_screen(plain)
    layout = read_keys(keys) if keys else DEFAULT
    other = hooks.instead("judge", reading.added)
    with Store.open(store, tell=note) as collection:
        text = guidelines.read_text("utf-8", "replace") if guidelines else stored_guidelines(collection)
        if not other and not _is_ready(collection, assessor):
            return
        open_task = other or _pooled
        task: JudgingTask = open_task(collection, JudgeOptions(assessor, order, seed, topic, pool))
        if plain or not can_show_full_screen(task.session.grades):
            task.plain(task.session, *escaping_streams(), width=width(), keys=layout, guidelines=text).run()
        else:
            run_terminal(task.terminal()(task.session, layout, text))
            say(task.session.summary)


def _is_ready(store: Store, assessor: str) -> bool:
    """Whether the assessor goes on to judge after what extensions ask before."""
    source, target = escaping_streams()
    return all(hooks.ask(lambda extension: extension.before_judging(store, assessor, source, target, width())))


class JudgeOptions(NamedTuple):
    """Who is to judge what."""

    assessor: str
    order: str | None
    seed: int | None
    topics: list[str] | None
    pool: int | None


class JudgingTask(NamedTuple):
    """A session, and what shows it: in lines, and on the full screen, which is loaded where it is needed."""

    session: Any
    plain: Any
    terminal: Callable[[], Any]


def judging_task(session: Session) -> JudgingTask:
    """Judging documents."""
    from cranfield.judging.frontends.plain import PlainJudging

    return JudgingTask(session, PlainJudging, _terminal)


def _terminal() -> Any:
    from cranfield.judging.frontends.terminal.terminal import Terminal

    return Terminal


def _pooled(store: Store, options: JudgeOptions) -> JudgingTask:
    """Judging what the assessor has to do, or a pool."""
    from cranfield.judging.labels.uncounted import later_labels_note, unlabelled_pool_note
    from cranfield.judging.planning.overview import assigned_work_in_pool, not_in_work, work_for
    from cranfield.judging.session.session import Session
    from cranfield.store.assignments import other_holder
    from cranfield.store.open_pools import continuation_notes

    assessor, order, seed, topic, pool = options
    work = assigned_work_in_pool(store, assessor, pool) if pool else work_for(store, assessor, topic)
    for qid in topic or ():
        if taker := other_holder(store, assessor, qid):
            raise StoreError(f"topic {qid} is not yours: {taker}")
    missing = not_in_work(store, work, topic, pool)
    if not work or missing:
        of = f" of topic {', '.join(missing)}" if missing else f" of pool {pool}" if pool else ""
        but = "; --pool claims no topic from the queue" if pool else ", and there is nothing to claim"
        raise StoreError(f"nothing{of} is assigned to {assessor!r}{but}")
    more = None if pool or topic else partial(work_for, store, assessor)
    session = Session(store, assessor, work, order=order, seed=seed, topics=topic, more=more)
    labelled = unlabelled_pool_note(store, work.number) if more and work.number else ""
    print_notes(filter(None, [later_labels_note(store, assessor), labelled]))
    print_notes(continuation_notes(store, pool) if pool else [])
    return judging_task(session)


def show_assignments(result: AssignmentTable, printer: Printer) -> None:
    """Print who judges what; an error if nothing is assigned."""
    work = result.rows()
    if not work:
        raise InputError(f"{result.title}; assign topics with --assessor NAME or --queue")
    printer.emit_typeset(result)
    if printer.is_for_terminal and any(row["cannot_judge"] for row in work):
        say("\nA second assessor also judges what the first cannot judge.")


assign = command(assign_topics, show_assignments, "judging")


def can_show_full_screen(grades: Iterable[int]) -> bool:
    """Whether there is a terminal, and one digit for every grade."""
    return _is_terminal() and all(-9 <= grade <= 9 for grade in grades)


def _is_terminal() -> bool:
    is_capable = os.environ.get("TERM", "") not in ("", "dumb", "unknown")
    return is_capable and all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def check_screen(plain: bool) -> None:
    """Raise MissingExtraError if the full screen would be shown and its extra is not installed."""
    if not plain and _is_terminal():
        require("terminal", "the full screen", instead="--plain works without it")


def run_terminal(terminal: Any) -> None:
    """Run the full screen to its end; what ended it otherwise is raised."""
    terminal.run(mouse=False)
    if terminal.failure:
        raise terminal.failure
    if terminal.status:
        raise typer.Exit(terminal.status)
