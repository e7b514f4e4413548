"""What the first process that needs it makes for all: two real collections, and stores of which tests take copies."""

import os
import pickle
from collections.abc import Callable, Sequence
from contextlib import chdir
from fcntl import LOCK_EX, flock
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory, mkdtemp

from cranfield.arrays.rankings import Runs
from cranfield.selection import EVERYBODY
from cranfield.source import Source, read_source, silent, with_teams
from cranfield.view import View, view_of_source

FOLDER = "CRANFIELD_TESTS_FOLDER"  # the variable that names a folder of all processes of the tests


def made_once(name: str, make: Callable[[Path], object]) -> bytes:
    """A file as the first process that needs it has made it; outside of tests it is made anew."""
    with TemporaryDirectory() as own, Path(os.environ.get(FOLDER, own), f"{name}.lock").open("w") as lock:
        path = Path(lock.name).with_suffix("")
        flock(lock, LOCK_EX)
        if not path.exists():
            make(path)
        return path.read_bytes()


@cache
def _left_by(make: Callable[..., object]) -> Path:
    return Path(mkdtemp(dir=os.environ[FOLDER]))


def copied(make: Callable[..., object], to: Path, *arguments: object) -> Path:
    """A folder as a function leaves it, which is called in an empty one, once in a process; to be changed."""
    folder = _left_by(make)
    if not any(folder.iterdir()):
        with chdir(folder):
            make(*arguments)
    return Path(copytree(folder, to, dirs_exist_ok=True))


def read_once(name: str, paths: Sequence[Path], teams: Path | None = None) -> View:
    """A view of files as the first process has read it: to load it takes a fiftieth of the time."""

    def read() -> Source:
        source = read_source(paths, is_stored=False, labellers=EVERYBODY, pool=None, tell=silent, has_measures=True)
        return source if teams is None else with_teams(source, teams)

    content = made_once(name, lambda path: path.write_bytes(pickle.dumps(read(), pickle.HIGHEST_PROTOCOL)))
    return view_of_source(pickle.loads(content))


@cache
def robust(shared: Path) -> View:
    """Robust 2003: 17 runs, 100 topics."""
    folder = shared / "robust03"
    files = [folder / "qrels.robust03.txt.gz", *sorted((folder / "runs").iterdir())]
    return read_once("robust", files)


@cache
def covid(shared: Path) -> View:
    """TREC-COVID, round 1: 143 runs, 30 topics, and what is known of the runs."""
    folder = shared / "treccovid-r1"
    files = [folder / "qrels-rnd1.txt.gz", *sorted((folder / "runs").iterdir())]
    return read_once("covid", files, folder / "teams.tsv")


@cache
def covid_pooled(shared: Path) -> Runs:
    """The 56 of them that were pooled, to depth 7."""
    source = covid(shared)
    return source.runs.select([tag for tag in source.runs.tags if source.run_info[tag].pooled])


@cache
def covid_teams(shared: Path) -> dict[str, list[str]]:
    """Their runs by team."""
    teams: dict[str, list[str]] = {}
    for tag, info in covid(shared).run_info.items():
        if info.pooled:
            teams.setdefault(info.team, []).append(tag)
    return teams
