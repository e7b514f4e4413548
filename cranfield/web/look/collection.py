"""The collection: what is in the store and what is unfinished; and its runs, whose they are, what they contributed."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from cranfield.analysis.collections import overview, topic_rows
from cranfield.charts.labels import shorten
from cranfield.charts.svg.markup import html_text, join
from cranfield.report.blocks import Block, Cell, Html, TableBlock, Text
from cranfield.report.facts import ReportSubject, assessor_rows, collection
from cranfield.store import open_pools
from cranfield.store.corpus import lengths
from cranfield.store.history import history
from cranfield.store.log import assessors, guidelines, tallies
from cranfield.store.names import lacks
from cranfield.store.pools import pool_numbers, pool_record
from cranfield.store.runs import run_info, sizes_of_runs
from cranfield.store.store import Store
from cranfield.text import counted, format_moment
from cranfield.web.look.view import PAGE, LookView, Query, Row, address, flatten_row, link_line, page_of_rows, table_of

LONGEST = 160  # characters of the names of imported files
PLACES = [("Documents", address("documents")), ("Topics", address("topics")), ("Runs", address("runs"))]


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return overview(store).rows


def _document(store: Store, query: Query) -> object:
    return overview(store).document


def _parts(store: Store, query: Query) -> Sequence[Block]:
    subject = ReportSubject([Path(store.path)], None, "", store.collection, store.counts(), unknown=lacks(store))
    rows = assessor_rows(tallies(store), assessors(store), sorted(store.collection.grades))
    caption = "Current labels by assessor and grade; hours are active time, where recorded"
    text = guidelines(store)
    return [
        *collection(subject).blocks,
        link_line(PLACES),
        Text("What is unfinished", 2),
        *map(Text, _left_to_do(store) or ["Nothing: every document of the newest pool has a label."]),
        Text("Documents", 2),
        Text(_text_lengths(store)),
        Text("Pools", 2),
        *table_of("pools", "Pools, the newest last", _pools(store), "Nothing is pooled yet."),
        Text("Judging", 2),
        *([TableBlock("assessors", caption, rows)] if rows else [Text("Nothing is judged yet.")]),
        Text("Imports and removals", 2),
        *table_of("history", "What was imported and removed, in order", _history(store), "Nothing was imported."),
        Text("Guidelines", 2),
        Html(join([f'<div class="text">{html_text(text)}</div>']))
        if text
        else Text("There are none for assessors yet."),
    ]


def _left_to_do(store: Store) -> list[str]:
    rows = topic_rows(store)
    states, unjudged = Counter(row["state"] for row in rows), sum(row["unjudged"] for row in rows)
    lines = [] if store.has("document") else ["No corpus was imported; documents are known by docno only."]
    if not store.count("pool"):
        return [*lines, "Nothing is pooled yet."]
    topics = ", ".join(f"{count:,} {state}" for state, count in states.items())
    return lines + [f"Topics: {topics}. {counted(unjudged, 'document')} of the newest pool without a label."] * (
        unjudged > 0
    )


def _text_lengths(store: Store) -> str:
    sizes = lengths(store)
    if sizes is None:
        return "The store has no texts."
    span = f"from {sizes.shortest:,} to {sizes.longest:,} characters, {sizes.mean:,.0f} on average"
    return f"{counted(sizes.texts, 'text')}, {span}."


def _pools(store: Store) -> list[Row]:
    rows: list[Row] = []
    for number in pool_numbers(store):
        pool, sizes = pool_record(store, number), open_pools.sizes(store, number)
        runs = pool.parameters.get("runs", [])
        about: Row = {
            "pool": Cell(f"{number}", href=address("pool", pool=number)),
            "method": pool.shown_method,
            "depth": pool.parameters.get("depth"),
            "runs": len(runs),
        }
        rows.append(
            {**about, "topics": len(sizes), "documents": sum(sizes.values()), "created": _time_cell(pool.created)}
        )
    return rows


def _history(store: Store) -> list[Row]:
    return [
        {
            "number": one.number,
            "at": _time_cell(one.at),
            "what": one.what,
            "name": shorten(one.name, LONGEST),
            "holds": one.holds,
        }
        | {"reason": one.reason, "by": one.by}
        for one in history(store)
    ]


def _time_cell(time: str) -> Cell:
    return Cell(format_moment(time), kind="whole")


COLLECTION = LookView(
    "Collection", _rows, parts=_parts, document=_document, heading=lambda store, query: store.collection.name,
    entry="Collection",
)  # fmt: skip


def _run_rows(store: Store, query: Query) -> Sequence[Row]:
    sizes = sizes_of_runs(store)
    return [
        {"run": tag, "team": one.team, "kind": one.kind, "pooled": one.pooled, "depth": one.depth}
        | {"topics": sizes[tag][0], "documents": sizes[tag][1], "file": one.file, "description": one.description}
        for tag, one in run_info(store).items()
    ]


def _parts_runs(store: Store, query: Query) -> Sequence[Block]:
    rows = _run_rows(store, query)
    if not rows:
        return [Text("There are no runs yet.")]
    part = page_of_rows(query, len(rows), what="runs")
    table = [flatten_row(row) for row in rows[part.first : part.last]]
    return [TableBlock("runs", "Runs in the order they came; documents are those retrieved", table), *part.links]


RUNS = LookView("Runs", _run_rows, (PAGE,), _parts_runs, entry="Collection")
