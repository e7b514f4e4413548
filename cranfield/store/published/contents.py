"""The contents of a store in the order in which they are published, a few rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from cranfield.store.decoding import json_of
from cranfield.store.named_rows import NAMES
from cranfield.store.store import Store

Row = tuple[Any, ...]


class StoredText(NamedTuple):
    """A document as it is stored: its metadata as JSON, and the hash of its text."""

    docno: str
    title: str
    text: str
    url: str
    sha256: str
    metadata: str


def texts(store: Store) -> Iterator[StoredText]:
    """Every document that has a text, by docno.

    >>> from cranfield.formats import Document
    >>> with Store.memory("two documents") as store:
    ...     added = store.add_documents([Document("d2", text="two"), Document("d10", text="ten")])
    ...     [one.docno for one in texts(store)]
    ['d10', 'd2']
    """
    columns = "docno, coalesce(title, ''), text, coalesce(url, ''), sha256, coalesce(metadata, '')"
    for row in store.conn.execute(f"SELECT {columns} FROM document WHERE text IS NOT NULL ORDER BY docno"):
        yield StoredText(*row)


def hashes(store: Store, withheld: bool = False) -> Iterator[Row]:
    """The docno, the URL and the hash of the text of each document without a text, because it was published so.

    With `withheld` of every document that has a hash.
    """
    which = "" if withheld else "AND text IS NULL"
    yield from store.conn.execute(
        f"SELECT docno, coalesce(url, ''), sha256 FROM document WHERE sha256 IS NOT NULL {which} ORDER BY docno"
    )


def pools(store: Store) -> list[dict[str, Any]]:
    """How each pool was made, and how it grew."""
    made = store.rows("SELECT id, method, parameters, seed, version, created FROM pool ORDER BY id")
    names = ("number", "method", "parameters", "seed", "version", "created")
    stored = [dict(zip(names, row, strict=True)) for row in made]
    return [
        {**pool, "parameters": json_of(dict, pool["parameters"], "pool", pool["number"], "parameters")}
        | _growth(store, pool["number"])
        for pool in stored
    ]


def _growth(store: Store, pool: int) -> dict[str, list[Row]]:
    steps = store.rows(
        "SELECT step, qid, room FROM pool_step JOIN topic t ON t.id = topic WHERE pool = ? ORDER BY step, qid", [pool]
    )
    heard = store.rows(
        "SELECT step, qid, docno, relevant FROM pool_heard JOIN topic t ON t.id = topic"
        " JOIN document d ON d.id = document WHERE pool = ? ORDER BY step, qid, docno",
        [pool],
    )
    return {"steps": steps, "heard": heard} if steps or heard else {}


def pooled(store: Store) -> Iterator[Row]:
    """The documents of every pool: pool, qid, docno, depth, runs, stratum, probability."""
    columns = "pool, qid, docno, depth, runs, stratum, probability"
    yield from store.conn.execute(f"SELECT {columns} FROM pooled ORDER BY pool, qid, docno")


def frame(store: Store) -> Iterator[Row]:
    """What stratified pools were drawn from: pool, qid, docno, stratum."""
    yield from store.conn.execute(
        "SELECT f.pool, qid, docno, f.stratum FROM frame_document f JOIN topic t ON t.id = f.topic"
        " JOIN document d ON d.id = f.document ORDER BY f.pool, qid, docno"
    )


def judged_or_pooled(store: Store) -> Iterator[str]:
    """The docnos that the log and the pools name."""
    tables = ("judgment_event", "pool_document", "frame_document")
    named = " UNION ".join(f"SELECT document FROM {table}" for table in tables)
    yield from (docno for (docno,) in store.conn.execute(f"SELECT docno FROM document WHERE id IN ({named})"))


def first_assessors(store: Store) -> list[tuple[str, str]]:
    """Topic and assessor, of everybody to whom a topic was assigned first: under some policies their labels count."""
    return store.rows(
        "SELECT qid, name FROM holder h JOIN assignment g ON g.id = h.assignment AND g.role = 'first'"
        " JOIN topic t ON t.id = g.topic JOIN assessor a ON a.id = h.assessor ORDER BY t.id, a.id"
    )


class Assessor(NamedTuple):
    """An assessor; `repeats` is whose second name this is."""

    name: str
    kind: str
    repeats: str | None
    events: int


def assessors(store: Store) -> list[Assessor]:
    """Every assessor, in the order they came."""
    rows = store.rows(
        "SELECT a.name, a.kind, own.name, (SELECT count(*) FROM judgment_event e WHERE e.assessor = a.id)"
        " FROM assessor a LEFT JOIN assessor own ON own.id = a.repeats ORDER BY a.id"
    )
    return [Assessor(*row) for row in rows]


def names_like(store: Store, pattern: str) -> Iterator[tuple[str, str]]:
    """Documents and topics whose ids have a pattern of SQL's GLOB: what it is, and the id."""
    for table, column in NAMES.items():
        rows = store.conn.execute(f"SELECT {column} FROM {table} WHERE removed = 0 AND {column} GLOB ?", [pattern])
        yield from ((table, name) for (name,) in rows)
