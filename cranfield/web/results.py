"""The one thread that reads and writes the store for all; and what takes long, in a process beside the server.

A store object belongs to one thread. The process computes one thing at a time with the store, so that judging never
waits for it, and results are kept until the store changes. It starts when it is needed, ends when it has had nothing to
do for a while, which frees its memory, and is replaced where it ended otherwise. On Linux, a process that has loaded
the program's modules once begins all others.
"""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from multiprocessing import forkserver, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from os import PathLike
from threading import Lock, Thread
from traceback import format_exc
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from cranfield.errors import BusyError, CranfieldError
from cranfield.parallel import REPORT
from cranfield.store.connection import StoreGoneError, file_identity
from cranfield.store.store import Store
from cranfield.web.language import translatable

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext

STORE_PATIENCE = 0.25  # seconds for which all wait while another program is writing; then they are told to come again
Result = TypeVar("Result")


class Worker:
    """A thread with an open store; what it is asked to do happens in turn."""

    def __init__(self, open_store: Callable[[], Store]) -> None:
        self._thread = ThreadPoolExecutor(1, "store")
        self._store = self._thread.submit(open_store).result()

    @classmethod
    def worker_of_store(cls, path: str | PathLike[str]) -> "Worker":
        """A thread with the store at this path."""
        return cls(lambda: open_at_once(path))

    def run_and_wait(self, act: Callable[[Store], Result]) -> Result:
        """Do something with the store and wait for it."""
        return self._thread.submit(act, self._store).result()

    async def run(self, act: Callable[[Store], Result]) -> Result:
        """Do something with the store while other requests go on."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, act, self._store)

    def close(self) -> None:
        """Close the store after what is under way."""
        self.run_and_wait(lambda store: store.close())
        self._thread.shutdown()


def open_at_once(path: str | PathLike[str]) -> Store:
    """A store that answers at once, rather than wait long for another program."""
    return Store.open(path, patience=STORE_PATIENCE)


IDLE = 60.0  # seconds without work after which it ends
COURTESY = 5  # by which its priority is lower than the server's
Hear = Callable[[str], None]


class ProcessMessage(NamedTuple):
    """What the process sends: how far it is, its result, or the traceback of an error."""

    kind: str
    value: Any


class OtherProcess:
    """The process, for one thread of the server; another may close it."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self._path = os.path.abspath(path)
        self._file = file_identity(self._path)
        self._process: BaseProcess | None = None
        self._end: Connection
        self._closed = False
        self._lock = Lock()

    def run(self, compute: Callable[..., Any], *arguments: Any, hear: Hear = lambda line: None) -> Any:
        """What a function of a module finds in the store; `hear` is called with how far it is."""
        for _ in range(2):  # it may have ended before, for it was idle
            try:
                return self._run(compute, arguments, hear)
            except (EOFError, OSError):
                self._stop()
        raise CranfieldError("the computing process was killed twice; the machine may be out of memory")

    def run_once(self, compute: Callable[..., Any], *arguments: Any, hear: Hear = lambda line: None) -> Any:
        """The same for a function that writes: in a new process, and never a second time."""
        self._stop()
        try:
            return self._run(compute, arguments, hear)
        except (EOFError, OSError):
            self._stop()
            raise CranfieldError("the process was killed; the machine may be out of memory") from None

    def _run(self, compute: Callable[..., Any], arguments: tuple[Any, ...], hear: Hear) -> Any:
        if file_identity(self._path) != self._file:
            raise StoreGoneError(f"{self._path}: the store was moved, replaced or deleted while it was served")
        self._start()
        self._end.send((compute, arguments))
        while (message := self._end.recv()).kind == "progress":
            hear(message.value)
        if message.kind == "error":
            raise RuntimeError(message.value)
        return message.value

    def _start(self) -> None:
        with self._lock:
            if self._closed:
                raise RuntimeError("the server is stopping")
            if self._process is None:
                context = _process_context()
                self._end, other = context.Pipe()
                process = context.Process(target=serve_results, args=(self._path, other), name="computing", daemon=True)
                process.start()  # may fail where the machine has no memory left
                self._process = process
                other.close()

    def _stop(self) -> None:
        with self._lock:
            if self._process is not None:
                self._process.kill()
                self._process.join()
                self._process = None

    def close(self) -> None:
        """End it, whatever it does."""
        self._closed = True
        self._stop()


def _process_context() -> "ForkServerContext | SpawnContext":
    if sys.platform == "linux":  # libraries of macOS may crash after a fork, and Windows cannot fork
        context = get_context("forkserver")
        loaded = [name for name in sys.modules if name.startswith("cranfield.") and not name.endswith(".__main__")]
        context.set_forkserver_preload(loaded)
        with suppress(OSError):  # such as a path of its socket that is too long
            forkserver.ensure_running()
            return context
    return get_context("spawn")


def serve_results(path: str, end: Connection) -> None:
    """What the process does. Ctrl-C is for the server, which ends it; without the server it stores nothing more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_server, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(COURTESY)
    REPORT.set(lambda line: end.send(ProcessMessage("progress", line)))
    try:
        while end.poll(IDLE):
            end.send(_result(path, *end.recv()))
    except (EOFError, OSError):  # the server has ended
        return


def _end_with_server() -> None:
    if (server := parent_process()) is not None:
        server.join()
        os._exit(1)


def _result(path: str, compute: Callable[..., Any], arguments: tuple[Any, ...]) -> ProcessMessage:
    try:
        with Store.open(path) as store:
            return ProcessMessage("result", compute(store, *arguments))
    except Exception:
        return ProcessMessage("error", format_exc())


KEPT = 40  # results
WAITING = 6  # computations at once, under way or in the queue
PATIENCE = 2.0  # seconds that a page waits for its content
GOOD_FOR = 10  # times as long as it took, a result of a store that is changing is shown again
FULL = translatable("Too many tables are being computed. Try again when one of them has finished.")


class Computer(Protocol):
    """Where things are computed, one at a time."""

    def run(self, compute: Callable[..., Any], *arguments: Any, hear: Hear) -> Any:
        """What a function finds in the store; `hear` is called with how far it is."""

    def run_once(self, compute: Callable[..., Any], *arguments: Any, hear: Hear) -> Any:
        """The same for a function that writes, which is never called a second time."""

    def close(self) -> None:
        """End what is under way."""


class StoreThread:
    """The thread of a store in memory, which no other process can read."""

    def __init__(self, reader: Worker) -> None:
        self._reader = reader

    def run(self, compute: Callable[..., Any], *arguments: Any, hear: Hear) -> Any:
        """What a function finds in the store."""
        return self._reader.run_and_wait(lambda store: compute(store, *arguments))

    run_once = run

    def close(self) -> None:
        """The thread ends with its store."""


def computer_of(reader: Worker) -> Computer:
    """Where to compute with this store."""
    path = reader.run_and_wait(lambda store: store.path)
    return StoreThread(reader) if str(path) == ":memory:" else OtherProcess(path)


class ComputedResult(NamedTuple):
    """A result; `as_of` is its time where the store has changed since, `doing` how far the computation of it is.

    The result is None where nothing was computed yet.
    """

    value: Any
    as_of: str = ""
    doing: str = ""


class ReadyResult(NamedTuple):
    """A result: when it was ready, on which clock and in UTC, and after how many seconds."""

    value: Any
    ready: float
    as_of: str
    seconds: float


class Computation:
    """Something that is being computed, or was."""

    def __init__(self, version: object, before: ReadyResult | None) -> None:
        self.version = version  # of the store when it was asked for
        self.before = before
        self.doing = "waiting for other computations"
        self.future: Future[ReadyResult]

    def hear(self, line: str) -> None:
        """How far it is."""
        self.doing = line

    @property
    def result(self) -> ReadyResult | None:
        """Its result, or that of the time before; None where there is none."""
        if self.future.done() and not self.future.cancelled() and self.future.exception() is None:
            return self.future.result()
        return self.before


class Results:
    """The results by what was asked."""

    def __init__(
        self,
        reader: Worker,
        computer: Computer | None = None,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reader, self._computer = reader, computer or computer_of(reader)
        self._patience, self._clock = patience, clock
        self._thread = ThreadPoolExecutor(1, "computing")
        self._known: dict[tuple[Any, ...], Computation] = {}

    async def get(self, compute: Callable[..., Any], *arguments: Any, current: bool = False) -> ComputedResult:
        """What a function of a module finds in the store with these arguments, as far as it is known after a moment.

        A `current` result is waited for, as long as it takes. A BusyError where too much is asked at once.
        """
        version = await self._reader.run(lambda store: store.version)
        one = self._start((compute, *arguments), version, current)
        while True:
            await _await_computation(one.future, None if current else self._patience)
            if not current or one.version == version:
                return self._result(one, version)
            one = self._start((compute, *arguments), version, current)

    def _start(self, key: tuple[Any, ...], version: object, current: bool) -> Computation:
        """The computation that gives the result, which begins now if need be."""
        before = self._known.get(key)
        if before and (not before.future.done() or self._is_still_good(before, version, current)):
            return before
        if sum(not one.future.done() for one in self._known.values()) >= WAITING:
            raise BusyError(FULL)
        self._known.pop(key, None)
        new = self._known[key] = Computation(version, before.result if before else None)
        new.future = self._thread.submit(self._compute, new, *key)
        past = [other for other, one in self._known.items() if one.future.done()]
        for oldest in past[: max(0, len(self._known) - KEPT)]:
            del self._known[oldest]
        return new

    def _is_still_good(self, computation: Computation, version: object, current: bool) -> bool:
        """Whether a result is not worth computing again: nothing has changed, or it is young for what it took."""
        if (result := computation.result) is None:
            return False
        young = self._clock() - result.ready < GOOD_FOR * result.seconds
        return computation.version == version or (young and not current)

    def _compute(self, one: Computation, compute: Callable[..., Any], *arguments: Any) -> ReadyResult:
        one.hear("reading the store")
        start = self._clock()
        value = self._computer.run(compute, *arguments, hear=one.hear)
        ready = self._clock()
        return ReadyResult(value, ready, f"{datetime.now(UTC):%H:%M:%S} UTC", ready - start)

    def _result(self, one: Computation, version: object) -> ComputedResult:
        if one.future.done():
            result = one.future.result()
            return ComputedResult(result.value, "" if one.version == version else result.as_of)
        before = one.before
        return ComputedResult(before and before.value, before.as_of if before else "", one.doing)

    def close(self) -> None:
        """End what is under way."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._computer.close()
        self._thread.shutdown()


async def _await_computation(future: Future[ReadyResult], seconds: float | None) -> None:
    waiting = asyncio.wrap_future(future)
    waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
    await asyncio.wait([waiting], timeout=seconds)
