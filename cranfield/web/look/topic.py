"""One topic: its text, its documents with everybody's labels, and the first ranks of its runs."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.analysis.topics import TopicDocument, topic_documents
from cranfield.formats import Topic
from cranfield.report.blocks import Block, Cell, Facts, Table, Text
from cranfield.store.chain import Event
from cranfield.store.store import Store

from .paging import pages
from .parameters import PAGE, POOL, TOPIC
from .query import Query, QueryError, address
from .ranks import grid_of_topic
from .view import LookView, Row, leads


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
    documents, grid = _documents(query, topic_documents(store, qid, query["pool"])), grid_of_topic(store, qid)
    places = leads([("Documents", "#documents"), ("First ranks of the runs", "#ranks")])
    return [Facts(_facts(topic)), places, Text("Documents", 2), *documents, Text("What the first ranks hold", 2), *grid]


def _facts(topic: Topic) -> list[tuple[str, str]]:
    known = [("title", topic.title), ("description", topic.description), ("narrative", topic.narrative)]
    return [(term, text) for term, text in known if text] or [("topic", "only its number is known")]


def _documents(query: Query, found: Sequence[TopicDocument]) -> list[Block]:
    """The documents, a page of them."""
    if not found:
        return [Text("Nothing was pooled or judged for this topic.")]
    shown = pages(query, len(found), what="documents")
    rows = [_linked(query["topic"], _row(one)) for one in found[shown.first : shown.last]]
    caption = (
        "Documents of the pool, and judged ones outside it: the rank that brought each in, by how many runs, the grade"
        " that counts, and everybody's current decision"
    )
    return [Table("documents", caption, rows), *shown.links]


def _linked(qid: str, row: Row) -> Row:
    docno = row["document"]
    why = Cell("why", href=address("why", topic=qid, docno=docno))
    return {**row, "document": Cell(docno, href=address("document", docno=docno)), "why": why}


def _heading(store: Store, query: Query) -> str:
    return f"Topic {query['topic']}" if query["topic"] else "Topic"


TOPIC_VIEW = LookView("Topic", _rows, (TOPIC, POOL, PAGE), _parts, heading=_heading, entry="Topics")
