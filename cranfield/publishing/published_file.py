"""A file of a published folder, as the cards list it."""

from __future__ import annotations

from typing import NamedTuple


class PublishedColumn(NamedTuple):
    """A column of a published table, its type as Hugging Face's `datasets` names it."""

    name: str
    dtype: str  # string, int32, int64, float64, bool


class PublishedFile(NamedTuple):
    """A file: its path in the folder, separated by /, and the rows and columns of a table or of a shard of one."""

    path: str
    sha256: str
    bytes: int
    table: str = ""  # corpus, queries, qrels, judgments; empty: not a table
    rows: int | None = None
    columns: tuple[PublishedColumn, ...] = ()
