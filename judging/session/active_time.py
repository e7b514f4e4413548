"""The time an assessor spends on a document, without the stretches in which nothing happens."""

from __future__ import annotations

from collections.abc import Callable

IDLE = 180.0  # seconds without a command after which the assessor counts as away
FAST = 0.4  # seconds after the draw in which nobody can have read anything


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

    def skip(self) -> None:
        """The time since the last sign of life does not count."""
        self._seen = self._clock()

    def seconds(self) -> float:
        """The active seconds so far; asking is a sign of life."""
        moment = self._clock()
        self._total += min(max(moment - self._seen, 0.0), self._idle)
        self._seen = moment
        return round(self._total, 3)


class Stretch:
    """How long an assessor has worked without a break; a break is `rest` seconds without a sign of life.

    >>> times = iter([0.0, 100.0, 200.0, 300.0, 400.0, 900.0, 1000.0, 1100.0])
    >>> stretch = Stretch(lambda: next(times), long=200, rest=300)
    >>> [stretch.due() for _ in range(7)]
    [False, True, False, False, False, False, True]
    """

    def __init__(self, clock: Callable[[], float], long: float, rest: float) -> None:
        self._clock, self._long, self._rest = clock, long, rest
        self._began = self._seen = clock()
        self._told = False

    def alive(self) -> None:
        """A sign of life."""
        moment = self._clock()
        if moment - self._seen >= self._rest:
            self._began, self._told = moment, False
        self._seen = moment

    def due(self) -> bool:
        """Whether a break is due; true once per stretch. Asking is a sign of life."""
        self.alive()
        if self._told or self._seen - self._began < self._long:
            return False
        self._told = True
        return True
