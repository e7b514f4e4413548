"""Hidden folders beside a target, for what is being made; what killed programs left in such folders is removed.

A program that works in one holds a lock on it, which ends with the program however it ends.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:  # on Windows, where nothing is removed
    flock = None  # type: ignore[assignment]

CAN_LOCK = flock is not None
PREFIX = ".cranfield-"
NAME = re.compile(re.escape(PREFIX) + "[0-9a-f]{32}")
LOCK = "lock"


@contextmanager
def hidden_folder(beside: Path) -> Iterator[Path]:
    """A new folder in a folder, for the time of a block; those of programs that are gone are removed first.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as target:
    ...     with hidden_folder(Path(target)) as made:
    ...         NAME.fullmatch(made.name) is not None, made.parent == Path(target)
    ...     os.listdir(target)
    (True, True)
    []
    """
    remove_left(beside)
    folder, lock = _held(beside)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def remove_left(beside: Path) -> None:
    """Remove what killed programs left in a folder."""
    if flock is None:
        return
    with os.scandir(beside) as entries:
        names = [entry.name for entry in entries if NAME.fullmatch(entry.name)]
    for folder in (beside / name for name in names):
        if (lock := locked(folder / LOCK)) is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


def _held(beside: Path) -> tuple[Path, int]:
    """A new folder and its lock; another name if somebody took the folder for left before it was locked."""
    while True:
        folder = beside / f"{PREFIX}{uuid4().hex}"
        folder.mkdir(mode=0o700)
        (folder / LOCK).touch()
        if (lock := locked(folder / LOCK)) is not None:
            return folder, lock


def locked(path: Path) -> int | None:
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
