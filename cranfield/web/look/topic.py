"""One topic: its text, its documents with everybody's labels, and the grades of the first ranks of every run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.analysis.topics import RANKS, FirstRanks, TopicDocument, first_ranks, topic_documents
from cranfield.formats import Topic
from cranfield.report.blocks import Block, Cell, Facts, Html, Table, Text
from cranfield.report.components.rank_grid import HOLE, NOTHING, rank_grid
from cranfield.store.events import Event
from cranfield.store.store import Store

from .paging import pages
from .parameters import PAGE, POOL, TOPIC
from .query import Query, QueryError, address
from .view import LookView, Row

KEY = (
    "A number is the grade that counts (relevant from {rel}), {hole} an unjudged document, {nothing} none retrieved."
    " Each leads to what is known of the document."
)


def _rows(store: Store, query: Query) -> Sequence[Row]:
    if query["topic"] is None:
        raise QueryError("there are no topics in this store", 404)
    return [_row(one) for one in topic_documents(store, query["topic"], query["pool"])]


def _row(one: TopicDocument) -> Row:
    return {
        "document": one.docno,
        "depth": one.entry.depth if one.entry else None,
        "runs": len(one.entry.runs) if one.entry else None,
        "grade": one.grade,
        "decisions": "; ".join(map(_decision, one.decisions)),
    }


def _decision(event: Event) -> str:
    what = f"{event.grade}" if event.grade is not None else event.kind.replace("-", " ")
    doubt = ", unsure" if event.unsure else ""
    return f"{event.assessor}: {what}{doubt}{' (adjudicated)' if event.kind == 'adjudicate' else ''}"


def _parts(store: Store, query: Query) -> Sequence[Block]:
    qid = query["topic"]
    topic = next((topic for topic in store.topics() if topic.qid == qid), None)
    if topic is None:
        return [Text("There are no topics yet.")]
    documents, runs = topic_documents(store, qid, query["pool"]), first_ranks(store, qid)
    return [Facts(_facts(topic)), *_documents(query, documents), *_grid(store, qid, runs)]


def _facts(topic: Topic) -> list[tuple[str, str]]:
    known = [("title", topic.title), ("description", topic.description), ("narrative", topic.narrative)]
    return [(term, text) for term, text in known if text] or [("topic", "only its number is known")]


def _documents(query: Query, found: Sequence[TopicDocument]) -> list[Block]:
    """The documents, a page of them."""
    if not found:
        return [Text("Documents", 2), Text("Nothing was pooled or judged for this topic.")]
    shown = pages(query, len(found), what="documents")
    rows = [_linked(query["topic"], _row(one)) for one in found[shown.first : shown.last]]
    caption = (
        "Documents of the pool, and judged ones outside it: the rank that brought each in, by how many runs, the grade"
        " that counts, and everybody's current decision"
    )
    return [Text("Documents", 2), Table("documents", caption, rows), *shown.links]


def _linked(qid: str, row: Row) -> Row:
    docno = row["document"]
    why = Cell("why", href=address("why", topic=qid, docno=docno))
    return {**row, "document": Cell(docno, href=address("document", docno=docno)), "why": why}


def _grid(store: Store, qid: str, runs: Sequence[FirstRanks]) -> list[Block]:
    """The first ranks of every run."""
    head = Text("What the first ranks hold", 2)
    if not runs:
        return [head, Text("No run answers this topic.")]
    rel = store.collection.min_relevant
    tokens = np.array([[*map(_token, one.grades), *[NOTHING] * (RANKS - len(one.grades))] for one in runs])
    links = [[address("why", topic=qid, docno=docno) for docno in one.docnos] for one in runs]
    caption = f"Grades of the first {RANKS} documents of every run, the run with most relevant ones first"
    key = KEY.format(rel=rel, hole=HOLE, nothing=NOTHING)
    holes = f"{int((tokens == HOLE).sum()):,} of these documents were not judged."
    return [
        head,
        Text(f"{key} {holes}"),
        Html(rank_grid("ranks", caption, [one.run for one in runs], tokens, rel, links)),
    ]


def _token(grade: int | None) -> str:
    return HOLE if grade is None else str(grade)


def _heading(store: Store, query: Query) -> str:
    return f"Topic {query['topic']}" if query["topic"] else "Topic"


TOPIC_VIEW = LookView("Topic", _rows, (TOPIC, POOL, PAGE), _parts, heading=_heading, entry="Topics")
