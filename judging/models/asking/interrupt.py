"""Ctrl-C while requests are under way."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def told_of_ctrl_c(interrupt: Callable[[], None]) -> Iterator[None]:
    """Let the first Ctrl-C stop what is under way in order; the next one is a KeyboardInterrupt."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def told(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        interrupt()

    signal.signal(signal.SIGINT, told)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
