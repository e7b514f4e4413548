"""The columns of a log as SQLite takes them, a value at a time."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, repeat
from math import isnan

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.formats.logs.part import LogPart


def lists_with(part: LogPart, there: Mask) -> Mask:
    """The lists of which something is known of a document."""
    return np.bincount(part.impression[there], minlength=len(part)) > 0


def known(numbers: Ints, there: Mask | None = None) -> list[int | None]:
    """Numbers, and None for those that are unknown."""
    there = numbers >= 0 if there is None else there
    if there.all():
        return list(numbers.tolist())
    return [number if here else None for number, here in zip(numbers.tolist(), there.tolist(), strict=True)]


def numeric(numbers: Floats) -> list[float | None]:
    """Numbers, and None for NaN."""
    return [None if isnan(number) else number for number in numbers.tolist()]


def blobs(data: bytes, bounds: Ints, size: int) -> Iterator[bytes]:
    """The bytes of each list, whose entries have a size."""
    for start, end in pairwise((bounds * size).tolist()):
        yield data[start:end]


def given_blobs(data: bytes, bounds: Ints, size: int, given: Mask) -> Iterator[bytes | None]:
    """The bytes of the lists that have some; None for the others."""
    if not given.any():
        return repeat(None, len(given))
    return (blob if there else None for blob, there in zip(blobs(data, bounds, size), given.tolist(), strict=True))
