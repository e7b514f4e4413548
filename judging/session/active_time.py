"""The time an assessor spends on a document, without the stretches in which nothing happens."""

from __future__ import annotations

from collections.abc import Callable

IDLE = 180.0  # seconds without a sign of life that do not count: the assessor was away
FAST = 0.4  # seconds after the draw in which nobody can have read anything


class ActiveTime:
    """Seconds since the start in which somebody worked, by one rule in every front end.

    What passes between two signs of life counts, unless it is `idle` seconds or more, or they were away in between. The
    page in a browser applies the same rule itself (web/pages/active_time.js) and reports what it `measured`.

    >>> times = iter([100.0, 110.0, 4000.0, 4001.5, 4005.0, 4045.0, 4046.0])
    >>> active = ActiveTime(lambda: next(times), idle=60)
    >>> active.seconds(), active.seconds(), active.seconds()
    (10.0, 10.0, 11.5)
    >>> active.leave(), active.back(), active.seconds()
    (None, None, 16.0)
    """

    def __init__(self, clock: Callable[[], float], idle: float) -> None:
        self._clock, self._idle = clock, idle
        self._away = False
        self.start()

    def start(self) -> None:
        """Begin at zero: another document is on screen."""
        self._began = self._seen = self._clock()
        self._total = 0.0
        self._measured: dict[str, float] = {}

    def leave(self) -> None:
        """Something else is in front; what passed until now counts."""
        self.seconds()
        self._away = True

    def back(self) -> None:
        """It is in front again: the time since the last sign of life does not count."""
        self._seen, self._away = self._clock(), False

    def measured(self, source: str, seconds: float) -> None:
        """What a page has measured since it was shown, in all: it replaces its earlier reports and what passed."""
        self._measured[source] = max(seconds, self._measured.get(source, 0.0))
        self.back()

    def seconds(self) -> float:
        """The active seconds so far, at most those since the start; asking is a sign of life."""
        moment = self._clock()
        passed = max(moment - self._seen, 0.0)
        self._total += passed if passed < self._idle and not self._away else 0.0
        self._seen, self._away = moment, False
        return round(min(self._total + sum(self._measured.values()), max(moment - self._began, self._total)), 3)


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
