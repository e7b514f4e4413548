"""The collection: what `cranfield info` says."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.analysis.overview import overview
from cranfield.report.blocks import Block, Facts
from cranfield.store.store import Store

from .query import Query
from .view import LookView, Row


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return overview(store).rows


def _document(store: Store, query: Query) -> object:
    return overview(store).document


def _parts(store: Store, query: Query) -> Sequence[Block]:
    return [Facts([(row["what"], row["value"]) for row in _rows(store, query)])]


COLLECTION = LookView(
    "Collection", _rows, parts=_parts, document=_document, heading=lambda store, query: store.collection.name,
    entry="Collection",
)  # fmt: skip
