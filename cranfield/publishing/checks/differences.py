"""The first difference between a file of a folder and what it would be."""

from __future__ import annotations

import re
from itertools import zip_longest
from math import isclose

LONG_NUMBER = re.compile(r"-?\d+\.\d{9,}(?:e[-+]?\d+)?")  # its last digits may differ from machine to machine
AROUND, SHOWN = 20, 60  # characters before a difference, and in all


def text_difference(found: bytes, right: bytes) -> str:
    r"""The first difference between two texts; "" if there is none but in the last digits of long numbers.

    >>> text_difference(b"a\nb 0 c\n", b"a\nb 1 c\n")
    "line 2 is 'b 0 c'; expected 'b 1 c'"
    >>> text_difference(b"a\nb", b"a")
    "line 2 is 'b'; expected no such line"
    >>> text_difference(b"0.4199069085511", b"0.4199069085512")
    ''
    """
    if found == right:
        return ""
    lines, expected = (content.decode(errors="surrogateescape").split("\n") for content in (found, right))
    for number, (line, other) in enumerate(zip_longest(lines, expected), 1):
        if line != other and not (line and other and _close(line, other)):
            at = _first(line or "", other or "")
            return f"line {number} is {_shown(line, at)}; expected {_shown(other, at)}"
    return ""


def _close(line: str, other: str) -> bool:
    numbers = (map(float, LONG_NUMBER.findall(text)) for text in (line, other))
    return LONG_NUMBER.sub("#", line) == LONG_NUMBER.sub("#", other) and all(
        isclose(one, two, rel_tol=1e-9) for one, two in zip(*numbers, strict=True)
    )


def _first(line: str, other: str) -> int:
    return next((at for at, pair in enumerate(zip(line, other, strict=False)) if pair[0] != pair[1]), 0)


def _shown(line: str | None, at: int) -> str:
    if not line:
        return "no such line" if line is None else "empty"
    start = max(at - AROUND, 0) if len(line) > SHOWN else 0
    return f"{'...' if start else ''}{line[start : start + SHOWN]!r}{'...' if len(line) > start + SHOWN else ''}"
