"""Zip files that strangers made: taken apart within limits, whole or not at all."""

import re
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from cranfield.errors import InputError
from cranfield.formats.sizes import size_text
from cranfield.text import CHANGED

MAX_MEMBERS = 200_000
MAX_RATIO = 100  # of the bytes in a zip to the bytes of the zip
ALWAYS_ALLOWED = 64 << 20  # bytes, whatever the ratio
MAX_DEPTH, MAX_NAME_BYTES = 20, 240
PIECE = 1 << 20


def unzip(path: Path, folder: Path, limit: int) -> list[Path]:
    """Write the files of a zip below a folder, which the caller deletes where this fails; at most `limit` bytes."""
    limit = min(limit, max(ALWAYS_ALLOWED, path.stat().st_size * MAX_RATIO))
    try:
        with zipfile.ZipFile(path) as archive:
            return _unzip(archive, path, folder, limit)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeError) as error:
        raise InputError("a damaged or unsupported zip file; make a new one", path.name) from error


def _unzip(archive: zipfile.ZipFile, path: Path, folder: Path, limit: int) -> list[Path]:
    members = [member for member in archive.infolist() if not member.is_dir()]
    if len(members) > MAX_MEMBERS:
        raise InputError(f"{len(members):,} files in a zip; expected at most {MAX_MEMBERS:,}", path.name)
    targets, written = list[Path](), 0
    for member in members:
        if is_clutter(member.filename):
            continue
        target = folder / _checked_name(member, path.name)
        if target.exists():
            raise InputError(f"{member.filename!r:.100} occurs twice in the zip", path.name)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as source, target.open("xb") as file:
                while piece := source.read(PIECE):
                    written += file.write(piece)
                    if written > limit:
                        size = size_text(limit)
                        raise InputError(f"the files in the zip are larger than {size} bytes together", path.name)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            raise InputError(f"{member.filename!r:.100} is both a file and a folder in the zip", path.name) from None
        targets.append(target)
    if not targets:
        raise InputError("the zip has no files", path.name)
    return targets


def is_clutter(name: str) -> bool:
    """Whether a member is what systems add to zips by themselves.

    >>> is_clutter("__MACOSX/._a.txt"), is_clutter("notes/.DS_Store"), is_clutter("notes/a.txt")
    (True, True, False)
    """
    return name.startswith("__MACOSX/") or name.rpartition("/")[2] in (".DS_Store", "Thumbs.db", "desktop.ini")


def _checked_name(member: zipfile.ZipInfo, zip_name: str) -> PurePosixPath:
    """The path of a member below the folder; an error for one that leads elsewhere or cannot be read."""
    name, found = PurePosixPath(member.filename), f"the zip has the path {member.filename!r:.100}"
    outside = name.is_absolute() or ".." in name.parts or "\\" in member.filename or re.match("[A-Za-z]:", name.name)
    if re.search(CHANGED, member.filename):
        raise InputError(f"{found}, which has a control character; expected a plain name", zip_name)
    if outside or not name.parts:
        raise InputError(f"{found}; expected paths inside the zip's folder", zip_name)
    if len(name.parts) > MAX_DEPTH or any(len(part.encode("utf-8", "replace")) > MAX_NAME_BYTES for part in name.parts):
        raise InputError(f"{found}, which is too long", zip_name)
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise InputError(f"{found}, which is a link or a device; expected files", zip_name)
    if member.flag_bits & 1:
        raise InputError(f"{found}, which is encrypted; expected a zip without a password", zip_name)
    return name
