"""Keys that come before a document can have been read."""

from __future__ import annotations

from collections.abc import Callable

HELD = 0.15  # seconds after the draw in which a decision is a key held down, or one meant for the document before
FAST = 0.4  # seconds after the draw in which nobody reads


class Guard:
    """When the document on screen was drawn, and so what a key is worth.

    A terminal cannot see a key go up. A key that repeats is ignored as long as it does: each ignored one
    starts the time anew.

    >>> now = 0.0
    >>> guard = Guard(lambda: now)
    >>> guard.early()
    True
    >>> guard.drawn()
    >>> now = 0.1; guard.early()
    True
    >>> now = 0.2; guard.early()
    True
    >>> now = 0.36; guard.early(), guard.fast()
    (False, True)
    >>> now = 0.9; guard.fast()
    False
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._drawn: float | None = None
        self._quiet_since = 0.0

    def waiting(self) -> None:
        """Another document is to be drawn; until it is, every key was meant for the one before."""
        self._drawn = None

    @property
    def is_drawn(self) -> bool:
        """Whether the document is on screen."""
        return self._drawn is not None

    def drawn(self) -> None:
        """The document is on screen."""
        self._drawn = self._quiet_since = self._clock()

    def early(self) -> bool:
        """Whether a decision now is to be ignored."""
        if self._drawn is None:
            return True
        now, since = self._clock(), self._quiet_since
        if now - since >= HELD:
            return False
        self._quiet_since = now
        return True

    def fast(self) -> bool:
        """Whether a decision now is recorded as a fast one."""
        return self._drawn is None or self._clock() - self._drawn < FAST
