"""Rows and sentences on what a run changes when it is left out of its pool."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.metrics.reusability.results import Reusability
from cranfield.text import counted


def change_rows(
    left_out: Reusability, measures: Sequence[str] | None = None, relevant: str = "relevant"
) -> list[dict[str, Any]]:
    """One row per left-out run and measure, the largest change first; `relevant`: its word for such items.

    Runs of units that were not tested come last, without a change.
    """
    untested = {unit.result.unit for unit in left_out.untested}
    rows = [
        {
            left_out.by: unit.unit,
            **({} if left_out.by == "run" else {"run": change.run}),
            "unique": unit.unique,
            relevant: unit.unique_relevant,
            **({"missed": unit.missed} if any(each.missed for each in left_out.units) else {}),
            "measure": change.measure,
            "score": change.full,
            "without": np.nan if unit.unit in untested else change.reduced,
            **({} if np.isnan(change.reduced_low) else {"low": change.reduced_low, "high": change.reduced_high}),
            "change %": np.nan if unit.unit in untested else change.change_percent,
            "rank": change.full_rank,
            "rank without": None if unit.unit in untested else change.reduced_rank,
            "tau": np.nan if unit.unit in untested else unit.tau[change.measure],
        }
        for unit in (*left_out.units, *(unit.result for unit in left_out.untested))
        for change in unit.changes
        if measures is None or change.measure in measures
    ]
    return sorted(rows, key=lambda row: (left_out.measures.index(row["measure"]), -abs(np.nan_to_num(row["change %"]))))


def change_rows_with_reason(left_out: Reusability) -> list[dict[str, Any]]:
    """The rows of `change_rows` with the reason why nothing was tested, for formats that have no other place for it."""
    return [row | {"not tested": left_out.no_verdict or ""} for row in change_rows(left_out) or [{}]]


def sort_worst_first(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of `change_rows` for print: the largest rank drop first, then the largest loss of score.

    >>> names = "unit", "rank", "rank without", "score", "without"
    >>> rows = [dict(zip(names, row)) for row in (("a", 50, 50, 0.004, 0.001), ("b", 22, 50, 0.4, 0.3))]
    >>> [row["unit"] for row in sort_worst_first(rows)]
    ['b', 'a']
    """
    loss = np.nan_to_num([row["score"] - row["without"] for row in rows])
    is_untested = np.array([row["rank without"] is None for row in rows], bool)
    drop = [0 if row["rank without"] is None else row["rank without"] - row["rank"] for row in rows]
    return [rows[at] for at in np.lexsort((-loss, -np.asarray(drop), is_untested))]


def overlap_sentence(left_out: Reusability) -> str:
    """How pool and judgments overlap, in a sentence."""
    pool = left_out.pool
    depth = f"to depth {left_out.depth if isinstance(left_out.depth, int) else 'by run'}"
    method = f" by {left_out.method}" if left_out.method else ""
    documents = counted(left_out.missed or 0, "document")
    rest = (
        f"; the pools rebuilt without one {left_out.by} miss {documents}{missed_grades_text(left_out)}"
        if left_out.method
        else ""
    )
    sizes = f"{pool.judged:,} judged"
    if pool.documents is not None:
        sizes = f"{counted(pool.documents, 'document')}, {sizes}, {pool.unjudged:,} unjudged"
    depth = "to several depths" if left_out.method == "depth" else depth
    return f"pool{method} {depth}: {sizes}; {pool.judged_outside:,} judged outside the pool{rest}"


def missed_grades_text(left_out: Reusability) -> str:
    """How missed documents were graded, as the end of a sentence; empty where there are none."""
    if left_out.draws:
        return f", whose grades are drawn {left_out.draws} times from a model of the judged documents"
    return f", which count as not relevant ({left_out.not_drawn})" if left_out.not_drawn else ""
