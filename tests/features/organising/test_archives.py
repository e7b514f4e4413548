"""Zip and tar files that strangers made: taken apart within limits, or refused whole."""

import io
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from cranfield.errors import InputError
from cranfield.features.organising import archives
from cranfield.features.organising.archives import unpack_collection

Member = tuple[str | tarfile.TarInfo, bytes]
LIMIT = 1 << 32


def tar_of(*members: Member, mode: Any = "w") -> bytes:
    """A tar file with these files; a TarInfo stays as it is, but for the size of a file."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode=mode) as archive:
        for member, data in members:
            info = tarfile.TarInfo(member) if isinstance(member, str) else member
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return content.getvalue()


def special(name: str, kind: bytes, target: str = "") -> tuple[tarfile.TarInfo, bytes]:
    """A member that is not a file, such as a link."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info, b""


def header(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    """The header of a member, whatever follows it."""
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    return info.tobuf(tarfile.GNU_FORMAT)


def with_size(block: bytes, size: bytes) -> bytes:
    """A header with other bytes for its size, and the checksum that they need."""
    changed = block[:124] + size + block[136:148] + b" " * 8 + block[156:]
    return changed[:148] + b"%06o\0 " % sum(changed) + changed[156:]


def encrypted_zip() -> bytes:
    """A zip that says of its file that it is encrypted."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("a.txt", b"x")
    plain = content.getvalue()
    central = plain.index(b"PK\x01\x02")
    return plain[: central + 8] + b"\x01\x00" + plain[central + 10 :]


def zip_of(*members: tuple[str, bytes]) -> bytes:
    """A zip with these files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return content.getvalue()


TWO = (("a.txt", b"hello"), ("b/c.txt", b"x" * 3000))
END = bytes(1024)
SYMLINK, HARD_LINK = tarfile.SYMTYPE, tarfile.LNKTYPE
HOSTILE = {
    "an absolute path": (tar_of(("/etc/x", b"y")), "expected paths inside"),
    "a path above": (tar_of(("a/../../x", b"y")), "expected paths inside"),
    "a path of another system": (tar_of(("C:\\x", b"y")), "expected paths inside"),
    "a folder above": (tar_of(special("../d", tarfile.DIRTYPE), ("a", b"x")), "expected paths inside"),
    "a folder above in a zip": (zip_of(("../d/", b""), ("a", b"x")), "expected paths inside"),
    "a control character": (tar_of(("a\x1b[2J", b"y")), "a control character"),
    "a symbolic link": (tar_of(special("a", SYMLINK, "/etc/passwd")), "a link or a device"),
    "a file through a link": (tar_of(special("a", SYMLINK, "/tmp"), ("a/b", b"x")), "a link or a device"),
    "a hard link": (tar_of(("b", b"x"), special("a", HARD_LINK, "b")), "a link or a device"),
    "a device": (tar_of(special("a", tarfile.CHRTYPE)), "a link or a device"),
    "a pipe": (tar_of(special("a", tarfile.FIFOTYPE)), "a link or a device"),
    "a file twice": (tar_of(("a", b"x"), ("a", b"y")), "occurs twice"),
    "a file as a folder": (tar_of(("a", b"x"), ("a/b", b"y")), "both a file and a folder"),
    "a deep path": (tar_of(("/".join("a" * 30), b"x")), "too long"),
    "much from little": (tar_of(("a", bytes(80 << 20)), mode="w:gz"), "larger than 64M bytes"),
    "a part of a file": (tar_of(*TWO)[:1600], "damaged or unsupported"),
    "no end": (tar_of(*TWO)[:1024], "damaged or unsupported"),
    "no end of gzip": (tar_of(*TWO, mode="w:gz")[:60], "damaged or unsupported"),
    "no gzip": (b"\x1f\x8b" + b"garbage" * 20, "damaged or unsupported"),
    "no bzip2": (b"BZh9" + b"garbage" * 20, "damaged or unsupported"),
    "no xz": (b"\xfd7zXZ\x00" + b"garbage" * 20, "damaged or unsupported"),
    "a damaged header": (tar_of(*TWO)[:1024] + b"\1" * 512 + END, "damaged or unsupported"),
    "a negative size": (with_size(header("a", 5), b"\xff" * 11 + b"\x00") + END, "damaged or unsupported"),
    "a header of a gigabyte": (header("x", 1 << 30, tarfile.XHDTYPE) + END, "damaged or unsupported"),
    "headers without end": (header("x", 0, tarfile.XHDTYPE) * 3000 + header("a", 0) + END, "damaged or unsupported"),
    "a password": (encrypted_zip(), "encrypted; expected a zip without a password"),
    "no files": (tar_of(special("a", tarfile.DIRTYPE)), "has no files"),
    "an empty tar file": (tar_of(), "expected a zip or tar file"),
    "no files in a zip": (zip_of(), "has no files"),
    "no archive": (b"no archive at all", "expected a zip or tar file"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_archive_is_refused(name: str, tmp_path: Path) -> None:
    """Nothing is written outside its folder, and no help file stays."""
    content, words = HOSTILE[name]
    path = tmp_path / "collection"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words):
        unpack_collection(path, tmp_path / "inside", LIMIT)
    assert {one.name for one in tmp_path.iterdir()} <= {"collection", "inside"}
    assert not any(one.is_symlink() for one in tmp_path.rglob("*"))


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_file_is_unpacked(mode: str, tmp_path: Path) -> None:
    """Compressed or not; the mark of the archive's own folder is skipped, and so is what systems add."""
    path = tmp_path / "collection"
    clutter = ("__MACOSX/._a.txt", b"x"), ("b/.DS_Store", b"x")
    path.write_bytes(tar_of(special(".", tarfile.DIRTYPE), special("b", tarfile.DIRTYPE), *TWO, *clutter, mode=mode))
    folder = unpack_collection(path, tmp_path / "inside", LIMIT)
    files = {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}
    assert files == dict(TWO)
    assert {one.name for one in tmp_path.iterdir()} == {"collection", "inside"}


@pytest.mark.parametrize("pack", [zip_of, tar_of])
def test_the_only_folder_of_an_archive_is_the_collection(pack: Any, tmp_path: Path) -> None:
    """However people pack a folder, with it or only its content, the files are found."""
    path = tmp_path / "collection"
    path.write_bytes(pack(("beir/wings/a.txt", b"x"), ("beir/wings/b.txt", b"y")))
    folder = unpack_collection(path, tmp_path / "inside", LIMIT)
    assert sorted(one.name for one in folder.iterdir()) == ["a.txt", "b.txt"]


@pytest.mark.parametrize("pack", [zip_of, tar_of])
def test_the_limits_hold_for_all_files_together(pack: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their number and their bytes."""
    path = tmp_path / "collection"
    path.write_bytes(pack(("a", b"x" * 600), ("b", b"y" * 600)))
    with pytest.raises(InputError, match="larger than 1000 bytes together"):
        unpack_collection(path, tmp_path / "bytes", 1000)
    monkeypatch.setattr(archives, "MAX_MEMBERS", 1)
    with pytest.raises(InputError, match="more than 1 files"):
        unpack_collection(path, tmp_path / "files", LIMIT)
