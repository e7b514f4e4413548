"""What only shows once all lists of an import are there: clocks that go back, and users who search too much."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Ints
from cranfield.store.online.removal import delete_lists
from cranfield.store.store import Store

DAY = 86400  # seconds
PARTS = 4  # of the sessions, looked at one after the other: in memory they are many


class Bot(NamedTuple):
    """A user who searched more on a day than people do: by the hash, how often, and when it was most."""

    user: int
    searches: int
    day: str


VISIT = np.dtype([("number", np.int64), ("at", float), ("user", np.int64), ("session", np.int64)])
NONE = np.zeros(0, VISIT)
Visits = Iterable[NDArray[np.void]]  # lists by number, their times, users and sessions, 0 for an unknown one; in pieces


class KeptVisits:
    """The visits of an import that is under way, on disk: of many lists they are many."""

    def __init__(self, store: Store) -> None:
        self.conn, self.gone = store.conn, np.zeros(0, np.int64)
        self.drop()
        self.conn.execute("CREATE TEMP TABLE visits (piece BLOB)")

    def append(self, visits: NDArray[np.void]) -> None:
        """Keep some more."""
        self.conn.execute("INSERT INTO temp.visits VALUES (?)", [visits.tobytes()])

    def __iter__(self) -> Iterator[NDArray[np.void]]:
        for (piece,) in self.conn.execute("SELECT piece FROM temp.visits ORDER BY rowid"):
            visits = np.frombuffer(piece, VISIT)
            yield visits[~np.isin(visits["number"], self.gone)] if len(self.gone) else visits

    def drop(self) -> None:
        """Keep none."""
        self.conn.execute("DROP TABLE IF EXISTS temp.visits")


def clock_back(found: Visits) -> list[tuple[int, float]]:
    """The lists that come after a later one of their session, by number, and how many seconds too late.

    >>> clock_back([np.array([(1, 5.0, 1, 1), (2, 7.0, 1, 1), (3, 6.5, 1, 1)], VISIT)])
    [(3, 0.5)]
    """
    return sorted(late for part in _parts(found, "session") for late in _late(part))


def _parts(found: Visits, whose: str) -> Iterator[NDArray[np.void]]:
    """The visits with a known user or session, those of the same one together."""
    for part in range(PARTS):
        yield np.concatenate([each[(each[whose] % PARTS == part) & (each[whose] != 0)] for each in (NONE, *found)])


def _late(found: NDArray[np.void]) -> Iterator[tuple[int, float]]:
    ordered = found[np.argsort(found["session"], kind="stable")]
    session, at = ordered["session"], ordered["at"]
    back = np.flatnonzero((session[1:] == session[:-1]) & (at[1:] < at[:-1])) + 1
    yield from zip(ordered["number"][back].tolist(), (at[back - 1] - at[back]).tolist(), strict=True)


def bots(found: Visits, most: int) -> list[Bot]:
    """The users with more searches on a day than `most`, the busiest first.

    >>> bots([np.array([(1, 5.0, 1, 1), (2, 7.0, 1, 1), (3, 90000.0, 1, 1)], VISIT)], 1)
    [Bot(user=1, searches=2, day='1970-01-01')]
    """
    busiest = (bot for part in _parts(found, "user") for bot in _bots(part, most))
    return sorted(busiest, key=lambda bot: (-bot.searches, bot.user))


def _bots(found: NDArray[np.void], most: int) -> Iterator[Bot]:
    few = found[np.isin(found["user"], _busy(found["user"], most))]
    days, searches = np.unique(
        np.column_stack([few["user"], (few["at"] // DAY).astype(np.int64)]), axis=0, return_counts=True
    )
    busiest: dict[int, Bot] = {}
    for (user, day), number in zip(days[searches > most].tolist(), searches[searches > most].tolist(), strict=True):
        if user not in busiest or busiest[user].searches < number:
            busiest[user] = Bot(user, number, _date(day))
    yield from busiest.values()


def _busy(users: Ints, most: int) -> Ints:
    """The users with more lists than `most`, on whatever days."""
    ordered = np.sort(users)
    return np.unique(ordered[most:][ordered[most:] == ordered[:-most]])


def _date(day: int) -> str:
    return datetime.fromtimestamp(day * DAY, UTC).date().isoformat()


def drop_users(store: Store, number: int, users: Sequence[int]) -> int:
    """Delete the lists of these users from an import that is under way; how many."""
    where = f"import = ? AND user IN ({', '.join('?' * len(users))})"
    return delete_lists(store, where, [number, *users]) if users else 0
