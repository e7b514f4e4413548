"""The order of rows: by group, then by descending score; which rows tie."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64] | NDArray[np.int32]


def descending(group: Codes, score: NDArray[np.float64]) -> NDArray[np.int64] | None:
    """The order of rows by group and by descending score; None if they are in it, and groups that are stay as they are.

    >>> descending(np.array([0, 0, 1]), np.array([2.0, 1.0, 3.0])) is None
    True
    >>> descending(np.array([1, 0, 1]), np.array([2.0, 1.0, 3.0]))
    array([1, 2, 0])
    """
    if np.any(group[1:] < group[:-1]):
        return np.lexsort((-score, group))
    rising = (group[1:] == group[:-1]) & (score[1:] > score[:-1])
    if not rising.any():
        return None
    rows = np.flatnonzero(np.isin(group, group[1:][rising]))
    order = np.arange(len(group))
    order[rows] = rows[np.lexsort((-score[rows], group[rows]))]
    return order


def tied(group: Codes, score: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of rows in descending order: those with the score of a neighbour, and a number for each such stretch.

    >>> tied(np.array([0, 0, 0, 1, 1]), np.array([2.0, 1.0, 1.0, 1.0, 1.0]))
    (array([1, 2, 3, 4]), array([1, 1, 2, 2]))
    """
    same = (group[1:] == group[:-1]) & (score[1:] == score[:-1])
    follows = np.append(False, same)[: len(group)]
    rows = np.flatnonzero(follows | np.append(same, False)[: len(group)])
    return rows, np.cumsum(~follows[rows])
