"""Commands on a Dask cluster beside one process: the same bits, and what each worker needs.

    python -m benchmarks.scale make FOLDER       a synthetic collection: FOLDER/qrels, FOLDER/teams.tsv and FOLDER/runs
    python -m benchmarks.scale overhead          what a block costs here, to send and to get back
    python -m benchmarks.scale QRELS RUNS... [COMMAND...] [NUMBER...] [--teams=TSV --depth=K]
                                                 every command in one process (0), and on one, two and three workers

On three workers one is killed when the first block is done. For each: CPU seconds here and of the workers, seconds in
all, the largest memory of the process here, of each worker and of the scheduler, and whether the output is that of one
process. Of a worker that was killed it is the memory until then.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

TOPICS, RUNS, TEAMS, DEPTH, CANDIDATES, POOLED = 2000, 100, 5, 100, 300, 10
COMMANDS = {
    "evaluate": "-m AP -m nDCG@10",
    "reusability": f"--depth {POOLED} -m AP",
    "depths": f"--depth {POOLED} -m AP",
    "compare": "--test permutation --samples 2000 -m AP",
    "stability": "-m AP",
    "pool simulate": f"--by team --method take,rrf --budgets 20 --depth {POOLED} --workers 1",
}
RAN = "import sys; from benchmarks.scale import command; command(*sys.argv[1:])"


class ResourceUse(NamedTuple):
    """What a process used."""

    seconds: float  # of a processor
    megabytes: float  # at most


def make(folder: Path, seed: int = 0) -> None:
    """A synthetic collection whose runs are noisy versions of one ranking, pooled and judged to a depth."""
    from cranfield.arrays.rankings import Runs, Vocabulary
    from cranfield.formats.runs.partitioned import write_parts

    draw, qids = np.random.default_rng(seed), [f"q{topic:06}" for topic in range(TOPICS)]
    noise = draw.uniform(0.2, 1.5, (RUNS, 1))
    document = np.zeros((RUNS, TOPICS, DEPTH), np.int32)
    (folder / "runs").mkdir(parents=True)
    with (folder / "qrels").open("w") as qrels:
        for topic, qid in enumerate(qids):
            value = -np.arange(CANDIDATES) / 50 + draw.normal(size=(RUNS, CANDIDATES)) * noise
            order = np.argsort(-value, axis=1)[:, :DEPTH]
            document[:, topic] = order + topic * CANDIDATES
            for one in np.unique(order[:, :POOLED]).tolist():
                qrels.write(f"{qid} 0 {qid}-{one:04} {int(draw.random() < np.exp(-one / 40))}\n")
    docnos = [f"{qid}-{number:04}" for qid in qids for number in range(CANDIDATES)]
    tags = tuple(f"run{number:04}" for number in range(RUNS))
    teams = (f"{tag}\tteam{number % TEAMS}\tyes\n" for number, tag in enumerate(tags))
    (folder / "teams.tsv").write_text("run\tteam\tpooled\n" + "".join(teams))
    run, topic, rank = (column.ravel() for column in np.indices(document.shape, np.int32))
    columns: Any = run, topic, document.ravel(), DEPTH - rank.astype(float)
    write_parts(folder / "runs", Runs(tags, Vocabulary(qids), Vocabulary(docnos), *columns))


def overhead(number: int = 2000) -> None:
    """CPU milliseconds here per block of next to no work."""
    from cranfield.cluster import cluster
    from cranfield.parallel import map_blocks

    with tempfile.TemporaryDirectory() as folder, workers(2, Path(folder)) as (address, _), cluster(address):
        start = time.process_time()
        assert list(map_blocks(abs, [(-one,) for one in range(number)])) == list(range(number))
        print(f"{1000 * (time.process_time() - start) / number:.1f} ms per block")


def used(process: int | str) -> ResourceUse:
    """What a running process has used so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    status = Path(f"/proc/{process}/status").read_text()
    peak = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    return ResourceUse((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), int(peak) / 1024)


@contextmanager
def workers(number: int, folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler's address, and the processes: the scheduler, then its workers."""
    from distributed import Client

    file, plain = Path(tempfile.mkdtemp(dir=folder), "scheduler.json"), ["--host", "127.0.0.1", "--no-dashboard"]
    dask = [sys.executable, "-m", "dask"]
    several = [[*dask, "scheduler", "--port", "0", *plain, "--scheduler-file", str(file)]]
    threads = ["--nthreads", "1", "--no-nanny", "--local-directory", str(folder)]
    several += [[*dask, "worker", *plain, *threads, "--scheduler-file", str(file)]] * number
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    processes = [
        subprocess.Popen(one, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for one in several
    ]
    try:
        with Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(number, timeout=120)
            address = client.scheduler.address
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def command(address: str, kill: str, *arguments: str) -> None:
    """Run a command of cranfield; `kill` is the process to kill when the first block is done, if any."""
    from cranfield import cluster
    from cranfield.cli.program import main

    @contextmanager
    def bar(what: str, total: int) -> Iterator[object]:
        def advance(steps: int) -> None:
            nonlocal kill
            if kill:
                print(f"{used(kill).megabytes:.0f}", file=sys.stderr)
                os.kill(int(kill), signal.SIGKILL)
                kill = ""

        yield advance

    sys.argv = ["cranfield", *arguments, *(["--cluster", address] if address else [])]
    try:
        with patch.object(cluster, "progress_bar", bar):
            main()
    finally:
        print(*used("self"), file=sys.stderr)


def measure(words: list[str], out: Path, number: int, folder: Path) -> str:
    """One command, on so many workers; 0 is one process."""
    if not number:
        return _run("", "", [*words, "-o", str(out)])
    with workers(number, folder) as (address, (scheduler, *processes)):
        before = [used(process.pid).seconds for process in processes]
        victim = str(processes[-1].pid) if number > 2 else ""
        here = _run(address, victim, [*words, "-o", str(out)])
        after = [used(process.pid) for process in (processes[:-1] if victim else processes)]
        cpu = " ".join(f"{one.seconds - start:.1f}" for one, start in zip(after, before, strict=False))
        memory = " ".join(f"{one.megabytes:.0f}" for one in after)
        return f"{here}; workers {cpu} s CPU, {memory} MB; scheduler {used(scheduler.pid).megabytes:.0f} MB"


def _run(address: str, victim: str, words: list[str]) -> str:
    start = time.monotonic()
    ran = subprocess.run([sys.executable, "-c", RAN, address, victim, *words], stderr=subprocess.PIPE, text=True)  # noqa: PLW1510
    lines = ran.stderr.strip().splitlines()
    if ran.returncode:
        return " ".join(lines[-2:])
    cpu, peak = lines[-1].split()
    loss = next((f", killed a worker of {line} MB" for line in lines if victim and line.isdigit()), "")
    return f"{time.monotonic() - start:.1f} s, here {float(cpu):.1f} s CPU, {float(peak):.0f} MB{loss}"


def compare(source: list[str], only: list[str], numbers: list[int], about: list[str]) -> None:
    """Commands, on so many workers each; the first number is what the others are compared with."""
    with tempfile.TemporaryDirectory() as folder:
        for name in only or COMMANDS:
            outs = [Path(folder, f"{name}{number}") for number in numbers]
            for number, out in zip(numbers, outs, strict=True):
                pooled = about if "--depth" in COMMANDS[name] else []
                words = [*name.split(), *source, *COMMANDS[name].split(), *pooled, "--format", "json"]
                line = measure(words, out, number, Path(folder))
                same = out.exists() and outs[0].exists() and out.read_bytes() == outs[0].read_bytes()
                print(f"{name}, {number or 'no'} workers: {line}; {'same' if same else 'DIFFERENT'}", flush=True)


if __name__ == "__main__":
    if not sys.argv[1:] or "--help" in sys.argv:
        raise SystemExit(__doc__)
    about, given = ([one for one in sys.argv[1:] if one.startswith("--") is so] for so in (True, False))
    if given[0] == "make":
        make(Path(given[1]))
    elif given[0] == "overhead":
        overhead()
    else:
        of = [int(one) for one in given if one.isdigit()] or [0, 1, 2, 3]
        names = [one for one in given if one in COMMANDS]
        compare([one for one in given if one not in COMMANDS and not one.isdigit()], names, of, about)
