"""The table of measures of answers, in display order; a row is a file of this folder, as in that of the others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module

from cranfield.metrics.measure import Measure

TABLE = (
    "v_strict",
    "v",
    "a_strict",
    "a",
    "w_strict",
    "w",
    "supportp",
    "supportr",
    "citeprecision",
    "citerecall",
    "ctxp",
    "ctxr",
    "faithful",
    "ansrel",
)
ANSWER_MEASURES: tuple[Measure, ...]


def __getattr__(name: str) -> tuple[Measure, ...]:
    if name != "ANSWER_MEASURES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return tuple(map(measure_of, TABLE))


@cache
def measure_of(file: str) -> Measure:
    """The measure in a file of the table."""
    measure: Measure = getattr(import_module(f"{__package__}.{file}"), file.upper())
    return measure


def candidates(name: str) -> Iterator[Measure]:
    """The measure that has this name, where there is one.

    >>> next(candidates("V_strict")), list(candidates("AP"))
    (V_strict, [])
    """
    return (measure_of(file) for file in TABLE if file == name.lower())
