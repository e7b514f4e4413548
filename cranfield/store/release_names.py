"""Names of releases: `track.db@1.0` is release 1.0 of the store track.db."""

import re
from collections.abc import Sequence
from datetime import date
from os import PathLike
from pathlib import Path

from cranfield.errors import StoreError
from cranfield.text import name_hint

MARK = "@"
NAME = r"(?=.{1,64}$)[0-9A-Za-z]+([._+-][0-9A-Za-z]+)*"  # as versions are


def split_release_path(path: str | PathLike[str]) -> tuple[Path, str]:
    """Split a path into the file and the name of the release; a file whose own name has an @ is that file.

    >>> split_release_path("nowhere.db@1.0")
    (PosixPath('nowhere.db@1.0'), '')
    """
    file, mark, name = str(path).rpartition(MARK)
    if not mark or not name or Path(path).exists() or not Path(file).is_file():
        return Path(path), ""
    return Path(file), name


def release_path(path: str | PathLike[str], name: str) -> Path:
    """The path of a release of a store; a path that names this release already stays."""
    _, named = split_release_path(path)
    if named == name:
        return Path(path)
    if named:
        raise StoreError(
            f"{path}: a release contains no releases, such as {name!r:.80}; expected the path of the store"
        )
    file = Path(f"{path}{MARK}{name}")
    if file.exists():
        raise StoreError(f"{file} is also a file; move it away to read release {name} of {path}")
    return file


def check_name(name: str) -> None:
    """Refuse a name that is none.

    >>> check_name("1.0")
    >>> check_name("one two")
    Traceback (most recent call last):
    cranfield.errors.StoreError: 'one two' is not a valid release name; expected letters and digits, with . _ + or -
    between them, such as 1.0
    """
    if not re.fullmatch(NAME, name):
        right = "letters and digits, with . _ + or - between them, such as 1.0"
        raise StoreError(f"{name!r:.80} is not a valid release name; expected {right}")


def check_date(day: str) -> str:
    """A day, YYYY-MM-DD; an error for what is none.

    >>> check_date("2026-02-30")
    Traceback (most recent call last):
    cranfield.errors.StoreError: '2026-02-30' is not a date; expected YYYY-MM-DD, such as 2026-01-31
    """
    try:
        return date.fromisoformat(day).isoformat()
    except ValueError:
        raise StoreError(f"{day!r:.40} is not a date; expected YYYY-MM-DD, such as 2026-01-31") from None


def unknown(name: str, names: Sequence[str]) -> str:
    """What to say of a name that no release has.

    >>> unknown("1.00", ["1.0", "2.0"])
    "no release '1.00' in this store; did you mean 1.0?"
    >>> unknown("x", ["1.0", "2.0"]), unknown("x", [])
    ("no release 'x' in this store; available: 1.0, 2.0",
    "no release 'x' in this store; `cranfield store release` makes one")
    """
    return f"no release {name!r:.80} in this store{name_hint(name, names, '`cranfield store release` makes one')}"
