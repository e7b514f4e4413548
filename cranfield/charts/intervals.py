"""Scores over topics, estimates with their intervals, and differences, as numbers and in words: for files and pages."""

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Mask
from cranfield.text import counted, format_signed


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
    five = np.nanquantile(np.where(empty[:, None], 0, scores), [0, 0.25, 0.5, 0.75, 1], axis=1).T
    five[empty] = np.nan
    return [Quartiles(*row) for row in five.tolist()]


class IntervalRow(NamedTuple):
    """A value of a name, with its interval: NaN where it has none; a mark is hollow where it is not significant.

    A difference that unjudged documents leave undecided has a question mark.
    """

    name: str
    value: float
    low: float
    high: float
    significant: bool = True
    is_undecided: bool = False


def axis_span(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis that holds these scores: 0 and 1 if it can.

    >>> axis_span([0.2, 0.9]), axis_span([-0.5, 3.0])
    ((0.0, 1.0), (-0.5, 3.0))
    """
    numbers = [value for value in values if value == value]  # noqa: PLR0124 - NaN is not itself
    return float(min([0.0, *numbers])), float(max([1.0, *numbers]))


def value_range(values: Sequence[float]) -> tuple[float, float]:
    """The least and the greatest of the numbers that are known.

    >>> value_range([0.5, float("nan"), 0.25]), value_range([])
    ((0.25, 0.5), (0.0, 1.0))
    """
    numbers = [value for value in values if isfinite(value)]
    return (min(numbers), max(numbers)) if numbers else (0.0, 1.0)


def summarise_differences(runs: tuple[str, str], differences: Sequence[float]) -> str:
    """On how many topics which run is better, and the mean difference.

    >>> summarise_differences(("a", "b"), [0.5, 0.25, -0.25, 0.0])
    'a is better on 2 topics, b on 1, equal on 1; mean difference +0.1250'
    """
    numbers = [each for each in differences if each == each]  # noqa: PLR0124
    better, worse = sum(each > 0 for each in numbers), sum(each < 0 for each in numbers)
    mean = format_signed(sum(numbers) / len(numbers)) if numbers else "undefined"
    equal = len(numbers) - better - worse
    wins = f"{runs[0]} is better on {counted(better, 'topic')}, {runs[1]} on {worse}, equal on {equal}"
    return f"{wins}; mean difference {mean}"
