"""The tables behind a pool that grows while it is judged: one topic of it at a time, however large the store.

An adaptive pool is open until its budget is spent or another pool is made from it, whatever other pools there are. It
grows in its own rows: what is in it stays, so that the number on a label means the same pool before and after.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cranfield.arrays.rankings import Ints, Runs, Vocabulary
from cranfield.store.assignments import WORK
from cranfield.store.decoding import documents_of, scores_of
from cranfield.store.pools.pools import Pool, PooledDocument
from cranfield.store.store import Store

MADE_FROM = """
WITH RECURSIVE made (id) AS (
    SELECT ? UNION SELECT pool.id FROM pool JOIN made ON json_extract(parameters, '$.holds') = made.id
) SELECT max(id) FROM made
"""
ASSIGNED = """
SELECT role = 'first' AND name = :assessor
    AND CASE plan.pinned WHEN 1 THEN plan.pool ELSE (SELECT max(id) FROM pool) END = :pool
FROM assignment g JOIN topic t ON t.id = g.topic LEFT JOIN assessor a ON a.id = g.assessor JOIN plan ON plan.id = g.plan
WHERE qid = :qid
"""


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
    """Whether a pool is taken further while it is judged: made in batches, and no other pool was made from it."""
    return pool.number in in_batches(store) and latest(store, pool.number) == pool.number


def latest(store: Store, number: int | None) -> int | None:
    """The newest of the pools that were made from a pool, directly or in several steps; itself where there is none."""
    found = store.rows(MADE_FROM, [number])[0][0]
    return None if found is None else int(found)


def continued(store: Store, number: int | None) -> list[str]:
    """That another pool was made from this one, in a line, where one was."""
    later = latest(store, number)
    return [] if later == number else [f"pool {later} was made from pool {number}, which grows no more: --pool {later}"]


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


def work(store: Store, assessor: str, pool: int, qid: str) -> list[str]:
    """What of a topic of a pool is an assessor's to judge, or was judged by her."""
    if not _assigned(store, assessor, pool, qid):
        return docnos(store, pool, qid)
    asked = {"me": store.numbers("assessor", "name", [assessor])[0], "qid": qid, "pool": pool}
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


def is_hers(store: Store, assessor: str, pool: int, qid: str) -> bool:
    """Whether an assessor may extend a topic of a pool: as its first assessor; one without assignments is anybody's."""
    given = _assigned(store, assessor, pool, qid)
    return not given or any(given)


def _assigned(store: Store, assessor: str, pool: int, qid: str) -> list[bool]:
    """Of each assignment of a topic, whether an assessor has it, of this pool, as the first."""
    asked = {"assessor": assessor, "pool": pool, "qid": qid}
    return [bool(hers) for (hers,) in store.rows(ASSIGNED, asked)]


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
