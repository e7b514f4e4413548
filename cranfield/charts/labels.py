"""Where labels stand, how long they may be and which of them there is room for; the round numbers of an axis."""

import re
from collections.abc import Sequence
from itertools import accumulate
from math import ceil, floor, log10

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.text import visible_line

POINTS = 72  # of an inch


def spread_places(places: Sequence[float], gap: float, low: float = 0, high: float = 1) -> list[float]:
    """Places that are at least `gap` apart, in the same order, as near to the given ones as that allows.

    They stay between `low` and `high` where there is room for all.

    >>> spread_places([0.5, 0.5, 0.9], 0.1), spread_places([0, 0.02], 0.1), spread_places([0.5, 0.6, 0.7], 0.6)
    ([0.45, 0.55, 0.9], [0.0, 0.1], [-0.1, 0.5, 1.1])
    """
    order = np.argsort(places, kind="stable")
    steps = gap * np.arange(len(places))
    room = high - low - gap * (len(places) - 1)
    start = low if room >= 0 else low + room / 2
    positions = np.clip(_isotonic_fit(np.asarray(places, float)[order] - steps), start, start + max(room, 0)) + steps
    result = np.empty(len(places))
    result[order] = positions.round(6)
    return [float(place) for place in result]


def _isotonic_fit(values: Floats) -> Floats:
    """The rising values with the least squares from the given ones: falling neighbours share their mean."""
    blocks: list[tuple[float, int]] = []
    for value in values.tolist():
        blocks.append((value, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (last, n), (before, m) = blocks.pop(), blocks.pop()
            blocks.append(((before * m + last * n) / (m + n), m + n))
    return np.repeat([mean for mean, _ in blocks], [count for _, count in blocks])


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from `low` to `high`, about `most` of them.

    >>> ticks(0, 1), ticks(3, 47), ticks(2, 2)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [10, 20, 30, 40], [2])
    """
    if high <= low:
        return [low]
    rough = (high - low) / most
    magnitude = 10 ** floor(log10(rough))
    step = next(m * magnitude for m in (1, 2, 5, 10) if m * magnitude >= rough * 0.999)
    return [round(at * step, 10) for at in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def pick_spaced_places(places: Sequence[float], least: float) -> list[int]:
    """Which of the rising places are named, so that no two are nearer than `least`; always the last.

    >>> pick_spaced_places([1, 2, 3, 10, 20, 21], 2)
    [0, 2, 3, 5]
    """
    indices = [len(places) - 1] if places else []
    for at in range(len(places) - 2, -1, -1):
        if abs(places[indices[-1]] - places[at]) >= least:
            indices.append(at)
    return indices[::-1]


def labelled_places(count: int, inches: float, size: float) -> list[int]:
    """Which of `count` places along an axis have room for a label: all, or every second, fifth, tenth ...

    >>> labelled_places(5, 2, 8), labelled_places(100, 2, 8)[:4]
    ([0, 1, 2, 3, 4], [0, 10, 20, 30])
    """
    most = max(int(inches * POINTS / (size * 1.25)), 1)
    steps = [number * 10**power for power in range(9) for number in (1, 2, 5)]
    step = next(step for step in steps if count <= most * step)
    return list(range(0, count, step))


ESCAPE = r"<U\+[0-9A-F]{4,6}>"


def shorten(name: str, length: int) -> str:
    """A name on one line, of this length at most; a long one loses its middle, never part of an escaped character.

    >>> shorten("a-very-long-tag-of-a-run-indeed-of-ours", 15), shorten("<U+4E2D>" * 9, 20)
    ('a-very-…of-ours', '<U+4E2D>…<U+4E2D>')
    """
    name, room = visible_line(name), length - 1
    if len(name) <= length:
        return name
    units = re.findall(f"{ESCAPE}|.", name)
    return "".join([*_fitting_units(units, room - room // 2), "…", *reversed(_fitting_units(units[::-1], room // 2))])


def _fitting_units(units: Sequence[str], room: int) -> list[str]:
    return [unit for unit, end in zip(units, accumulate(map(len, units)), strict=True) if end <= room]
