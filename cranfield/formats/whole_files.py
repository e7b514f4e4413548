"""Creating files that are whole or not there: each is made beside its place, and put there once it is whole.

Whatever stops a program, what was there before is still there. A program that makes something in a hidden folder,
`.cranfield-*`, holds a lock on it, which ends with the program however it ends; what killed programs left is removed
when one writes there again.
"""

import bz2
import gzip
import lzma
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from io import BufferedWriter
from pathlib import Path as Place
from typing import Any, BinaryIO
from uuid import uuid4

from cranfield.errors import InputError, Path
from cranfield.extras import require_extra
from cranfield.formats.files import STANDARD_STREAM, is_sqlite
from cranfield.formats.given_files import COMPRESSIONS
from cranfield.text import visible_text

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:  # on Windows, where nothing is removed
    flock = None  # type: ignore[assignment]

CAN_LOCK = flock is not None
PREFIX = ".cranfield-"
NAME = re.compile(re.escape(PREFIX) + "[0-9a-f]{32}")
LOCK = "lock"


@contextmanager
def temporary_folder_in(beside: Place) -> Iterator[Place]:
    """A new folder in a folder, for the time of a block; those of programs that are gone are removed first.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as target:
    ...     with temporary_folder_in(Place(target)) as made:
    ...         NAME.fullmatch(made.name) is not None, made.parent == Place(target)
    ...     os.listdir(target)
    (True, True)
    []
    """
    remove_leftovers(beside)
    folder, lock = _new_folder(beside)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def remove_leftovers(beside: Place) -> None:
    """Remove what killed programs left in a folder."""
    if flock is None:
        return
    with os.scandir(beside) as entries:
        names = [entry.name for entry in entries if NAME.fullmatch(entry.name)]
    for folder in (beside / name for name in names):
        if (lock := try_lock(folder / LOCK)) is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def _new_folder(beside: Place) -> tuple[Place, int]:
    """A new folder and its lock; another name if somebody took the folder for left before it was locked."""
    while True:
        folder = beside / f"{PREFIX}{uuid4().hex}"
        folder.mkdir(mode=0o700)
        (folder / LOCK).touch()
        if (lock := try_lock(folder / LOCK)) is not None:
            return folder, lock


def try_lock(path: Place) -> int | None:
    """A lock on a file, as a handle to read and write it, if it is there and nobody has one."""
    try:
        lock = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None
    if flock is None:
        return lock
    try:
        flock(lock, LOCK_EX | LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock


BLOCK = 1 << 18  # bytes that are compressed at a time


def _to(codec: str, raw: BinaryIO) -> Any:
    require_extra("arrow", f"a file compressed by {codec}")
    import pyarrow as pa

    return pa.CompressedOutputStream(pa.PythonFile(raw, mode="w"), codec)


def _to_gzip(raw: BinaryIO) -> Any:
    return gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=6, mtime=0)


_TO_XZ, _TO_BZIP2 = partial(lzma.open, mode="wb"), partial(bz2.open, mode="wb")
_WRITERS: dict[str, Callable[[Any], Any]] = dict(
    zip(COMPRESSIONS, (_to_gzip, _TO_XZ, partial(_to, "zstd"), _TO_BZIP2, partial(_to, "lz4")), strict=True)
)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines, compressed if the name ends in .gz, .xz, .zst, .bz2 or .lz4; "-" is standard output."""
    _write_texts(path, (line + "\n" for line in lines), os.path.splitext(path)[1])


def write_text(path: Path, text: str) -> None:
    """Write a text as it is; "-" is standard output."""
    _write_texts(path, [text])


def write_bytes(path: Path, content: bytes) -> None:
    """Write bytes as they are."""
    with create_file(path) as stream:
        stream.write(content)


def _write_texts(path: Path, texts: Iterable[str], suffix: str = "") -> None:
    try:
        if os.fspath(path) == STANDARD_STREAM and sys.stdout.isatty():
            for text in texts:
                print_unformatted(text)
            return
        with ExitStack() as stack:
            stream = stack.enter_context(create_file(path))
            if suffix in _WRITERS:
                stream = stack.enter_context(BufferedWriter(stack.enter_context(_WRITERS[suffix](stream)), BLOCK))
            for text in texts:
                stream.write(text.encode())
    except UnicodeEncodeError as error:
        raise InputError(
            f"{error.object.rstrip()[:20]!a} cannot be written: it contains an incomplete character", path
        ) from error


def print_unformatted(text: str) -> None:
    """Print text in a format of its own: as it is for a program, its controls visible on a terminal."""
    if sys.stdout.isatty():
        sys.stdout.write(visible_text(text))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()


def is_file(path: Path) -> bool:
    """Whether what is written here is or will be a file: no pipe, no device, not the standard output.

    >>> is_file("new.txt"), is_file("-"), is_file(os.devnull)
    (True, False, False)
    """
    return os.fspath(path) != STANDARD_STREAM and (not os.path.exists(path) or stat.S_ISREG(os.stat(path).st_mode))


@contextmanager
def create_file(path: Path) -> Iterator[BinaryIO]:
    """A new file that takes the place of the old one once it is whole; a pipe or a device is written as it comes."""
    with _output_errors(path):
        if os.fspath(path) == STANDARD_STREAM:
            sys.stdout.flush()
            yield sys.stdout.buffer
        elif not is_file(path):
            with open(path, "wb") as stream:
                yield stream
        else:
            check_output(path)
            with _replace_file_on_success(os.path.realpath(path)) as stream:
                yield stream


def explain_unusable_file(path: Path, absent: str = "no such file") -> str:
    """What there is in place of a file.

    >>> explain_unusable_file("."), explain_unusable_file("nowhere")
    ('a folder, not a file', 'no such file')
    """
    return "a folder, not a file" if os.path.isdir(path) else "not a plain file" if os.path.exists(path) else absent


def check_output(path: Path) -> None:
    """Raise InputError if writing the file would replace a store."""
    if is_file(path):
        _check_no_database(path)


def _check_no_database(path: Path) -> None:
    """Refuse to write where a store is."""
    if os.path.isfile(path) and is_sqlite(path):
        raise InputError("an existing SQLite database, such as a store, is not overwritten; name another file", path)


def check_no_input(path: Path, given: Sequence[Path]) -> None:
    """Raise InputError if a command would write the file where it reads one; `given` are all that it was given.

    The file itself is among them, once.
    """
    if os.fspath(path) == STANDARD_STREAM or not os.path.isfile(path) or is_sqlite(path):
        return  # a store is refused when it is written
    if sum(os.path.isfile(one) and os.path.samefile(one, path) for one in given) > 1:
        raise InputError("also an input file, which is not overwritten; name another file", path)
    folders = {os.path.realpath(one) for one in given if isinstance(one, Place) and one.is_dir()}
    if folders.intersection(map(str, Place(os.path.realpath(path)).parents)):
        raise InputError("a file in an input folder, which is not overwritten; name another file", path)


@contextmanager
def _replace_file_on_success(path: str) -> Iterator[BinaryIO]:
    with temporary_folder_in(Place(path).parent) as folder:
        part = folder / "new"
        with open(part, "xb") as stream:
            yield stream
        if os.path.exists(path):
            shutil.copymode(path, part)
        os.replace(part, path)


def check_folder(folder: Path) -> None:
    """Refuse the standard output, which is no place for a folder.

    >>> check_folder("-")
    Traceback (most recent call last):
    cranfield.errors.InputError: -: a folder cannot be written to standard output; expected a folder's name
    """
    if os.fspath(folder) == STANDARD_STREAM:
        raise InputError("a folder cannot be written to standard output; expected a folder's name", folder)


@contextmanager
def write_folder_atomically(folder: Path) -> Iterator[Place]:
    """Where to make files that are all in `folder` once all are whole; a folder that is there keeps its other files.

    A new folder appears at once. In an existing one each file is replaced separately.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as there:
    ...     with write_folder_atomically(Place(there, "runs")) as part:
    ...         written, missing = (part / "a.run").write_text("..."), not Place(there, "runs").exists()
    ...     missing, [file.name for file in Place(there, "runs").iterdir()]
    (True, ['a.run'])
    """
    check_folder(folder)
    target = Place(folder)
    with _output_errors(folder):
        beside = target if target.is_dir() else target.absolute().parent
        beside.mkdir(parents=True, exist_ok=True)
        with temporary_folder_in(beside) as temporary:
            part = temporary / "new"
            part.mkdir()
            try:
                yield part
            except InputError as error:
                raise _error_at_target(error, part, target) from error
            _replace_target(part, target)


@contextmanager
def write_files_atomically(path: Path) -> Iterator[Place]:
    """Where to make a file, and others beside it, that are at `path` and beside it once all are whole.

    >>> with write_files_atomically("nowhere/qrels"):
    ...     pass
    Traceback (most recent call last):
    cranfield.errors.InputError: nowhere/qrels: no such folder: nowhere
    """
    folder = Place(path).parent
    if not folder.is_dir():
        raise InputError(f"no such folder: {folder}", path)
    with write_folder_atomically(folder) as part:
        yield part / Place(path).name


def _replace_target(part: Place, target: Place) -> None:
    if not target.exists():
        part.rename(target)
        return
    for file in sorted(part.rglob("*")):
        place = target / file.relative_to(part)
        if file.is_dir():
            place.mkdir(exist_ok=True)
        else:
            _check_no_database(place)
            os.replace(file, os.path.realpath(place))


def _error_at_target(error: InputError, part: Place, target: Place) -> InputError:
    """The error with the file's name as it would have been."""
    if error.path is None or not Place(error.path).is_relative_to(part):
        return error
    return InputError(error.message, target / Place(error.path).relative_to(part), error.line)


@contextmanager
def _output_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except FileNotFoundError as error:
        raise InputError(f"no such folder: {os.path.dirname(path) or '.'}", path) from error
    except OSError as error:
        raise InputError(error.strerror or str(error), path) from error


def check_words(path: Path, **columns: Iterable[str]) -> None:
    """Refuse a name that is empty or has white space in it, and a first column that starts a comment.

    >>> check_words("a.run", qid=["1"], docno=["d 1"])
    Traceback (most recent call last):
    cranfield.errors.InputError: a.run: docno 'd 1' cannot be written: it is empty or contains white space
    """
    for at, (column, names) in enumerate((column, list(names)) for column, names in columns.items()):
        words = [name.encode() for name in names]
        if b" ".join(words).split() == words and not (at == 0 and any(name.startswith("#") for name in names)):
            continue
        for name in names:
            if len(name.encode().split()) != 1 or name.encode().split() != [name.encode()]:
                raise InputError(f"{column} {name!r} cannot be written: it is empty or contains white space", path)
            if at == 0 and name.startswith("#"):
                raise InputError(f"{column} {name!r} cannot be written: a line that starts with # is a comment", path)


def check_cells(path: Path, name: str, cells: Iterable[str]) -> None:
    r"""Refuse a cell of a tab-separated line that has a tab or a line end in it.

    >>> check_cells("topics.tsv", "topic 7", ["7", "lift\tdrag"])
    Traceback (most recent call last):
    cranfield.errors.InputError: topics.tsv: topic 7 cannot be written as tab-separated text: it has a tab or a line end
    """
    if any(end in cell for cell in cells for end in "\t\n\r"):
        raise InputError(f"{name} cannot be written as tab-separated text: it has a tab or a line end", path)


def refuse_extra_fields(path: Path, name: str, format: str, **fields: object) -> None:
    """Refuse what has a field that the format has no place for.

    >>> refuse_extra_fields("topics.tsv", "topic 7", "TSV", narrative="relevant if ...")
    Traceback (most recent call last):
    cranfield.errors.InputError: topics.tsv: topic 7 has a narrative, which TSV cannot store; write JSONL, or omit it
    with --drop narrative
    """
    for field, value in fields.items():
        if value:
            article = "" if field == "metadata" else "a "
            remedy = f"write JSONL, or omit it with --drop {field}"
            raise InputError(f"{name} has {article}{field}, which {format} cannot store; {remedy}", path)
