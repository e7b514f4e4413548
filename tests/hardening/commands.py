"""The command line in this process on a damaged file, or on a damaged store; and a small store as a file."""

from __future__ import annotations

import io
import pickle
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime, tzinfo
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import UUID
from zlib import crc32

from cranfield.cli.program import main
from cranfield.errors import InputError
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.judging.session.session import Session
from cranfield.metrics.inputs import as_qrels, as_runs
from cranfield.store.bundles.bundle import write_bundle
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.pools import stored_pool
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs
from cranfield.store.store import Store
from tests.hardening.samples import RUN
from tests.judging.cases import at, store_of
from tests.real import made_once

OF_STORES = (
    "info FILE", "store verify FILE", "store history FILE", "pool show FILE", "progress FILE", "evaluate FILE -m AP",
    "export judgments FILE OUT", "export runs FILE OUT", "judge FILE --assessor ada --plain",
)  # fmt: skip
WORD_COMMANDS = (
    "agreement STORE --scale WORD", "pool simulate STORE --budgets WORD",
    "pool simulate STORE --method WORD --budgets 2", "evaluate STORE --assessor WORD",
    "pool build STORE --method WORD", "pool build STORE --method tail --option WORD", "diff STORE WORD primary",
    "assign STORE --give WORD", "assign STORE --overlap WORD --queue", "why STORE WORD d1", "why STORE q1 WORD",
    "store remove STORE run WORD", "store remove STORE import WORD", "judge STORE --assessor WORD",
    "export qrels STORE OUT --policy WORD", "export qrels STORE OUT --assessor WORD", "rehearse STORE --simulate WORD",
    "init OUT --name WORD", "init OUT --name a --scale WORD", "fuse STORE --tag WORD", "fuse STORE --option WORD",
    "evaluate STORE -m WORD", "compare STORE --baseline WORD", "reusability STORE -m WORD",
    "pool verify STORE --runs WORD", "import runs STORE RUN --tag WORD", "import votes STORE RUN --field WORD",
    "import qrels STORE RUN --grades WORD", "search STORE --system WORD", "measures WORD", "pool methods WORD",
    "trec-eval RUN RUN -m WORD", "curve STORE --run WORD", "collection show WORD",
    "adjudicate STORE --assessor a --measure WORD", "export bundle STORE OUT --assessor WORD",
    "export page STORE OUT --assessor WORD",
    "stability STORE -m WORD", "diagnose STORE RUN -m WORD", "pool estimate STORE -m WORD", "WORD", "import WORD",
    "info WORD",
)  # fmt: skip
CONTROLS = frozenset(map(chr, [*range(10), *range(11, 32), *range(127, 160), 0x2028, 0x2029, 0x202E]))


class BadEndError(AssertionError):
    """A command that ended as none may."""


def by_command(lines: Sequence[str], path: Path, word: str = "") -> None:
    """Run these commands on a file; STORE and RUN are sound, FILE is the file, OUT is what comes of it, WORD is one."""
    store, run_file, out = (path.with_name(name) for name in ("sound.db", "sound.run", "out"))
    store.write_bytes(a_file("store"))
    run_file.write_text(RUN)
    refusals = []
    for line in lines:
        places = {"STORE": store, "RUN": run_file, "FILE": path, "OUT": out, "WORD": word}
        code, stderr = run([str(places.get(word, word)) for word in line.split()])
        errors = [text for text in stderr.splitlines() if not text.startswith("note: ")]
        if code not in (0, 1, 2) or (code == 1 and (len(errors) != 1 or not errors[0].startswith("error: "))):
            raise BadEndError(f"{line} ends with {code} and says {stderr[-300:]!r}")
        if CONTROLS & set(stderr):
            raise BadEndError(f"{line} says {stderr[-300:]!r}")
        refusals += errors if code == 1 else []
        for beside in (out, Path(f"{path}-wal"), Path(f"{path}-shm")):
            shutil.rmtree(beside, ignore_errors=True)
            with suppress(FileNotFoundError, IsADirectoryError):
                beside.unlink()
    if refusals:
        raise InputError("refused")


def with_word(text: str, folder: Path) -> None:
    """Run a command with a word; which one is told by the word."""
    path = folder / "word"
    path.write_bytes(a_file("store"))
    line = WORD_COMMANDS[crc32(text.encode("utf-8", "surrogateescape")) % len(WORD_COMMANDS)]
    by_command([line.replace("STORE", "FILE")], path, text)


def run(words: Sequence[str], typing: str = "1\nu\n0\nq\n") -> tuple[int, str]:
    """The exit code of a command, and what it says on the side."""
    out, stderr = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    stdin = io.TextIOWrapper(io.BytesIO(typing.encode()), "utf-8")
    with patch.multiple(sys, argv=["cranfield", *words], stdout=out, stderr=stderr, stdin=stdin):
        try:
            main()
            code = 0
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        stderr.flush()
    return code, stderr.buffer.getvalue().decode("utf-8", "replace")


@cache
def a_file(which: str) -> bytes:
    """A small store with all that a store has, or a bundle of it, as bytes; both are made at once."""
    files: dict[str, bytes] = pickle.loads(made_once("small store and its bundle", _write))
    return files[which]


def _write(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder, still():
        _make(Path(folder))
        files = {which: Path(folder, f"{which}.db") for which in ("store", "bundle")}
        for file in files.values():
            with closing(sqlite3.connect(file)) as shell, shell:
                shell.execute("UPDATE _sqlite_migrations SET applied_at = ''")
        path.write_bytes(pickle.dumps({which: file.read_bytes() for which, file in files.items()}))


def _make(folder: Path) -> None:
    with store_of(path=folder / "store.db") as store:
        add_runs(store, as_runs({name: {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d4": 1.0}} for name in ("r1", "r2")}))
        assign_topics_to_assessors(store, ["ada", "bob"], overlap=0.5, repeats=1)
        import_qrels(store, as_qrels({"q1": {"d1": 1, "d2": 0}, "q3": {"d5": 1}}), "nist")
        append(store, Event("label", "q1", "d3", "ada", grade=1), Event("label", "q2", "d4", "bob", grade=1))
        write_bundle(store, folder / "bundle.db", "ada")
    with Store.open(folder / "bundle.db") as bundle:
        at(Session(bundle, "ada", stored_pool(bundle), clock=lambda: 0.0)).grade(1)


class Moment(datetime):
    """A clock that stands."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Moment:
        """Always the same."""
        return cls(2024, 5, 1, 10, tzinfo=tz)


@contextmanager
def still() -> Iterator[None]:
    """No time passes, and ids are numbers."""
    numbers = count(1)
    instead: dict[str, Any] = {"datetime": Moment, "uuid4": lambda: UUID(int=next(numbers)), "token_bytes": bytes}
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("cranfield.")]
    originals = [(module, name, vars(module)[name]) for module in modules for name in instead if name in vars(module)]
    for module, name, _ in originals:
        setattr(module, name, instead[name])
    try:
        yield
    finally:
        for module, name, value in originals:
            setattr(module, name, value)
