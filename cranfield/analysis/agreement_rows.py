"""The coefficients of agreement as table rows."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from cranfield.judging.agreement import AGREEMENTS

if TYPE_CHECKING:
    from cranfield.judging.agreement.agreement import Coefficient, LabelMatrix


def brief_coefficients(panel: LabelMatrix, by: str) -> list[str]:
    """The names of the coefficients that a table with a row for each pair or topic has room for."""
    two = by == "pair" or len(panel.assessors) == 2
    return [it.name for it in AGREEMENTS.values() if it.brief and (two or not it.for_two)]


def coefficient_row(one: Coefficient, *, has_interval: bool, for_programs: bool = False) -> dict[str, Any]:
    """The value of a coefficient, its interval, and how to read it; programs also get why there is no interval."""
    cells: dict[str, Any] = {"value": _coefficient_value(one, for_programs)}
    if has_interval:
        cells |= {"low": one.interval.low, "high": one.interval.high}
    if has_interval and for_programs:
        cells |= {"no interval": one.interval.why}
    return {"coefficient": one.coefficient, **cells, "reading": AGREEMENTS[one.coefficient].reading}


def rows_by_group(
    several: Sequence[Coefficient], by: str, *, for_programs: bool = False, has_short_heads: bool = False
) -> list[dict[str, Any]]:
    """One row per pair of assessors or topic, one column per coefficient."""
    rows: dict[Any, dict[str, Any]] = {}
    for one in several:
        pair = dict(zip(("assessor", "and"), one.assessors, strict=False))
        about = pair if by == "pair" else {"topic": one.topic}
        row = rows.setdefault((one.assessors, one.topic), {**about, "documents": one.units})
        heading = AGREEMENTS[one.coefficient].heading if has_short_heads else ""
        row[heading or one.coefficient] = _coefficient_value(one, for_programs)
    return list(rows.values())


def _coefficient_value(one: Coefficient, for_programs: bool) -> float | str:
    """A number; for people a word if it is undefined."""
    value = one.interval.value
    return value if for_programs or not isnan(value) else "undefined"
