"""The pools that a store holds: how each was made, and its documents."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cranfield.errors import StoreError
from cranfield.notebook import html_table
from cranfield.store.decoding import names_of, parameters_of
from cranfield.store.store import Store, now
from cranfield.text import counted


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

    def __repr__(self) -> str:
        name = "Pool" if self.number is None else f"Pool {self.number}"
        documents = counted(len(self.documents), "document")
        return f"{name}: {self.method}, {documents} of {counted(len(self._by_topic()), 'topic')}"

    def _repr_html_(self) -> str:
        """The pool for a notebook: its documents by topic."""
        rows = [{"topic": qid, "documents": several} for qid, several in self._by_topic().items()]
        return html_table(rows, repr(self))

    def _by_topic(self) -> Counter[str]:
        return Counter(document.qid for document in self.documents)


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
        raise StoreError(f"no {name} in this store; {pools_there(store)}")
    method, parameters, *rest = found[0]
    return Pool(method, parameters_of(parameters, rest[-1]), (), *rest)


def stored_pool(store: Store, number: int | None = None) -> Pool:
    """A pool by its number, or the newest."""
    pool = bare_pool(store, number)
    columns = "qid, docno, depth, runs, stratum, probability"
    rows = store.rows(f"SELECT {columns} FROM pooled WHERE pool = ? ORDER BY qid, docno", [pool.number])
    brought: dict[str, tuple[str, ...]] = {}  # few different lists of runs brought many documents
    for q, d, _, runs, *_ in rows:
        if runs not in brought:
            brought[runs] = _brought(runs, pool.number, q, d)
    documents = [PooledDocument(q, d, depth, brought[runs], *rest) for q, d, depth, runs, *rest in rows]
    return pool._replace(documents=documents)


def pool_of_topic(store: Store, number: int, qid: str) -> list[PooledDocument]:
    """The documents that a pool has for a topic, sorted by docno."""
    columns = "docno, depth, runs, stratum, probability"
    rows = store.rows(f"SELECT {columns} FROM pooled WHERE pool = ? AND qid = ? ORDER BY docno", [number, qid])
    return [PooledDocument(qid, d, depth, _brought(runs, number, qid, d), *rest) for d, depth, runs, *rest in rows]


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
    numbers = ", ".join(map(str, pool_numbers(store)))
    return f"its pools are {numbers}" if numbers else "build one with `cranfield pool build`"


def pool_numbers(store: Store) -> list[int]:
    """The numbers of the pools, the oldest first."""
    return [number for (number,) in store.rows("SELECT id FROM pool ORDER BY id")]
