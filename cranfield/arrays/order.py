"""The order of rows: by group, then by descending score; which rows tie."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64] | NDArray[np.int32]
Rows = NDArray[np.int64]
Words = NDArray[np.uint64]
_DIGIT = 16  # bits that NumPy sorts in one pass, without comparing
_CACHED = 1 << 15  # rows that are packed at a time, and stay in the caches of a processor


def group_order(group: Codes) -> Rows:
    """The order of rows by group; the rows of a group, which is no less than 0, stay in the order they are in.

    >>> group_order(np.array([1, 70000, 1, 0]))
    array([3, 0, 2, 1])
    """
    order = np.argsort(group.astype(np.uint16), kind="stable")
    for shift in range(_DIGIT, int(group.max(initial=0)).bit_length(), _DIGIT):
        order = order[np.argsort((group[order] >> shift).astype(np.uint16), kind="stable")]
    return order


def descending_order(group: Codes, score: NDArray[np.float64]) -> Rows | None:
    """The order of rows by group and by descending score; None if they are in it, and groups that are stay as they are.

    >>> descending_order(np.array([0, 0, 1]), np.array([2.0, 1.0, 3.0])) is None
    True
    >>> descending_order(np.array([1, 0, 1]), np.array([2.0, 1.0, 3.0]))
    array([1, 2, 0])
    """
    if np.any(group[1:] < group[:-1]):
        return _descending(group, score)
    rising = (group[1:] == group[:-1]) & (score[1:] > score[:-1])
    if not rising.any():
        return None
    unsorted = np.zeros(int(group[-1]) + 1, bool)
    unsorted[group[1:][rising]] = True
    rows = np.flatnonzero(unsorted[group])
    order = np.arange(len(group))
    order[rows] = rows[_descending(group[rows], score[rows])]
    return order


def _descending(group: Codes, score: NDArray[np.float64]) -> Rows:
    order = np.argsort(-score)
    return order[group_order(group[order])]


def tied_rows(group: Codes, score: NDArray[np.float64]) -> tuple[Rows, Rows]:
    """Of rows in descending order: those with the score of a neighbour, and a number for each such stretch.

    >>> tied_rows(np.array([0, 0, 0, 1, 1]), np.array([2.0, 1.0, 1.0, 1.0, 1.0]))
    (array([1, 2, 3, 4]), array([0, 0, 1, 1]))
    """
    return _find_stretches((group[1:] == group[:-1]) & (score[1:] == score[:-1]), len(group))


def _find_stretches(same: NDArray[np.bool_], size: int) -> tuple[Rows, Rows]:
    """The rows that are the same as a neighbour, and a number for each stretch; `same` compares with the row before."""
    follows = np.append(False, same)[:size]
    rows = np.flatnonzero(follows | np.append(same, False)[:size])
    return rows, np.cumsum(~follows[rows]) - 1


def ascending(group: Rows, columns: Sequence[Words]) -> Rows:
    """The order of rows by group, then by the first column, by the second, and so on; where all are equal, any.

    The rows of a group stand together, and groups are numbered from 0, in order.

    >>> ascending(np.array([0, 0, 0, 1]), [np.array([2, 1, 2, 0], np.uint64), np.array([9, 9, 8, 0], np.uint64)])
    array([1, 2, 0, 3])
    """
    key, is_whole = _pack(group, columns)
    order = np.argsort(key)
    key = key[order]
    rows, stretch = _find_stretches(key[1:] == key[:-1], len(key))
    if len(rows) and not is_whole:
        ties = order[rows]
        order[rows] = ties[ascending(stretch, [column[ties] for column in columns])]
    return order


def distinct_rows(columns: Sequence[Words]) -> tuple[Rows, NDArray[np.bool_]]:
    """The order of rows by the columns, and for each row in this order whether it differs from the row before it.

    Equal rows stay in the order they are in where all that differs fits into one number, together with the row.

    >>> distinct_rows([np.array([9, 4, 9], np.uint64)])
    (array([1, 0, 2]), array([ True,  True, False]))
    """
    size = len(columns[0])
    bits = max(size - 1, 0).bit_length()
    key, is_whole = _pack(np.zeros(size, np.int64), columns, 64 - bits)
    if not is_whole:
        order = ascending(np.zeros(size, np.int64), columns)
        is_new = np.arange(size) == 0
        for column in columns:
            values = column[order]
            is_new[1:] |= values[1:] != values[:-1]
        return order, is_new
    key <<= np.uint64(bits)
    key |= np.arange(size, dtype=np.uint64)
    key.sort()
    order = (key & np.uint64((1 << bits) - 1)).astype(np.int64)
    key >>= np.uint64(bits)
    return order, np.append(True, key[1:] != key[:-1])[:size]


def _pack(group: Rows, columns: Sequence[Words], room: int = 64) -> tuple[Words, bool]:
    """The group and what first differs within groups in one number, and whether that is all that differs.

    The number has at most `room` bits, which suffice for the groups.
    """
    is_one_group = not group[-1:].any()
    first = np.zeros(1, np.int64) if is_one_group else np.flatnonzero(np.append(True, group[1:] != group[:-1]))[group]
    parts, is_whole = _varying_bits(columns, first, room - int(group[-1:].sum()).bit_length())
    key = group.astype(np.uint64)
    for start in range(0, len(key), _CACHED):
        rows = slice(start, start + _CACHED)
        some = key[rows]
        for column, shift, size in parts:
            bits = columns[column][rows] >> np.uint64(shift)
            bits &= np.uint64((1 << size) - 1)
            some <<= np.uint64(size)
            some |= bits
    return key, is_whole


def _varying_bits(columns: Sequence[Words], first: Rows, room: int) -> tuple[list[tuple[int, int, int]], bool]:
    """The bits that differ within groups: column, lowest bit and number, at most `room` in all; whether these are all.

    `first` is the first row of each row's group, or of all rows.
    """
    parts = list[tuple[int, int, int]]()
    for number, column in enumerate(columns):
        varying = int(np.bitwise_or.reduce(column ^ column[first])) if len(column) else 0
        for shift in range(56, -1, -8):
            bits = (varying >> shift & 255).bit_length()
            size = min(bits, room)
            if size:
                parts.append((number, shift + bits - size, size))
                room -= size
            if size < bits:
                return parts, False
    return parts, True
