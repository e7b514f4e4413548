"""A pool: what it costs, what each run or team contributed to it, and how far these overlap."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.analysis.pools import contents
from cranfield.pooling.stored.contents import UnitOverlap, overlap
from cranfield.report.blocks import Block, Cell, Facts, Html, Table, Text, rounded
from cranfield.report.by_topic import natural
from cranfield.report.components.grids import overlap_map
from cranfield.report.facts import pool_facts
from cranfield.store.pools import stored_pool
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from cranfield.web.look.scores import choice
from cranfield.web.look.view import POOL, LookView, Query, Row, address, leads

UNIT = choice("unit", "Contributions by", ["run", "team"])
TABLE = choice("table", "", ["topics", "contributions", "overlap"])
HEADS = {"alone": "unique", "relevant alone": "unique relevant", "from one run": "unique to a run"}


def _overlap(store: Store, query: Query) -> UnitOverlap:
    unit = query["unit"]
    units = {tag: info.team if unit == "team" else tag for tag, info in run_info(store).items()}
    return overlap(stored_pool(store, query["pool"]), units)


def _rows(store: Store, query: Query) -> Sequence[Row]:
    table, unit = query["table"], query["unit"]
    if table == "overlap":
        return _overlap(store, query).rows(unit)
    return contents(store, query["pool"], "topic" if table == "topics" else unit)[0]


def _document(store: Store, query: Query) -> object:
    number, unit = query["pool"], query["unit"]
    pool = stored_pool(store, number)
    about = {name: getattr(pool, name) for name in ("number", "method", "parameters", "seed", "version", "created")}
    tables = {"topics": contents(store, number, "topic")[0], "contributions": contents(store, number, unit)[0]}
    return {"pool": about, "by": unit, **tables, "overlap": _overlap(store, query).rows(unit)}


def _parts(store: Store, query: Query) -> Sequence[Block]:
    number, unit = query["pool"], query["unit"]
    (topics, head), (contributed, _) = contents(store, number, "topic"), contents(store, number, unit)
    found = _overlap(store, query)
    *single, whole = topics
    rows = [_topic(row) for row in [whole, *sorted(single, key=lambda row: natural(row["topic"]))]]
    by_unit: list[Block] = [
        Text(f"What each {unit} contributed", 2),
        Text(f"Only a {unit}'s unique documents would be missing without it."),
        _contributions(contributed, found, unit),
        leads([("Contributions as CSV", query.address(".csv", table="contributions"))]),
        *_map(found, query),
    ]
    return [
        Text(f"{head[:1].upper()}{head[1:]}."),
        Facts(pool_facts(stored_pool(store, number))),
        *(by_unit if contributed else ()),
        Text("By topic", 2),
        Table("topics", "Documents of the pool by topic", rows, filter="topics", heads=HEADS),
    ]


def _topic(row: dict[str, Any]) -> dict[str, Any]:
    whole = row["topic"] == "all"
    return row | {"topic": Cell(str(row["topic"]), href="" if whole else address("topic", topic=row["topic"]))}


def _contributions(rows: Sequence[dict[str, Any]], found: UnitOverlap, unit: str) -> Table:
    """The table of `cranfield pool show`, with the unit that has most in common with each."""
    nearest = dict(zip(found.units, _nearest(found), strict=True))
    shown = [row | {"most in common with": nearest[row[unit]][0], "share %": nearest[row[unit]][1]} for row in rows]
    caption = f"Documents in the pool by {unit}: share % are those that the {unit} with most in common retrieved, too"
    return Table("contributions", caption, shown, filter=f"{unit}s", heads=HEADS)


def _nearest(found: UnitOverlap) -> list[tuple[str, Cell]]:
    """Of each unit which other has the largest share of its documents, and that share in per cent."""
    if len(found.units) < 2:
        return [("-", Cell("-"))] * len(found.units)
    shares = np.nan_to_num(found.shares, nan=0.0)
    np.fill_diagonal(shares, -1)
    best = shares.argmax(axis=1).tolist()
    return [(found.units[other], rounded(100 * shares[one, other], 1)) for one, other in enumerate(best)]


def _map(found: UnitOverlap, query: Query) -> list[Block]:
    if len(found.units) < 2:
        return []
    unit = query["unit"]
    caption = f"Share of the documents of the row's {unit} that the column's {unit} contributed, too"
    return [
        Text(f"Overlap of {unit}s", 2),
        Html(overlap_map("overlap", caption, unit, found.units, found.shares)),
        leads([("Overlap as CSV", query.address(".csv", table="overlap"))]),
    ]


POOL_VIEW = LookView("Pool", _rows, [POOL, UNIT, TABLE], _parts, _document, entry="Pool", heavy=True)
