"""Many inputs at a time, in a child: whatever it does, which input it was is known."""

from __future__ import annotations

import json
import mmap
import os
import resource
import signal
import struct
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep

from tests.hardening.fuzz import SECONDS, outcome
from tests.hardening.readers import Reader
from tests.memory import memory

MEGABYTES = 900  # that an input may take beside what the program has without it
GRACE = 30  # times as long as an input may take, for what hears no signal or waits, on a busy machine


@dataclass
class Tally:
    """What came of some tries: how many were done, and refused, what went wrong by seed, the slowest, the memory."""

    tries: int = 0
    refusals: int = 0
    seconds: float = 0.0
    wrong: list[tuple[int, str]] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, 0)
    megabytes: float = 0.0

    def add(self, other: Tally) -> None:
        """Add another one's."""
        self.tries, self.refusals = self.tries + other.tries, self.refusals + other.refusals
        self.seconds += other.seconds
        self.wrong += other.wrong
        self.slowest = max(self.slowest, other.slowest)
        self.megabytes = max(self.megabytes, other.megabytes)

    def note(self, seed: int, what: str, seconds: float) -> None:
        self.tries, self.seconds = self.tries + 1, self.seconds + seconds
        self.refusals += what == "refused"
        if what not in ("", "read", "refused"):
            self.wrong.append((seed, what))
        self.slowest = max(self.slowest, (seconds, seed))


def in_a_child(reader: Reader, seeds: range) -> Tally:
    """Read the inputs of these seeds; one that ends the child, or keeps it for ever, is wrong, and it goes on after."""
    whole = Tally()
    while seeds:
        tally, died = _batch(reader, seeds)
        if died is not None:  # and what it had found with it
            whole.add(in_a_child(reader, range(seeds.start, died)))
        whole.add(tally)
        seeds = range(seeds.stop if died is None else died + 1, seeds.stop)
    return whole


def _batch(reader: Reader, seeds: range) -> tuple[Tally, int | None]:
    """What came of them, and the seed at which the child ended, if it did before it was done."""
    at = mmap.mmap(-1, 8)
    with tempfile.TemporaryDirectory(dir=memory()) as folder:
        file = Path(folder) / "told"
        child = os.fork()
        if not child:
            _read_all(reader, seeds, Path(folder), file, at)
        status, tally = _watch(child, at), Tally()
        if status == 0:
            return _tally(json.loads(file.read_text())), None
    seed = struct.unpack("q", at[:8])[0]
    tally.note(seed, f"the process ended with {status}", 0.0)
    return tally, seed


def _tally(fields: dict[str, object]) -> Tally:
    tally = Tally(**fields)  # type: ignore[arg-type]
    tally.wrong = [(seed, what) for seed, what in tally.wrong]
    tally.slowest = (tally.slowest[0], tally.slowest[1])
    return tally


def _read_all(reader: Reader, seeds: range, folder: Path, file: Path, at: mmap.mmap) -> None:
    """What the child does; it never comes back."""
    try:
        tally, place = Tally(), folder / "in"
        place.mkdir()
        limit = data_held() + MEGABYTES * 1024**2
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))  # beyond it there is a MemoryError
        for seed in seeds:
            at[:8] = struct.pack("q", seed)
            tally.note(seed, *outcome(reader, seed, place))
        tally.megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        file.write_text(json.dumps(vars(tally)))
        os._exit(0)
    finally:
        os._exit(70)


def data_held() -> int:
    """The bytes that this process has for its data."""
    status = Path("/proc/self/status")
    sizes = (
        [line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmData")]
        if status.exists()
        else []
    )
    return int(sizes[0]) * 1024 if sizes else 1 << 33


def _watch(child: int, at: mmap.mmap) -> int:
    """Wait for a child; one that stays at the same input for long is killed."""
    seed, since = at[:8], monotonic()
    while True:
        process, status = os.waitpid(child, os.WNOHANG)
        if process:
            return os.waitstatus_to_exitcode(status)
        if at[:8] != seed:
            seed, since = at[:8], monotonic()
        if monotonic() - since > GRACE * SECONDS:
            os.kill(child, signal.SIGKILL)
        sleep(0.002)
