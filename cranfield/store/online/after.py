"""What only shows once all lists of an import are there: clocks that go back, and users who search too much."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.store.online.removal import delete_lists
from cranfield.store.store import Store

DAY = 86400  # seconds


class Bot(NamedTuple):
    """A user who searched more on a day than people do: by the hash, how often, and when it was most."""

    user: int
    searches: int
    day: str


VISIT = np.dtype([("number", np.int64), ("at", float), ("user", np.int64), ("session", np.int64)])


def visits(store: Store, number: int) -> NDArray[np.void]:
    """The lists of an import by number, their times, users and sessions; 0 for an unknown one."""
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
    order = np.argsort(found["session"], kind="stable")
    session, at = found["session"][order], found["at"][order]
    back = np.flatnonzero((session[1:] == session[:-1]) & (session[1:] != 0) & (at[1:] < at[:-1])) + 1
    return [(int(found["number"][order[row]]), float(at[row - 1] - at[row])) for row in back.tolist()]


def bots(found: NDArray[np.void], most: int) -> list[Bot]:
    """The users with more searches on a day than `most`, the busiest first.

    >>> bots(np.array([(1, 5.0, 1, 1), (2, 7.0, 1, 1), (3, 90000.0, 1, 1)], VISIT), 1)
    [Bot(user=1, searches=2, day='1970-01-01')]
    """
    known = found["user"] != 0
    user, day = found["user"][known], (found["at"][known] // DAY).astype(np.int64)
    order = np.lexsort((day, user))
    user, day = user[order], day[order]
    starts = np.flatnonzero(np.append(True, (np.diff(user) != 0) | (np.diff(day) != 0))[: len(user)])
    searches = np.diff(starts, append=len(user))
    busiest: dict[int, Bot] = {}
    for row in np.flatnonzero(searches > most).tolist():
        one = Bot(int(user[starts[row]]), int(searches[row]), _date(int(day[starts[row]])))
        if one.user not in busiest or busiest[one.user].searches < one.searches:
            busiest[one.user] = one
    return sorted(busiest.values(), key=lambda bot: (-bot.searches, bot.user))


def _date(day: int) -> str:
    return datetime.fromtimestamp(day * DAY, UTC).date().isoformat()


def drop_users(store: Store, number: int, users: Sequence[int]) -> int:
    """Delete the lists of these users from an import that is under way; how many."""
    where = f"import = ? AND user IN ({', '.join('?' * len(users))})"
    return delete_lists(store, where, [number, *users]) if users else 0
