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
from cranfield.cli.tables import escaping_streams, max_line_width, print_note, print_notes, say
from cranfield.commands.judging import AssignmentTable, assign_topics
from cranfield.errors import InputError, StoreError
from cranfield.extras import require_extra
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
        typer.Option(metavar="NAME", help="Your name as an assessor. Labels are stored under this name."),
        completion.ASSESSORS,
    ],
    *,
    plain: PlainMode = False,
    order: Annotated[
        OrderName | None,
        typer.Option(
            help="Order of a topic's documents. priority and adaptive are not blind. [default: adaptive for adaptive"
            " pools, otherwise the order used before, or hash]"
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Random seed for the hash order. [default: the seed used before, or 0]")
    ] = None,
    topic: OnlyTopics = None,
    pool: PoolNumber = None,
    guidelines: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="File with guidelines to show. [default: the store's guidelines]"),
    ] = None,
    keys: KeyFile = None,
    reading: Reading,
) -> None:
    """Judge pooled documents interactively.

    The digit that you type is the grade. Every label is saved before the next document appears, so you can stop at any
    time and resume with the same command. Ranks, runs and other assessors' labels are hidden. On a terminal, the
    command uses the whole screen. In a pipe, with --plain, or with two-digit grades, it uses line mode.

    A pool built by an adaptive method grows while it is judged. When all pooled documents of a topic are judged, the
    method uses the labels to propose the next batch, until the budget is spent. When you finish a topic from the queue,
    the next topic is claimed for you.

    If the organiser has set up tasks for new assessors, they come before your first document.

    With --pairs, you choose the better of two documents. Every pair is shown twice, with the sides swapped the second
    time. If your answers differ, the pair is a tie. The documents of an adjacent pair are relevant, have the same
    grade, and are neighbours in the fused ranking of all runs. In a disputed pair, two people's labels order the
    documents differently. Pairs are assigned to your name, so you can also judge them in the browser.

    Example: cranfield judge track.db --assessor ada

    Example: cranfield judge track.db --assessor ada --plain
    """
    from cranfield.judging.frontends.keys import DEFAULT, read_keys
    from cranfield.store.log import guidelines as stored_guidelines
    from cranfield.store.store import Store

    require_terminal_extra(plain)
    layout = read_keys(keys) if keys else DEFAULT
    other = hooks.replacement_function("judge", reading.added)
    with Store.open(store, tell=print_note) as collection:
        text = guidelines.read_text("utf-8", "replace") if guidelines else stored_guidelines(collection)
        if not other and not _is_ready(collection, assessor):
            return
        open_task = other or _pooled
        task: JudgingTask = open_task(collection, JudgeOptions(assessor, order, seed, topic, pool))
        if plain or not can_show_full_screen(task.session.grades):
            task.plain(task.session, *escaping_streams(), width=max_line_width(), keys=layout, guidelines=text).run()
        else:
            run_terminal(task.terminal()(task.session, layout, text))
            say(task.session.summary)


def _is_ready(store: Store, assessor: str) -> bool:
    """Whether the assessor goes on to judge after what extensions ask before."""
    source, target = escaping_streams()
    return all(hooks.ask(lambda extension: extension.before_judging(store, assessor, source, target, max_line_width())))


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
    from cranfield.judging.planning.overview import (
        assigned_work_in_pool,
        topics_missing_from_work,
        work_to_judge_or_none,
    )
    from cranfield.judging.session.session import Session
    from cranfield.store.assignments import other_holder
    from cranfield.store.open_pools import continuation_notes

    assessor, order, seed, topic, pool = options
    work = assigned_work_in_pool(store, assessor, pool) if pool else work_to_judge_or_none(store, assessor, topic)
    for qid in topic or ():
        if taker := other_holder(store, assessor, qid):
            raise StoreError(f"topic {qid} is not assigned to you: {taker}")
    missing = topics_missing_from_work(store, work, topic, pool)
    if not work or missing:
        of = f" in topic {', '.join(missing)}" if missing else f" in pool {pool}" if pool else ""
        but = "; with --pool, no topic is claimed from the queue" if pool else ", and the queue is empty"
        raise StoreError(f"{assessor!r} has no assigned documents{of}{but}")
    more = None if pool or topic else partial(work_to_judge_or_none, store, assessor)
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
        say("\nA second assessor also judges the documents that the first cannot judge.")


assign = command(assign_topics, show_assignments, "judging")


def can_show_full_screen(grades: Iterable[int]) -> bool:
    """Whether there is a terminal, and one digit for every grade."""
    return _is_terminal() and all(-9 <= grade <= 9 for grade in grades)


def _is_terminal() -> bool:
    is_capable = os.environ.get("TERM", "") not in ("", "dumb", "unknown")
    return is_capable and all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def require_terminal_extra(plain: bool) -> None:
    """Raise MissingExtraError if the full screen would be shown and its extra is not installed."""
    if not plain and _is_terminal():
        require_extra("terminal", "the full screen", instead="--plain works without it")


def run_terminal(terminal: Any) -> None:
    """Run the full screen to its end; what ended it otherwise is raised."""
    terminal.run(mouse=False)
    if terminal.failure:
        raise terminal.failure
    if terminal.status:
        raise typer.Exit(terminal.status)
