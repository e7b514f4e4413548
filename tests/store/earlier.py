"""Stores of earlier versions: stores/ has them as SQL, written by the programs of that time from full_store.py."""

import sqlite3
from contextlib import closing
from pathlib import Path

STORES = Path(__file__).with_name("stores")
SCRIPTS = {
    "full": ("tables", "full", "guards"),  # before there were seals and recorded changes
    "away": ("tables", "away", "guards"),  # a bundle of that store, judged while it was away
    "sealed": ("sealed",),  # with both, before the steps were one
    "one_step": ("one_step",),  # before withdrawals and sets of topics
    "rounds": ("rounds",),  # two rounds and two releases, before rounds were in the core; without views and triggers
}


def earlier(folder: Path, name: str) -> Path:
    """One of the stores as a file."""
    path = folder / f"{name}.db"
    with closing(sqlite3.connect(path)) as shell:
        shell.execute("PRAGMA journal_mode = WAL")
        for script in SCRIPTS[name]:
            shell.executescript((STORES / f"{script}.sql").read_text("utf-8"))
        shell.commit()
    return path
