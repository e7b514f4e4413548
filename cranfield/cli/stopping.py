"""What Ctrl-C leaves of an import, in a line."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from cranfield.cli.tables import UNSURE, print_remark


def report_interruption(run: Callable[..., None]) -> Callable[..., None]:
    """An import that says, where Ctrl-C stops it, that nothing was imported, if its store is as it was."""

    @wraps(run)
    def stoppable(**values: Any) -> None:
        from cranfield.store.quick_look import last_written_numbers

        path = values["store" if "store" in values else "path"]
        before = last_written_numbers(path)
        try:
            run(**values)
        except KeyboardInterrupt:
            is_unchanged = last_written_numbers(path) == before
            changed = f"the store was changed before the interruption; see `cranfield info {path}`"
            print_remark("stopped;", UNSURE, "nothing was imported" if is_unchanged else changed)
            raise

    return stoppable
