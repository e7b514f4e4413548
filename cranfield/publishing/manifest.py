"""manifest-sha256.txt: the SHA-256 of every file of a folder; in a bag the folder is data/ beside it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.formats.files import read_text
from cranfield.formats.whole_files import write_text

MANIFEST, BAG, PAYLOAD = "manifest-sha256.txt", "bagit.txt", "data"
SIGNATURE = f"{MANIFEST}.sig"
SHOWN = 12  # digits of a SHA-256 in messages


class Found(NamedTuple):
    """A published folder: where its files are, and the SHA-256 of each by its path, separated by /."""

    root: Path
    files: Mapping[str, str]


def files_below(root: Path) -> Iterator[str]:
    """The paths of the files of a folder, separated by /, in the order of their bytes."""
    found = (path for path in root.rglob("*") if path.is_symlink() or not path.is_dir())
    yield from sorted(path.relative_to(root).as_posix() for path in found)


def digest_of(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_manifest(root: Path, name: str = MANIFEST) -> None:
    """List the files of a folder, but for the list."""
    write_text(
        root / name, "".join(f"{digest_of(root / path)}  {path}\n" for path in files_below(root) if path != name)
    )


def found(folder: Path) -> Found:
    """The folder as its manifest describes it; a path that leaves it is refused, and so is a link."""
    manifest = folder / MANIFEST
    if not manifest.is_file() and not manifest.is_symlink():
        raise InputError(f"no {MANIFEST}; expected a folder that `cranfield publish build` made", folder)
    if link := next((path for path in files_below(folder) if (folder / path).is_symlink()), None):
        raise InputError("a link; a published folder has files and folders alone", folder / link)
    listed: dict[str, str] = {}
    for number, line in enumerate(read_text(manifest).splitlines(), 1):
        digest, _, path = line.partition("  ")
        if len(digest) != 64 or not path:
            raise InputError(f"{line!r:.60}; expected a SHA-256, two spaces and a path", manifest, number)
        _check_inside(folder, path, number)
        if path in listed:
            raise InputError(f"the path {path!r:.60} is listed twice", manifest, number)
        listed[path] = digest.lower()
    root = root_of(folder)
    if root == folder:
        return Found(folder, listed)
    return Found(root, {path.removeprefix(f"{PAYLOAD}/"): digest for path, digest in listed.items()})


def root_of(folder: Path) -> Path:
    """Where the files of a published folder are: in a bag one below."""
    return folder / PAYLOAD if (folder / BAG).is_file() else folder


def _check_inside(folder: Path, path: str, number: int) -> None:
    inside = not os.path.isabs(path) and ".." not in path.split("/") and "\\" not in path and "\0" not in path
    if not inside or not (folder / path).resolve().is_relative_to(folder.resolve()):
        raise InputError(f"the path {path!r} leaves the folder", folder / MANIFEST, number)


def check_file(there: Found, path: str) -> Path:
    """A file of the folder, if it is listed and what it was."""
    place = there.root / path
    if path not in there.files:
        raise InputError(f"not listed in {MANIFEST}", place)
    if not place.is_file():
        raise InputError("this file is missing", place)
    if (digest := digest_of(place)) != there.files[path]:
        said = there.files[path][:SHOWN]
        raise InputError(
            f"changed or incomplete: its SHA-256 begins with {digest[:SHOWN]}, in {MANIFEST} with {said}", place
        )
    return place
