"""Work that takes long: it runs in threads of this process or in the workers of a cluster, and is reported meanwhile.

Progress bars are shown on a terminal, silent in a pipe; a user interface that shows them elsewhere sets REPORT. A
library reports nothing.
"""

import os
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from functools import partial
from itertools import chain, islice, starmap
from signal import SIG_IGN, SIGINT, getsignal, signal
from threading import current_thread, get_ident, main_thread
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from cranfield.errors import CranfieldError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


T = TypeVar("T")
Thing = TypeVar("Thing")
Block = tuple[Any, ...]
Tell = Callable[[str], object]
Several = Callable[[Callable[[Thing], T], Iterable[Thing]], Iterable[T]]


class Workers(Protocol):
    """The workers of a cluster; a block is the arguments of some work, of which the first may be kept by a worker."""

    @property
    def blocks(self) -> int:
        """Into how many blocks to divide work."""

    def map_blocks(self, work: Callable[..., T], blocks: Sequence[Block], common: Sequence[Any]) -> Iterator[T]:
        """The results of `work(*block, *shared)`, in order."""

    def keep(self, work: Callable[..., T], blocks: Sequence[Block]) -> Sequence[Any]:
        """The results of `work(*block)`, each kept by the worker that computed it."""

    def send(self, work: Callable[..., T], blocks: Sequence[Block]) -> Sequence[Any]:
        """The results of `work(*block)`, computed here and kept by workers."""


COMMAND_SETTINGS = {
    "OPENBLAS_NUM_THREADS": "1",  # NumPy starts no threads of its own: a short command would take longer
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # Arrow reuses memory: half of the page faults of reading a large run
}
GIVEN_SETTINGS = {name: os.environ[name] for name in COMMAND_SETTINGS if name in os.environ}


def set_up_command() -> None:
    """Set what makes commands faster. NumPy and Arrow read it when they are imported; the user's own values stay."""
    for name, value in COMMAND_SETTINGS.items():
        os.environ.setdefault(name, value)


def first_environment() -> dict[str, str]:
    """The environment of this program as it was given, for programs of others."""
    return {name: value for name, value in os.environ.items() if name not in COMMAND_SETTINGS} | GIVEN_SETTINGS


KEPT_VARIABLES = frozenset((
    "PATH", "HOME", "USER", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
    "SYSTEMROOT", "WINDIR", "APPDATA", "LOCALAPPDATA", "USERPROFILE",
))  # fmt: skip
KEPT_PREFIXES = ("LC_", "PYTHON")


def environment_without_keys() -> dict[str, str]:
    """Return the variables that a Python process needs which reads a stranger's file; none of them holds a key."""
    kept = (name for name in os.environ if name.upper() in KEPT_VARIABLES or name.startswith(KEPT_PREFIXES))
    return {name: os.environ[name] for name in kept}


SAFE_PATH = "PYTHONSAFEPATH"


@contextmanager
def isolate_python_path() -> Iterator[None]:
    """Let Python processes that start here import no module from the current folder, which may be a stranger's."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before


def current_thread_number() -> int:
    """The number of the thread that asks."""
    return get_ident()


WORKERS: ContextVar[Workers | None] = ContextVar("WORKERS", default=None)


def map_blocks(
    work: Callable[..., T], blocks: Iterable[Block], common: Sequence[Any] = (), here: Several[Block, T] = map
) -> Iterator[T]:
    """The results of `work(*block, *shared)` for each block, in order; all that runs side by side goes through here.

    The workers of a cluster run it where one is connected, else `here` does: `map` one block after the other,
    `map_in_threads` in threads, `map_in_processes` in processes.

    >>> list(map_blocks(pow, [(2,), (3,)], (2,)))
    [4, 9]
    """
    if workers := WORKERS.get():
        return workers.map_blocks(work, list(blocks), common)
    if here is map:
        return starmap(work, ((*block, *common) for block in blocks))
    return iter(here(partial(_run_block, work, common), blocks))


def _run_block(work: Callable[..., T], common: Sequence[Any], block: Block) -> T:
    return work(*block, *common)


def keep_results(work: Callable[..., T], blocks: Sequence[Block], here: Several[Block, T] = map) -> Sequence[Any]:
    """The results of `work(*block)` where they were computed, as blocks for more work.

    >>> [len(text) for text in keep_results(str.strip, [(" a",), ("bc ",)])]
    [1, 2]
    """
    workers = WORKERS.get()
    return workers.keep(work, blocks) if workers else list(here(partial(_run_block, work, ()), blocks))


def split_into_blocks(things: Sequence[Thing]) -> list[Block]:
    """All things as one block or, where a cluster is connected, in as many as suit it; they stay in order.

    >>> split_into_blocks([3, 1, 2])
    [([3, 1, 2],)]
    """
    workers = WORKERS.get()
    size = -(-len(things) // workers.blocks) if workers and len(things) else max(1, len(things))
    return [(things[start : start + size],) for start in range(0, len(things), size)]


def map_in_threads(work: Callable[[Thing], T], things: Iterable[Thing]) -> Iterator[T]:
    """The results of `work` on each thing, in order, with a thread for each processor unless there is only one thing.

    Few things are started ahead.

    >>> list(map_in_threads(len, ["a", "bcd"]))
    [1, 3]
    """
    remaining = iter(things)
    if len(first := list(islice(remaining, 2))) < 2:
        return map(work, first)
    return _map_threads(work, chain(first, remaining))


def _map_threads(work: Callable[[Thing], T], things: Iterable[Thing]) -> Iterator[T]:
    from concurrent.futures import Future, ThreadPoolExecutor

    processors = os.cpu_count() or 1
    waiting: deque[Future[T]] = deque()
    with ThreadPoolExecutor(processors) as pool:
        for thing in things:
            waiting.append(pool.submit(copy_context().run, work, thing))
            if len(waiting) > 2 * processors:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def map_in_processes(number: int) -> Several[Thing, T]:
    """The same in so many processes of this machine; with fewer than two, one thing after the other here."""
    if number < 2:
        return map

    def map_calls(work: Callable[[Thing], T], things: Iterable[Thing]) -> Iterator[T]:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        everything = list(things)
        context = get_context("spawn")  # the same on all systems, and safe beside the threads of a progress bar
        with isolate_python_path(), ProcessPoolExecutor(min(number, len(everything)), context, _equip, (work,)) as pool:
            yield from pool.map(_task, everything)

    return map_calls


def from_another_process(make: Callable[..., Iterable[T]], *arguments: Any) -> Generator[T]:
    """What `make(*arguments)` yields, made by another process of this machine while the last one is used here.

    The process ends with the one that asked for it, however that ends.

    >>> list(from_another_process(range, 3))
    [0, 1, 2]
    """
    from multiprocessing import get_context

    context = get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(there, make, arguments), daemon=True)
    with isolate_python_path():
        process.start()
    there.close()
    try:
        while (item := _receive(here)) is not None:
            if isinstance(item, Exception):
                raise item
            yield item[0]
    finally:
        here.close()
        process.join()


def _receive(here: "Connection") -> Any:
    """What came next; an error where the other process ended before or amid it."""
    try:
        return here.recv()
    except (EOFError, OSError):
        raise CranfieldError("another process of this command ended early; perhaps memory ran out") from None


def _send(there: "Connection", make: Callable[..., Iterable[Any]], block: Block) -> None:
    """Send what is made until nobody wants more; Ctrl-C is for who asked."""
    signal(SIGINT, SIG_IGN)
    with suppress(BrokenPipeError):
        try:
            for item in make(*block):
                there.send((item,))
            there.send(None)
        except Exception as error:
            there.send(error)


_equipment: list[Callable[[Any], Any]] = []  # in a process: what it does


def _equip(work: Callable[[Any], Any]) -> None:
    _equipment[:] = [work]


def _task(thing: Any) -> Any:
    return _equipment[0](thing)


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
    count = 0

    def advance(more: int) -> None:
        nonlocal count
        count += more
        report(f"{what}: {count:,}" + (f" of {total:,}" if total else ""))

    report(what)
    return advance


def ignore_note(text: str) -> None:
    """Report nothing."""


@contextmanager
def stop_on_interrupt(interrupt: Callable[[], None]) -> Iterator[None]:
    """Let the first Ctrl-C stop what is under way in order; the next one is a KeyboardInterrupt."""
    if current_thread() is not main_thread():
        yield
        return
    before = getsignal(SIGINT)

    def handle_signal(number: int, frame: object) -> None:
        signal(SIGINT, before)
        interrupt()

    signal(SIGINT, handle_signal)
    try:
        yield
    finally:
        signal(SIGINT, before)
