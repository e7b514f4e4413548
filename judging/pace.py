"""How long the rest will take, from how long an assessor's own labels took; nothing is said before there are five."""

from __future__ import annotations

from collections.abc import Collection
from statistics import median

ENOUGH = 5


def remaining_seconds(seconds: Collection[float], documents: int) -> float | None:
    """The median of the active seconds of labels, times the documents left; None while there are too few.

    The median does not mind the document during which the telephone rang; it does mind a change of topic.

    >>> remaining_seconds([20, 30, 25, 600, 20], 12)
    300
    >>> remaining_seconds([20, 30, 25, 600], 12)
    """
    return median(seconds) * documents if len(seconds) >= ENOUGH else None


def in_time(seconds: float) -> str:
    """A span of time as one says it; never more exact than it is.

    >>> in_time(20), in_time(300), in_time(4000), in_time(40000)
    ('under 1 min', 'about 5 min', 'about 1 h 10 min', 'about 11 h')
    """
    minutes = round(seconds / 60)
    if minutes < 1:
        return "under 1 min"
    if minutes < 60:
        return f"about {minutes} min"
    hours, rest = divmod(round(minutes / 10) * 10, 60)
    return f"about {hours} h {rest} min" if hours < 5 and rest else f"about {round(minutes / 60)} h"
