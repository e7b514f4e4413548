"""What counts of a store by one selection, worked out once and passed on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from cranfield.store.connection import Connection

C = TypeVar("C", bound="Connection")
T = TypeVar("T")


class KeptCounts:
    """What counts of stores by one selection: worked out once for a store and a table, and again after it changed.

    Each call has its own, which its handles of a store share.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[object, str], tuple[tuple[int, int], Any]] = {}

    def find(self, store: C, table: str, work_out: Callable[[C, str], T]) -> T:
        """Return what counts of a store and the runs in a table."""
        key, version = (store.conn, table), store.version
        kept = self._kept.get(key)
        if kept is None or kept[0] != version:
            kept = self._kept[key] = version, work_out(store, table)
        found: T = kept[1]
        return found
