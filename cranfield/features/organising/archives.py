"""Zip and tar files that strangers made: taken apart within limits, whole or not at all."""

import bz2
import gzip
import lzma
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from cranfield.errors import InputError
from cranfield.formats.files import format_byte_size
from cranfield.text import CHANGED

MAX_MEMBERS = 200_000
MAX_RATIO = 100  # of the bytes in an archive to the bytes of the archive
ALWAYS_ALLOWED = 64 << 20  # bytes, whatever the ratio
MAX_DEPTH, MAX_NAME_BYTES = 20, 240
MAX_TAR_HEADER_BYTES = 4 << 20  # of one header of a tar file, which is read at once
TAR_BLOCK, TAR_MARK, TAR_MARK_PLACE = 512, b"ustar", 257
PIECE = 1 << 20
ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")  # with files, and without
OPENERS: dict[bytes, Callable[[Path], Any]] = {  # by the first bytes of a compressed tar file
    b"\x1f\x8b": gzip.GzipFile,
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}
DAMAGES = (
    zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, gzip.BadGzipFile, zlib.error, EOFError, NotImplementedError,
    RuntimeError, UnicodeError, ValueError, OverflowError,
)  # fmt: skip


class UnpackedFolder:
    """The folder to which the files of an archive are written, within limits."""

    def __init__(self, path: Path, folder: Path, limit: int, word: str) -> None:
        self._path, self._folder, self._word = path, folder, word
        self.limit = min(limit, max(ALWAYS_ALLOWED, path.stat().st_size * MAX_RATIO))
        self.files = list[Path]()
        self._members = self._written = 0

    def error(self, message: str) -> InputError:
        """An error of the archive."""
        return InputError(message.replace("ARCHIVE", self._word), self._path.name)

    @property
    def too_large(self) -> InputError:
        """The refusal of files that are too large together."""
        return self.error(f"the files in the ARCHIVE are larger than {format_byte_size(self.limit)} bytes together")

    def count(self, number: int) -> None:
        """Count members of the archive; raise InputError if there are too many."""
        self._members += number
        if self._members > MAX_MEMBERS:
            raise self.error(f"more than {MAX_MEMBERS:,} files in a ARCHIVE; expected at most {MAX_MEMBERS:,}")

    def check_name(self, name: str) -> PurePosixPath:
        """Return the path of a member below the folder; raise InputError if it leads elsewhere or cannot be read."""
        path, found = PurePosixPath(name), f"the ARCHIVE has the path {name!r:.100}"
        if re.search(CHANGED, name):
            raise self.error(f"{found}, which has a control character; expected a plain name")
        if path.is_absolute() or ".." in path.parts or "\\" in name or re.match("[A-Za-z]:", name) or not path.parts:
            raise self.error(f"{found}; expected paths inside the ARCHIVE's folder")
        if len(path.parts) > MAX_DEPTH or any(
            len(part.encode("utf-8", "replace")) > MAX_NAME_BYTES for part in path.parts
        ):
            raise self.error(f"{found}, which is too long")
        return path

    def refuse_kind(self, name: str) -> InputError:
        """The refusal of a member that is not a file."""
        return self.error(f"the ARCHIVE has the path {name!r:.100}, which is a link or a device; expected files")

    def write(self, name: str, source: IO[bytes]) -> int:
        """Write a file; returns its size."""
        target, size = self._folder / self.check_name(name), 0
        if target.exists():
            raise self.error(f"{name!r:.100} occurs twice in the ARCHIVE")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as file:
                while piece := source.read(PIECE):
                    size += file.write(piece)
                    if self._written + size > self.limit:
                        raise self.too_large
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            raise self.error(f"{name!r:.100} is both a file and a folder in the ARCHIVE") from None
        self._written += size
        self.files.append(target)
        return size

    @contextmanager
    def checking(self) -> Iterator[None]:
        """Report damage as an error of the archive; refuse an archive without files."""
        try:
            yield
        except DAMAGES as error:
            if isinstance(error, InputError):
                raise
            raise self.damaged from error
        except OSError as error:
            if error.errno is not None:
                raise
            raise self.damaged from error  # as bz2 reports damage
        if not self.files:
            raise self.error("the ARCHIVE has no files")

    @property
    def damaged(self) -> InputError:
        """The refusal of an archive that is damaged or incomplete."""
        return self.error("a damaged or unsupported ARCHIVE; make a new one")


def unzip(path: Path, folder: Path, limit: int) -> list[Path]:
    """Write the files of a zip below a folder, which the caller deletes where this fails; at most `limit` bytes."""
    unpacked = UnpackedFolder(path, folder, limit, "zip")
    with unpacked.checking(), zipfile.ZipFile(path) as archive:
        unpacked.count(len(archive.infolist()))
        for member in archive.infolist():
            if is_clutter(member.filename) or _is_own_folder(member.filename):
                continue
            unpacked.check_name(member.filename)
            if member.is_dir():
                continue
            if stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG):
                raise unpacked.refuse_kind(member.filename)
            if member.flag_bits & 1:
                found = f"the zip has the path {member.filename!r:.100}, which is encrypted"
                raise unpacked.error(f"{found}; expected a zip without a password")
            with archive.open(member) as source:
                unpacked.write(member.filename, source)
    return unpacked.files


def untar(path: Path, folder: Path, limit: int) -> list[Path]:
    """Write the files of a tar file, which may be compressed by gzip, bzip2 or xz, below a folder, as `unzip` does."""
    unpacked = UnpackedFolder(path, folder, limit, "tar file")
    with unpacked.checking(), _uncompressed(path, unpacked) as plain:
        reader = cast("IO[bytes]", _BoundedReader(plain, unpacked))
        with tarfile.open(fileobj=reader, mode="r:", errorlevel=2) as archive:
            while (member := archive.next()) is not None:
                unpacked.count(1)
                _write_member(archive, member, unpacked)
            plain.seek(archive.offset)
            if plain.read(TAR_BLOCK) != bytes(TAR_BLOCK):  # the mark of its end: otherwise a part is missing
                raise unpacked.damaged
    return unpacked.files


def _write_member(archive: tarfile.TarFile, member: tarfile.TarInfo, unpacked: UnpackedFolder) -> None:
    if member.size < 0 or archive.offset < member.offset_data:
        raise unpacked.damaged
    if is_clutter(member.name) or (member.isdir() and _is_own_folder(member.name)):
        return
    unpacked.check_name(member.name)
    if member.isdir():
        return
    if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE) or member.sparse is not None:
        raise unpacked.refuse_kind(member.name)
    source = archive.extractfile(member)
    if source is None or unpacked.write(member.name, source) != member.size:
        raise unpacked.damaged


@contextmanager
def _uncompressed(path: Path, unpacked: UnpackedFolder) -> Iterator[IO[bytes]]:
    """The tar file, uncompressed next to the archive where it is compressed."""
    with path.open("rb") as file:
        start = file.read(6)
    opener = next((opener for first, opener in OPENERS.items() if start.startswith(first)), None)
    if opener is None:
        with path.open("rb") as plain:
            yield plain
        return
    written, most = 0, unpacked.limit + MAX_MEMBERS * 2 * TAR_BLOCK
    plain_path = path.with_name(f"{path.name}.uncompressed")
    try:
        with opener(path) as source, plain_path.open("xb") as target:
            while piece := source.read(PIECE):
                written += target.write(piece)
                if written > most:
                    raise unpacked.too_large
        with plain_path.open("rb") as plain:
            yield plain
    finally:
        plain_path.unlink(missing_ok=True)


class _BoundedReader:
    """A file of which little is read at once: the size of a header is what the archive claims."""

    def __init__(self, file: IO[bytes], unpacked: UnpackedFolder) -> None:
        self._file, self._unpacked = file, unpacked

    def read(self, size: int = -1) -> bytes:
        """Read so many bytes."""
        if not 0 <= size <= MAX_TAR_HEADER_BYTES:
            raise self._unpacked.damaged
        return self._file.read(size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def unpack_collection(path: Path, folder: Path, limit: int) -> Path:
    """Write the files of a zip or tar file below a new folder.

    Returns the folder with the files, which is the only folder in the archive where nothing is next to it.
    """
    with path.open("rb") as file:
        start = file.read(TAR_BLOCK)
    is_zip = start.startswith(ZIP_STARTS)
    if not is_zip and not start.startswith(tuple(OPENERS)) and not start.startswith(TAR_MARK, TAR_MARK_PLACE):
        raise InputError("this is not an archive; expected a zip or tar file", path.name)
    (unzip if is_zip else untar)(path, folder, limit)
    while len(entries := [*folder.iterdir()]) == 1 and entries[0].is_dir():
        folder = entries[0]
    return folder


def is_clutter(name: str) -> bool:
    """Whether a member is what systems add to archives by themselves.

    >>> is_clutter("__MACOSX/._a.txt"), is_clutter("notes/.DS_Store"), is_clutter("notes/a.txt")
    (True, True, False)
    """
    return name.startswith("__MACOSX/") or name.rpartition("/")[2] in (".DS_Store", "Thumbs.db", "desktop.ini")


def _is_own_folder(name: str) -> bool:
    """Whether a member is the folder of the archive itself, as in `tar -C folder .`.

    >>> _is_own_folder("./"), _is_own_folder(""), _is_own_folder("a/")
    (True, False, False)
    """
    return name in (".", "./")
