"""Agreement by pair of assessors, as `cranfield agreement --by pair` computes it, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from cranfield.judging.agreement import AGREEMENTS
from cranfield.judging.agreement.agreement import CAUTION, Coefficient, by_pair
from cranfield.judging.labels.pairs import matrix_of_store
from cranfield.report.blocks import Block, Cell, Table, Text
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.store import Store
from cranfield.text import visible_line

from .query import Query
from .view import LookView, Row

CAPTION = "Agreement of each two assessors on the documents that both labelled, with 95 % intervals over topics"
RESAMPLES = 1000


def _found(store: Store, names: Sequence[str] | None = None) -> list[Coefficient]:
    matrix = matrix_of_store(store, None, LabelledBy.people)
    return by_pair(matrix, names, RESAMPLES) if len(matrix.assessors) > 1 else []


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return [
        {"assessor": one.assessors[0], "and": one.assessors[1], "documents": one.units, "coefficient": one.coefficient,
         "value": one.interval.value, "low": one.interval.low, "high": one.interval.high,
         "no interval": one.interval.why}
        for one in _found(store)
    ]  # fmt: skip


def _parts(store: Store, query: Query) -> Sequence[Block]:
    found = _found(store, [it.name for it in AGREEMENTS.values() if it.brief])
    if not found:
        return [Text("No document has labels by two people yet.")]
    rows: dict[tuple[str, ...], dict[str, object]] = {}
    for one in found:
        pair: dict[str, object] = {
            "assessors": " and ".join(map(visible_line, one.assessors)),
            "documents": _documents(one),
        }
        rows.setdefault(one.assessors, pair)[one.coefficient] = _cell(one)
    heads = {it.name: it.heading or it.name for it in AGREEMENTS.values()}
    return [Table("pairs", CAPTION, list(rows.values()), heads=heads), Text(CAUTION)]


def _documents(one: Coefficient) -> Cell:
    """How many, and why there is no interval where there is none."""
    return Cell(f"{one.units:,}", one.units, below=f"no interval: {one.interval.why}" if one.interval.why else "")


def _cell(one: Coefficient) -> Cell:
    value, low, high, *_ = one.interval
    if isnan(value):
        return Cell("undefined")
    return Cell(f"{value:.2f}", value, below="" if one.interval.why else f"{low:.2f} to {high:.2f}")


PAIRS = LookView("Agreement by pair", _rows, parts=_parts, heavy=True)
