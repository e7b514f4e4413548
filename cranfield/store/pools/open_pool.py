"""The tables behind a pool that grows while it is judged: one topic of it at a time, however large the store.

An adaptive pool is open until its budget is spent. It grows in its own rows: what is in it stays, so that the number on
a label means the same pool before and after.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Ints, Runs, Vocabulary
from cranfield.store.assignments import WORK, organised
from cranfield.store.decoding import documents_of, scores_of
from cranfield.store.pools.pools import Pool, PooledDocument, bare_pool
from cranfield.store.store import Store

LINE = """
WITH RECURSIVE line (id) AS (
    SELECT ? UNION SELECT json_extract(parameters, '$.holds') FROM pool JOIN line USING (id)
) SELECT 1 FROM line WHERE id = ?
"""


def newest(store: Store) -> Pool:
    """The newest pool, without its documents."""
    return bare_pool(store)


def in_batches(store: Store) -> set[int]:
    """The pools that were made in batches, by a method that listens to judgments, and topic by topic.

    Where topics compete for one budget (scope=global), an assessor who stays with a topic would spend it all on that.
    """
    found = store.rows(
        "SELECT id FROM pool WHERE json_type(parameters, '$.batches') = 'object'"
        " AND json_extract(parameters, '$.options.scope') IS NOT 'global'"
    )
    return {number for (number,) in found}


def is_open(store: Store, pool: Pool) -> bool:
    """Whether a pool is taken further while it is judged: the newest, if it was made in batches."""
    return pool.number in in_batches(store) and pool.number == newest(store).number


def holds(store: Store, pool: int, earlier: int) -> bool:
    """Whether a pool is another or was made from it, directly or in several steps."""
    return bool(store.rows(LINE, [pool, earlier]))


def sizes(store: Store, pool: int) -> dict[str, int]:
    """How many documents a pool has, by topic."""
    counted = "SELECT qid, count(*) FROM pool_document p JOIN topic t ON t.id = p.topic WHERE pool = ? GROUP BY topic"
    return dict(store.rows(counted, [pool]))


def docnos(store: Store, pool: int, qid: str) -> list[str]:
    """The documents of a topic."""
    found = store.rows(
        "SELECT docno FROM pool_document p JOIN document d ON d.id = p.document"
        " WHERE pool = ? AND topic = (SELECT id FROM topic WHERE qid = ?) ORDER BY docno",
        [pool, qid],
    )
    return [docno for (docno,) in found]


def work(store: Store, assessor: str, qid: str) -> list[str]:
    """What of a topic of the newest pool is an assessor's to judge, or was judged by her."""
    if not organised(store):
        return docnos(store, newest(store).number or 0, qid)
    me = store.numbers("assessor", "name", [assessor])[0]
    asked = {"me": me, "qid": qid, "pool": newest(store).number}
    return [docno for (docno,) in store.rows(f"SELECT docno FROM ({WORK}) WHERE qid = :qid", asked)]


def decided(store: Store, assessor: str, qid: str) -> set[str]:
    """The documents of a topic that an assessor has judged, put off or given up, as her last word."""
    found = store.rows(
        "SELECT docno FROM current_event e JOIN document d ON d.id = e.document"
        " WHERE e.topic = (SELECT id FROM topic WHERE qid = ?)"
        " AND e.assessor = (SELECT id FROM assessor WHERE name = ?)",
        [qid, assessor],
    )
    return {docno for (docno,) in found}


def is_hers(store: Store, assessor: str, qid: str) -> bool:
    """Whether an assessor may extend a topic: as its first assessor or, without assignments, anybody's."""
    first = (
        "SELECT 1 FROM assignment g JOIN topic t ON t.id = g.topic JOIN assessor a ON a.id = g.assessor"
        " JOIN plan ON plan.id = g.plan WHERE role = 'first' AND qid = ? AND name = ? AND (NOT plan.pinned"
        " OR plan.pool = (SELECT max(id) FROM pool))"
    )
    return not organised(store) or bool(store.rows(first, [qid, assessor]))


def relevance(store: Store, qid: str, least: int) -> dict[str, bool]:
    """Whether each judged document of a topic is relevant, as the qrels have it."""
    found = store.rows(
        "SELECT docno, grade FROM qrels_event q JOIN document d ON d.id = q.document WHERE q.topic = ?",
        store.numbers("topic", "qid", [qid]),
    )
    return {docno: grade >= least for docno, grade in found}


def by_models(store: Store) -> set[tuple[str, str]]:
    """The pairs whose label, as the qrels have it, is a model's."""
    return set(store.rows("SELECT qid, docno FROM qrels WHERE by_model"))


def topic_runs(store: Store, qid: str, tags: Sequence[str], depth: int) -> Runs:
    """What these runs retrieved for one topic, down to a depth."""
    found = store.rows(
        "SELECT wanted.key, substr(documents, 1, 4 * :depth), substr(scores, 1, 8 * :depth), run.id, topic"
        " FROM json_each(:tags) AS wanted JOIN run ON run.tag = wanted.value JOIN ranking ON ranking.run = run.id"
        " WHERE topic = (SELECT id FROM topic WHERE qid = :qid) ORDER BY wanted.key",
        {"tags": json.dumps(list(tags)), "qid": qid, "depth": depth},
    )
    rows = [row for _, _, _, *row in found]
    numbers = documents_of([documents for _, documents, *_ in found], rows, store.most("document"))
    lengths = [len(documents) // 4 for _, documents, *_ in found]
    used, document = np.unique(numbers, return_inverse=True)
    score = scores_of([scores for _, _, scores, *_ in found], rows, lengths)
    run = np.repeat(np.array([run for run, *_ in found], np.int64), lengths)
    topic = np.zeros(len(run), np.int64)
    return Runs(tuple(tags), Vocabulary([qid]), Vocabulary(_names(store, used)), run, topic, document, score)


def _names(store: Store, numbers: Ints) -> list[str]:
    """The docnos of ascending row numbers."""
    found = store.rows(
        "SELECT docno FROM json_each(?) AS wanted JOIN document ON document.id = wanted.value ORDER BY document.id",
        [json.dumps(numbers.tolist())],
    )
    return [docno for (docno,) in found]


def available(store: Store, depths: Mapping[str, int]) -> dict[str, int]:
    """How many documents these runs retrieved, each down to its depth, by topic in byte order of qids."""
    rows = store.rows(
        "SELECT qid, tag, substr(documents, 1, 4 * :most), run, topic FROM json_each(:tags) AS wanted"
        " JOIN run ON tag = value JOIN ranking ON run = run.id JOIN topic ON topic.id = topic",
        {"tags": json.dumps(list(depths)), "most": max(depths.values())},
    )
    found: dict[str, list[Ints]] = {}
    most = store.most("document")
    for qid, tag, documents, *row in rows:
        retrieved = documents_of([documents[: 4 * depths[tag]]], [row], most)
        found.setdefault(qid, []).append(retrieved)
    return {qid: len(np.unique(np.concatenate(found[qid]))) for qid in sorted(found)}


def add(store: Store, pool: Pool, documents: Sequence[PooledDocument]) -> None:
    """Let a pool grow: documents that are new or have another inclusion probability now, and its new parameters."""
    topics = store.numbers("topic", "qid", [document.qid for document in documents])
    numbers = store.numbers("document", "docno", [document.docno for document in documents])
    rows: list[tuple[Any, ...]] = [
        (pool.number, topic, number, d.depth, json.dumps(d.runs), d.stratum, d.probability)
        for topic, number, d in zip(topics, numbers, documents, strict=True)
    ]
    with store.writing():
        store.conn.executemany("INSERT OR REPLACE INTO pool_document VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        store.conn.execute("UPDATE pool SET parameters = ? WHERE id = ?", [json.dumps(pool.parameters), pool.number])
