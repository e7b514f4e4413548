"""The section on experiments with users."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.text import p_value, visible_line

from .blocks import Block, Cell, Section, Table, Text, rounded
from .components.difference_bars import signed

ABOUT = (
    "Below each difference is its 95 % interval. Interleaved systems by Delta, from -.5 to .5 where impressions are won"
    " or lost: above 0 users prefer the first. Arms of A/B tests by CTR, each less the first arm. p is corrected, and"
    " holds for one look at a planned size."
)


def experiments(rows: Sequence[Mapping[str, Any]]) -> Section | None:
    """What each experiment says; `rows` are those of `experiment_results`. None where there is none."""
    return Section("experiments", "What users prefer", experiment_blocks(rows)) if rows else None


def experiment_blocks(rows: Sequence[Mapping[str, Any]]) -> list[Block]:
    """The table, and how to read it."""
    return [Table("experiments", "Experiments with users", [_cells(row) for row in rows]), Text(ABOUT)]


def _cells(row: Mapping[str, Any]) -> dict[str, object]:
    low, high = signed(row["low"]).text, signed(row["high"]).text
    return {
        "experiment": Cell(visible_line(row["experiment"]), below=visible_line(row["arms"])),
        "difference": signed(row["difference"])._replace(below=f"{low} to {high}" if low != "-" else ""),
        "p": rounded(row["p"])._replace(text=p_value(row["p"])),
        **{name: visible_line(row[name]) for name in ("result", "measure", "kind")},
    }
