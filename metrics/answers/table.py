"""The table of measures of answers, in display order; a row is a file of this folder, as in that of the others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from cranfield.metrics.measure import Measure, measure_in

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
measure_of = partial(measure_in, __package__)


def __getattr__(name: str) -> tuple[Measure, ...]:
    if name != "ANSWER_MEASURES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return tuple(map(measure_of, TABLE))


def candidates(name: str) -> Iterator[Measure]:
    """The measure that has this name, where there is one.

    >>> next(candidates("V_strict")), list(candidates("AP"))
    (V_strict, [])
    """
    return (measure_of(file) for file in TABLE if file == name.lower())
