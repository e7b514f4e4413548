"""Pools that grow while they are judged: one topic at a time, however large the store; and how each came to be.

An adaptive pool is open until its budget is spent or another pool is made from it, whatever other pools there are. It
grows in its own rows: what is in it stays, so that the number on a label means the same pool before and after. It can
be rebuilt only from the judgments that it learned, in the order it learned them. They are kept with it, so that a label
changed later, or a policy, does not change what the pool is the answer to.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints, Runs, Vocabulary
from cranfield.arrays.selection import RowSelection
from cranfield.errors import StoreError
from cranfield.store.assignments import WORK
from cranfield.store.decoding import decode_scores, documents_of
from cranfield.store.pools import (
    RANDOM_DRAW,
    Pool,
    PooledDocument,
    has_withdrawals,
    newest_built_pool,
    pool_record,
    pool_with_present_names,
    stored_pool,
)
from cranfield.store.store import Store
from cranfield.store.withdrawals import (
    pairs_settled_under_other_name,
    present_name_by_former_name,
    withdrawal_and_round_filter,
)

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


def numbers_of_pools_built_in_batches(store: Store) -> set[int]:
    """The pools that were made in batches, by a method that listens to judgments, and topic by topic.

    Where topics compete for one budget (scope=global), an assessor who stays with a topic would spend it all on that.
    """
    rows = store.rows(
        "SELECT id FROM pool WHERE json_type(parameters, '$.batches') = 'object'"
        " AND json_extract(parameters, '$.options.scope') IS NOT 'global'"
    )
    return {number for (number,) in rows}


def is_open(store: Store, pool: Pool) -> bool:
    """Whether a pool is taken further while it is judged: made in batches, and no other pool was made from it."""
    return (
        pool.number in numbers_of_pools_built_in_batches(store)
        and latest_successor_pool(store, pool.number) == pool.number
    )


def latest_successor_pool(store: Store, number: int | None) -> int | None:
    """The newest of the pools that were made from a pool, directly or in several steps; itself where there is none."""
    newest = store.rows(MADE_FROM, [number])[0][0]
    return None if newest is None else int(newest)


def continuation_notes(store: Store, number: int | None) -> list[str]:
    """That another pool was made from this one, in a line, where one was."""
    later = latest_successor_pool(store, number)
    return (
        []
        if later == number
        else [f"pool {number} no longer grows, because pool {later} extends it; use --pool {later}"]
    )


def pool_sizes_by_topic(store: Store, pool: int) -> dict[str, int]:
    """How many documents a pool has, by topic, without what was withdrawn and what only that brought."""
    without = "EXCEPT SELECT topic, document FROM left_out_of_pools WHERE pool = :pool"
    pooled = f"SELECT topic, document FROM pool_document WHERE pool = :pool {without if has_withdrawals(store) else ''}"
    query = f"SELECT qid, count(*) FROM ({pooled}) JOIN topic t ON t.id = topic GROUP BY topic"
    return dict(store.rows(query, {"pool": pool}))


def docnos(store: Store, pool: int, qid: str) -> list[str]:
    """The documents of a topic."""
    rows = store.rows(
        "SELECT docno FROM pool_document p JOIN document d ON d.id = p.document"
        " WHERE pool = ? AND topic = (SELECT id FROM topic WHERE qid = ?) ORDER BY docno",
        [pool, qid],
    )
    return [docno for (docno,) in rows]


def present_docnos(store: Store, pool: int, qid: str) -> list[str]:
    """The same by their present names."""
    names = present_name_by_former_name(store)
    return list(dict.fromkeys(names.get(docno, docno) for docno in docnos(store, pool, qid)))


def docnos_to_judge(store: Store, assessor: str, pool: int, qid: str) -> list[str]:
    """What of a topic of a pool is an assessor's to judge, or was judged by her."""
    if not _assignment_flags(store, assessor, pool, qid):
        return docnos(store, pool, qid)
    values = {"me": store.numbers("assessor", "name", [assessor])[0], "qid": qid, "pool": pool}
    return [docno for (docno,) in store.rows(f"SELECT docno FROM ({WORK}) WHERE qid = :qid", values)]


def decided_docnos(store: Store, assessor: str, qid: str) -> set[str]:
    """The documents of a topic that an assessor has judged by any name, put off or given up, as her last word."""
    rows = store.rows(
        "SELECT docno FROM current_event e JOIN document d ON d.id = e.document"
        " WHERE e.topic = (SELECT id FROM topic WHERE qid = ?)"
        " AND e.assessor = (SELECT id FROM assessor WHERE name = ?)",
        [qid, assessor],
    )
    other = pairs_settled_under_other_name(store, assessor)
    return {docno for (docno,) in rows} | {docno for of, docno in other if of == qid}


def can_extend_topic(store: Store, assessor: str, pool: int, qid: str) -> bool:
    """Whether an assessor may extend a topic of a pool: as its first assessor; one without assignments is anybody's."""
    assignments = _assignment_flags(store, assessor, pool, qid)
    return not assignments or any(assignments)


def _assignment_flags(store: Store, assessor: str, pool: int, qid: str) -> list[bool]:
    """Of each assignment of a topic, whether an assessor has it, of this pool, as the first."""
    values = {"assessor": assessor, "pool": pool, "qid": qid}
    return [bool(hers) for (hers,) in store.rows(ASSIGNED, values)]


WHOLE = 1 << 24  # deeper than any ranking


def topic_runs(store: Store, qid: str, tags: Sequence[str], depth: int) -> Runs:
    """What these runs retrieved for one topic, down to a depth; whole where documents are withdrawn or renamed."""
    now = withdrawal_and_round_filter(store).selection.document
    rankings = store.rows(
        "SELECT wanted.key, substr(documents, 1, 4 * :depth), substr(scores, 1, 8 * :depth), run.id, topic"
        " FROM json_each(:tags) AS wanted JOIN run ON run.tag = wanted.value JOIN ranking ON ranking.run = run.id"
        " WHERE topic = (SELECT id FROM topic WHERE qid = :qid) ORDER BY wanted.key",
        {"tags": json.dumps(list(tags)), "qid": qid, "depth": depth if now is None else WHOLE},
    )
    rows = [row for _, _, _, *row in rankings]
    numbers = documents_of([documents for _, documents, *_ in rankings], rows, store.last_row_number("document"))
    numbers = numbers if now is None else now[numbers - 1] + 1  # 0: it does not count
    lengths = [len(documents) // 4 for _, documents, *_ in rankings]
    used, document = np.unique(numbers[numbers > 0], return_inverse=True)
    score = decode_scores([scores for _, _, scores, *_ in rankings], rows, lengths)
    run = np.repeat(np.array([run for run, *_ in rankings], np.int64), lengths)
    docnos = store.rows(
        "SELECT docno FROM json_each(?) AS wanted JOIN document ON document.id = wanted.value ORDER BY document.id",
        [json.dumps(used.tolist())],
    )
    runs = Runs(
        tuple(tags),
        Vocabulary([qid]),
        Vocabulary([docno for (docno,) in docnos]),
        run=run[numbers > 0],
        topic=np.zeros(len(document), np.int64),
        document=document,
        scores=score[numbers > 0],
    )
    return (
        runs if now is None else RowSelection(document=np.arange(len(used))).select_runs(runs, store.left_out)
    )  # each name once


def count_available(store: Store, depths: Mapping[str, int]) -> dict[str, int]:
    """How many documents these runs retrieved, each down to its depth, by topic in byte order of qids."""
    now = withdrawal_and_round_filter(store).selection.document
    rows = store.rows(
        "SELECT qid, tag, substr(documents, 1, 4 * :most), run, topic FROM json_each(:tags) AS wanted"
        " JOIN run ON tag = value JOIN ranking ON run = run.id JOIN topic ON topic.id = topic",
        {"tags": json.dumps(list(depths)), "most": max(depths.values()) if now is None else WHOLE},
    )
    documents_of_runs: dict[str, list[Ints]] = {}
    most = store.last_row_number("document")
    for qid, tag, documents, *row in rows:
        retrieved = documents_of([documents if now is not None else documents[: 4 * depths[tag]]], [row], most)
        if now is not None:
            later = now[retrieved - 1]
            later = later[later >= 0]
            retrieved = later[np.sort(np.unique(later, return_index=True)[1])][: depths[tag]]
        documents_of_runs.setdefault(qid, []).append(retrieved)
    return {qid: len(np.unique(np.concatenate(documents_of_runs[qid]))) for qid in sorted(documents_of_runs)}


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


class KeptPools:
    """Reads each pool once: what is in a pool stays, and no number is used twice. A pool that may grow is read anew.

    >>> from cranfield.formats import Document, Topic
    >>> from cranfield.store.pools import PooledDocument, add_pool
    >>> store = Store.memory("one document")
    >>> store.add_documents([Document("d1")]), store.add_topics([Topic("q1")])
    (1, 1)
    >>> kept = KeptPools()
    >>> add_pool(store, Pool("depth", {}, [PooledDocument("q1", "d1", 1, ())]))
    1
    >>> kept(store).documents is kept(store, 1).documents
    True
    >>> store.close()
    """

    def __init__(self) -> None:
        self._kept: dict[int, Pool] = {}

    def __call__(self, store: Store, number: int | None = None) -> Pool:
        """A pool by its number, or the newest."""
        pool = pool_record(store, number).number or 0
        if pool in numbers_of_pools_built_in_batches(store):
            return stored_pool(store, pool)
        if pool not in self._kept:
            self._kept[pool] = stored_pool(store, pool)
        return self._kept[pool]


class PoolStep(NamedTuple):
    """A topic at a step of its pool: how many documents might come, and the judgments that were new.

    Where topics compete, `room` is that of all. It is None for a topic that only heard.
    """

    number: int
    qid: str
    room: int | None
    labels: Mapping[str, bool | None] = {}  # document -> relevant; None: the judgment was retracted


class Stage(NamedTuple):
    """A pool, and the steps in which it grew beyond the pool that it holds."""

    pool: Pool
    steps: Sequence[PoolStep] = ()


def pool_history(store: Store, number: int | None = None) -> list[Pool]:
    """A pool, or the newest, after all that it was made from, the first one first; without their documents."""
    pools, which = list[Pool](), number
    while True:
        pool = pool_record(store, which)
        pools.append(pool)
        if (which := pool.parameters.get("holds")) is None:
            return pools[::-1]
        if which >= (pool.number or 0):
            raise StoreError(f"pool {pool.number} claims to contain pool {which}; expected an earlier pool")


def pool_stages(store: Store, number: int | None = None) -> list[Stage]:
    """A pool, or the newest, after all that it was made from, the first one first.

    Only those that are needed to rebuild it have their documents: the last one, and around a list that decides.
    """
    pools = pool_history(store, number)
    lists = [pool for pool in pools if "decides" in pool.parameters]
    numbers = {pools[-1].number, *(pool.number for pool in lists), *(pool.parameters.get("holds") for pool in lists)}
    whole = [pool_with_present_names(store, pool.number) if pool.number in numbers else pool for pool in pools]
    return [Stage(pool, steps(store, pool.number or 0)) for pool in whole]


def budget_stages(store: Store, number: int | None = None) -> list[Stage]:
    """The stages of a pool, or of the newest, if it is not all that its runs have to some depth; else none.

    A pool of depth k that holds one of more runs or of a greater depth is not.
    """
    if not store.rows("SELECT 1 FROM pool LIMIT 1"):
        return []
    every = [pool.parameters for pool in pool_history(store, number)]
    plain = every[-1].get("depth") and all(_is_pool_contained(earlier, every[-1]) for earlier in every)
    return [] if plain else pool_stages(store, number)


def stored_draws(store: Store, number: int | None = None) -> list[dict[str, Any]]:
    """The random draws of a run's documents that a pool, or the newest, left unjudged, the oldest first."""
    numbers = store.rows("SELECT id FROM pool WHERE method = ? ORDER BY id", [RANDOM_DRAW])
    draws = [pool for (draw,) in numbers if "beside" in (pool := pool_record(store, draw)).parameters]
    if not store.rows("SELECT 1 FROM pool LIMIT 1"):
        return []
    built = newest_built_pool(store) if number is None else number
    pools = [] if built is None else pool_history(store, built)
    within = [{"pool": pool.number, **pool.parameters["draw"]} for pool in pools if "draw" in pool.parameters]
    beside = {None, *(pool.number for pool in pools)}
    return within + [_record_of_draw(store, pool) for pool in draws if pool.parameters["beside"] in beside]


def _record_of_draw(store: Store, draw: Pool) -> dict[str, Any]:
    pool, about = pool_with_present_names(store, draw.number), draw.parameters
    documents = [[one.qid, one.docno] for one in sorted(pool.documents, key=lambda one: one.depth)]
    return {
        "pool": draw.number, "run": about["run"], "depth": about["frame_depth"], "seed": draw.seed or 0,
        "frame_size": about["frame_size"], "frame": about["frame"], "documents": documents,
    }  # fmt: skip


def depth_pool_sizes(store: Store, number: int | None) -> dict[str, int]:
    """How many documents that count a pool of depth k has of each topic; nothing of one with others put in by hand."""
    if number is None or any("decides" in pool.parameters for pool in pool_history(store, number)):
        return {}
    every, counts = pool_sizes_by_topic(store, number), withdrawal_and_round_filter(store).selection.topics
    if counts is None:
        return every
    return {qid: size for qid, size in every.items() if counts[store.numbers("topic", "qid", [qid])[0] - 1]}


def has_lost_documents(store: Store, number: int | None) -> bool:
    """Whether documents of a pool were withdrawn, so that others are within its depth now."""
    query = "SELECT EXISTS (SELECT 1 FROM withdrawn w JOIN pool_document p ON p.document = w.item"
    return store.rows(f"{query} WHERE w.what = 'document' AND p.pool = ?)", [number]) == [(1,)]


def _is_pool_contained(earlier: Mapping[str, Any], newest: Mapping[str, Any]) -> bool:
    """Whether all that a pool has, down to some depth, is in that of a later one."""
    return (earlier.get("depth") or newest["depth"] + 1) <= newest["depth"] and {*earlier.get("runs", ())} <= {
        *newest.get("runs", ())
    }


def steps(store: Store, pool: int) -> list[PoolStep]:
    """The steps of a pool, in order."""
    rooms = "SELECT step, qid, room FROM pool_step s JOIN topic t ON t.id = s.topic WHERE pool = ?"
    news = (
        "SELECT step, qid, docno, relevant FROM pool_heard h JOIN topic t ON t.id = h.topic"
        " JOIN document d ON d.id = h.document WHERE pool = ? ORDER BY step, qid, docno"
    )
    room: dict[tuple[int, str], int] = {(step, qid): room for step, qid, room in store.rows(rooms, [pool])}
    labels: dict[tuple[int, str], dict[str, bool | None]] = {}
    for step, qid, docno, relevant in store.rows(news, [pool]):
        labels.setdefault((step, qid), {})[docno] = None if relevant is None else bool(relevant)
    return [PoolStep(*key, room.get(key), labels.get(key, {})) for key in sorted({*room, *labels})]


def add_steps(store: Store, pool: int, steps: Iterable[PoolStep]) -> None:
    """Say how a pool grew; the numbers go on from those it has."""
    last = store.rows("SELECT coalesce(max(step), 0) FROM pool_step WHERE pool = ?", [pool])[0][0]
    rooms, news = list[tuple[Any, ...]](), list[tuple[Any, ...]]()
    for step in steps:
        if step.room is not None:
            rooms.append((pool, last + step.number, step.qid, step.room))
        news += [(pool, last + step.number, step.qid, docno, relevant) for docno, relevant in step.labels.items()]
    topic, document = "(SELECT id FROM topic WHERE qid = ?)", "(SELECT id FROM document WHERE docno = ?)"
    with store.writing():
        store.conn.executemany(f"INSERT INTO pool_step VALUES (?, ?, {topic}, ?)", rooms)
        store.conn.executemany(f"INSERT INTO pool_heard VALUES (?, ?, {topic}, {document}, ?)", news)


def known_labels(store: Store, pool: int | None, qids: Sequence[str] | None = None) -> dict[str, dict[str, bool]]:
    """What a pool knows since its last step, by topic and document; of some topics only, if they are named."""
    labels: dict[str, dict[str, bool]] = {}
    which = "" if qids is None else "AND topic IN (SELECT topic.id FROM json_each(:qids) JOIN topic ON qid = value)"
    rows = store.rows(
        "WITH RECURSIVE line (id) AS ("
        " SELECT :pool UNION SELECT json_extract(parameters, '$.holds') FROM pool JOIN line USING (id)"
        ") SELECT qid, docno, relevant FROM pool_heard h JOIN line ON line.id = h.pool"
        f" JOIN topic t ON t.id = h.topic JOIN document d ON d.id = h.document WHERE true {which} ORDER BY pool, step",
        {"pool": pool, "qids": json.dumps(list(qids or ()))},
    )
    for qid, docno, relevant in rows:
        if relevant is None:
            labels.get(qid, {}).pop(docno, None)
        else:
            labels.setdefault(qid, {})[docno] = bool(relevant)
    return labels
