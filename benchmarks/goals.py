"""`python -m benchmarks.goals`: what import, a store and leaving runs out cost, each figure with its goal.

It takes half a minute, with fewer topics and shorter rankings than the goals are set for; `--full` has their size. It
measures seconds of CPU, in turn with pytrec_eval where that is installed, and prints the least of each. It only prints.

Opening is the first `Store.open` of a process, of the store with runs and judgments: the CPU of the thread that opens
it. Threads that NumPy starts when it is imported may spin meanwhile, which doubles the CPU of the process.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.data import Shape, make_apart
from benchmarks.file_shapes import FILE_TASKS, SEVEN, OneRun
from benchmarks.peers import PEERS
from benchmarks.rows import CRANFIELD, MS_MARCO
from benchmarks.timing import Timing, in_turn

PEER = "pytrec_eval"
LARGE, TWENTY = "import 1 run", "import 20 runs"
HUNDRED, LEFT_OUT, OPENING = "evaluate 100 runs in a store", "leave out each of 100 runs", "open a store"
GOALS = {LARGE: f"1.5 of {PEER}", TWENTY: f"0.7 of {PEER}", HUNDRED: "0.45 s", LEFT_OUT: "1.2 s", OPENING: "3.7 ms"}
SIZES = {  # topics of 1,000 documents; of the last, documents of 50 topics
    False: {LARGE: 1000, TWENTY: 50, HUNDRED: 100},
    True: {LARGE: 6980, TWENTY: 200, HUNDRED: 1000},
}
OPEN = """
import json, sys, time
from cranfield.store.store import Store
start = time.thread_time()
store = Store.open(sys.argv[1])
print(json.dumps({"work": time.thread_time() - start}))
store.close()
"""
AFRESH = 'rm -f "$1"-* && cp "$0" "$1" && shift && exec "$@"'


def measure(root: Path, sizes: Mapping[str, int], rounds: int) -> Iterator[tuple[str, str]]:
    """Measure each figure; its name and what was found."""
    qrels, runs = write_large(root, sizes[LARGE])
    yield LARGE, ratio(import_beside_peer(root, qrels, runs, FILE_TASKS[MS_MARCO].measures), rounds)
    qrels, runs = make_in(root / "twenty", Shape(20, sizes[TWENTY], 1000))
    yield TWENTY, ratio(import_beside_peer(root, qrels, runs, SEVEN), rounds)
    qrels, runs = make_in(root / "hundred", Shape(100, 50, sizes[HUNDRED]))
    store = str(filled_store(root, qrels, runs))
    measures = [word for measure in SEVEN for word in ("-m", measure)]
    commands = {
        HUNDRED: [*CRANFIELD, "evaluate", store, *measures],
        LEFT_OUT: [*CRANFIELD, "reusability", store, "--by", "run", "--depth", "100", "-m", "AP"],
        OPENING: [sys.executable, "-c", OPEN, store],
    }
    for name, timing in in_turn(commands, rounds).items():
        yield name, f"{timing.cpu:.2f} s" if timing.work is None else f"{1000 * timing.work:.1f} ms"


def lines_of(sizes: Mapping[str, int], name: str) -> str:
    """How many lines each run has."""
    size = sizes[HUNDRED] * 50 if name not in sizes or name == HUNDRED else sizes[name] * 1000
    return f"{size:,} lines"


def write_large(root: Path, topics: int) -> tuple[Path, list[Path]]:
    """One run of this many topics, written by a process of its own."""
    folder = root / "large"
    folder.mkdir()
    shape = FILE_TASKS[MS_MARCO].shape
    assert isinstance(shape, OneRun)
    lines = f"from benchmarks.file_shapes import *; write(Path(sys.argv[1]), {replace(shape, topics=topics)!r})"
    subprocess.run([sys.executable, "-c", lines, str(folder)], check=True)
    return folder / "qrels.txt", [folder / "run.txt"]


def make_in(folder: Path, shape: Shape) -> tuple[Path, list[Path]]:
    """The files of a shape in a new folder."""
    folder.mkdir()
    return make_apart(folder, shape)


def import_beside_peer(root: Path, qrels: Path, runs: Sequence[Path], measures: Sequence[str]) -> dict[str, list[str]]:
    """The command that imports runs into an empty store, and the peer's that reads and scores them."""
    empty, store = root / "empty.db", str(root / "imported.db")
    if not empty.exists():
        run_quietly("init", str(empty), "--name", "benchmark")
    files = [str(run) for run in runs]
    commands = {"cranfield": ["sh", "-c", AFRESH, str(empty), store, *CRANFIELD, "import", "runs", store, *files]}
    if PEER in PEERS:
        commands[PEER] = [sys.executable, "-m", "benchmarks.peers", PEER, ",".join(measures), str(qrels), *files]
    return commands


def filled_store(root: Path, qrels: Path, runs: Sequence[Path]) -> Path:
    """A store of these files."""
    store = root / "track.db"
    run_quietly("init", str(store), "--name", "benchmark", "--scale", "0=no,1=yes,2=very")
    run_quietly("import", "runs", str(store), *map(str, runs))
    run_quietly("import", "qrels", str(store), str(qrels))
    return store


def run_quietly(*words: str) -> None:
    """Run a command of cranfield."""
    subprocess.run([*CRANFIELD, *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def ratio(commands: Mapping[str, Sequence[str]], rounds: int) -> str:
    """The seconds of CPU, as a ratio to the peer's where it is there."""
    timings = in_turn(commands, rounds)
    ours = timings["cranfield"]
    return beside(ours, timings[PEER]) if PEER in timings else f"{ours.cpu:.2f} s; {PEER} is not installed"


def beside(ours: Timing, theirs: Timing) -> str:
    """One timing beside the peer's.

    >>> beside(Timing(2.0, 1.5, 90.0), Timing(2.0, 1.0, 90.0))
    '1.50 of pytrec_eval (1.50 s and 1.00 s)'
    """
    return f"{ours.cpu / theirs.cpu:.2f} of {PEER} ({ours.cpu:.2f} s and {theirs.cpu:.2f} s)"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print each figure with its goal."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.goals", description=__doc__)
    parser.add_argument("--full", action="store_true", help="the size that the goals are set for")
    parser.add_argument("--rounds", type=int, default=2, help="how often each command is run")
    args = parser.parse_args(arguments)
    if PEER not in PEERS:
        print(f"{PEER} is not installed, so imports have no ratio; `pip install pytrec_eval-terrier` installs it")
    sizes = SIZES[args.full]
    print(f"seconds of CPU, the least of {args.rounds}; {'full' if args.full else 'reduced'} size")
    with TemporaryDirectory() as folder:
        for name, found in measure(Path(folder), sizes, args.rounds):
            print(f"{name} ({lines_of(sizes, name)} a run): {found}; goal at full size: {GOALS[name]}", flush=True)


if __name__ == "__main__":
    main()
