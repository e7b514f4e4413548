"""The systems: mean scores with intervals, and scores by topic as a map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cranfield.analysis.evaluation import evaluation
from cranfield.arrays.which_topics import WhichTopics
from cranfield.metrics.evaluate import scored
from cranfield.report.blocks import Block, Text
from cranfield.report.by_topic import by_topic, score_map
from cranfield.report.scores import scores
from cranfield.source import open_judged
from cranfield.store.labelled_by import LabelledBy
from cranfield.store.store import Store

from .query import Query
from .sources import LABELS, TOPICS, measures, source_of, titles, topic_links
from .view import LookView, Row

MEASURES = ("AP", "nDCG@10", "P@10", "Judged@10")


def _evaluated(store: Store, query: Query) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """What `cranfield evaluate` says."""
    judged = open_judged([store], labels=LabelledBy(query["labels"]), topics=WhichTopics(query["topics"]))
    return evaluation(scored(judged, query["measures"]), query["measures"])


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return _evaluated(store, query)[0]


def _document(store: Store, query: Query) -> object:
    return _evaluated(store, query)[1]


def _parts(store: Store, query: Query) -> Sequence[Block]:
    source, notes = source_of(store, query)
    found = by_topic(source, query["measures"][0], titles(store))
    score_blocks, score_topics = scores(source, query["measures"]).blocks, score_map(found, topic_links(found.qids))
    return [*notes, *score_blocks, Text("By topic", 2), score_topics]


SYSTEMS = LookView(
    "Systems", _rows, [measures(MEASURES), TOPICS, LABELS], _parts, _document, entry="Systems", heavy=True
)  # fmt: skip
