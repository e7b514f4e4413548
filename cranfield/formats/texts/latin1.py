"""Bytes that are not UTF-8 are read as Latin-1, and counted."""

from __future__ import annotations

import codecs
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Latin1:
    """What was read as Latin-1 because it is not UTF-8: how many bytes, and the words around the first."""

    bytes: int = 0
    example: str = ""

    def __str__(self) -> str:
        were = "byte that is not UTF-8 was" if self.bytes == 1 else "bytes that are not UTF-8 were"
        return f"{self.bytes} {were} read as Latin-1, as in {self.example!r}"


READ_AS_LATIN1: ContextVar[Latin1] = ContextVar("READ_AS_LATIN1")


def _as_latin1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    if (seen := READ_AS_LATIN1.get(None)) is not None:
        around = error.object[max(error.start - 15, 0) : error.end + 15].decode("latin-1")
        seen.bytes, seen.example = seen.bytes + error.end - error.start, seen.example or " ".join(around.split())
    return error.object[error.start : error.end].decode("latin-1"), error.end


AS_LATIN1 = "cranfield.latin1"  # how bytes that are not UTF-8 are decoded
codecs.register_error(AS_LATIN1, _as_latin1)
