"""The lock file of a store, STORE-importing, that a program has while it imports in short transactions."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cranfield.formats.whole_files import try_lock


@contextmanager
def import_lock(path: str | os.PathLike[str]) -> Iterator[bool]:
    """Whether no other program on this machine imports in short transactions; none does until the end of the block."""
    if str(path) == ":memory:":
        yield True
        return
    file = Path(f"{path}-importing")
    while True:
        os.close(os.open(file, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o600))
        if (lock := try_lock(file)) is None:
            yield False
            return
        if file.exists():  # the program that had it may have removed the file meanwhile
            break
        os.close(lock)
    try:
        yield True
    finally:
        file.unlink(missing_ok=True)
        os.close(lock)


def is_import_running(path: str | os.PathLike[str]) -> bool:
    """Whether another program on this machine imports into a store in short transactions."""
    file = Path(f"{path}-importing")
    if (lock := try_lock(file)) is None:
        return file.exists()
    os.close(lock)
    return False
