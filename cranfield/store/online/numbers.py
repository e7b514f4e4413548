"""The numbers of the rows that lists refer to: looked up once, and not again by SQLite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Ints
from cranfield.store.online.read import has_log
from cranfield.store.store import Store

CACHE = 300_000  # kilobytes of the database in memory: ids of lists come in no order
LITTLE = 50_000  # of them are enough where the ids are indexed later
MOST_KNOWN = 1_000_000  # names whose numbers are kept in memory


@dataclass
class Known:
    """Numbers of names, of which those not met before are looked up."""

    look_up: Callable[[NDArray[np.object_]], Ints]
    numbers: dict[str, int] = field(default_factory=dict)

    def of(self, names: Sequence[str]) -> Ints:
        """The number of each name; each name comes once."""
        found = list(map(self.numbers.get, names))
        if None in found:
            new = sorted(name for name, number in zip(names, found, strict=True) if number is None)
            if len(self.numbers) + len(new) > MOST_KNOWN:
                self.numbers.clear()
                new = sorted(names)
            numbers = self.look_up(np.array(new, object))
            self.numbers.update(zip(new, numbers.tolist(), strict=True))
            found = list(map(self.numbers.get, names))
        return np.array(found, np.int64)


@contextmanager
def numbers_looked_up(store: Store) -> Iterator[None]:
    """Rows refer to numbers that were just looked up: SQLite need not look for each of them again."""
    store.conn.execute("PRAGMA foreign_keys = OFF")  # nothing happens inside a transaction
    store.conn.execute(f"PRAGMA cache_size = -{CACHE if has_log(store) else LITTLE}")
    try:
        yield
    finally:
        store.conn.execute("PRAGMA foreign_keys = ON")
