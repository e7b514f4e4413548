"""Stores that are large: a thousand runs, and a corpus of a million documents.

`python -m benchmarks.store_shapes afresh STORE WORDS...` runs a command of cranfield on a copy of a store;
`... judged STORE` judges a hundred documents. Both print the seconds of work as JSON.
"""

import io
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

CRANFIELD = [sys.executable, "-m", "cranfield"]
HERE = [sys.executable, "-m", "benchmarks.store_shapes"]
JUDGED = 100  # documents
Commands = dict[str, list[str]]


@dataclass(frozen=True)
class StoreTask:
    """`prepare` makes the store, small if quick, and says the commands."""

    name: str
    goal: str
    prepare: Callable[[Path, bool], Commands]


def many_runs(root: Path, quick: bool) -> Commands:
    """What reads or pools all runs."""
    store = root / "many.db"
    if not store.exists():
        _make_apart("benchmarks.many_runs", store, *((20, 3, 20) if quick else (1000, 50, 1000)))
    path, depth = str(store), "5" if quick else "100"
    return {
        "cranfield, evaluate": [*CRANFIELD, "evaluate", path],
        "cranfield, reusability --by team": [*CRANFIELD, "reusability", path, "--by", "team"],
        "cranfield, info": [*CRANFIELD, "info", path],
        "cranfield, pool build": [*HERE, "afresh", path, "pool", "build", path, "--depth", depth],
    }


def big_corpus(root: Path, quick: bool) -> Commands:
    """Each step from documents to judging."""
    folder = root / "corpus"
    if not folder.exists():
        folder.mkdir()
        _make_apart("benchmarks.big_corpus", folder, 300 if quick else 1_000_000)
        for store, steps in {"empty": 0, "filled": 2, "searched": 3, "pooled": 4}.items():
            _build(folder, folder / f"{store}.db", steps)
    empty, full, publishes_runs, pooled = (str(folder / f"{n}.db") for n in ("empty", "filled", "searched", "pooled"))
    search, build = _steps(folder, full)[2], _steps(folder, publishes_runs)[3]
    return {
        "cranfield, import corpus": [*HERE, "afresh", empty, *_steps(folder, empty)[0]],
        "cranfield, search": [*HERE, "afresh", full, *search],
        "cranfield, pool build": [*HERE, "afresh", publishes_runs, *build],
        "cranfield, judge --plain": [*HERE, "afresh", pooled, "judge", pooled, "--assessor", "a", "--plain"],
        "cranfield, next document": [*HERE, "judged", pooled],
    }


def _steps(folder: Path, store: str) -> list[list[str]]:
    return [
        ["import", "corpus", store, str(folder / "corpus.jsonl")],
        ["import", "topics", store, str(folder / "topics.tsv")],
        ["search", store, "--system", "bm25"],
        ["pool", "build", store, "--depth", "100"],
    ]


def _build(folder: Path, store: Path, steps: int) -> None:
    """A store after so many steps, from the one before."""
    before = sorted(folder.glob("*.db"), key=lambda path: path.stat().st_mtime)
    if not before:
        _quietly([*CRANFIELD, "init", str(store), "--name", "big"])
        return
    shutil.copyfile(before[-1], store)
    new = {2: slice(0, 2), 3: slice(2, 3), 4: slice(3, 4)}[steps]
    for words in _steps(folder, str(store))[new]:
        _quietly([*CRANFIELD, *words])


def _make_apart(module: str, *arguments: object) -> None:
    """Made by another process: what a process once took is counted as its children's peak, too."""
    _quietly([sys.executable, "-m", module, *map(str, arguments)])


def _quietly(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)


def afresh(path: str, *words: str) -> None:
    """Run a command on a copy of a store."""
    copy = f"{path}.copy"
    shutil.copyfile(path, copy)
    start = time.perf_counter()
    _quietly([*CRANFIELD, *(copy if word == path else word for word in words)])
    print(json.dumps({"work": time.perf_counter() - start}))
    Path(copy).unlink()


def judged(path: str) -> None:
    """Judge documents in line mode: the seconds from one to the next."""
    from cranfield.judging.frontends.keys import DEFAULT
    from cranfield.judging.frontends.plain import PlainJudging
    from cranfield.judging.planning.overview import work_to_judge_or_none
    from cranfield.judging.session.session import Session
    from cranfield.store.store import Store

    copy = f"{path}.copy"
    shutil.copyfile(path, copy)
    with Store.open(copy) as store:
        work = work_to_judge_or_none(store, "a", None)
        assert work, "nothing is pooled"
        session = Session(store, "a", work)
        plain = PlainJudging(session, io.StringIO("0\n" * JUDGED), io.StringIO(), width=80, keys=DEFAULT, guidelines="")
        start = time.perf_counter()
        plain.run()
        print(json.dumps({"work": (time.perf_counter() - start) / JUDGED}))
    Path(copy).unlink()


STORE_TASKS = {
    task.name: task
    for task in (
        StoreTask("1,000 runs of 50 topics in a store", "under 2 GB", many_runs),
        StoreTask("corpus of 1 M documents", "under 4 GB; next document 50 ms", big_corpus),
    )
}

if __name__ == "__main__":
    {"afresh": afresh, "judged": judged}[sys.argv[1]](*sys.argv[2:])
