"""pools/: the documents of every pool, and what stratified pools were drawn from."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.formats.published.parquet import write_table
from cranfield.formats.published.tables import FRAME, POOLS
from cranfield.publishing.parts.part import Part, PublishedTable, Publishing
from cranfield.store.published.contents import frame, pooled


def write_pools(asked: Publishing) -> Sequence[PublishedTable]:
    if not asked.store.count("pool"):
        return []
    documents = write_table(asked.within("pools", "pools.parquet"), POOLS, pooled(asked.store))
    tables = [PublishedTable(documents, "pools", POOLS)]
    if asked.store.count("frame_document"):
        drawn = write_table(asked.within("pools", "frame.parquet"), FRAME, frame(asked.store))
        tables.append(PublishedTable(drawn, "frame", FRAME))
    return tables


POOLS_PART = Part("pools", write_pools)
