"""The runs and pools that a store holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Runs
from cranfield.errors import DamageError, InputError, StoreError
from cranfield.formats import RunInfo
from cranfield.store.store import Store, as_json, now
from cranfield.store.stored import documents_of, json_of, names_of, parameters_of, scores_of


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
        tag: RunInfo(
            team, kind, about, bool(pooled), depth, file, digest, json_of(dict, metadata, "run", tag, "metadata")
        )
        for tag, team, kind, about, pooled, depth, file, digest, metadata in rows
    }


def stored_runs(store: Store, tags: Sequence[str] | None = None) -> Runs:
    """All runs of a store, or those named, in the order they came; scores and docnos are loaded when asked for."""
    wanted = list(run_info(store)) if tags is None else list(tags)
    numbers = store.numbers("run", "tag", wanted)
    if -1 in numbers:
        raise StoreError(f"there is no run {wanted[numbers.index(-1)]!r} in this store")
    found = [(run, *row) for run, number in enumerate(numbers) for row in _column(store, number, "topic, documents")]
    blobs, rows = [documents for *_, documents in found], [(numbers[run], topic) for run, topic, _ in found]
    _check_topics(store, rows)
    lengths = [len(documents) // 4 for documents in blobs]
    return Runs(
        tuple(wanted), store.qids, store.docnos,
        np.repeat(np.array([run for run, _, _ in found], np.int64), lengths),
        np.repeat(np.array([topic - 1 for _, topic, _ in found], np.int64), lengths),
        documents_of(blobs, rows, store.most("document")) - 1,
        store.later(lambda again: _scores(again, numbers)),
    )  # fmt: skip


def _scores(store: Store, numbers: Sequence[int]) -> Floats:
    found = [row for number in numbers for row in _column(store, number, "scores, length(documents) / 4, run, topic")]
    return scores_of(
        [scores for scores, *_ in found], [row for _, _, *row in found], [length for _, length, *_ in found]
    )


def _check_topics(store: Store, rows: Sequence[tuple[int, int]]) -> None:
    most = store.most("topic")
    for row in rows:
        if not 1 <= row[1] <= most:
            raise DamageError("ranking", row, f"there is no such topic, but topics 1 to {most}")


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
    for tag, team, documents, scores, *row in store.rows(
        "SELECT tag, team, documents, scores, run, topic FROM ranking k JOIN run r ON r.id = k.run"
        " WHERE k.topic = (SELECT id FROM topic WHERE qid = ?) ORDER BY r.id",
        [qid],
    ):
        retrieved = documents_of([documents], [row], store.most("document"))
        score = scores_of([scores], [row], [len(retrieved)])
        found += [Rank(tag, team, int(at) + 1, float(score[at])) for at in np.flatnonzero(retrieved == document)]
    return sorted(found, key=lambda rank: rank.rank)


def pools_with(store: Store, qid: str, docno: str) -> list[Pool]:
    """Every pool that has a document for a topic, with that document alone, the oldest first."""
    rows = store.rows(
        "SELECT pool.id, method, parameters, seed, version, created, depth, runs, stratum, probability FROM pooled"
        " JOIN pool ON pool.id = pooled.pool WHERE qid = ? AND docno = ? ORDER BY pool.id",
        [qid, docno],
    )
    return [
        Pool(method, parameters_of(parameters, number),
             [PooledDocument(qid, docno, depth, _brought(runs, number, qid, docno), *rest)],
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
    return Pool(method, parameters_of(parameters, rest[-1]), (), *rest)


def stored_pool(store: Store, number: int | None = None) -> Pool:
    """A pool by its number, or the newest."""
    pool = bare_pool(store, number)
    columns = "qid, docno, depth, runs, stratum, probability"
    rows = store.rows(f"SELECT {columns} FROM pooled WHERE pool = ? ORDER BY qid, docno", [pool.number])
    documents = [
        PooledDocument(q, d, depth, _brought(runs, pool.number, q, d), *rest) for q, d, depth, runs, *rest in rows
    ]
    return pool._replace(documents=documents)


def _brought(runs: str, *row: object) -> tuple[str, ...]:
    return names_of(runs, "pool_document", row, "runs")


def pool_depth(store: Store, number: int | None = None) -> int | None:
    """The depth of a pool, or of the newest; None where there is none, or where it is not of depth k."""
    if number is None and not store.count("pool"):
        return None
    return bare_pool(store, number).parameters.get("depth")


def pooled_runs(store: Store, number: int | None = None) -> tuple[int | None, tuple[str, ...] | None]:
    """The number of a pool, or of the newest, and the runs that it was made from; None where it was not made so."""
    if not store.count("pool"):
        return None, None
    pool = bare_pool(store, number)
    return pool.number, tuple(pool.parameters.get("runs", ())) or None


def pools_there(store: Store) -> str:
    """The numbers of the pools, in a sentence."""
    numbers = [str(number) for (number,) in store.rows("SELECT id FROM pool ORDER BY id")]
    return f"its pools are {', '.join(numbers)}" if numbers else "`cranfield pool build` makes one"
