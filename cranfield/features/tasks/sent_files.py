"""Check a file that a team sent: unpack it within bounds and check its lines."""

from __future__ import annotations

import codecs
import os
from collections.abc import Generator
from hashlib import sha256
from io import BufferedReader, BytesIO
from typing import NamedTuple

from cranfield.errors import InputError, Path
from cranfield.features.tasks.checking import CheckedRun, RunRules, check_run
from cranfield.formats.files import format_byte_size, open_decompressed, parse_byte_size

RATIO = 200  # times its size that a file may unpack to


SMALL = 1 << 20  # bytes that any file may unpack to


PIECE = 1 << 16  # bytes of a line that are read at once


ARCHIVES = {b"PK\x03\x04": "a zip archive", b"7z\xbc\xaf'\x1c": "a 7z archive", b"Rar!": "a rar archive"}


PACKED = {
    b"\x1f\x8b": "gzip", b"\xfd7zXZ\0": "xz", b"BZh": "bzip2", b"\x28\xb5\x2f\xfd": "zstd", b"\x04\x22\x4d\x18": "lz4"
}  # fmt: skip


TAR = slice(257, 262), b"ustar"


MOST = "512M"  # unpacked


class SentFile(NamedTuple):
    """A file as it was sent and unpacked: sizes in bytes, hashes in hexadecimal digits."""

    bytes: int
    sha256: str
    unpacked: int
    unpacked_sha256: str


NOTHING_SENT = SentFile(0, "", 0, "")


class UnpackedLines:
    """The lines of a file within its bounds; hashes of it as it is and unpacked once all lines were read.

    A line that is far too long to be one of a run is cut. What is no run at all, or unpacks to too much, is refused.
    """

    def __init__(self, path: Path, most: int | None = None, content: bytes | None = None) -> None:
        self.path, self.content, self.most = path, content, parse_byte_size(MOST) if most is None else most
        self.sent = os.path.getsize(path) if content is None else len(content)
        self.raw, self.plain, self.size = sha256(), sha256(), 0

    def lines(self) -> Generator[bytes]:
        """Each line with its end."""
        with open_decompressed(self.path, self.raw, None if self.content is None else BytesIO(self.content)) as stream:
            head = stream.peek(512)
            what = next((name for start, name in ARCHIVES.items() if head.startswith(start)), "")
            what = what or ("a tar archive" if head[TAR[0]] == TAR[1] else "")
            twice = next((name for start, name in PACKED.items() if head.startswith(start)), "")
            if what or twice:
                wrong = what or f"compressed twice, with {twice} inside"
                raise InputError(f"{wrong}; expected one run as text, plain or compressed with gzip", self.path)
            for line in iter(lambda: self._line(stream), b""):
                yield line.removeprefix(codecs.BOM_UTF8) if self.size == len(line) else line

    def _line(self, stream: BufferedReader) -> bytes:
        start = piece = self._read(stream)
        while len(piece) == PIECE and not piece.endswith(b"\n"):
            piece = self._read(stream)
        return start

    def _read(self, stream: BufferedReader) -> bytes:
        piece = stream.readline(PIECE)
        self.plain.update(piece)
        self.size += len(piece)
        if self.size > self.most:
            raise InputError(
                f"unpacks to more than {format_byte_size(self.most)} bytes; expected a smaller run", self.path
            )
        if self.size > SMALL and self.size > RATIO * self.sent:
            raise InputError(
                f"unpacks to more than {RATIO} times its size; expected a run that was compressed once", self.path
            )
        if b"\0" in piece:
            raise InputError("binary data; expected one run as text, plain or compressed with gzip", self.path)
        return piece


def check_file(
    path: Path, rules: RunRules, most: int | None = None, content: bytes | None = None
) -> tuple[CheckedRun, SentFile]:
    """Check the run in a file, or in its `content`, and say what the file is. What holds no run is an InputError."""
    file = UnpackedLines(path, most, content)
    lines = file.lines()
    run = check_run(lines, rules)
    lines.close()
    return run, SentFile(file.sent, file.raw.hexdigest(), file.size, file.plain.hexdigest())
