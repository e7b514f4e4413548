"""The store in which pools are built: six runs of three topics."""

from pathlib import Path

from cranfield.store.store import Store
from cranfield.testing.pooling import example_runs
from tests.stores import new_store


def six_run_store(path: Path | None = None) -> Store:
    """Each team has two of them; nothing is judged."""
    return new_store(path, people=["ada"], runs=example_runs(), teams={f"r{n}": f"team{n // 2}" for n in range(6)})
