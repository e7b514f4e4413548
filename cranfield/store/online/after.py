"""What only shows once all lists of an import are there: clocks that go back, and users who search too much."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.store.online.removal import delete_lists
from cranfield.store.store import Store

DAY = 86400  # seconds
AT_ONCE = 50_000


class Bot(NamedTuple):
    """A user who searched more on a day than people do: by the hash, how often, and when it was most."""

    user: int
    searches: int
    day: str


class Visits(NamedTuple):
    """The lists of an import by number, their times, users and sessions; 0 for an unknown one."""

    number: Ints
    at: Floats
    user: Ints
    session: Ints


def visits(store: Store, number: int) -> Visits:
    """The lists of an import."""
    cursor = store.conn.execute(
        "SELECT id, at, coalesce(user, 0), coalesce(session, 0) FROM impression WHERE import = ? ORDER BY id", [number]
    )
    pieces = [Visits(np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64))]
    while rows := cursor.fetchmany(AT_ONCE):
        numbers, at, user, session = zip(*rows, strict=True)
        ids = (np.array(column, np.int64) for column in (numbers, user, session))
        pieces.append(Visits(next(ids), np.array(at, float), *ids))
    return Visits(*(np.concatenate(columns) for columns in zip(*pieces, strict=True)))


def clock_back(found: Visits) -> list[tuple[int, float]]:
    """The lists that come after a later one of their session, by number, and how many seconds too late.

    >>> ids, one = np.arange(1, 4), np.ones(3, np.int64)
    >>> clock_back(Visits(ids, np.array([5.0, 7.0, 6.5]), one, one))
    [(3, 0.5)]
    """
    order = np.lexsort((found.number, found.session))
    session, at = found.session[order], found.at[order]
    back = np.flatnonzero((session[1:] == session[:-1]) & (session[1:] != 0) & (at[1:] < at[:-1])) + 1
    return [(int(found.number[order[row]]), float(at[row - 1] - at[row])) for row in back.tolist()]


def bots(found: Visits, most: int) -> list[Bot]:
    """The users with more searches on a day than `most`, the busiest first.

    >>> ids, one = np.arange(1, 4), np.ones(3, np.int64)
    >>> bots(Visits(ids, np.array([5.0, 7.0, 90000.0]), one, one), 1)
    [Bot(user=1, searches=2, day='1970-01-01')]
    """
    known = found.user != 0
    user, day = found.user[known], (found.at[known] // DAY).astype(np.int64)
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
