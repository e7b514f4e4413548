"""Sizes in bytes: 512M as a number, and a number as 512M."""

from __future__ import annotations

import re

from cranfield.errors import InputError

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


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


def size_text(size: int) -> str:
    """A size as it is written.

    >>> size_text(32 << 20), size_text(1000)
    ('32M', '1000')
    """
    unit = next(unit for unit in reversed(UNITS) if size % UNITS[unit] == 0)
    return f"{size // UNITS[unit]}{unit}"
