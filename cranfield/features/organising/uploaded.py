"""Where uploads are kept until they are imported, and the folder of the server from which they may also come."""

import os
import tempfile
from pathlib import Path

from cranfield.errors import InputError

PREFIX = "cranfield-upload-"
MAX_ENTRIES = 500


def new_upload_folder() -> Path:
    """A new folder that only this user can read; it has the number of this process in its name."""
    return Path(tempfile.mkdtemp(prefix=folder_prefix()))


def folder_prefix() -> str:
    """The beginning of the names of this process's folders, by which a server finds those that nobody needs."""
    return f"{PREFIX}{os.getpid()}-"


def abandoned_uploads() -> list[Path]:
    """The folders of servers that were killed."""
    found = []
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        number = folder.name.removeprefix(PREFIX).partition("-")[0]
        if number.isdecimal() and not _is_running(int(number)):
            found.append(folder)
    return found


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def folder_entries(folder: Path | None) -> list[str]:
    """The files and folders in the folder, without hidden ones; a folder's name ends in a slash.

    >>> folder_entries(None)
    []
    """
    if folder is None or not folder.is_dir():
        return []
    shown = (entry for entry in folder.iterdir() if not entry.name.startswith("."))
    entries = sorted(entry for entry in shown if entry.is_dir() or entry.is_file())
    return [f"{entry.name}/" if entry.is_dir() else entry.name for entry in entries[:MAX_ENTRIES]]


def resolve_entry(folder: Path | None, entry: str) -> tuple[Path, Path]:
    """The folder, and an entry of it that was chosen; an error for what is not in it, whatever it links to."""
    if folder is None:
        raise InputError("the server was started without a folder of files; start it with one, or upload files")
    root = folder.resolve()
    name = entry.rstrip("/")
    try:
        path = (root / name).resolve()
        is_there = path.is_dir() or path.is_file()
    except (OSError, ValueError):
        path, is_there = root, False
    if not name or Path(name).is_absolute() or not path.is_relative_to(root) or path == root or not is_there:
        raise InputError(f"{entry!r:.100} is not in the folder of files; choose an entry from the list")
    return root, path
