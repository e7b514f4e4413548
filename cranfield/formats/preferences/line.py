"""A line of a file of preferences, and what all of a file has to hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.formats.files import OpenFile


class PreferenceLine(NamedTuple):
    """The level of a document: within a subgroup, documents of a higher level are preferred to those of a lower one.

    A group is one person's need for information, so its subgroups must not contradict each other; other groups may.
    """

    line: int
    qid: str
    group: str
    subgroup: str
    docno: str
    level: float


def lines_of(source: OpenFile, columns: Sequence[str]) -> Iterator[PreferenceLine]:
    """The lines of a file with these columns; a document twice in a subgroup is an error."""
    seen: dict[tuple[str, str, str, str], int] = {}
    for number, text in source.lines():
        values = text.split()
        if not values or text.startswith("#"):
            continue
        if len(values) != len(columns):
            found = f"{len(values)} columns where preferences have {len(columns)}: {' '.join(columns)}"
            raise InputError(found, source.path, number)
        fields = dict(zip(columns, values, strict=True))
        place = (fields["qid"], fields["group"], fields.get("subgroup", "0"), fields["docno"])
        if (first := seen.setdefault(place, number)) != number:
            again = f"duplicate document {place[3]!r} of topic {place[0]} in a group, first on line {first}"
            raise InputError(again, source.path, number)
        yield PreferenceLine(number, *place, _level(fields["level"], source, number))


def _level(text: str, source: OpenFile, number: int) -> float:
    try:
        level = float(text)
    except ValueError:
        level = float("nan")
    if not isfinite(level):
        raise InputError(f"level {text!r}; expected a number", source.path, number)
    return level
