"""The columns of a log as SQLite takes them, a value at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise, repeat
from sqlite3 import Connection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.formats.logs.parts import LogPart

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
