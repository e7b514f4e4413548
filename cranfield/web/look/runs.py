"""The runs: whose they are, whether they contributed to the pool, and how much they retrieved."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.report.blocks import Block, Table, Text
from cranfield.store.runs import run_info, sizes_of_runs
from cranfield.store.store import Store

from .paging import pages
from .parameters import PAGE
from .query import Query
from .view import LookView, Row, on_one_line


def _rows(store: Store, query: Query) -> Sequence[Row]:
    sizes = sizes_of_runs(store)
    return [
        {"run": tag, "team": one.team, "kind": one.kind, "pooled": one.pooled, "depth": one.depth}
        | {"topics": sizes[tag][0], "documents": sizes[tag][1], "file": one.file, "description": one.description}
        for tag, one in run_info(store).items()
    ]


def _parts(store: Store, query: Query) -> Sequence[Block]:
    rows = _rows(store, query)
    if not rows:
        return [Text("There are no runs yet.")]
    shown = pages(query, len(rows), what="runs")
    table = [on_one_line(row) for row in rows[shown.first : shown.last]]
    return [Table("runs", "Runs in the order they came; documents are those retrieved", table), *shown.links]


RUNS = LookView("Runs", _rows, (PAGE,), _parts, entry="Collection")
