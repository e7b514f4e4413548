"""A pool by topic."""

from __future__ import annotations

from collections import Counter

from cranfield.holdings import Pool
from cranfield.rankings import Qrels


def by_topic(pool: Pool, qrels: Qrels) -> list[dict[str, object]]:
    """Per topic and in all: documents, those that only one run brought, those judged."""
    labelled = set(zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], strict=True))
    documents = Counter(d.qid for d in pool.documents)
    alone = Counter(d.qid for d in pool.documents if len(d.runs) == 1)
    judged = Counter(d.qid for d in pool.documents if (d.qid, d.docno) in labelled)
    rows = [(qid, documents[qid], alone[qid], judged[qid]) for qid in documents]
    rows.append(("all", documents.total(), alone.total(), judged.total()))
    return [dict(zip(("topic", "documents", "from one run", "judged"), row, strict=True)) for row in rows]


def by_run(pool: Pool, qrels: Qrels, min_relevant: int = 1) -> list[dict[str, object]]:
    """Per run: the documents and the relevant ones that it brought to the pool, and those that it alone brought."""
    names = zip(qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document], strict=True)
    relevant = {pair for pair, grade in zip(names, qrels.grade, strict=True) if grade >= min_relevant}
    count = {name: Counter[str]() for name in ("documents", "relevant", "alone", "relevant alone")}
    for document in pool.documents:
        found = (document.qid, document.docno) in relevant
        alone = len(document.runs) == 1
        for name, holds in zip(count, (True, found, alone, found and alone), strict=True):
            count[name].update(document.runs if holds else ())
    return [{"run": tag, **{name: column[tag] for name, column in count.items()}} for tag in pool.parameters["runs"]]
