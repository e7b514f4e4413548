"""One document: its text, inert, what is known of it, and the topics for which it was pooled or judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cranfield.formats import Document
from cranfield.report.blocks import Block, Cell, Facts, Html, Table, Text
from cranfield.report.components.markup import joined, said
from cranfield.store.corpus import topics_with
from cranfield.store.store import Store, sha256

from .paging import pages
from .parameters import DOCNO, PAGE
from .query import Query, QueryError, address
from .view import LookView, Row

PIECE = 50_000  # characters of a text on one page


def _document(store: Store, query: Query) -> dict[str, Any]:
    return store.document(_docno(query))._asdict() | {"topics": topics_with(store, _docno(query))}


def _docno(query: Query) -> str:
    if query["docno"] is None:
        raise QueryError("no document is given; expected docno=")
    return str(query["docno"])


def _rows(store: Store, query: Query) -> Sequence[Row]:
    found = store.document(_docno(query))
    return [{"document": found.docno, "title": found.title, "url": found.url, "text": found.text}]


def _parts(store: Store, query: Query) -> Sequence[Block]:
    if query["docno"] is None:
        return [Text("Give the docno of a document, or choose one from the collection's documents.")]
    found, topics = store.document(query["docno"]), topics_with(store, query["docno"])
    return [Facts(_facts(found)), *_text(found, query), *_topics(found, topics)]


def _facts(found: Document) -> list[tuple[str, str]]:
    known = [("title", found.title), ("address", found.url), *((name, str(it)) for name, it in found.metadata.items())]
    text = [("text", f"{len(found.text):,} characters, SHA-256 {sha256(found.text)}")] if found.text else []
    return [("docno", found.docno), *((term, value) for term, value in known if value), *text]


def _text(found: Document, query: Query) -> list[Block]:
    """The text, or a piece of a long one."""
    if not found.text:
        return [Text("The store does not have the text of this document.")]
    shown = pages(query, len(found.text), PIECE, "characters")
    piece = said(found.text[shown.first : shown.last])
    body = f'<div class="text document" role="region" aria-label="Text of the document" tabindex="0">{piece}</div>'
    return [Text("Text", 2), *shown.links, Html(joined([body]))]


def _topics(found: Document, topics: dict[str, int | None]) -> list[Block]:
    if not topics:
        return [Text("Topics", 2), Text("It is in no pool, and nobody has judged it.")]
    rows = [
        {"topic": Cell(qid, href=address("topic", topic=qid)), "grade": grade}
        | {"why": Cell("why", href=address("why", topic=qid, docno=found.docno))}
        for qid, grade in topics.items()
    ]
    return [
        Text("Topics", 2),
        Table("topics", "Topics for which it was pooled or judged, with the grade that counts", rows),
    ]


def _heading(store: Store, query: Query) -> str:
    return f"Document {query['docno']}" if query["docno"] else "Document"


DOCUMENT = LookView("Document", _rows, (DOCNO, PAGE), _parts, _document, _heading, "Collection")
