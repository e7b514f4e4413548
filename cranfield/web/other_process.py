"""A process beside the server that computes with the store, one thing at a time, so that judging never waits for it.

It starts when it is needed, ends when it has had nothing to do for a while, which frees its memory, and is replaced
where it ended otherwise.
"""

import os
import signal
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from os import PathLike
from threading import Lock
from traceback import format_exc
from typing import Any, NamedTuple

from cranfield.errors import CranfieldError
from cranfield.progress_bar import REPORT
from cranfield.store.store import Store

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
        self._process: BaseProcess | None = None
        self._end: Connection
        self._closed = False
        self._lock = Lock()

    def run(self, compute: Callable[..., Any], *asked: Any, hear: Hear = lambda line: None) -> Any:
        """What a function of a module finds in the store; `hear` is called with how far it is."""
        for _ in range(2):  # it may have ended before, for it was idle
            try:
                return self._run(compute, asked, hear)
            except (EOFError, OSError):
                self._stop()
        raise CranfieldError("the process that computes this has been ended twice; is there not enough memory?")

    def _run(self, compute: Callable[..., Any], asked: tuple[Any, ...], hear: Hear) -> Any:
        self._start()
        self._end.send((compute, asked))
        while (said := self._end.recv()).kind == "progress":
            hear(said.value)
        if said.kind == "error":
            raise RuntimeError(said.value)
        return said.value

    def _start(self) -> None:
        with self._lock:
            if self._closed:
                raise RuntimeError("the server is being stopped")
            if self._process is None:
                spawn = get_context("spawn")
                self._end, other = spawn.Pipe()
                self._process = spawn.Process(target=work, args=(self._path, other), name="computing", daemon=True)
                self._process.start()
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


def work(path: str, end: Connection) -> None:
    """What the process does. Ctrl-C is for the server, which ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(COURTESY)
    REPORT.set(lambda line: end.send(ProcessMessage("progress", line)))
    try:
        while end.poll(IDLE):
            end.send(_found(path, *end.recv()))
    except (EOFError, OSError):  # the server has ended
        return


def _found(path: str, compute: Callable[..., Any], asked: tuple[Any, ...]) -> ProcessMessage:
    try:
        with Store.open(path) as store:
            return ProcessMessage("result", compute(store, *asked))
    except Exception:
        return ProcessMessage("error", format_exc())
