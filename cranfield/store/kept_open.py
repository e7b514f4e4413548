"""Stores that stay open while a command reads them: to open one takes longer than most of what is asked of it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from os import PathLike, fspath
from typing import TYPE_CHECKING

from cranfield.parallel import this_thread

if TYPE_CHECKING:
    from cranfield.store.store import Store


class OpenStores(ExitStack):
    """The stores that a thread has open, by their paths."""

    def __init__(self) -> None:
        super().__init__()
        self.thread, self.stores = this_thread(), dict[str, "Store"]()


KEPT: ContextVar[OpenStores | None] = ContextVar("KEPT", default=None)


@contextmanager
def kept_open() -> Iterator[None]:
    """Meanwhile this thread opens a store once, however often it is to be read."""
    with OpenStores() as kept:
        before = KEPT.set(kept)
        try:
            yield
        finally:
            KEPT.reset(before)


@contextmanager
def read_here(path: str | PathLike[str]) -> Iterator["Store"]:
    """An open store, to be read: one that is kept open, or one that is closed after it.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from cranfield.store.store import Store
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.db")
    ...     Store.create(path, "a").close()
    ...     with kept_open(), read_here(path) as one, read_here(path) as other:
    ...         print(one is other)
    ...     with read_here(path) as one, read_here(path) as other:
    ...         print(one is other)
    True
    False
    """
    from cranfield.store.store import Store

    kept = KEPT.get()
    if kept is None or kept.thread != this_thread():
        with Store.open(path) as store:
            yield store
        return
    if fspath(path) not in kept.stores:
        kept.stores[fspath(path)] = kept.enter_context(Store.open(path))
    store = kept.stores[fspath(path)]
    store.catch_up()
    with store.damage_told():
        yield store
