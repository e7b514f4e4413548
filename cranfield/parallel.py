"""Parallel work in threads."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")
Thing = TypeVar("Thing")


def several_at_a_time(work: Callable[[Thing], T], things: Iterable[Thing]) -> Iterator[T]:
    """The results of `work` on each thing, in order, with one thread per processor; few things are started ahead.

    >>> list(several_at_a_time(len, ["a", "bcd"]))
    [1, 3]
    """
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
