"""qrels/: the labels that count, sorted by topic and document, a file for each split.

`labels` is how many labels a grade rests on or was chosen from, `source` the second column of imported qrels;
`pool_depth`, `stratum` and `probability` are those of the document in the newest pool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cranfield.formats.published.parquet import write_table
from cranfield.formats.published.tables import QRELS
from cranfield.judging.labels.pairs import Pair
from cranfield.publishing.parts.part import Part, PublishedTable, Publishing
from cranfield.store.pools import PooledDocument, stored_pool


def write_qrels(asked: Publishing) -> Sequence[PublishedTable]:
    pooled = _newest_pool(asked)
    return [
        PublishedTable(
            write_table(asked.within("qrels", f"{split}.parquet"), QRELS, _labels(asked, pooled, qids)), "qrels", QRELS
        )
        for split, qids in asked.splits.items()
    ]


def _newest_pool(asked: Publishing) -> Mapping[Pair, PooledDocument]:
    if not asked.store.count("pool"):
        return {}
    return {(one.qid, one.docno): one for one in stored_pool(asked.store).documents}


def _labels(
    asked: Publishing, pooled: Mapping[Pair, PooledDocument], qids: frozenset[str]
) -> Iterator[tuple[Any, ...]]:
    found = asked.qrels
    columns = (found.topics.names[found.topic], found.docnos.names[found.document], found.grade.tolist(), found.sources)
    for qid, docno, grade, source in zip(*columns, strict=True):
        if qid not in qids:
            continue
        votes = asked.derived.by_pair[qid, docno].votes
        place = pooled.get((qid, docno))
        about = (place.stratum, place.probability, place.depth or None) if place else (None, None, None)
        yield qid, docno, float(grade), *about, len(votes), source


QRELS_PART = Part("qrels", write_qrels)
