"""queries/: the topics in their order, a file for each split."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cranfield.formats import Topic
from cranfield.formats.published.parquet import write_table
from cranfield.formats.published.tables import QUERIES
from cranfield.publishing.parts.part import Part, PublishedTable, Publishing


def write_queries(asked: Publishing) -> Sequence[PublishedTable]:
    language, topics = " ".join(asked.description.language), asked.store.topics()
    return [
        PublishedTable(
            write_table(
                asked.within("queries", f"{split}.parquet"),
                QUERIES,
                [_query(topic, language) for topic in topics if topic.qid in qids],
            ),
            "queries",
            QUERIES,
        )
        for split, qids in asked.splits.items()
    ]


def _query(topic: Topic, language: str) -> tuple[Any, ...]:
    metadata = json.dumps(dict(topic.metadata), ensure_ascii=False) if topic.metadata else ""
    return topic.qid, topic.title, topic.description, topic.narrative, language, metadata


QUERIES_PART = Part("queries", write_queries)
