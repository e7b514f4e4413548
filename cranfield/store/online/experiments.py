"""Experiments and their arms: what lists were shown for, and which systems made them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cranfield.errors import InputError, StoreError
from cranfield.store.store import Store, now


class Experiment(NamedTuple):
    """An experiment: its arms in order, and for interleaving the method; in a list, team a is of the first arm."""

    name: str
    kind: str  # ab, interleave or log
    arms: Sequence[str]
    method: str = ""
    seed: int | None = None
    started: str = ""
    number: int = 0


def add_experiment(
    store: Store, name: str, kind: str, arms: Sequence[str], method: str = "", seed: int | None = None
) -> Experiment:
    """A new experiment; one of its name, kind and arms that is there already is that one.

    >>> with Store.memory("tiny") as store:
    ...     found = add_experiment(store, "first page", "ab", ["bm25", "dense"])
    ...     experiments(store)["first page"].arms
    ('bm25', 'dense')
    """
    if not name:
        raise InputError("an experiment needs a name")
    found = experiments(store).get(name)
    if found is not None:
        if (found.kind, list(found.arms)) != (kind, list(arms)):
            was = f"{found.kind} of {', '.join(found.arms) or 'no arms'}"
            raise StoreError(f"experiment {name!r} already exists: {was}; give this one another name")
        return found
    with store.writing():
        store.conn.execute(
            "INSERT INTO experiment (name, kind, method, seed, started) VALUES (?, ?, ?, ?, ?)",
            [name, kind, method, seed, now()],
        )
        add_arms(store, name, arms)
    return experiments(store)[name]


def add_arms(store: Store, name: str, arms: Sequence[str]) -> None:
    """More arms of an experiment, after those it has."""
    row = "(SELECT id FROM experiment WHERE name = ?)"
    with store.writing():
        store.conn.executemany(
            f"INSERT OR IGNORE INTO arm (experiment, name) VALUES ({row}, ?)", [(name, arm) for arm in arms]
        )


def experiments(store: Store) -> dict[str, Experiment]:
    """Every experiment by name, in the order they came."""
    arms: dict[int, list[str]] = {}
    for experiment, arm in store.rows("SELECT experiment, name FROM arm ORDER BY id"):
        arms.setdefault(experiment, []).append(arm)
    return {
        name: Experiment(name, kind, tuple(arms.get(number, ())), method, seed, started, number)
        for number, name, kind, method, seed, started in store.rows(
            "SELECT id, name, kind, method, seed, started FROM experiment ORDER BY id"
        )
    }
