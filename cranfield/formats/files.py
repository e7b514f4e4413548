"""Opening what users have: plain or compressed, a path or "-".

The compression is told by the first bytes, never by the name. Text is UTF-8; a byte of a corpus or of topics
that is not is taken as Latin-1, as in TREC's older newswire.
"""

from __future__ import annotations

import codecs
import gzip
import io
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from cranfield.errors import InputError
from cranfield.formats.records import Names

Path = str | os.PathLike[str]

HEAD_SIZE = 1 << 16
STANDARD_STREAM = "-"


def _as_latin1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("cranfield.latin1", _as_latin1)


def _from_zstandard(raw: BinaryIO) -> Any:
    import pyarrow as pa

    return pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd")


_Wrapper = Callable[[Any], Any]
_READERS: dict[bytes, _Wrapper] = {
    b"\x1f\x8b": lambda raw: gzip.GzipFile(fileobj=raw),
    b"\xfd7zXZ\0": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": _from_zstandard,
}
COMPRESSIONS = (".gz", ".xz", ".zst")


@dataclass(frozen=True)
class Source:
    """An open file: its path, its first bytes, and all of it; decompressed, without a byte order mark.

    `names` says what its fields are called.
    """

    path: Path
    head: bytes
    stream: io.TextIOWrapper
    names: Names = field(default_factory=Names)

    def data(self) -> bytes:
        """All of it as bytes."""
        data = bytes(self.stream.buffer.read())
        self._check_text(data)
        return data

    def text(self) -> io.TextIOWrapper:
        r"""All of it as text, with every line end as "\n"."""
        self._check_text(self.head)
        return self.stream

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines with their numbers, without their ends."""
        for number, line in enumerate(self.text(), 1):
            yield number, line.rstrip("\n")

    def _check_text(self, data: bytes) -> None:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise InputError("UTF-16 text where UTF-8 is right", self.path, 1)
        if b"\0" in data:
            raise InputError("binary data where text is right", self.path, data.count(b"\n", 0, data.index(b"\0")) + 1)


class _StandardInput(io.RawIOBase):
    """Standard input for readers that close what they have read: it stays open."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = sys.stdin.buffer.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def opened(path: Path, names: Names | None = None) -> Iterator[Source]:
    """The file at `path`, or standard input for "-", ready to be read as text. A folder is empty."""
    names = names or Names()
    if os.path.isdir(path):
        yield Source(path, b"", io.TextIOWrapper(io.BytesIO()), names)
        return
    with open_plain(path) as stream:
        head = stream.peek(HEAD_SIZE)
        if head.startswith(codecs.BOM_UTF8):
            stream.read(len(codecs.BOM_UTF8))
        text = io.TextIOWrapper(stream, "utf-8", "cranfield.latin1")
        try:
            yield Source(path, head.removeprefix(codecs.BOM_UTF8), text, names)
        finally:
            text.detach()


@contextmanager
def open_plain(path: Path) -> Iterator[io.BufferedReader]:
    """The decompressed bytes at `path`, or of standard input for "-"; what goes wrong with them is an InputError."""
    with ExitStack() as stack, _input_errors(path):
        file = _StandardInput() if os.fspath(path) == STANDARD_STREAM else io.FileIO(path)
        raw: Any = stack.enter_context(io.BufferedReader(file))
        stream = io.BufferedReader(_decompressed(raw, stack), HEAD_SIZE)
        stack.callback(stream.detach)
        yield stream


def _decompressed(raw: Any, stack: ExitStack) -> Any:
    magic = raw.peek(8)
    for start, reader in _READERS.items():
        if magic.startswith(start):
            return stack.enter_context(reader(raw))
    return raw


@contextmanager
def _input_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise InputError("no such file", path) from error
    except (EOFError, zlib.error, lzma.LZMAError, OSError) as error:
        system_says = error.strerror if isinstance(error, OSError) else None  # decompressors raise OSError without it
        raise InputError(system_says or "the compressed data are cut short or damaged", path) from error


def bare_name(path: Path) -> str:
    """The file's name without what only says how it is stored, and without TREC's "input.".

    >>> bare_name("runs/input.InexpC2.gz"), bare_name("iielab-prf.2query.v3.run.xz")
    ('InexpC2', 'iielab-prf.2query.v3')
    """
    name = os.path.basename(path)
    for suffix in (*COMPRESSIONS, ".txt", ".run", ".trec", ".res"):
        name = name.removesuffix(suffix)
    return name.removeprefix("input.")
