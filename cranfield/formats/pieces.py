"""Files of lines in pieces of many lines, that several threads can read and parse at a time."""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from cranfield.formats.files import Path, is_compressed
from cranfield.formats.limits import LIMITS

BLOCK = 1 << 21  # bytes
LONG = 1 << 16  # bytes of a line


class Piece(NamedTuple):
    """Some lines of a file, read when asked for; none where a line is too long."""

    path: Path
    start: int
    end: int

    def read(self) -> bytes:
        with open(self.path, "rb", buffering=0) as file:
            file.seek(self.start)
            return file.read(self.end - self.start)


def is_plain(path: Path) -> bool:
    """Whether a file can be read as it is, in places: not compressed, and within the limits."""
    limits = LIMITS.get()
    return not is_compressed(path) and os.path.getsize(path) <= limits.file and limits.line >= BLOCK + LONG


def places_of_pieces(path: Path) -> Iterator[Piece]:
    """The pieces of a plain file."""
    size = os.path.getsize(path)
    with open(path, "rb", buffering=0) as file:
        start = len(codecs.BOM_UTF8) if file.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8 else 0
        while start < size:
            file.seek(start + BLOCK)
            following = file.read(LONG)
            rest = following.find(b"\n") + 1 or len(following)
            is_cut = len(following) == LONG and not following.endswith(b"\n", 0, rest)
            end = start + BLOCK + rest
            yield Piece(path, start, start if is_cut else end)
            start = end


def pieces(stream: Any) -> Iterator[bytes]:
    r"""The lines of a stream, many at a time; a piece is empty where a line is longer than two blocks.

    >>> import io
    >>> list(pieces(io.BytesIO(b"1 Q0 d1 1 2.0 a\n1 Q0 d2 2 1.0 a")))
    [b'1 Q0 d1 1 2.0 a\n', b'1 Q0 d2 2 1.0 a']
    """
    rest = b""
    while data := stream.read(BLOCK):
        end = data.rfind(b"\n") + 1
        if end:
            yield rest + data[:end]
            rest = data[end:]
        elif len(rest) > BLOCK:
            yield b""
        else:
            rest += data
    if rest:
        yield rest
