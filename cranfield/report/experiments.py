"""The section on experiments with users."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .blocks import Block, Section, Table, Text, rounded
from .components.difference_bars import signed

HEADS = {"difference": "difference", "p": "p, corrected"}
ABOUT = (
    "Interleaved systems by Delta, from -.5 to .5 where impressions are won or lost: above 0 users prefer the first."
    " Arms of A/B tests by CTR, each less the first arm; p holds for one look at a planned size."
)


def experiments(rows: Sequence[Mapping[str, Any]]) -> Section | None:
    """What each experiment says; `rows` are those of `experiment_results`. None where there is none."""
    return Section("experiments", "What users prefer", experiment_blocks(rows)) if rows else None


def experiment_blocks(rows: Sequence[Mapping[str, Any]]) -> list[Block]:
    """The table, and how to read it."""
    shown = [
        {
            **{name: row[name] for name in ("experiment", "arms", "result", "measure")},
            **{name: signed(row[name]) for name in ("difference", "low", "high")},
            "p": rounded(row["p"], 4), "kind": row["kind"],
        }
        for row in rows
    ]  # fmt: skip
    return [Table("experiments", "Experiments with users", shown, heads=HEADS), Text(ABOUT)]
