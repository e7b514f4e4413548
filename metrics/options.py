"""The options of measures: what each means, and which values are right.

An option of one name means one thing, whichever measures have it; where it means more, its words say of which.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite

from .gains import listed, pairs


@dataclass(frozen=True)
class MeasureOption:
    """What an option means and which values are right."""

    meaning: str
    right: str
    allows: Callable[[object], bool]
    tidy: Callable[[object], object] = lambda value: value  # a right value as it is kept, so that equal is equal


MOST, MOST_RANKS = 10**15, 10**9  # numbers, and cutoffs, are below them


def _whole(least: int, most: int = MOST) -> Callable[[object], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value < most


def _number(allows: Callable[[float], bool]) -> Callable[[object], bool]:
    return lambda value: (
        isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MOST and allows(value)
    )


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_share(text: str) -> bool:
    return bool(re.fullmatch(r"\s*[\d.]+\s*", text)) and isinstance(value_of(text), int | float) and float(text) <= 1


def value_of(text: str) -> object:
    """A value as it is written in a measure's name.

    >>> value_of("True"), value_of("2"), value_of(" .5"), value_of('"exp"')
    (True, 2, 0.5, 'exp')
    """
    if text.strip() in ("True", "False"):
        return text.strip() == "True"
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text.strip().strip("\"'")


_PAIR = r"\s*\d{1,18}\s*=\s*(?:\d{1,18}\.?\d{0,18}|\.\d{1,18})\s*"
_PAIRS = re.compile(f"{_PAIR}(?:,{_PAIR})*")


OPTIONS: Mapping[str, MeasureOption] = {
    "rel": MeasureOption("the lowest grade that counts as relevant", "a whole number from 0", _whole(0)),
    "cutoff": MeasureOption("how many documents are looked at", "a whole number from 1", _whole(1, MOST_RANKS)),
    "recall": MeasureOption("the recall point", "a number from 0 to 1", _number(lambda x: 0 <= x <= 1)),
    "p": MeasureOption("how probably a reader goes on", "a number above 0 and below 1", _number(lambda x: 0 < x < 1)),
    "beta": MeasureOption(
        "F: how many times more recall counts than precision; Q: how much gains count beside precision; "
        "NRBP, nNRBP: how probably a reader goes on",
        "a number above 0",
        _number(lambda x: 0 < x < float("inf")),
    ),
    "gains": MeasureOption(
        "a grade's gain: itself, 2^grade - 1, 1 from grade 1 on, or as listed, and itself where the list is silent",
        'one of "linear", "exp", "binary", or a list such as "1=3,2=9"',
        lambda value: listed(value) in {"linear", "exp", "binary"} or bool(_PAIRS.fullmatch(listed(value))),
        tidy=lambda value: ",".join(f"{grade}={gain:.12g}" for grade, gain in pairs(listed(value))) or value,
    ),
    "rule": MeasureOption(
        "which found documents reach a recall point: x R rounded, as trec_eval, or no fewer than x R, the textbooks'",
        'one of "trec_eval", "exact"',
        {"trec_eval", "exact"}.__contains__,
    ),
    "points": MeasureOption(
        "the recall points",
        'a list of numbers from 0 to 1, such as "0.25,0.5"',
        lambda value: all(_is_share(part) for part in str(value).split(",")),
        tidy=lambda value: ",".join(f"{point:.12g}" for point in sorted(map(float, str(value).split(",")))),
    ),
    "mult": MeasureOption("in multiples of R, which rank", "a number above 0", _number(lambda x: 0 < x < float("inf"))),
    "p1": MeasureOption("what a relevant document retrieved is worth", "a number", _number(isfinite)),
    "p2": MeasureOption("what another document retrieved is worth", "a number", _number(isfinite)),
    "p3": MeasureOption("what a relevant document missed is worth", "a number", _number(isfinite)),
    "p4": MeasureOption("what another document left alone is worth", "a number", _number(isfinite)),
    "size": MeasureOption("how many documents the collection has", "a whole number from 0", _whole(0)),
    "max_grade": MeasureOption("the highest grade of the scale", "a whole number from 1", _whole(1)),
    "base": MeasureOption(
        "of the logarithm that discounts", "a number above 1", _number(lambda x: 1 < x < float("inf"))
    ),
    "discount": MeasureOption(
        "by the logarithm of the rank + 1, or of the rank where that is above 1",
        'one of "burges", "jarvelin"',
        {"burges", "jarvelin"}.__contains__,
    ),
    "T": MeasureOption("how much gain a reader wants", "a number from 0.5", _number(lambda x: 0.5 <= x < float("inf"))),
    "alpha": MeasureOption(
        "how much less a document gives of what an earlier one gave",
        "a number from 0 to 1",
        _number(lambda x: 0 <= x <= 1),
    ),
    "normalize": MeasureOption(
        "Compat: in parts of the best ranking there is; RBP: gains in parts of the topic's highest",
        "True or False",
        _is_bool,
    ),
    "smoothing": MeasureOption(
        "of empty samples: as the paper, or as NIST's sample_eval",
        'one of "paper", "nist"',
        {"paper", "nist"}.__contains__,
    ),
    "judged_only": MeasureOption("leave out of the ranking what nobody judged", "True or False", _is_bool),
}
