"""`python -m benchmarks.hardening --minutes N`: bad bytes, kills, storms of processes and full disks, without end.

Every try has a name and a seed, and the two alone repeat it: `--only NAME --seed S --minutes 0`. A fuzzed input is
read in a child process; it may be read or refused, in 10 seconds and 1,000 MB. A command is killed, or runs out of
disk, at any moment; then the store holds, everything acknowledged is there, and all or nothing of the command
happened. A store that came to harm, in its cells, rows or bytes, gives an answer or a line, whatever reads it; `store
verify` sees each cell that was changed by hand except those in docs/operate/sql.md. A folder with loops, pipes, devices
and odd names is read or refused in one line, and nothing outside of it is touched. A call of a language model ends in
time and leads nowhere else, whatever its server sends. Of a published folder one file is changed and the checksums are
recomputed: `publish check` finds it. Without --seed the clock gives it. The code is in tests/hardening/, where the same
is done for a few seconds.
"""

import argparse
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic, time

from tests.hardening import cells, damage, disks, folders, kills, published, readers, servers, storms
from tests.hardening.batches import Tally, in_a_child
from tests.hardening.forks import warm
from tests.hardening.kills import Field
from tests.memory import memory

TURN, MOST = 2.0, 5000  # seconds of a turn, and how many tries it has at most
FIRST = {"fuzz": 50}  # tries of a first turn, of others 1
HASHES = "PYTHONHASHSEED"
Turn = Callable[[range], Tally]  # of some seeds


def tries(field: Field) -> dict[str, Turn]:
    """All that can be tried, by name."""
    writers = kills.table().items()
    turns: dict[str, Turn] = {f"fuzz {name}": partial(in_a_child, reader) for name, reader in readers.table().items()}
    turns |= {f"kill {name}": partial(tally_of, partial(field.kill, writer)) for name, writer in writers}
    turns |= {f"disk {name}": partial(tally_of, partial(disks.full_file, field, writer)) for name, writer in writers}
    if disks.can_mount():
        turns |= {f"full {name}": partial(tally_of, partial(disks.full, field, writer)) for name, writer in writers}
    turns["harm"] = partial(tally_of, damage.trial(field.root))
    turns["cell"] = partial(tally_of, cells.trial(field.root))
    turns["folder"] = partial(tally_of, folders.Folders(field).fault)
    turns["server"] = partial(tally_of, servers.ask)
    turns["publish"] = partial(tally_of, published.trial(field.root))
    return turns | {"storm": partial(tally_of, partial(storms.storm, field))}


def tally_of(what: Callable[[int], str], seeds: range) -> Tally:
    """A turn of what tells what is wrong."""
    tally = Tally()
    for seed in seeds:
        start = monotonic()
        tally.note(seed, what(seed), monotonic() - start)
    return tally


def _go_on(tallies: dict[str, Tally], turns: Mapping[str, Turn], seed: int, minutes: float) -> None:
    until = monotonic() + 60 * minutes
    while monotonic() < until or not minutes:
        for name, turn in turns.items():
            first = seed + tallies[name].tries
            new = turn(range(first, first + (_size(name, tallies[name]) if minutes else 1)))
            tallies[name].add(new)
            for which, what in new.wrong:
                print(f"wrong: --only {name!r} --seed {which} --minutes 0: {what}", flush=True)
            if minutes and monotonic() >= until:
                break
        if not minutes:
            break
        progress(tallies, until)


def _size(name: str, tally: Tally) -> int:
    """How many tries the next turn has."""
    if not tally.tries:
        return FIRST.get(name.partition(" ")[0], 1)
    return int(min(max(TURN * tally.tries / max(tally.seconds, 1e-3), 1), MOST, 10 * tally.tries))


def progress(tallies: Mapping[str, Tally], until: float) -> None:
    """A line on how far it is."""
    counts = {kind: sum(t.tries for name, t in tallies.items() if name.startswith(kind)) for kind in KINDS}
    kinds = ", ".join(f"{count:,} {KINDS[kind]}" for kind, count in counts.items() if count)
    wrong = sum(len(tally.wrong) for tally in tallies.values())
    print(f"{kinds}; {wrong} wrong; {max(until - monotonic(), 0) / 60:.0f} minutes left", file=sys.stderr, flush=True)


def show(tallies: Mapping[str, Tally], seed: int) -> None:
    """A table of what came of it all."""
    print(
        f"\nfrom seed {seed}\n{'':60}{'tried':>9}{'refused':>9}{'wrong':>7}{'longest s':>11}{'seed':>12}{'peak MB':>9}"
    )
    for name, tally in tallies.items():
        row(name, tally)
    for kind, what in KINDS.items():
        whole = Tally()
        for name, tally in tallies.items():
            if name.startswith(kind):
                whole.add(tally)
        if whole.tries:
            row(f"all {what}", whole)


def row(name: str, tally: Tally) -> None:
    """A line of the table."""
    seconds, seed = tally.slowest
    print(
        f"{name[:58]:60}{tally.tries:9}{tally.refusals:9}{len(tally.wrong):7}{seconds:11.3f}{seed:12}{tally.megabytes:9.0f}"
    )


KINDS = {
    "fuzz": "inputs",
    "kill": "kills",
    "disk": "bounded files",
    "full": "full disks",
    "harm": "harmed stores",
    "cell": "cells changed by hand",
    "folder": "hostile folders",
    "server": "servers of models",
    "publish": "changed published folders",
    "storm": "storms",
}


def main() -> None:
    """Try, and print what was tried; exit 1 if anything was wrong."""
    if os.environ.get(HASHES) != "0":  # the order of sets is part of what a seed repeats
        os.execve(
            sys.executable, [sys.executable, "-m", "benchmarks.hardening", *sys.argv[1:]], {**os.environ, HASHES: "0"}
        )
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hardening", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="how long; 0: every name once")
    parser.add_argument("--seed", type=int, help="the first seed; by default the clock's")
    parser.add_argument("--only", action="append", help="names that begin so: fuzz, 'fuzz votes', kill, storm, ...")
    args = parser.parse_args()
    seed = int(time()) % 1_000_000 * 1000 if args.seed is None else args.seed
    with tempfile.TemporaryDirectory(dir=memory()) as folder:
        field = Field(Path(folder))
        turns = {name: turn for name, turn in tries(field).items() if name.startswith(tuple(args.only or [""]))}
        if not turns:
            parser.error(f"nothing begins with {args.only}; there are {', '.join(tries(field))}")
        warm()
        if any(not name.startswith(("fuzz", "harm", "cell", "server", "publish")) for name in turns):
            field.ready()
        tallies = {name: Tally() for name in turns}
        with suppress(KeyboardInterrupt):
            _go_on(tallies, turns, seed, args.minutes)
    show(tallies, seed)
    sys.exit(any(tally.wrong for tally in tallies.values()))


if __name__ == "__main__":
    main()
