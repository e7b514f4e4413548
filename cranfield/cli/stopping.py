"""What Ctrl-C leaves of an import, in a line."""

from collections.abc import Callable
from contextlib import closing
from functools import wraps
from pathlib import Path
from typing import Any, TypeAlias

from cranfield.cli.tables import UNSURE, remark

StoreState: TypeAlias = tuple[int | None, int | None] | None


def tells_of_stopping(run: Callable[..., None]) -> Callable[..., None]:
    """An import that says, where Ctrl-C stops it, that nothing was imported, if its store is as it was."""

    @wraps(run)
    def stoppable(**values: Any) -> None:
        path = values["path"]
        before = _state(path)
        try:
            run(**values)
        except KeyboardInterrupt:
            is_unchanged = _state(path) == before
            remark("stopped;", UNSURE, "nothing was imported" if is_unchanged else "`cranfield info` shows the store")
            raise

    return stoppable


def _state(path: Path) -> StoreState:
    """The last import and event of a store; None where there is no store, or none that can be read."""
    import sqlite3  # only here, because each command loads this module

    if not path.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as conn:
            row = conn.execute("SELECT (SELECT max(id) FROM import), (SELECT max(id) FROM judgment_event)").fetchone()
    except sqlite3.Error:
        return None
    return row[0], row[1]
