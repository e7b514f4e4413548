"""The assessors: when they were last seen, their pace, and how long the rest takes them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from cranfield.judging.planning.overview import working
from cranfield.judging.planning.progress import progress_of
from cranfield.judging.planning.progress_sections import pace_rows
from cranfield.judging.session.pace import TimeLeft, in_words
from cranfield.report.blocks import Block, Cell, Table, Text, rounded
from cranfield.store.log import last_signs
from cranfield.store.store import Store
from cranfield.text import counted, visible_line

from .query import Query
from .view import LookView, Row


def _rows(store: Store, query: Query) -> Sequence[Row]:
    state = progress_of(store)
    pace = {row["assessor"]: row for row in pace_rows(state)}
    seen = working(last_signs(store), state.kinds, pace.values(), datetime.now(UTC))
    signs = {one.assessor: {"last": one.last, "now": one.now} for one in seen}
    return [{"assessor": name} | signs.get(name, {"last": "", "now": False}) | row for name, row in pace.items()]


def _parts(store: Store, query: Query) -> Sequence[Block]:
    if not (rows := _rows(store, query)):
        return [Text("Nobody has anything to judge yet.")]
    return [Table("people", "Assessors: the hours left are of active work, with a range of 19 cases in 20",
                  [_shown(row) for row in rows])]  # fmt: skip


def _shown(row: Row) -> Row:
    return {
        "assessor": visible_line(row["assessor"]),
        "last sign": "judging now" if row["now"] else ago(row["last"], datetime.now(UTC)),
        "judged": row["judged"] + row["cannot judge"],
        "left": row["remaining"] + row["later"],
        "put off": row["later"],
        "median seconds": rounded(row["median seconds"], 1),
        "per hour": row["per active hour"],
        "time left": _left(row),
    }


def ago(moment: str, now: datetime) -> str:
    """How long ago something was.

    >>> [ago(moment, datetime(2026, 3, 2, 12, tzinfo=UTC)) for moment in ("2026-03-02T11:58Z", "2026-02-01T12:00Z", "")]
    ['2 minutes ago', '29 days ago', '']
    """
    if not moment:
        return ""
    minutes = max(int((now - datetime.fromisoformat(moment)).total_seconds() // 60), 1)
    if minutes < 60:
        return f"{counted(minutes, 'minute')} ago"
    hours = minutes // 60
    return f"{counted(hours, 'hour')} ago" if hours < 48 else f"{counted(hours // 24, 'day')} ago"


def _left(row: Row) -> Cell:
    """The time left in words, and what it is based on."""
    if not row["remaining"] + row["later"]:
        return Cell("none", 0.0)
    if row["hours left"] is None:
        return Cell("not known yet", below=row["basis"])
    low, likely, high = (row[name] * 3600 for name in ("from", "hours left", "to"))
    return Cell(in_words(TimeLeft(low, likely, high)), row["hours left"], below=f"from {row['basis']}")


PEOPLE = LookView("Assessors", _rows, parts=_parts)
