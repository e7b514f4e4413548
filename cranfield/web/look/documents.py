"""The corpus: the documents in the order they were added, or what a search finds, the best first."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.report.blocks import Block, Cell, Table, Text
from cranfield.search.fulltext import any_word
from cranfield.store.corpus import listed, listed_of
from cranfield.store.store import Store
from cranfield.text import counted

from .paging import pages
from .parameters import PAGE, SEARCH
from .query import Query, address
from .view import LookView, Row

MOST = 1000  # documents that a search finds


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return _found(store, query["search"]) if query["search"] else _listed(store)


def _listed(store: Store, first: int = 0, most: int = -1) -> list[Row]:
    return [{"document": one.docno, "title": one.title, "length": one.length} for one in listed(store, first, most)]


def _found(store: Store, text: str) -> list[Row]:
    """The documents with any word of the text, by BM25."""
    expression = any_word(text)
    scores = dict(store.search(expression, MOST)) if expression else {}
    about = listed_of(store, list(scores))
    return [
        {"document": docno, "title": about[docno].title, "length": about[docno].length, "score": score}
        for docno, score in scores.items()
    ]


def _parts(store: Store, query: Query) -> Sequence[Block]:
    found = _found(store, query["search"]) if query["search"] else None
    documents = store.count("document") if found is None else len(found)
    shown = pages(query, documents, what="documents")
    rows = _listed(store, shown.first, shown.last - shown.first) if found is None else found[shown.first : shown.last]
    if not rows:
        return [Text("No document has any of these words." if query["search"] else "There are no documents yet.")]
    caption = "Documents, with the characters of their texts" + (", best match first" if found is not None else "")
    return [
        Text(_said(found)),
        Table("documents", caption, [_linked(row) for row in rows], sortable=False),
        *shown.links,
    ]


def _said(found: Sequence[Row] | None) -> str:
    if found is None:
        return "In the order in which they were added."
    many = f"The best {MOST:,} documents" if len(found) == MOST else counted(len(found), "document")
    return f"{many} with any of these words, by the store's full-text index (BM25)."


def _linked(row: Row) -> Row:
    return {**row, "document": Cell(row["document"], href=address("document", docno=row["document"]))}


DOCUMENTS = LookView("Documents", _rows, (SEARCH, PAGE), _parts, entry="Collection")
