"""Opening what users have: plain or compressed, a path or "-".

The compression is detected from the first bytes, never from the name. Text is UTF-8; a byte of a corpus or of topics
that is not is taken as Latin-1, as in TREC's older newswire, and counted.

How much of a file is read into memory at once is limited, and the limits can be raised. A corpus is read one document
at a time, so that its own size has no limit. Runs, qrels, topics and votes are read as a whole; what is made of them
takes a few times their size. What is not text is refused with what it is: binary data, web pages, pointers to files.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, BinaryIO, Literal, NamedTuple, NoReturn, Protocol

from cranfield.errors import FormatWarning, InputError, Path, give_warning
from cranfield.extras import require_extra
from cranfield.formats.records import Kind, Names
from cranfield.text import counted

SIZE_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def parse_byte_size(size: str | int) -> int:
    """A size as it is written: bytes, or with K, M or G.

    >>> parse_byte_size("64M"), parse_byte_size(10)
    (67108864, 10)
    >>> parse_byte_size("1.5G")
    Traceback (most recent call last):
    cranfield.errors.InputError: the size is '1.5G'; expected a number such as 500000, 64M or 2G
    """
    parts = re.fullmatch(r"([1-9]\d{0,11})([KMG]?)B?", str(size).strip().upper())
    if parts is None:
        raise InputError(f"the size is {size!r:.60}; expected a number such as 500000, 64M or 2G")
    return int(parts[1]) * SIZE_UNITS[parts[2]]


def format_byte_size(size: int) -> str:
    """A size as it is written.

    >>> format_byte_size(32 << 20), format_byte_size(1000)
    ('32M', '1000')
    """
    unit = next(unit for unit in reversed(SIZE_UNITS) if size % SIZE_UNITS[unit] == 0)
    return f"{size // SIZE_UNITS[unit]}{unit}"


def ignore_note(line: str) -> None:
    """Report nothing, as functions of formats do that nobody called from the command line or the Python interface."""


class InputReading(NamedTuple):
    """How files are read: the formats and field names that the user named, by kind, and who gets the readers' notes."""

    formats: Mapping[str, str] = {}
    fields: Mapping[str, Mapping[str, str]] = {}
    tell: Callable[[str], object] = ignore_note
    fails_on_note: bool = False


class Limits(NamedTuple):
    """In bytes: a line, a document or topic, and all of a file that is read as a whole, decompressed."""

    line: int = 32 << 20
    document: int = 32 << 20
    file: int = 512 << 20
    reading: InputReading = InputReading()  # beside the sizes


DEFAULT = Limits()
LIMITS = ContextVar("LIMITS", default=DEFAULT)


@contextmanager
def limited(**sizes: str | int) -> Iterator[None]:
    """Change the size limits for reading files within a with statement.

    Parameters
    ----------
    **sizes : int or str
        Limits for `line`, `document` and `file`, in bytes or as text such as "64M".

    Yields
    ------
    None
        No value. The limits apply within the with statement.

    Examples
    --------
    >>> with limited(line="2G"):
    ...     LIMITS.get().line
    2147483648
    """
    sizes_in_bytes: dict[str, Any] = {name: parse_byte_size(size) for name, size in sizes.items()}
    token = LIMITS.set(LIMITS.get()._replace(**sizes_in_bytes))
    try:
        yield
    finally:
        LIMITS.reset(token)


@contextmanager
def notes_as_warnings() -> Iterator[None]:
    """Issue the notes of readers as warnings, unless a command reports them."""
    limits = LIMITS.get()
    if limits.reading.tell is not ignore_note:
        yield
        return
    token = LIMITS.set(limits._replace(reading=limits.reading._replace(tell=_warn_of_format)))
    try:
        yield
    finally:
        LIMITS.reset(token)


def _warn_of_format(line: str) -> None:
    give_warning(line, FormatWarning)


@contextmanager
def collected_notes() -> Iterator[list[str]]:
    """Collect the notes of readers instead of reporting them."""
    limits, lines = LIMITS.get(), list[str]()
    token = LIMITS.set(limits._replace(reading=limits.reading._replace(tell=lines.append, fails_on_note=False)))
    try:
        yield lines
    finally:
        LIMITS.reset(token)


READ_AS = "read as "  # in the note on a guessed format
NAMED_FORMAT = "; to avoid this note, name the format with --input-format (--format for imports)"


def report_note(line: str, path: Path | None = None) -> None:
    """Report a note on a file: a warning in Python, a line on stderr of a command, an error with --fail-on-note."""
    reading = LIMITS.get().reading
    if reading.fails_on_note:
        remedy = NAMED_FORMAT if READ_AS in line else ""
        raise InputError(f"{line} (--fail-on-note{remedy})", path)
    reading.tell(line if path is None else f"{os.fspath(path)}: {line}")


def fail_on_notes(lines: Iterable[str]) -> None:
    """Make the first of these notes an error if --fail-on-note holds."""
    if LIMITS.get().reading.fails_on_note:
        for line in lines:
            report_note(line)


def report_notes(places: Mapping[str, Sequence[Path]]) -> None:
    """Report each note once, with the first of its files and the number of the others."""
    for line, files in places.items():
        report_note(line, _first_of(files))


def group_notes(notes: Iterable[str], files: Iterable[Path]) -> list[str]:
    """Make one note of those that say the same of several files: the first file, and the number of the others.

    >>> group_notes(["a.csv: read as csv", "b.csv: read as csv", "2 lists are new"], ["a.csv", "b.csv"])
    ['a.csv and 1 other file: read as csv', '2 lists are new']
    """
    names = [f"{os.fspath(path)}: " for path in files]
    places = dict[str, list[str]]()
    for note in notes:
        name = next((one for one in names if note.startswith(one)), "")
        places.setdefault(note.removeprefix(name), []).append(name.removesuffix(": "))
    return [f"{_first_of(named)}: {line}" if named[0] else line for line, named in places.items()]


def _first_of(files: Sequence[Path | str]) -> str:
    others = f" and {counted(len(files) - 1, 'other file')}" if len(files) > 1 else ""
    return f"{os.fspath(files[0])}{others}"


def limit_message(what: str, kind: str) -> str:
    """What is said of something that is larger than its limit.

    >>> limit_message("a line", "line")
    'a line of more than 32M bytes; allow twice as much with --max-line 64M'
    """
    limit = getattr(LIMITS.get(), kind)
    remedy = f"allow twice as much with --max-{kind} {format_byte_size(2 * limit)}"
    return f"{what} of more than {format_byte_size(limit)} bytes; {remedy}"


Note = Callable[[str], object]


@dataclass
class Latin1:
    """What was read as Latin-1 because it is not UTF-8: how many bytes, and the words around the first."""

    bytes: int = 0
    example: str = ""

    def __str__(self) -> str:
        were = "byte that is not UTF-8 was" if self.bytes == 1 else "bytes that are not UTF-8 were"
        return f"{self.bytes} {were} read as Latin-1, for example in {self.example!r}"


ESCAPED_BYTES = re.compile("[\udc80-\udcff]+")  # what "surrogateescape" makes of bytes that are not UTF-8


def latin1_text(text: str) -> str:
    r"""Text that was decoded with "surrogateescape", with the bytes that are not UTF-8 read as Latin-1.

    >>> latin1_text(b"caf\xe9".decode("utf-8", "surrogateescape"))
    'café'
    """
    return ESCAPED_BYTES.sub(lambda bad: "".join(chr(ord(one) - 0xDC00) for one in bad[0]), text)


class Utf8Stream(io.RawIOBase):
    """The bytes of a stream as UTF-8: each byte that is not part of UTF-8 is read as Latin-1 and counted."""

    def __init__(self, stream: io.BufferedIOBase, latin1: Latin1) -> None:
        self.stream, self.latin1 = stream, latin1
        self.unfinished, self.ready = b"", b""  # bytes of a character whose others are to come; bytes to give away

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        is_last = False
        while not self.ready and not is_last:
            data = self.stream.read1(HEAD_SIZE)
            is_last = not data
            self.ready = self._as_utf8(self.unfinished + data, is_last)
        size = min(len(buffer), len(self.ready))
        buffer[:size], self.ready = self.ready[:size], self.ready[size:]
        return size

    def _as_utf8(self, data: bytes, is_last: bool) -> bytes:
        if data.isascii():
            self.unfinished = b""
            return data
        text, used = codecs.utf_8_decode(data, "surrogateescape", is_last)
        self.unfinished = data[used:]
        try:
            return text.encode()
        except UnicodeEncodeError as error:
            first = len(text[: error.start].encode())
            around = data[max(first - 15, 0) : first + 16].decode("latin-1")
            self.latin1.bytes += sum(map(len, ESCAPED_BYTES.findall(text)))
            self.latin1.example = self.latin1.example or " ".join(around.split())
            return latin1_text(text).encode()


HEAD_SIZE = 1 << 16
PIECE = 1 << 20
STANDARD_STREAM = "-"
SQLITE = b"SQLite format 3\0"  # the first bytes of a store
COLLECTIONS = ("ir_datasets:", "hf:")


def _from(codec: str, raw: BinaryIO) -> Any:
    require_extra("arrow", f"a file compressed by {codec}")
    import pyarrow as pa

    return pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), codec)


_Wrapper = Callable[[Any], Any]
_READERS: dict[bytes, _Wrapper] = {
    b"\x1f\x8b": lambda raw: gzip.GzipFile(fileobj=raw),
    b"\xfd7zXZ\0": lzma.LZMAFile,
    b"BZh": bz2.BZ2File,
    b"\x28\xb5\x2f\xfd": partial(_from, "zstd"),
    b"\x04\x22\x4d\x18": partial(_from, "lz4"),
}


@dataclass(frozen=True, eq=False)
class OpenFile:
    """An open file: its path, its first bytes, and all of it; decompressed, without a byte order mark.

    `names` says what its fields are called; `is_guessed`, that its format was detected by content, not named. `note`
    is called with what a format reports. `latin1` counts the bytes of the text that are not UTF-8. `added` has options
    of features by kind.
    """

    path: Path
    head: bytes
    buffer: io.BufferedReader[Any]
    names: Names = field(default_factory=Names)
    is_guessed: bool = False
    note: Note | None = None
    latin1: Latin1 = field(default_factory=Latin1)
    added: Mapping[type, Any] = field(default_factory=dict)

    def data(self) -> bytes:
        """All of it as bytes."""
        self._check(self.head)
        data = bytes(self.buffer.read())
        self._check(data)
        return data

    def text(self) -> io.TextIOWrapper:
        r"""All of it as text, with every line end as "\n"."""
        self._check(self.head)
        return self._text

    @cached_property
    def _text(self) -> io.TextIOWrapper:
        return io.TextIOWrapper(io.BufferedReader(Utf8Stream(self.buffer, self.latin1), HEAD_SIZE), "utf-8")

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines with their numbers, without their ends."""
        for number, line in enumerate(self.text(), 1):
            yield number, line.rstrip("\n")

    def _check(self, data: bytes) -> None:
        if b"\0" in data or data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            refuse_binary_data(data, self.path)


class _Pipe(io.RawIOBase):
    """Standard input, a pipe or a device: read once, in pieces as large as are asked for; it stays open."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class _Bounds(io.RawIOBase):
    """Decompressed bytes, refused where a line is too long, or all of them are too many; `whole`: for those."""

    def __init__(self, stream: BinaryIO, path: Path, whole: bool) -> None:
        self.stream, self.path, self.limits = stream, path, LIMITS.get()
        self.most = self.limits.file if whole else None
        self.size, self.line, self.since = 0, 1, 0  # bytes, the number of the line, bytes since it began

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.stream.read(len(buffer))
        self._check(data)
        buffer[: len(data)] = data
        return len(data)

    def readall(self) -> bytes:
        return b"".join(iter(lambda: self._next(PIECE), b""))

    def _next(self, size: int) -> bytes:
        data = self.stream.read(size)
        self._check(data)
        return data

    def _check(self, data: bytes) -> None:
        self.size += len(data)
        if self.most is not None and self.size > self.most:
            raise InputError(limit_message("a file that is read into memory", "file"), self.path)
        end = b"\n" if b"\n" in data else b"\r"
        self._check_line(self.since + (data.find(end) if end in data else len(data)))
        if len(data) > self.limits.line:
            for line in data.split(end)[1:]:
                self.line += 1
                self._check_line(len(line))
        else:
            # NumPy counts in a fifth of the time that bytes.count takes.
            import numpy as np

            self.line += int(np.count_nonzero(np.frombuffer(data, np.uint8) == ord(end)))
        self.since = len(data) - data.rfind(end) - 1 if end in data else self.since + len(data)
        self._check_line(self.since)

    def _check_line(self, size: int) -> None:
        if size > self.limits.line:
            raise InputError(limit_message("a line", "line"), self.path, self.line)


@contextmanager
def open_file(
    path: Path,
    names: Names | None = None,
    whole: bool = True,
    digest: Digest | None = None,
    *,
    note: Note | None = None,
    latin1: Latin1 | None = None,
    added: Mapping[type, Any] | None = None,
) -> Iterator[OpenFile]:
    """The file at `path`, or standard input for "-", ready to be read as text. A folder is empty.

    `whole`: all of it is going to be in memory, and it may not be larger than the limit for that. `digest` is given
    the bytes of the file as they are; `note` is called with what its format reports, `latin1` counts the bytes of its
    text that are not UTF-8. `added` has options of features by kind.
    """
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"a value of type {type(path).__name__}; expected the path of a file")
    opened = partial(OpenFile, path, names=names or Names(), note=note, latin1=latin1 or Latin1(), added=added or {})
    if os.path.isdir(path):
        yield opened(b"", io.BufferedReader(io.BytesIO()))
        return
    with open_decompressed(path, digest) as plain:
        stream = io.BufferedReader(_Bounds(plain, path, whole), HEAD_SIZE)
        head = stream.peek(HEAD_SIZE)
        if head.startswith(codecs.BOM_UTF8):
            stream.read(len(codecs.BOM_UTF8))
        yield opened(head.removeprefix(codecs.BOM_UTF8), stream)


@contextmanager
def open_utf8_text(path: Path, newline: str | None = None) -> Iterator[io.TextIOWrapper]:
    """The file as a text that is UTF-8 throughout, or it is refused; `newline` is as `open` has it."""
    with open_decompressed(path) as plain:
        text = io.TextIOWrapper(io.BufferedReader(_Bounds(plain, path, whole=True)), "utf-8-sig", newline=newline)
        try:
            yield text
        except UnicodeDecodeError as error:
            raise InputError(f"not UTF-8: {error.object[error.start : error.start + 1]!r}", path) from None
        finally:
            text.detach()


def read_text(path: Path) -> str:
    """All of such a file."""
    with open_utf8_text(path) as text:
        return text.read()


class Digest(Protocol):
    """What takes the bytes of a file as they come, as those of hashlib do."""

    def update(self, data: bytes | memoryview, /) -> object: ...


class _DigestReader(io.RawIOBase):
    """A file whose bytes update a digest as they are read."""

    def __init__(self, file: io.RawIOBase | io.BytesIO, digest: Digest) -> None:
        self.file, self.digest = file, digest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = self.file.readinto(buffer) or 0
        self.digest.update(memoryview(buffer)[:size])
        return size


@contextmanager
def open_decompressed(
    path: Path, digest: Digest | None = None, content: io.BytesIO | None = None
) -> Iterator[io.BufferedReader]:
    """Open the decompressed bytes at `path`, or standard input for "-". Errors in these bytes raise InputError.

    `digest` receives the file's raw bytes, and has received all of them when the block ends. `content` is the file's
    content, if it is already in memory.
    """
    with ExitStack() as stack, _input_errors(path):
        file: Any = stack.enter_context(content or _open_raw(path, stack))
        raw: Any = stack.enter_context(io.BufferedReader(_DigestReader(file, digest) if digest else file, PIECE))
        reader = next((reader for start, reader in _READERS.items() if raw.peek(8).startswith(start)), None)
        stream = io.BufferedReader(stack.enter_context(reader(raw)) if reader else raw, HEAD_SIZE)
        stack.callback(stream.detach)
        yield stream
        while digest and raw.read(PIECE):
            pass


def _open_raw(path: Path, stack: ExitStack) -> io.RawIOBase:
    if os.fspath(path) == STANDARD_STREAM:
        return _Pipe(sys.stdin.buffer)
    return io.FileIO(path) if os.path.isfile(path) else _Pipe(stack.enter_context(open(path, "rb")))


def is_compressed(path: Path) -> bool:
    """Whether a file is one of those that are decompressed as they are read."""
    with open(path, "rb") as file:
        return file.read(max(map(len, _READERS))).startswith(tuple(_READERS))


BLOCK_BYTES = 1 << 21  # of a file that is read in places, at a time
LONG_LINE_BYTES = 1 << 16


def is_seekable_text(path: Path) -> bool:
    """Whether a file can be read as it is, in places: not compressed, and within the limits."""
    limits = LIMITS.get()
    is_within_limits = os.path.getsize(path) <= limits.file and limits.line >= BLOCK_BYTES + LONG_LINE_BYTES
    return is_within_limits and not is_compressed(path)


@contextmanager
def _input_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        collection = os.fspath(path).startswith(COLLECTIONS)
        remedy = "; import its documents, topics and judgments with `cranfield import collection`"
        raise InputError(f"no such file{remedy if collection else ''}", path) from error
    except (EOFError, zlib.error, lzma.LZMAError, OSError) as error:
        system_says = error.strerror if isinstance(error, OSError) else None  # decompressors raise OSError without it
        raise InputError(system_says or "the compressed data is truncated or damaged; copy it again", path) from error


def is_sqlite(path: Path) -> bool:
    """Whether a file is an SQLite database, as each store is."""
    with open(path, "rb") as file:
        return file.read(len(SQLITE)) == SQLITE


MARKS_OF_BINARY_FILES = (  # what has this mark at this place
    ("a zip archive or a file of an office program; unpack it, or save it as CSV", b"PK\x03\x04", 0),
    ("a tar archive; unpack it", b"ustar", 257),
    (
        "an SQLite database; expected a text file with judgments or runs; to read a store, give no other files",
        SQLITE,
        0,
    ),
)


def refuse_binary_data(data: bytes, path: str | os.PathLike[str]) -> NoReturn:
    r"""Refuse the first bytes of a file, or all, which are UTF-16 or binary.

    >>> refuse_binary_data(b"PK\x03\x04\0", "runs.zip")
    Traceback (most recent call last):
    cranfield.errors.InputError: runs.zip: a zip archive or a file of an office program; unpack it, or save it as CSV
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError(
            "UTF-16 text; expected UTF-8; convert the file, for example with iconv -f utf16 -t utf8", path, 1
        )
    if kind := next((what for what, mark, at in MARKS_OF_BINARY_FILES if data.startswith(mark, at)), ""):
        raise InputError(kind, path)
    raise InputError("binary data; expected text", path, data.count(b"\n", 0, data.index(b"\0")) + 1)


WEB_PAGE = rb"(?i)\s*<(!doctype\s+html|html)\b"
GIT_LFS_POINTER = b"version https://git-lfs.github.com/spec/"


def refuse_stand_in(head: bytes, path: str | os.PathLike[str], expected: str) -> None:
    """Refuse the start of a file that another program left in place of the expected one.

    >>> refuse_stand_in(b"<!DOCTYPE html>", "a.run", "a run")
    Traceback (most recent call last):
    cranfield.errors.InputError: a.run:1: a web page; expected a run; download the file again, or check its address
    """
    if head.startswith(GIT_LFS_POINTER):
        raise InputError(f"a Git LFS pointer; expected {expected}; fetch the file with `git lfs pull`", path, 1)
    if re.match(WEB_PAGE, head):
        raise InputError(f"a web page; expected {expected}; download the file again, or check its address", path, 1)


class Format(NamedTuple):
    """File format, a row of the format table.

    `detect` receives the first decompressed bytes and the path. `read` takes an OpenFile and returns an UnreadTable, or
    an iterator of documents, LocatedTopics or Ballots. `write` takes a path and the content, and raises InputError for
    content that the format cannot store. `place` states whether the path is a file or a folder. A format of an
    extension is tried `before` the format with this name, or last.
    """

    kind: Kind
    name: str
    description: str
    detect: Callable[[bytes, str], bool]
    read: Callable[[OpenFile], Any]
    write: Callable[..., None] | None = None
    place: Literal["file", "folder", "either"] = "file"
    before: str = ""
