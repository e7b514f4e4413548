"""What is measured: a row for each comparison, with its goal and the commands to run beside each other."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.data import Shape, make
from benchmarks.file_shapes import FILE_TASKS, SEVEN, OneRun, write
from benchmarks.peers import PEERS
from benchmarks.store_shapes import STORE_TASKS

Commands = dict[str, list[str]]
CRANFIELD = [sys.executable, "-m", "cranfield"]
HUNDRED, MS_MARCO = "100 runs of 50 topics", "MS MARCO dev"
LEFT_OUT = 3  # runs that the loop over pytrec_eval leaves out; the rest is extrapolated
SMALL = Shape(runs=3, topics=3, depth=20, pool=5)
BARE = "import typer\napp = typer.Typer()\n@app.command()\ndef main() -> None:\n    ...\napp()\n"


@dataclass(frozen=True)
class Row:
    """A comparison: `prepare` writes what is needed, small if quick, and says the commands, cranfield's first.

    `scale` says of how many times its work a command does a part.
    """

    name: str
    goal: str
    prepare: Callable[[Path, bool], Commands]
    scale: Mapping[str, float] = field(default_factory=dict)


def files(root: Path, name: str, quick: bool) -> tuple[Path, list[Path]]:
    """The qrels and runs of a shape from files, made once."""
    folder = root / name.replace(" ", "-")
    if not folder.exists():
        folder.mkdir()
        small(folder, FILE_TASKS[name].shape) if quick else FILE_TASKS[name].make(folder)
    return folder / "qrels.txt", sorted(folder.glob("run*.txt"))


def small(folder: Path, shape: Shape | OneRun) -> None:
    """Few lines, of this kind of shape."""
    if isinstance(shape, Shape):
        make(folder, SMALL)
    else:
        write(folder, replace(shape, topics=min(shape.topics, 3), depth=20, judged=2))


def from_files(name: str) -> Callable[[Path, bool], Commands]:
    """Files to printed means, whole processes."""
    return lambda root, quick: FILE_TASKS[name].commands(*files(root, name, quick))


def task(name: str, *arguments: object) -> list[str]:
    """The command of a task of benchmarks/tasks.py."""
    return [sys.executable, "-m", "benchmarks.tasks", name, *map(str, arguments)]


def store_of(root: Path, name: str, quick: bool) -> Path:
    """A store of a shape's runs and qrels, made once."""
    qrels, runs = files(root, name, quick)
    store = qrels.with_name("track.db")
    if not store.exists():
        commands: list[list[str | Path]] = [
            ["init", store, "--name", "benchmark", "--scale", "0=no,1=yes,2=very"],
            ["import", "runs", store, *runs],
            ["import", "qrels", store, qrels],
        ]
        for words in commands:
            subprocess.run([*CRANFIELD, *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return store


def from_a_store(root: Path, quick: bool) -> Commands:
    """A store to seven measures, beside pytrec_eval from the same files."""
    qrels, runs = files(root, HUNDRED, quick)
    peer = {"pytrec_eval": task("pytrec_eval_files", qrels, *runs)} if "pytrec_eval" in PEERS else {}
    return {"cranfield": task("cranfield_store", store_of(root, HUNDRED, quick))} | peer


def import_runs(root: Path, quick: bool) -> Commands:
    """One run into an empty store, beside pytrec_eval, which reads and scores it."""
    qrels, (run,) = files(root, MS_MARCO, quick)
    empty, store = run.with_name("empty.db"), run.with_name("imported.db")
    if not empty.exists():
        subprocess.run([*CRANFIELD, "init", empty, "--name", "benchmark"], check=True, stdout=subprocess.DEVNULL)
    anew = 'rm -f "$1"-* && cp "$0" "$1" && shift && exec "$@"'
    ours = ["sh", "-c", anew, str(empty), str(store), *CRANFIELD, "import", "runs", str(store), str(run)]
    peers = FILE_TASKS[MS_MARCO].commands(qrels, [run])
    return {"cranfield": ours} | {name: peers[name] for name in ("pytrec_eval",) if name in peers}


def leave_one_out(root: Path, quick: bool) -> Commands:
    """Leave each run out of a pool of depth 100, and score all by AP again."""
    qrels, runs = files(root, HUNDRED, quick)
    loop = task("pytrec_eval_leave_one_out", qrels, LEFT_OUT, *runs)
    return {"cranfield": task("cranfield_leave_one_out", qrels, *runs)} | (
        {"pytrec_eval": loop} if "pytrec_eval" in PEERS else {}
    )


def as_trec_8(root: Path, quick: bool) -> list[str]:
    """The files of 129 runs of 50 topics."""
    folder = root / "trec-8"
    if not folder.exists():
        folder.mkdir()
        shape = SMALL if quick else Shape(runs=129)
        subprocess.run([sys.executable, "-m", "benchmarks.data", folder, *map(str, vars(shape).values())], check=True)
    return [str(folder / "qrels.txt"), *map(str, sorted(folder.glob("run*.txt")))]


def depths(root: Path, quick: bool) -> Commands:
    """Every pool depth, by AP."""
    return {"cranfield": [*CRANFIELD, "depths", *as_trec_8(root, quick), "--all", "--depth", "5" if quick else "100"]}


def report(root: Path, quick: bool) -> Commands:
    """The page."""
    paths = as_trec_8(root, quick)
    return {"cranfield": [*CRANFIELD, "report", *paths, str(root / "report.html"), "--depth", "5" if quick else "100"]}


def one_run(root: Path, quick: bool) -> Commands:
    """One run of 50 topics by the installed commands."""
    qrels, runs = files(root, HUNDRED, quick)
    options = [word for measure in SEVEN for word in ("-m", measure)]
    ours = {"cranfield": [*CRANFIELD, "evaluate", str(qrels), str(runs[0]), *options]}
    return ours | ({"ir_measures": [program("ir_measures"), str(qrels), str(runs[0]), *SEVEN]} if PEERS else {})


def help_page(root: Path, quick: bool) -> Commands:
    """The list of commands."""
    bare = root / "bare.py"
    bare.write_text(BARE)
    return {"cranfield": [*CRANFIELD, "--help"], "bare typer program": [sys.executable, str(bare), "--help"]}


def program(name: str) -> str:
    """The program of this name, first of all that of this Python."""
    folders = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return shutil.which(name, path=folders) or name


FILE_GOALS = {MS_MARCO: "8x, under 200 MB", HUNDRED: "5x"}
ROWS = {
    row.name: row
    for row in (
        *(Row(name, FILE_GOALS.get(name, "3x, under 300 MB"), from_files(name)) for name in FILE_TASKS),
        Row("from a store, 100 runs of 50 topics", "0.45 s", from_a_store),
        Row("leave one run out, 100 runs", "500x", leave_one_out, {"pytrec_eval": 100 / LEFT_OUT}),
        Row("one run of 50 topics, installed commands", "1x", one_run),
        Row("import runs, MS MARCO dev", "0.67x of reading and scoring, under 1 GB", import_runs),
        Row("depths --all, 129 runs", "4 s of CPU", depths),
        Row("report, 129 runs", "6 s of CPU", report),
        *(Row(task.name, task.goal, task.prepare) for task in STORE_TASKS.values()),
        Row("--help", "1.25 times a bare typer program", help_page),
    )
}
