"""The assessors: when they were last seen, their pace, and how long the rest takes them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from cranfield.judging.planning.overview import working
from cranfield.judging.planning.progress import Progress, progress_of
from cranfield.judging.planning.sections import pace_rows
from cranfield.judging.session.pace import TimeLeft, in_words
from cranfield.report.blocks import Block, Cell, Table, Text, rounded
from cranfield.store.log import last_signs
from cranfield.store.store import Store
from cranfield.text import visible_line

from .query import Query
from .view import LookView, Row

CAPTION = "Assessors: the time left is of active work, with a range of 19 cases in 20"


def people_rows(store: Store, state: Progress, moment: datetime) -> list[dict[str, Any]]:
    """One row per assessor, the queue among them."""
    pace = {row["assessor"]: row for row in pace_rows(state)}
    seen = working(last_signs(store), state.kinds, pace.values(), moment)
    signs = {one.assessor: {"last": one.last, "now": one.now} for one in seen}
    return [{"assessor": name} | signs.get(name, {"last": "", "now": False}) | row for name, row in pace.items()]


def people_table(rows: Sequence[Row]) -> list[Block]:
    """The same for people."""
    if not rows:
        return [Text("Nobody has anything to judge yet.")]
    return [Table("people", CAPTION, [_shown(row) for row in rows])]


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return people_rows(store, progress_of(store), datetime.now(UTC))


def _shown(row: Row) -> Row:
    return {
        "assessor": visible_line(row["assessor"]),
        "last sign": row["last"] and f"{row['last'][:16].replace('T', ' ')} UTC",
        "judged": row["judged"] + row["cannot judge"],
        "left": row["remaining"] + row["later"],
        "put off": row["later"],
        "median seconds": rounded(row["median seconds"], 1),
        "per hour": row["per active hour"],
        "time left": _left(row),
    }


def _left(row: Row) -> Cell:
    """The time left in words, and what it is based on."""
    if not row["remaining"] + row["later"]:
        return Cell("none", 0.0)
    if row["hours left"] is None:
        return Cell("not known yet", below=row["basis"])
    low, likely, high = (row[name] * 3600 for name in ("from", "hours left", "to"))
    return Cell(in_words(TimeLeft(low, likely, high)), row["hours left"], below=f"from {row['basis']}")


PEOPLE = LookView("Assessors", _rows, parts=lambda store, query: people_table(_rows(store, query)), heavy=True)
