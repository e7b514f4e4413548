"""The one thread that reads and writes the store for all assessors: a store object belongs to one thread."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from os import PathLike
from typing import TypeVar

from cranfield.store.store import Store

PATIENCE = 0.25  # seconds for which everybody waits while another program is writing; then they are told to come again
Result = TypeVar("Result")


class Worker:
    """A thread with an open store; what it is asked to do happens in turn."""

    def __init__(self, open_store: Callable[[], Store]) -> None:
        self._thread = ThreadPoolExecutor(1, "store")
        self._store = self._thread.submit(open_store).result()

    @classmethod
    def of(cls, path: str | PathLike[str]) -> "Worker":
        """A thread with the store at this path."""
        return cls(lambda: opened(path))

    def wait(self, act: Callable[[Store], Result]) -> Result:
        """Do something with the store and wait for it."""
        return self._thread.submit(act, self._store).result()

    async def run(self, act: Callable[[Store], Result]) -> Result:
        """Do something with the store while other requests go on."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, act, self._store)

    def close(self) -> None:
        """Close the store after what is under way."""
        self.wait(lambda store: store.close())
        self._thread.shutdown()


def opened(path: str | PathLike[str]) -> Store:
    """A store that answers at once, rather than wait long for another program."""
    store = Store.open(path)
    store.patience = PATIENCE
    return store
