"""What only shows once all lists of an import are there: clocks that go back, and users who search too much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Ints
from cranfield.store.online.removal import delete_lists
from cranfield.store.store import Store

DAY = 86400  # seconds
CACHE = 50_000  # kilobytes of the database in memory: the visits need the rest
PARTS = 8  # of the sessions, looked at one after the other: in memory they are many


class Bot(NamedTuple):
    """A user who searched more on a day than people do: by the hash, how often, and when it was most."""

    user: int
    searches: int
    day: str


VISIT = np.dtype([("number", np.int64), ("at", float), ("user", np.int64), ("session", np.int64)])


def visits(store: Store, number: int) -> NDArray[np.void]:
    """The lists of an import by number, their times, users and sessions; 0 for an unknown one."""
    store.conn.execute(f"PRAGMA cache_size = -{CACHE}")
    [(lists,)] = store.rows("SELECT count(*) FROM impression WHERE import = ?", [number])
    rows = store.conn.execute(
        "SELECT id, at, coalesce(user, 0), coalesce(session, 0) FROM impression WHERE import = ? ORDER BY id", [number]
    )
    return np.fromiter(rows, VISIT, lists)


def clock_back(found: NDArray[np.void]) -> list[tuple[int, float]]:
    """The lists that come after a later one of their session, by number, and how many seconds too late.

    >>> clock_back(np.array([(1, 5.0, 1, 1), (2, 7.0, 1, 1), (3, 6.5, 1, 1)], VISIT))
    [(3, 0.5)]
    """
    parts = (found[found["session"] % PARTS == part] for part in range(PARTS))
    return sorted(late for part in parts for late in _late(part[part["session"] != 0]))


def _late(found: NDArray[np.void]) -> Iterator[tuple[int, float]]:
    ordered = found[np.argsort(found["session"], kind="stable")]
    session, at = ordered["session"], ordered["at"]
    back = np.flatnonzero((session[1:] == session[:-1]) & (at[1:] < at[:-1])) + 1
    yield from zip(ordered["number"][back].tolist(), (at[back - 1] - at[back]).tolist(), strict=True)


def bots(found: NDArray[np.void], most: int) -> list[Bot]:
    """The users with more searches on a day than `most`, the busiest first.

    >>> bots(np.array([(1, 5.0, 1, 1), (2, 7.0, 1, 1), (3, 90000.0, 1, 1)], VISIT), 1)
    [Bot(user=1, searches=2, day='1970-01-01')]
    """
    few = found[np.isin(found["user"], _busy(found["user"], most))]
    days, searches = np.unique(
        np.column_stack([few["user"], (few["at"] // DAY).astype(np.int64)]), axis=0, return_counts=True
    )
    busiest: dict[int, Bot] = {}
    for (user, day), number in zip(days[searches > most].tolist(), searches[searches > most].tolist(), strict=True):
        if user not in busiest or busiest[user].searches < number:
            busiest[user] = Bot(user, number, _date(day))
    return sorted(busiest.values(), key=lambda bot: (-bot.searches, bot.user))


def _busy(users: Ints, most: int) -> Ints:
    """The users with more lists than `most`, on whatever days."""
    ordered = np.sort(users[users != 0])
    return np.unique(ordered[most:][ordered[most:] == ordered[:-most]])


def _date(day: int) -> str:
    return datetime.fromtimestamp(day * DAY, UTC).date().isoformat()


def drop_users(store: Store, number: int, users: Sequence[int]) -> int:
    """Delete the lists of these users from an import that is under way; how many."""
    where = f"import = ? AND user IN ({', '.join('?' * len(users))})"
    return delete_lists(store, where, [number, *users]) if users else 0
