"""The table of parts, in the order in which they are written."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.publishing.parts.collection import COLLECTION_PART
from cranfield.publishing.parts.corpus import CORPUS_PART
from cranfield.publishing.parts.log import LOG_PART
from cranfield.publishing.parts.part import Part
from cranfield.publishing.parts.pools import POOLS_PART
from cranfield.publishing.parts.qrels import QRELS_PART
from cranfield.publishing.parts.queries import QUERIES_PART
from cranfield.publishing.parts.report import REPORT_PART
from cranfield.publishing.parts.runs import RUNS_PART
from cranfield.publishing.parts.trec import TREC_PART

PARTS: Sequence[Part] = (
    CORPUS_PART, QUERIES_PART, QRELS_PART, LOG_PART, POOLS_PART, TREC_PART, RUNS_PART, REPORT_PART, COLLECTION_PART,
)  # fmt: skip
