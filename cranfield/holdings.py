"""The runs and pools that a store holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from cranfield.errors import InputError, StoreError
from cranfield.formats import RunInfo
from cranfield.rankings import Floats, Ints, Runs
from cranfield.store import Store, as_json, now


class PooledDocument(NamedTuple):
    """A document of a pool: the best rank that brought it in, and the runs that did."""

    qid: str
    docno: str
    depth: int
    runs: tuple[str, ...]
    stratum: str | None = None
    probability: float | None = None


class Pool(NamedTuple):
    """A pool: how it was made and what is in it."""

    method: str
    parameters: Mapping[str, Any]
    documents: Sequence[PooledDocument]
    seed: int | None = None
    version: str = ""
    created: str = ""
    number: int | None = None


def add_runs(store: Store, runs: Runs, about: Mapping[str, RunInfo] | None = None) -> int:
    """Add runs in one transaction; how many. A tag that is here already is refused, and a run of nothing.

    A docno that is new becomes a document without text. A qid that is new is refused where topics are known.
    """
    infos = {tag: (about or {}).get(tag, RunInfo(team=tag)) for tag in runs.tags}
    for tag in run_info(store):
        if tag in infos:
            raise InputError(f"run {tag!r} is in the store already", infos[tag].file or None)
    for tag in sorted(infos.keys() - set(runs.answering().tags)):
        raise InputError(f"run {tag!r} retrieved nothing; a run answers at least one topic", infos[tag].file or None)
    with store.writing():
        topic = _numbers(store, "topic", runs.topics.names, runs.topic)
        document = _numbers(store, "document", runs.docnos.names, runs.document)
        first = store.rows("SELECT coalesce(max(id), 0) + 1 FROM run")[0][0]
        for number, (tag, info) in enumerate(infos.items(), first):
            row = {"id": number, "tag": tag, **info._asdict(), "imported": now(), "import": store.importing}
            store.db.table("run").insert(row | {"metadata": as_json(info.metadata)})
        rows = _rankings(runs, first, topic, document)
        store.conn.executemany("INSERT INTO ranking VALUES (?, ?, ?, ?)", rows)
    store.forget()
    return len(runs.tags)


def _numbers(store: Store, table: str, names: Any, codes: Ints) -> Ints:
    """The store's row numbers for codes, after making new names known."""
    used = np.unique(codes)
    wanted = names[used].tolist()
    column, known = {"topic": ("qid", store.known_qids), "document": ("docno", store.known_docnos)}[table]
    known(wanted)
    numbers = np.zeros(len(names), np.int64)
    numbers[used] = store.numbers(table, column, wanted)
    return numbers[codes]


def _rankings(runs: Runs, first: int, topic: Ints, document: Ints) -> Iterator[tuple[int, int, bytes, bytes]]:
    documents, scores = document.astype("<i4"), runs.score.astype("<f8")
    for start, end in pairwise(np.append(runs.starts, len(runs))):
        number = int(runs.run[start]) + first
        yield number, int(topic[start]), documents[start:end].tobytes(), scores[start:end].tobytes()


def run_info(store: Store) -> dict[str, RunInfo]:
    """What is known of each run, by tag, in the order they came."""
    rows = store.rows("SELECT tag, team, kind, description, pooled, depth, file, sha256, metadata FROM run ORDER BY id")
    return {
        tag: RunInfo(team, kind, about, bool(pooled), depth, file, sha256, json.loads(metadata or "{}"))
        for tag, team, kind, about, pooled, depth, file, sha256, metadata in rows
    }


def stored_runs(store: Store, tags: Sequence[str] | None = None) -> Runs:
    """All runs of a store, or those named, in the order they came; scores and docnos are loaded when asked for."""
    wanted = list(run_info(store)) if tags is None else list(tags)
    numbers = store.numbers("run", "tag", wanted)
    if -1 in numbers:
        raise StoreError(f"there is no run {wanted[numbers.index(-1)]!r} in this store")
    found = [(run, *row) for run, number in enumerate(numbers) for row in _column(store, number, "topic, documents")]
    lengths = [len(documents) // 4 for _, _, documents in found]
    return Runs(
        tuple(wanted), store.qids, store.docnos,
        np.repeat(np.array([run for run, _, _ in found], np.int64), lengths),
        np.repeat(np.array([topic - 1 for _, topic, _ in found], np.int64), lengths),
        np.frombuffer(b"".join(documents for _, _, documents in found), "<i4").astype(np.int64) - 1,
        store.later(lambda again: _scores(again, numbers)),
    )  # fmt: skip


def _scores(store: Store, numbers: Sequence[int]) -> Floats:
    blobs = [scores for number in numbers for (scores,) in _column(store, number, "scores")]
    return np.frombuffer(b"".join(blobs), "<f8")


def _column(store: Store, number: int, columns: str) -> list[tuple[Any, ...]]:
    """Of the rankings of a run, by topic."""
    return store.rows(f"SELECT {columns} FROM ranking WHERE run = ? ORDER BY topic", [number])


class Rank(NamedTuple):
    """Where a run ranks a document."""

    tag: str
    team: str
    rank: int
    score: float


def ranks(store: Store, qid: str, docno: str) -> list[Rank]:
    """The rank and the score of one document in every run that retrieved it for a topic, best first."""
    document = store.numbers("document", "docno", [docno])[0]
    found = []
    for tag, team, documents, scores in store.rows(
        "SELECT tag, team, documents, scores FROM ranking k JOIN run r ON r.id = k.run"
        " WHERE k.topic = (SELECT id FROM topic WHERE qid = ?) ORDER BY r.id",
        [qid],
    ):
        place = np.flatnonzero(np.frombuffer(documents, "<i4") == document)
        found += [Rank(tag, team, int(at) + 1, float(np.frombuffer(scores, "<f8")[at])) for at in place]
    return sorted(found, key=lambda rank: rank.rank)


def pools_with(store: Store, qid: str, docno: str) -> list[Pool]:
    """Every pool that has a document for a topic, with that document alone, the oldest first."""
    rows = store.rows(
        "SELECT pool.id, method, parameters, seed, version, created, depth, runs, stratum, probability FROM pooled"
        " JOIN pool ON pool.id = pooled.pool WHERE qid = ? AND docno = ? ORDER BY pool.id",
        [qid, docno],
    )
    return [
        Pool(method, json.loads(parameters), [PooledDocument(qid, docno, depth, tuple(json.loads(runs)), *rest)],
             seed, version, created, number)
        for number, method, parameters, seed, version, created, depth, runs, *rest in rows
    ]  # fmt: skip


def add_pool(store: Store, pool: Pool) -> int:
    """Add a pool in one transaction; its number. Its topics and documents have to be in the store."""
    from cranfield import __version__

    with store.writing():
        used = "SELECT id FROM pool UNION ALL SELECT CAST(name AS INTEGER) AS id FROM removal WHERE kind = 'pool'"
        number = store.rows(f"SELECT coalesce(max(id), 0) + 1 FROM ({used})")[0][0]
        row = {"id": number, "method": pool.method, "parameters": json.dumps(pool.parameters), "seed": pool.seed}
        store.db.table("pool").insert({**row, "version": __version__, "created": now()})
        topics = store.numbers("topic", "qid", [d.qid for d in pool.documents])
        documents = store.numbers("document", "docno", [d.docno for d in pool.documents])
        store.conn.executemany(
            "INSERT INTO pool_document VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (number, topic, document, d.depth, json.dumps(d.runs), d.stratum, d.probability)
                for topic, document, d in zip(topics, documents, pool.documents, strict=True)
            ],
        )
    return int(number)


def bare_pool(store: Store, number: int | None = None) -> Pool:
    """A pool by its number, or the newest, without its documents."""
    where = "ORDER BY id DESC LIMIT 1" if number is None else "WHERE id = :number"
    found = store.rows(f"SELECT method, parameters, seed, version, created, id FROM pool {where}", {"number": number})
    if not found:
        name = "pool" if number is None else f"pool {number}"
        raise StoreError(f"there is no {name} in this store; {pools_there(store)}")
    method, parameters, *rest = found[0]
    return Pool(method, json.loads(parameters), (), *rest)


def stored_pool(store: Store, number: int | None = None) -> Pool:
    """A pool by its number, or the newest."""
    pool = bare_pool(store, number)
    columns = "qid, docno, depth, runs, stratum, probability"
    rows = store.rows(f"SELECT {columns} FROM pooled WHERE pool = ? ORDER BY qid, docno", [pool.number])
    documents = [PooledDocument(q, d, depth, tuple(json.loads(runs)), *rest) for q, d, depth, runs, *rest in rows]
    return pool._replace(documents=documents)


def pool_depth(store: Store, number: int | None = None) -> int | None:
    """The depth of a pool, or of the newest; None where there is none, or where it is not of depth k."""
    which = "ORDER BY id DESC LIMIT 1" if number is None else "WHERE id = :number"
    found = store.rows(f"SELECT json_extract(parameters, '$.depth') FROM pool {which}", {"number": number})
    if not found and number is not None:
        raise StoreError(f"there is no pool {number} in this store; {pools_there(store)}")
    return found[0][0] if found else None


def pooled_runs(store: Store, number: int | None = None) -> tuple[int | None, tuple[str, ...] | None]:
    """The number of a pool, or of the newest, and the runs that it was made from; None where it was not made so."""
    where = "ORDER BY id DESC LIMIT 1" if number is None else "WHERE id = :number"
    found = store.rows(f"SELECT id, json_extract(parameters, '$.runs') FROM pool {where}", {"number": number})
    there, listed = found[0] if found else (None, None)
    return there, tuple(json.loads(listed or "[]")) or None


def pools_there(store: Store) -> str:
    """The numbers of the pools, in a sentence."""
    numbers = [str(number) for (number,) in store.rows("SELECT id FROM pool ORDER BY id")]
    return f"its pools are {', '.join(numbers)}" if numbers else "`cranfield pool build` makes one"
