"""The columns of a log as SQLite takes them, a value at a time, and the lists that are there under the same name.

A list under the name of an earlier one is the same list, or wrong. Where the log was empty the names are indexed after
the lists, which takes a third of the time: names come in no order.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise, repeat
from sqlite3 import Connection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.features.online.formats.parts import BadLine, LogPart
from cranfield.features.online.store.read import has_log
from cranfield.store.store import Store

AT_ONCE = 32  # rows of a statement
Row = tuple[Any, ...]
COLUMNS = "id, name, at, experiment, arm, user, session, query, topic, first, documents, teams, propensities, import"


def lists_with(part: LogPart, there: Mask) -> Mask:
    """The lists of which something is known of a document."""
    return np.bincount(part.impression[there], minlength=len(part)) > 0


def known(numbers: Ints, there: Mask | None = None) -> list[int | None]:
    """Numbers, and None for those that are unknown."""
    return _or_none(numbers, numbers >= 0 if there is None else there)


def numeric(numbers: Floats) -> list[float | None]:
    """Numbers, and None for NaN."""
    return _or_none(numbers, ~np.isnan(numbers))


def _or_none(numbers: NDArray[Any], there: Mask) -> list[Any]:
    found = numbers.astype(object)
    found[~there] = None
    return list(found.tolist())


def blobs(data: bytes, bounds: Ints, size: int) -> Iterator[bytes]:
    """The bytes of each list, whose entries have a size.

    >>> list(blobs(b"abcdef", np.array([0, 1, 3]), 2)), list(blobs(b"abcdef", np.array([0, 1, 2, 3]), 2))
    ([b'ab', b'cdef'], [b'ab', b'cd', b'ef'])
    """
    lengths = np.unique(np.diff(bounds))
    if len(lengths) == 1 and lengths[0]:
        return iter(np.frombuffer(data, f"V{lengths[0] * size}").tolist())
    return (data[start:end] for start, end in pairwise((bounds * size).tolist()))


def given_blobs(data: bytes, bounds: Ints, size: int, given: Mask) -> Iterator[bytes | None]:
    """The bytes of the lists that have some; None for the others."""
    if not given.any():
        return repeat(None, len(given))
    return (blob if there else None for blob, there in zip(blobs(data, bounds, size), given.tolist(), strict=True))


def insert(conn: Connection, into: str, width: int, rows: Sequence[Row], otherwise: str = "") -> None:
    """Insert rows, many with one statement, which takes half the time."""
    row, most = f"({', '.join('?' * width)})", len(rows) - len(rows) % AT_ONCE
    for at_once, given in ((AT_ONCE, rows[:most]), (1, rows[most:])):
        sql = f"INSERT INTO {into} VALUES {', '.join([row] * at_once)} {otherwise}"
        starts = range(0, len(given), at_once)
        conn.executemany(sql, (list(chain.from_iterable(given[start : start + at_once])) for start in starts))


Content = tuple[Row, list[Row]]  # a list and its actions, without its number and its import
PARTS = (
    "another time", "another experiment", "another arm", "another user", "another session", "another query",
    "another topic", "another page", "other documents", "other teams", "other propensities",
)  # fmt: skip
NAMES_AT_ONCE = 100_000  # names in memory as Python has them


def dropped_index(store: Store) -> str:
    """Drop the index of names from an empty log; the statement that makes it again, empty where it stays."""
    if has_log(store):
        return ""
    [(index,)] = store.rows("SELECT sql FROM sqlite_master WHERE name = 'impression_name'")
    store.conn.execute("DROP INDEX impression_name")
    return str(index)


def hashes(names: Sequence[str]) -> Ints:
    """A number for each name, by which this process finds equal ones."""
    return np.fromiter(map(hash, names), np.int64, len(names))


def unindexed_repeats(store: Store, hashed: Ints) -> dict[int, int]:
    """The lists whose name an earlier one has, and that one, by number; the hashes are of the lists from 1 on."""
    ordered = np.sort(hashed)
    twice = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    found: dict[int, int] = {}
    for start in range(0, len(twice), NAMES_AT_ONCE):
        alike = np.flatnonzero(np.isin(hashed, twice[start : start + NAMES_AT_ONCE])) + 1
        first: dict[str, int] = {}
        for number, name in _named(store, "id", alike.tolist()):
            if first.setdefault(name, number) != number:
                found[number] = first[name]
    return found


def listed(store: Store, names: Sequence[str]) -> dict[str, int]:
    """The lists of these names that are there, by name, and their numbers."""
    return {name: number for number, name in _named(store, "name", names)}


def _named(store: Store, column: str, values: Sequence[object]) -> Iterable[tuple[int, str]]:
    sql = f"SELECT id, name FROM impression WHERE {column} IN (SELECT value FROM json_each(?)) ORDER BY id"
    return store.conn.execute(sql, [json.dumps(values)])


def content(store: Store, number: int) -> Content:
    """What is stored of a list."""
    [row] = store.rows(f"SELECT {COLUMNS} FROM impression WHERE id = ?", [number])
    acted = store.rows("SELECT * FROM action WHERE impression = ? ORDER BY number", [number])
    return row[2:-1], [each[1:] for each in acted]


def other_content(line: int, name: str, said: Content, there: Content) -> BadLine:
    """The line of a list whose name another one has, and the first thing that it says otherwise."""
    differ = (what for what, one, other in zip(PARTS, said[0], there[0], strict=True) if one != other)
    told = f"id {name!r} is in the log already, with {next(differ, 'other actions')}"
    return BadLine(line, "ids with other content", told)
