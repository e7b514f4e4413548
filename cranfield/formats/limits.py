"""How much of a file is read into memory at once: limits that can be raised.

A corpus is read one document at a time, so that its own size has no limit. Runs, qrels, topics and votes are read as a
whole; what is made of them takes a few times their size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from cranfield.errors import InputError

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


class Limits(NamedTuple):
    """In bytes: a line, a document or topic, and all of a file that is read as a whole, decompressed."""

    line: int = 32 << 20
    document: int = 32 << 20
    file: int = 512 << 20


DEFAULT = Limits()
LIMITS = ContextVar("LIMITS", default=DEFAULT)


@contextmanager
def limited(**sizes: str | int) -> Iterator[None]:
    """Read with other limits: `line`, `document` and `file`, in bytes or as "64M".

    >>> with limited(line="2G"):
    ...     LIMITS.get().line
    2147483648
    """
    before = LIMITS.set(LIMITS.get()._replace(**{name: bytes_of(size) for name, size in sizes.items()}))
    try:
        yield
    finally:
        LIMITS.reset(before)


def bytes_of(size: str | int) -> int:
    """A size as it is written: bytes, or with K, M or G.

    >>> bytes_of("64M"), bytes_of(10)
    (67108864, 10)
    >>> bytes_of("1.5G")
    Traceback (most recent call last):
    cranfield.errors.InputError: the size is '1.5G'; expected a number such as 500000, 64M or 2G
    """
    parts = re.fullmatch(r"([1-9]\d{0,11})([KMG]?)B?", str(size).strip().upper())
    if parts is None:
        raise InputError(f"the size is {size!r:.60}; expected a number such as 500000, 64M or 2G")
    return int(parts[1]) * UNITS[parts[2]]


def written(size: int) -> str:
    """A size as it is written.

    >>> written(32 << 20), written(1000)
    ('32M', '1000')
    """
    unit = next(unit for unit in reversed(UNITS) if size % UNITS[unit] == 0)
    return f"{size // UNITS[unit]}{unit}"


def too_much(what: str, kind: str) -> str:
    """What is said of something that is larger than its limit.

    >>> too_much("a line", "line")
    'a line of more than 32M bytes; --max-line 64M allows twice that'
    """
    limit = getattr(LIMITS.get(), kind)
    return f"{what} of more than {written(limit)} bytes; --max-{kind} {written(2 * limit)} allows twice that"
