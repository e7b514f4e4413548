"""The first ranks of every run on a topic: the grade of each document, and the holes that nobody judged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.analysis.topics import RANKS, FirstRanks, first_ranks
from cranfield.report.blocks import Block, Html, Text
from cranfield.report.components.grids import HOLE, NOTHING, rank_grid
from cranfield.store.store import Store
from cranfield.text import counted

from .paging import pages
from .parameters import CUTOFF, PAGE, TOPIC
from .query import Query, QueryError, address
from .view import LookView, Row, leads

MOST = 100  # ranks
AT_FIRST = 25  # runs that the page of a topic shows


def _first(store: Store, query: Query) -> list[FirstRanks]:
    if query["topic"] is None:
        raise QueryError("there are no topics in this store", 404)
    if query["cutoff"] > MOST:
        raise QueryError(f"cutoff is {query['cutoff']}; expected at most {MOST}")
    return first_ranks(store, query["topic"], query["cutoff"])


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return [
        {"run": one.run, "rank": rank, "document": docno, "grade": grade}
        for one in _first(store, query)
        for rank, (docno, grade) in enumerate(zip(one.docnos, one.grades, strict=True), 1)
    ]


def _parts(store: Store, query: Query) -> Sequence[Block]:
    runs = _first(store, query)
    shown = pages(query, len(runs), what="runs")
    topic = leads([("Documents of this topic", address("topic", topic=query["topic"]))])
    return [topic, *grid(store, query["topic"], runs[shown.first : shown.last], query["cutoff"]), *shown.links]


def grid_of_topic(store: Store, qid: str) -> list[Block]:
    """The grid of the best runs of a topic, and where the others are."""
    runs = first_ranks(store, qid)
    more = f"All {counted(len(runs), 'run')}, to rank {MOST}" if len(runs) > AT_FIRST else f"To rank {MOST}, and as CSV"
    return [
        *grid(store, qid, runs[:AT_FIRST], RANKS),
        *([leads([(more, address("ranks", topic=qid))])] if runs else []),
    ]


def grid(store: Store, qid: str, runs: Sequence[FirstRanks], ranks: int) -> list[Block]:
    """The grid of these runs, with what its signs mean."""
    if not runs:
        return [Text("No run answers this topic.")]
    rel = store.collection.min_relevant
    tokens = np.array([[*map(_token, one.grades), *[NOTHING] * (ranks - len(one.grades))] for one in runs])
    links = [[address("why", topic=qid, docno=docno) for docno in one.docnos] for one in runs]
    caption = (
        f"Grades of the first {ranks} documents of {counted(len(runs), 'run')}; runs with most relevant ones first"
    )
    holes = int((tokens == HOLE).sum())
    said = (
        f"A number is the grade that counts (relevant from {rel}), {HOLE} an unjudged document, {NOTHING} none"
        f" retrieved; each leads to what is known of it. {counted(holes, 'document')} unjudged among them."
    )
    return [Text(said), Html(rank_grid("ranks", caption, [one.run for one in runs], tokens, rel, links))]


def _token(grade: int | None) -> str:
    return HOLE if grade is None else str(grade)


def _heading(store: Store, query: Query) -> str:
    return f"First ranks on topic {query['topic']}" if query["topic"] else "First ranks"


CUT = CUTOFF._replace(label="Ranks", default=lambda store: str(RANKS))
FIRST_RANKS = LookView("First ranks", _rows, (TOPIC, CUT, PAGE), _parts, heading=_heading, entry="Topics")
