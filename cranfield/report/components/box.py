"""A box over scores: from the lowest to the highest, the quartiles, the median, and the point of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Mask

from .markup import short

WIDTH, HEIGHT, EDGE = 200.0, 18.0, 6.0


class Quartiles(NamedTuple):
    """The lowest score, the quartiles between, and the highest."""

    lowest: float
    lower: float
    median: float
    upper: float
    highest: float


def quartiles(scores: Floats) -> list[Quartiles]:
    """Those of each row of scores (rows, values), without what is undefined.

    >>> quartiles(np.array([[0.0, 0.5, 1.0, np.nan]]))
    [Quartiles(lowest=0.0, lower=0.25, median=0.5, upper=0.75, highest=1.0)]
    """
    empty: Mask = np.all(np.isnan(scores), axis=1)
    found = np.nanquantile(np.where(empty[:, None], 0, scores), [0, 0.25, 0.5, 0.75, 1], axis=1).T
    found[empty] = np.nan
    return [Quartiles(*row) for row in found.tolist()]


def box(five: Quartiles, span: tuple[float, float], point: float | None = None) -> str:
    """The box as an <svg>, silent to screen readers: the numbers stand beside it.

    `span` are the scores at its two ends. The script moves the point, which is at `data-low` + x / width.

    >>> box(Quartiles(0, 0.25, 0.5, 0.75, 1), (0, 1), 0.5).count("<path")
    3
    """
    middle = HEIGHT / 2
    low, lower, median, upper, high = (short(place(value, span)) for value in five)
    whisker = f"M{low} {middle - 3}v6m0-3H{high}m0-3v6"
    point_at = "" if point is None else _point(place(point, span))
    ends = f'data-low="{span[0]:g}" data-high="{span[1]:g}"'
    return (
        f'<svg class="box" viewBox="0 0 {short(WIDTH)} {short(HEIGHT)}" aria-hidden="true" {ends}>'
        f'<path class="whisker" d="{whisker}"/><path class="quartiles" d="M{lower} {middle - 5}H{upper}v10H{lower}z"/>'
        f'<path class="median" d="M{median} {middle - 5}v10"/>{point_at}</svg>'
    )


def place(value: float, span: tuple[float, float]) -> float:
    """Where a score is drawn."""
    return EDGE + (value - span[0]) / ((span[1] - span[0]) or 1) * (WIDTH - 2 * EDGE)


def _point(x: float) -> str:
    return f'<circle class="point" cx="{short(x)}" cy="{short(HEIGHT / 2)}" r="4"/>'


def span_of(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis that holds these scores: 0 and 1 if it can.

    >>> span_of([0.2, 0.9]), span_of([-0.5, 3.0])
    ((0.0, 1.0), (-0.5, 3.0))
    """
    defined = [value for value in values if value == value]  # noqa: PLR0124 - NaN is not itself
    return float(min([0.0, *defined])), float(max([1.0, *defined]))
