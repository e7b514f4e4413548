"""Every command that writes, on a disk that is full before it is done: it says so in one line, and all is as before."""

import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.hardening.forks import ERR, command, fork, wait_for
from tests.hardening.kills import Field, Writer

BALLAST = "ballast"
LEAST, MOST = 1 << 14, 1 << 19  # bytes of a file, or bytes that are left


def full_file(field: Field, writer: Writer, seed: int) -> str:
    """Run a writer where files can have so many bytes only; what is wrong then, nothing if all is well."""
    field.timing(writer)
    most = int(LEAST * (MOST / LEAST) ** Random(f"{writer.name} {seed}").random())
    with field.prepare(writer) as (here, stdin):

        def run() -> int:
            sys.dont_write_bytecode = True  # the limit would truncate the bytecode files
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            return command(writer.words.split())

        return _wrong(field, writer, here, wait_for(fork(run, here, field.log, stdin)))


def full(field: Field, writer: Writer, seed: int) -> str:
    """Run a writer on a file system with so many bytes left; what is wrong then, nothing if all is well."""
    field.timing(writer)
    room = int(LEAST * (MOST / LEAST) ** Random(f"{writer.name} {seed}").random())
    with field.prepare(writer) as (here, stdin), _mount(field.root / "disk", here, room) as there:
        code = wait_for(fork(lambda: command(writer.words.split()), there, field.log, stdin))
        (field.root / "disk" / BALLAST).unlink()  # somebody makes room
        return _wrong(field, writer, there, code)


def _wrong(field: Field, writer: Writer, here: Path, code: int) -> str:
    stderr = (field.log / ERR).read_text(errors="replace")
    errors = [line for line in stderr.splitlines() if line.startswith("error: ")]
    if code not in (0, 1) or (code == 1 and len(errors) != 1):
        return f"ends with {code} and says {stderr[-200:]!r}"
    return field.wrong(writer, here)


@contextmanager
def _mount(disk: Path, content: Path, room: int) -> Iterator[Path]:
    """A file system in memory with what is in a folder, and so many bytes more."""
    disk.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk], check=True, capture_output=True)
    try:
        there = disk / "here"
        shutil.copytree(content, there)
        free = shutil.disk_usage(disk).free
        with (disk / BALLAST).open("wb") as ballast:
            ballast.write(bytes(free - room))
        yield there
    finally:
        subprocess.run(["umount", disk], check=True, capture_output=True)


def can_mount() -> bool:
    """Whether this process may mount file systems."""
    probe = Path("/proc/self/status").read_text() if Path("/proc/self/status").exists() else ""
    powers = next((int(line.split()[1], 16) for line in probe.splitlines() if line.startswith("CapEff")), 0)
    return bool(powers & 1 << 21) and shutil.which("mount") is not None
