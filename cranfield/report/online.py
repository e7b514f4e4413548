"""The section about the interaction log: its measures by arm, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.text import counted, visible_line

from .blocks import Block, Cell, Section, Table, Text, rounded
from .components.interval import interval, scale_of
from .subject import Subject

Row = Mapping[str, Any]
READ = (
    "Below each value is its 95 % interval over users; where there is room, a dot and a line draw both, on one scale"
    " for each measure. Without an interval, users are too few for one. More clicks are not better by themselves: look"
    " at reformulations and conversions beside them."
)


def online(subject: Subject) -> Section | None:
    """The log of a store that has one."""
    return Section("online", "Interaction log", measured(subject.log, "variant")) if subject.log else None


def measured(rows: Sequence[Row], by: str) -> list[Block]:
    """A table of the measures of each group, with their intervals drawn."""
    scales = {
        name: scale_of([row[end] for row in rows if row["measure"] == name for end in ("low", "value", "high")])
        for name in dict.fromkeys(row["measure"] for row in rows)
    }
    several = len({row.get("experiment") for row in rows}) > 1
    cells = [_cells(row, by, scales[row["measure"]], several) for row in rows]
    return [Text(READ), Table("online-measures", f"Online measures by {by}", cells, sortable=False)]


def _cells(row: Row, by: str, scale: tuple[float, float], several: bool) -> dict[str, object]:
    low, high = rounded(row["low"], 4).text, rounded(row["high"], 4).text
    experiment = {"experiment": visible_line(row["experiment"])} if several else {}
    return {
        "measure": row["measure"],
        **experiment,
        by: visible_line(str(row[by])) or "(none)",
        "value": rounded(row["value"], 4)._replace(below=f"{low} to {high}" if low != "-" else ""),
        "users": Cell(f"{row['users']:,}", row["users"], below=counted(row["lists"], "list")),
        "drawn": Cell("", picture=interval(row["value"], row["low"], row["high"], scale)),
    }
