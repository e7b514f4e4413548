"""The topics: how far each is judged, and its labels by grade."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.analysis.topics import topic_rows
from cranfield.report.blocks import Block, Cell, Table, Text
from cranfield.report.components.intervals import share_bar
from cranfield.store.store import Store

from .paging import pages
from .parameters import PAGE, POOL
from .query import Query, address
from .view import LookView, Row

CAPTION = (
    "Topics: documents of the pool, labels that count (judged, of them relevant, and by grade), and documents of the"
    " pool without one (unjudged). In the bars relevant is solid, judged otherwise grey, unjudged dashed"
)


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return topic_rows(store, query["pool"])


def _parts(store: Store, query: Query) -> Sequence[Block]:
    rows = _rows(store, query)
    if not rows:
        return [Text("There are no topics yet.")]
    shown = pages(query, len(rows), what="topics")
    whole = max(row["judged"] + row["unjudged"] for row in rows)
    table = [_shown(row, whole, query) for row in rows[shown.first : shown.last]]
    return [Table("topics", CAPTION, table), *shown.links]


def _shown(row: Row, whole: int, query: Query) -> Row:
    """A row with a link to its topic, its bar, and the labels by grade in one column."""
    pool = {"pool": query["pool"]} if "pool" in query.given else {}
    href = address("topic", topic=row["topic"], **pool)
    bar = share_bar([row["relevant"], row["judged"] - row["relevant"], row["unjudged"]], whole)
    grades = [name.removeprefix("grade ") for name in row if name.startswith("grade ")]
    counts = " / ".join(str(row[f"grade {grade}"]) for grade in grades)
    return {
        "topic": Cell(row["topic"], href=href),
        "title": row["title"],
        "state": Cell(row["state"], kind="whole"),
        "documents": Cell("", picture=bar),
        **{name: row[name] for name in ("pooled", "judged", "unjudged", "relevant")},
        f"of grade {' / '.join(grades)}": Cell(counts, kind="whole"),
    }


TOPICS = LookView("Topics", _rows, (POOL, PAGE), _parts, entry="Topics")
