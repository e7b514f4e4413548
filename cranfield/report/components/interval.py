"""A value with its interval as a dot on a line, on a scale that it shares with others."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from .markup import short

WIDTH, HEIGHT, EDGE = 200.0, 14.0, 6.0


def scale_of(values: Sequence[float]) -> tuple[float, float]:
    """The least and the greatest of the numbers that are known.

    >>> scale_of([0.5, float("nan"), 0.25]), scale_of([])
    ((0.25, 0.5), (0.0, 1.0))
    """
    known = [value for value in values if isfinite(value)]
    return (min(known), max(known)) if known else (0.0, 1.0)


def interval(value: float, low: float, high: float, scale: tuple[float, float]) -> str:
    """The interval as an <svg>, silent to screen readers; nothing where the value is unknown.

    >>> interval(0.5, 0.0, 1.0, (0.0, 1.0)).partition("<circle ")[2].partition("/>")[0]
    'class="mark" cx="100" cy="7" r="4"'
    >>> interval(float("nan"), 0.0, 1.0, (0.0, 1.0))
    ''
    """
    if not isfinite(value):
        return ""

    def place(number: float) -> str:
        share = (number - scale[0]) / (scale[1] - scale[0]) if scale[1] > scale[0] else 0.5
        return short(EDGE + share * (WIDTH - 2 * EDGE))

    middle = short(HEIGHT / 2)
    line = f'<path class="axis" d="M{place(low)} {middle}H{place(high)}"/>' if isfinite(low) and isfinite(high) else ""
    return (
        f'<svg class="bar interval" viewBox="0 0 {short(WIDTH)} {short(HEIGHT)}" aria-hidden="true">{line}'
        f'<circle class="mark" cx="{place(value)}" cy="{middle}" r="4"/></svg>'
    )
