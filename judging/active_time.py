"""The time an assessor spent on a document, less the stretches in which nothing happened."""

from __future__ import annotations

from collections.abc import Callable


class ActiveTime:
    """Seconds since the start; a stretch without any sign of life counts for at most `idle` seconds.

    >>> times = iter([100.0, 110.0, 4000.0, 4001.5])
    >>> active = ActiveTime(lambda: next(times), idle=60)
    >>> active.seconds(), active.seconds(), active.seconds()
    (10.0, 70.0, 71.5)
    """

    def __init__(self, clock: Callable[[], float], idle: float) -> None:
        self._clock, self._idle = clock, idle
        self._seen = clock()
        self._total = 0.0

    def start(self) -> None:
        """Begin at zero: another document is on screen."""
        self._seen, self._total = self._clock(), 0.0

    def seconds(self) -> float:
        """The active seconds so far; asking is a sign of life."""
        moment = self._clock()
        self._total += min(max(moment - self._seen, 0.0), self._idle)
        self._seen = moment
        return round(self._total, 3)
