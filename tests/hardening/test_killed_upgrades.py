"""`store upgrade`, killed at calls that change files: the old store is there, whole, or the new one."""

import json
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from cranfield.store.chain import JUDGMENTS, OTHERS, LogHead, log_head
from cranfield.store.schema import completed_steps, is_older
from cranfield.store.store import Store
from cranfield.store.upgrade import upgrade
from cranfield.store.verification import verify
from tests.hardening.forks import Moments, fork, wait_for
from tests.store.earlier import earlier

pytestmark = pytest.mark.full

STORE, KEPT = "rounds.db", "rounds.db.before-upgrade"
STATEMENTS = {"execute", "executemany"}  # of any class of connections: thousands, of which one in STRIDE is tried
STRIDE = 400
AGAIN = 10  # one in so many killed upgrades is repeated


def heads(path: Path) -> list[LogHead]:
    with closing(sqlite3.connect(path)) as shell:
        return [log_head(shell, log) for log in (JUDGMENTS, OTHERS)]


def rows(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as shell:
        return list(shell.iterdump())


def upgrade_counted(moments: Moments) -> None:
    """Upgrade the store of this folder; the calls of it are counted, and nothing else."""
    sys.setprofile(moments)
    try:
        upgrade(Path(STORE))
    finally:
        sys.setprofile(None)


def calls_that_write(folder: Path, log: Path) -> list[tuple[int, str]]:
    """The calls of a whole upgrade that write, by number and name."""
    shutil.copytree(folder, there := log.parent / "counted")
    report = log.parent / "calls.json"

    def count() -> None:
        moments = Moments()
        upgrade_counted(moments)
        report.write_text(json.dumps([*zip(moments.writing, moments.names, strict=True)]))

    assert wait_for(fork(count, there, log)) == 0
    return [(number, name) for number, name in json.loads(report.read_text())]


def tried(calls: Sequence[tuple[int, str]], stride: int) -> list[int]:
    """Every call that is not a statement, and one statement in so many; `calls` has the begin and the end of each."""
    begun = [*(call for call in calls[::2] if call[1] != "str.replace"), calls[-1]]
    statements = [number for number, name in begun if is_statement(name)][::stride]
    return sorted({*statements, *(number for number, name in begun if not is_statement(name))})


def is_statement(name: str) -> bool:
    return name.rpartition(".")[2] in STATEMENTS


def check_whole(folder: Path, before: Sequence[str], heads_before: Sequence[LogHead]) -> str:
    """Check what a killed upgrade left; whether the store is the old one or the new one."""
    path, names = folder / STORE, {name for name in os.listdir(folder) if not name.startswith(".")}
    assert names - {f"{STORE}{end}" for end in ("-wal", "-shm", "-journal")} in ({STORE}, {STORE, KEPT})
    with closing(sqlite3.connect(path)) as shell:
        assert shell.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        is_old = is_older(completed_steps(shell))
    assert heads(path) == heads_before
    if is_old:
        assert rows(path) == before
    else:
        with Store.open(path) as store:
            verify(store)
    if KEPT in names:
        assert rows(folder / KEPT) == before
    return "old" if is_old else "new"


def kill_each(folder: Path, stride: int, step: int = 1) -> dict[str, int]:
    """Kill an upgrade at one in `step` of its calls that write; how often each store was left."""
    (base := folder / "base").mkdir()
    path, log = earlier(base, "rounds"), folder / "log"
    before, heads_before, left = rows(path), heads(path), {"old": 0, "new": 0}
    upgrade(Path(shutil.copy(path, folder / "warm.db")))  # whose imports no child has to repeat
    for trial, number in enumerate(tried(calls_that_write(base, log), stride)[::step]):
        shutil.copytree(base, here := folder / "here")
        ended = wait_for(fork(partial(upgrade_counted, Moments(number)), here, log))
        assert ended == -signal.SIGKILL
        state = check_whole(here, before, heads_before)
        left[state] += 1
        if state == "old" and trial % AGAIN == 0:
            upgrade(here / STORE)
            assert heads(here / STORE) == heads_before
            assert not [name for name in os.listdir(here) if name.startswith(".")]
        shutil.rmtree(here)
    return left


def test_a_killed_upgrade_leaves_the_old_store_or_the_new_one(tmp_path: Path) -> None:
    left = kill_each(tmp_path, STRIDE, step=3)
    assert left["old"] > 5
    assert left["new"] > 2


@pytest.mark.daily
def test_an_upgrade_killed_at_each_call_leaves_the_old_store_or_the_new_one(tmp_path: Path) -> None:
    left = kill_each(tmp_path, STRIDE // 10)
    assert left["old"] > 50
    assert left["new"] > 20


def test_the_old_store_is_kept_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets its name only when the copy is complete."""
    path = earlier(tmp_path, "rounds")
    before = rows(path)

    def refuse(*_: object, **__: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr("cranfield.store.upgrade.os.link", refuse)
    assert upgrade(path).before == tmp_path / KEPT
    assert rows(tmp_path / KEPT) == before
