"""`python -m benchmarks`: cranfield beside its peers, in turn, as ratios."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.data import Shape, made
from benchmarks.tasks import OURS

BARE = "import typer\napp = typer.Typer()\n@app.command()\ndef main() -> None:\n    ...\napp()\n"
GROWTH = {"runs": (25, 50, 100), "topics": (25, 50, 100), "depth": (500, 1000, 2000), "pool": (25, 50, 100)}
LEFT_OUT = 3  # how many runs the obvious loop leaves out; the rest is extrapolated


class Timed(NamedTuple):
    """One process: seconds of work (if it says so) and in all, peak memory in MB."""

    work: float
    process: float
    memory: float


def timed(command: list[str], **environment: str) -> Timed:
    """Run a command to its end."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **environment}
    ) as child:
        assert child.stdout
        said = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    process = time.perf_counter() - start
    if child.returncode:
        sys.exit(f"{' '.join(command[:6])} ... failed")
    work = json.loads(said)["work"] if said.startswith('{"work"') else process
    return Timed(work, process, usage.ru_maxrss / 1024)


def task(name: str, *arguments: object) -> list[str]:
    """The command of a task."""
    return [sys.executable, "-m", "benchmarks.tasks", name, *map(str, arguments)]


def in_turn(commands: dict[str, list[str]], repeat: int) -> dict[str, Timed]:
    """Each command `repeat` times, in turn; the quietest of each."""
    rounds: dict[str, list[Timed]] = {name: [] for name in commands}
    for _ in range(repeat):
        for name, command in commands.items():
            rounds[name].append(timed(command))
    return {name: Timed(*(min(column) for column in zip(*runs, strict=True))) for name, runs in rounds.items()}


def show(title: str, found: dict[str, Timed], base: str, scale: dict[str, float] | None = None) -> None:
    """A table with the ratio to `base`; `scale` extrapolates the work of some."""
    print(f"\n{title}\n{'':32}{'work s':>9}{'ratio':>9}{'process s':>11}{'peak MB':>9}")
    work = {name: found[name].work * (scale or {}).get(name, 1) for name in found}
    for name, timing in found.items():
        ratio = work[name] / work[base]
        print(f"{name:32}{work[name]:9.3f}{ratio:9.1f}{timing.process:11.3f}{timing.memory:9.0f}")


def installed(module: str) -> bool:
    """Whether a peer is here."""
    return importlib.util.find_spec(module) is not None


def files_to_scores(qrels: Path, runs: list[Path], repeat: int) -> None:
    """Run files to seven measures."""
    store = qrels.with_name("track.db")
    cli = [sys.executable, "-m", "cranfield"]
    subprocess.run([*cli, "init", store, "--name", "benchmark", "--scale", "0=no,1=yes,2=very"], check=True)
    subprocess.run([*cli, "import", "runs", store, *runs], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*cli, "import", "qrels", store, qrels], check=True, stdout=subprocess.DEVNULL)
    commands = {
        "cranfield, from the store": task("cranfield_store", store),
        "cranfield, from files": task("cranfield_files", qrels, *runs),
    }
    for peer, module in {"pytrec_eval": "pytrec_eval", "ir_measures": "ir_measures", "ranx": "ranx"}.items():
        if installed(module):
            commands[peer] = task(f"{peer}_files", qrels, *runs)
    if trec_eval := shutil.which("trec_eval"):
        measures = "-m map -m ndcg_cut.10 -m P.10 -m recip_rank -m Rprec -m bpref -m recall.1000"
        loop = f'for run; do "{trec_eval}" -c {measures} "{qrels}" "$run"; done'
        commands["trec_eval, a process a run"] = ["sh", "-c", loop, "sh", *map(str, runs)]
    found = in_turn(commands, repeat)
    show(f"{len(runs)} runs, files to seven measures", found, "cranfield, from files")


def leave_one_out(qrels: Path, runs: list[Path], repeat: int) -> None:
    """Leave each run out of a depth-100 pool, AP of everybody anew."""
    commands = {"cranfield": task("cranfield_leave_one_out", qrels, *runs)}
    if installed("pytrec_eval"):
        commands["the loop over pytrec_eval"] = task("pytrec_eval_leave_one_out", qrels, LEFT_OUT, *runs)
    found = in_turn(commands, repeat)
    title = f"leave-one-run-out over {len(runs)} runs (without reading; the loop extrapolated from {LEFT_OUT} runs)"
    show(title, found, "cranfield", {"the loop over pytrec_eval": len(runs) / LEFT_OUT})


def one_run(qrels: Path, runs: list[Path], repeat: int) -> None:
    """One run by the commands, from start to end."""
    options = [word for measure in OURS for word in ("-m", measure)]
    commands = {"cranfield evaluate": [command("cranfield"), "evaluate", str(qrels), str(runs[0]), *options]}
    if installed("ir_measures"):
        commands["ir_measures"] = [command("ir_measures"), str(qrels), str(runs[0]), *OURS]
    show("one run, command line to printed scores", in_turn(commands, repeat + 2), "cranfield evaluate")


def command(name: str) -> str:
    """The program of this name, first of all that of this Python."""
    folders = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return shutil.which(name, path=folders) or name


def help_page(qrels: Path, runs: list[Path], repeat: int) -> None:
    """--help beside a bare typer program."""
    bare = qrels.with_name("bare.py")
    bare.write_text(BARE)
    commands = {
        "a bare typer program": [sys.executable, str(bare), "--help"],
        "cranfield --help": [command("cranfield"), "--help"],
    }
    show("--help", in_turn(commands, repeat + 2), "a bare typer program")


def growth(qrels: Path, runs: list[Path], repeat: int) -> None:
    """How work grows with runs, topics, depth and judgments: the slope of log work on log size."""
    from math import log

    for name in ("cranfield_files", "cranfield_leave_one_out"):
        print(f"\ngrowth of work, {name} (slope on log-log axes; 1 is proportional)")
        for what, sizes in GROWTH.items():
            seconds = [of_shape(name, Shape(**{"runs": 40, what: size}), repeat) for size in sizes]
            slope = statistics.linear_regression([log(size) for size in sizes], [log(s) for s in seconds]).slope
            told = "  ".join(f"{size}: {s:.3f} s" for size, s in zip(sizes, seconds, strict=True))
            print(f"{what:8}{slope:6.2f}   {told}")


def of_shape(name: str, shape: Shape, repeat: int) -> float:
    """The quietest work of a task on data of this shape."""
    with tempfile.TemporaryDirectory() as folder:
        qrels, runs = made(Path(folder), shape)
        return in_turn({name: task(name, qrels, *runs)}, repeat)[name].work


COMPARISONS = {f.__name__: f for f in (files_to_scores, leave_one_out, one_run, help_page, growth)}


def main() -> None:
    """Make the data, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    for name, default in {"runs": 100, "topics": 50, "depth": 1000, "repeat": 3}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--only", choices=COMPARISONS)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        qrels, runs = made(Path(folder), Shape(chosen.runs, chosen.topics, chosen.depth))
        print(f"{chosen.runs} runs x {chosen.topics} topics x {chosen.depth} documents, {os.cpu_count()} processors")
        for name, comparison in COMPARISONS.items():
            if chosen.only in (None, name):
                comparison(qrels, runs, chosen.repeat)


if __name__ == "__main__":
    main()
