"""While another program is writing to the store: what was asked for is kept, and done when that is over."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cranfield.errors import BusyError, InputError
from cranfield.judging.frontends.terminal.modes import Hints, scroll

if TYPE_CHECKING:
    from cranfield.judging.frontends.terminal.terminal import Terminal

AGAIN = 0.05  # seconds between two tries
SOON = 0.3  # seconds after which it is told


class Task(NamedTuple):
    """Something to record: the key that asked for it, the command, and what is to be done once it is on disk."""

    key: str
    command: Callable[[], object]
    then: Callable[[], object]


class Waiting:
    """What was asked for last is not recorded yet; until it is, keys only scroll, and nothing else is asked for."""

    def __init__(self, it: Terminal, task: Task, since: float) -> None:
        self._it, self.task, self._since, self._before = it, task, since, it.mode
        it.set_timer(AGAIN, partial(it.attempt, self._again))

    @property
    def told(self) -> bool:
        """Whether it takes so long that it is told."""
        return time.monotonic() - self._since >= SOON

    @property
    def label(self) -> str:
        """What waits, for how long and for whom."""
        waited = time.monotonic() - self._since
        long = f"{self.task.key} waits {waited:.0f} s, as another program is writing"
        return f"{long}; it is recorded when that is done" if self.told else self._before.label

    def hints(self) -> Hints:
        """The way out."""
        return [("Ctrl-C", f"quit, {self.task.key} is not recorded")] if self.told else self._before.hints()

    def key(self, key: str) -> None:
        """Scroll; anything else has to wait."""
        if not scroll(self._it.document, key):
            raise InputError(f"{key} ignored: {self.task.key} is kept and not recorded yet")

    def _again(self) -> None:
        self._it.mode = self._before
        self._it.session.waited()
        perform(self._it, self.task, self._since)


def perform(it: Terminal, task: Task, since: float | None = None) -> None:
    """Record something and go on; while another program is writing, wait with it."""
    try:
        (it.session.go_on if it.session.behind else task.command)()
    except BusyError:
        it.mode = Waiting(it, task, time.monotonic() if since is None else since)
    else:
        it.hush()
        task.then()
