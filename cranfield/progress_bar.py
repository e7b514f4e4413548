"""Progress bars: shown on a terminal, silent in a pipe; a user interface that shows them elsewhere sets REPORT."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

SHOWN: ContextVar[bool] = ContextVar("SHOWN", default=False)
REPORT: ContextVar[Callable[[str], None] | None] = ContextVar("REPORT", default=None)


@contextmanager
def progress_bar(what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr while the block runs; call the result with the number of steps done since.

    Within another one it is not shown.

    >>> with progress_bar("counting", 3) as advance:
    ...     for _ in range(3):
    ...         advance(1)
    """
    if (report := REPORT.get()) is not None:
        yield _reporting(report, what, total)
        return
    if SHOWN.get() or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task, outer = bar.add_task(what, total=total), SHOWN.set(True)
        try:
            yield lambda done: bar.advance(task, done)
        finally:
            SHOWN.reset(outer)


def _reporting(report: Callable[[str], None], what: str, total: int | None) -> Callable[[int], None]:
    """Report the number of steps done in words.

    >>> advance = _reporting(print, "topics", 3)
    topics
    >>> advance(2)
    topics: 2 of 3
    """
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more
        report(f"{what}: {done:,}" + (f" of {total:,}" if total else ""))

    report(what)
    return advance
