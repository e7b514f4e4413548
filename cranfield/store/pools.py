"""The pools that a store holds: how each was made, its documents, and what a stratified sample was drawn from.

The frame of a stratified pool is every document that it could have drawn, with its stratum. From it and the judgments
come the qrels of the sample, in which a document that was not judged has grade -1. What was judged and not drawn is of
no stratum of the pool, but known for certain: it is a separate stratum, which is judged completely.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from dataclasses import replace
from itertools import compress, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import UNJUDGED, Qrels
from cranfield.errors import InputError, StoreError
from cranfield.store.decoding import TAGS, decode_names, parse_pool_parameters
from cranfield.store.store import Store, now
from cranfield.store.withdrawals import present_name_by_docno, topics_that_count, withdrawal_and_round_filter
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.store.changes import ItemState


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

    @property
    def shown_method(self) -> str:
        """The method; `RANDOM_DRAW` for a draw that earlier versions stored by mtc, with the pool before it."""
        return RANDOM_DRAW if "draw" in self.parameters else self.method

    def __repr__(self) -> str:
        name = "Pool" if self.number is None else f"Pool {self.number}"
        documents = counted(len(self.documents), "document")
        return f"{name}: {self.shown_method}, {documents} of {counted(len(self._count_by_topic()), 'topic')}"

    def _repr_html_(self) -> str:
        """The pool for a notebook: its documents by topic."""
        from cranfield.html_table import html_table

        rows = [{"topic": qid, "documents": several} for qid, several in self._count_by_topic().items()]
        return html_table(rows, repr(self))

    def _count_by_topic(self) -> Counter[str]:
        return Counter(document.qid for document in self.documents)


def pools_with_document(store: Store, qid: str, docno: str) -> list[Pool]:
    """Every pool that has a document for a topic, with that document alone, the oldest first."""
    rows = store.rows(
        "SELECT pool.id, method, parameters, seed, version, created, depth, runs, stratum, probability FROM pooled"
        " JOIN pool ON pool.id = pooled.pool WHERE qid = ? AND docno = ? ORDER BY pool.id",
        [qid, docno],
    )
    return [
        Pool(method, parse_pool_parameters(parameters, number),
             [PooledDocument(qid, docno, depth, _runs_of_row(runs, number, qid, docno), *rest)],
             seed=seed, version=version, created=created, number=number)
        for number, method, parameters, seed, version, created, depth, runs, *rest in rows
    ]  # fmt: skip


PREPARED = "temp.prepared_pool_document"


class PreparedPool(NamedTuple):
    """The rows of a pool in a temporary table, and what the log says of each of its topics if it gets this number."""

    number: int
    states: "Mapping[int, ItemState]"  # by number of a topic


@contextmanager
def preparing_pool(store: Store, documents: Sequence[PooledDocument]) -> Iterator[PreparedPool]:
    """Write the rows of a pool to a temporary table, from which `add_pool` copies them.

    Use it around a transaction, so that the store is locked for a shorter time.
    """
    from cranfield.store.changes import state_of_rows

    topics = store.numbers("topic", "qid", [d.qid for d in documents])
    numbers = store.numbers("document", "docno", [d.docno for d in documents])
    if unknown := [d for d, *row in zip(documents, topics, numbers, strict=True) if -1 in row]:
        raise StoreError(f"no topic {unknown[0].qid!r} or no document {unknown[0].docno!r} in this store")
    columns = "topic INTEGER, document INTEGER, depth INTEGER, runs TEXT, stratum TEXT, probability REAL"
    in_transaction = store.conn.in_transaction
    store.conn.execute(f"CREATE TABLE {PREPARED} ({columns}, PRIMARY KEY (topic, document)) WITHOUT ROWID")
    rows = [
        (topic, number, d.depth, json.dumps(d.runs), d.stratum, d.probability)
        for topic, number, d in zip(topics, numbers, documents, strict=True)
    ]
    rows.sort(key=itemgetter(0, 1))
    number = _next_number(store)
    states = {
        topic: state_of_rows((f"{number}/{topic}", *row) for _, *row in several)
        for topic, several in groupby(rows, itemgetter(0))
    }
    try:
        store.conn.executemany(f"INSERT INTO {PREPARED} VALUES (?, ?, ?, ?, ?, ?)", rows)
        if not in_transaction:  # the inserts began one
            store.conn.commit()
        store.conn.execute("PRAGMA foreign_keys = OFF")  # the numbers were looked up; without effect in a transaction
        yield PreparedPool(number, states)
    finally:
        store.conn.execute("PRAGMA foreign_keys = ON")
        store.conn.execute(f"DROP TABLE IF EXISTS {PREPARED}")


def add_pool(store: Store, pool: Pool, prepared: PreparedPool | None = None) -> int:
    """Add a pool in one transaction; its number. Its topics and documents have to be in the store.

    `prepared` is what `preparing_pool` gives for its documents.
    """
    from cranfield import __version__
    from cranfield.store.changes import adding_known_rows

    if prepared is None:
        with preparing_pool(store, pool.documents) as own:
            return add_pool(store, pool, own)
    with store.writing():
        number = _next_number(store)
        row = {"id": number, "method": pool.method, "parameters": json.dumps(pool.parameters), "seed": pool.seed}
        store.db.table("pool").insert({**row, "version": __version__, "created": now()})
        is_expected = number == prepared.number  # unless another program has stored a pool meanwhile
        states = {f"{number}/{topic}": state if is_expected else None for topic, state in prepared.states.items()}
        with adding_known_rows(store.conn, "pool_document", states):
            store.conn.execute(f"INSERT INTO pool_document SELECT ?, * FROM {PREPARED}", [number])
    return int(number)


def _next_number(store: Store) -> int:
    used = "SELECT id FROM pool UNION ALL SELECT CAST(name AS INTEGER) AS id FROM removal WHERE kind = 'pool'"
    return int(store.rows(f"SELECT coalesce(max(id), 0) + 1 FROM ({used})")[0][0])


def pool_record(store: Store, number: int | None = None) -> Pool:
    """A pool by its number, or the newest built one, without its documents.

    A random draw of unjudged documents is taken by its number only, or where a store has no other pool.
    """
    where = "ORDER BY method = :draw, id DESC LIMIT 1" if number is None else "WHERE id = :number"
    rows = store.rows(
        f"SELECT method, parameters, seed, version, created, id FROM pool {where}",
        {"number": number, "draw": RANDOM_DRAW},
    )
    if not rows:
        name = "pool" if number is None else f"pool {number}"
        numbers = ", ".join(map(str, pool_numbers(store)))
        remedy = f"its pools are {numbers}" if numbers else "build one with `cranfield pool build`"
        raise StoreError(f"no {name} in this store; {remedy}")
    method, parameters, *rest = rows[0]
    return Pool(
        method, _parameters_that_count(parse_pool_parameters(parameters, rest[-1]), _withdrawn_runs(store)), (), *rest
    )


def _withdrawn_runs(store: Store) -> frozenset[str]:
    return frozenset(tag for (tag,) in store.rows("SELECT name FROM withdrawn WHERE what = 'run'"))


def _parameters_that_count(parameters: dict[str, Any], without: frozenset[str]) -> dict[str, Any]:
    """What a pool was made from, without the runs that are withdrawn."""
    lists = {name: [tag for tag in parameters[name] if tag not in without] for name in TAGS if name in parameters}
    return {**parameters, **lists} if without else parameters


RANDOM_DRAW = "random-draw"  # the method of a pool of unjudged documents of runs, drawn to estimate what is missing
COUNTS = (
    "NOT EXISTS (SELECT 1 FROM left_out_of_pools o JOIN topic t ON t.id = o.topic JOIN document d ON d.id = o.document"
    " WHERE o.pool = pooled.pool AND t.qid = pooled.qid AND d.docno = pooled.docno)"
)


def has_withdrawals(store: Store) -> bool:
    """Whether anything is withdrawn."""
    return store.rows("SELECT EXISTS (SELECT 1 FROM withdrawn)") == [(1,)]


def pairs_left_out_of_pool(store: Store, number: int | None) -> set[tuple[str, str]]:
    """The topic and the document of what is left out of a pool, because it or what brought it was withdrawn."""
    names = (
        "SELECT qid, docno FROM left_out_of_pools o JOIN topic t ON t.id = o.topic JOIN document d ON d.id = o.document"
    )
    return set(store.rows(f"{names} WHERE o.pool = ?", [number])) if has_withdrawals(store) else set()


def stored_pool(store: Store, number: int | None = None) -> Pool:
    """A pool by its number, or the newest built one, without what was withdrawn and what only that brought."""
    pool = pool_record(store, number)
    columns = "qid, docno, depth, runs, stratum, probability"
    which = f"pool = ? AND {COUNTS}" if has_withdrawals(store) else "pool = ?"
    rows = store.rows(f"SELECT {columns} FROM pooled WHERE {which} ORDER BY qid, docno", [pool.number])
    withdrawn = _withdrawn_runs(store)
    tags_of: dict[str, tuple[str, ...]] = {}  # few different lists of runs brought many documents
    for q, d, _, runs, *_ in rows:
        if runs not in tags_of:
            tags_of[runs] = tuple(tag for tag in _runs_of_row(runs, pool.number, q, d) if tag not in withdrawn)
    documents = [PooledDocument(q, d, depth, tags_of[runs], *rest) for q, d, depth, runs, *rest in rows]
    return pool._replace(documents=documents)


def pool_within_selected_topics(store: Store, number: int | None = None) -> Pool:
    """The same on the topics that count, with the names that documents have."""
    pool, qids = pool_with_present_names(store, number), topics_that_count(store)
    documents = [one for one in pool.documents if qids is None or one.qid in qids]
    require_selected_documents(store, pool, documents)
    return pool._replace(documents=documents)


def require_selected_documents(store: Store, pool: Pool, documents: Sized) -> None:
    """Raise StoreError if topics are selected and the pool has no documents for them."""
    if (name := store.selection.topics) and not documents:
        raise StoreError(f"{store.path}: pool {pool.number} contains no topic of {name!r}")


def pool_with_present_names(store: Store, number: int | None = None) -> Pool:
    """The same on all its topics, with the names that documents have; two that are one now are so here."""
    pool, names = stored_pool(store, number), present_name_by_docno(store)
    documents: dict[tuple[str, str], PooledDocument] = {}
    for one in pool.documents:
        if (docno := names.get(one.docno, one.docno)) is not None:
            first = documents.setdefault((one.qid, docno), one._replace(docno=docno))
            runs = tuple(dict.fromkeys((*first.runs, *one.runs)))
            documents[one.qid, docno] = first._replace(depth=min(first.depth, one.depth), runs=runs)
    return pool._replace(documents=[documents[pair] for pair in sorted(documents)])


def pool_of_topic(store: Store, number: int, qid: str) -> list[PooledDocument]:
    """The documents that a pool has for a topic, sorted by docno."""
    columns = "docno, depth, runs, stratum, probability"
    rows = store.rows(f"SELECT {columns} FROM pooled WHERE pool = ? AND qid = ? ORDER BY docno", [number, qid])
    return [PooledDocument(qid, d, depth, _runs_of_row(runs, number, qid, d), *rest) for d, depth, runs, *rest in rows]


def _runs_of_row(runs: str, *row: object) -> tuple[str, ...]:
    return decode_names(runs, "pool_document", row, "runs")


def pool_depth(store: Store, number: int | None = None) -> int | None:
    """The depth of a pool, or of the newest built one; None where there is none, or where it is not of depth k."""
    if number is None and not store.count("pool"):
        return None
    return pool_record(store, number).parameters.get("depth")


def pooled_runs(store: Store, number: int | None = None) -> tuple[int | None, tuple[str, ...] | None]:
    """The number of a pool, or of the newest built one, and the runs that it was made from; None without such runs."""
    if not store.count("pool"):
        return None, None
    pool = pool_record(store, number)
    return pool.number, tuple(pool.parameters.get("runs", ())) or None


def newest_random_draw(store: Store, run: str | None = None) -> int | None:
    """The number of the newest random draw of unjudged documents, or of the newest one from a run."""
    where = "method = :method AND (:run IS NULL OR json_extract(parameters, '$.run') = :run)"
    number: int | None = store.rows(f"SELECT max(id) FROM pool WHERE {where}", {"method": RANDOM_DRAW, "run": run})[0][
        0
    ]
    return number


def newest_built_pool(store: Store) -> int | None:
    """The number of the newest pool that is not a random draw of unjudged documents."""
    number: int | None = store.rows("SELECT max(id) FROM pool WHERE method <> ?", [RANDOM_DRAW])[0][0]
    return number


def newest_pool_to_judge(store: Store) -> int | None:
    """The number of the newest pool, random draws included: the one that is judged next."""
    number: int | None = store.rows("SELECT max(id) FROM pool")[0][0]
    return number


def newest_pool_of_round(store: Store) -> int | None:
    """The number of the newest pool that was made from runs of the round that is asked for; None: the newest of all.

    A random draw of unjudged documents is to be judged, but no analysis takes it for the pool.
    """
    others = withdrawal_and_round_filter(store).others
    if not others and newest_random_draw(store) is None:
        return None
    rows = store.rows("SELECT id, parameters FROM pool WHERE method <> ? ORDER BY id DESC", [RANDOM_DRAW])
    runs = ((number, parse_pool_parameters(parameters, number).get("runs", ())) for number, parameters in rows)
    return next((number for number, tags in runs if not others or not others.issuperset(tags)), None)


def pool_numbers(store: Store) -> list[int]:
    """The numbers of the pools, the oldest first."""
    return [number for (number,) in store.rows("SELECT id FROM pool ORDER BY id")]


OTHERWISE = "otherwise"  # the stratum of what was judged and not drawn
IMPORTED = "imported"  # the method of a pool that came as qrels of a sample
Framed = tuple[str, str, str]  # qid, docno, stratum


class StratifiedQrels(NamedTuple):
    """Judgments as those of a sample; `otherwise` counts those that were not drawn."""

    pool: int
    qrels: Qrels
    otherwise: int


def add_frame(store: Store, pool: int, frame: Iterable[Framed]) -> None:
    """Keep what a pool was drawn from; its topics and documents have to be in the store."""
    rows = list(frame)
    topics = store.numbers("topic", "qid", [qid for qid, _, _ in rows])
    documents = store.numbers("document", "docno", [docno for _, docno, _ in rows])
    strata = (stratum for _, _, stratum in rows)
    with store.writing():
        store.conn.executemany(
            "INSERT INTO frame_document VALUES (?, ?, ?, ?)",
            [(pool, *row) for row in zip(topics, documents, strata, strict=True)],
        )


def newest_stratified_pool(store: Store) -> int | None:
    """The number of the newest pool that has strata."""
    newest: int | None = store.rows("SELECT max(pool) FROM frame_document")[0][0]
    return newest


def stratified_qrels(store: Store, qrels: Qrels, pool: int | None = None) -> StratifiedQrels | None:
    """Judgments as those of a stratified pool, the newest one by default; None where there is none.

    Topics without a judgment are left out.
    """
    pool = newest_stratified_pool(store) if pool is None else pool
    rows = store.conn.execute(
        "SELECT f.topic - 1, f.document - 1, f.stratum, p.document IS NOT NULL FROM frame_document f"
        " LEFT JOIN pool_document p USING (pool, topic, document) WHERE f.pool = ?",
        [pool],
    )
    frame = np.fromiter(rows, [("topic", "i8"), ("document", "i8"), ("stratum", "O"), ("drawn", "?")])
    if pool is None or not len(frame):
        return None
    qrels = replace(
        qrels, topics=store.qids, topic=qrels.topics.translate(qrels.topic, store.qids),
        docnos=store.docnos, document=qrels.docnos.translate(qrels.document, store.docnos),
    )  # fmt: skip
    frame = frame[np.isin(frame["topic"], qrels.topic)]
    if not len(frame):
        return None
    size = len(qrels.docnos.names)
    judged, keys = qrels.topic * size + qrels.document, frame["topic"] * size + frame["document"]
    order = np.argsort(keys)
    place = order[np.minimum(np.searchsorted(keys, judged, sorter=order), len(keys) - 1)]
    drawn_here = (keys[place] == judged) & frame["drawn"][place]
    rest = frame[~np.isin(keys, judged)]
    whole = Qrels(
        qrels.topics, qrels.docnos, np.append(qrels.topic, rest["topic"]), np.append(qrels.document, rest["document"]),
        np.append(qrels.grade_or_unjudged, np.full(len(rest), UNJUDGED)),
        stratum=np.append(np.where(drawn_here, frame["stratum"][place], OTHERWISE), rest["stratum"]),
    )  # fmt: skip
    return StratifiedQrels(pool, whole.rows(np.lexsort((whole.document, whole.topic))), int((~drawn_here).sum()))


def add_sample(store: Store, qrels: Qrels) -> int:
    """Keep qrels of a stratified sample as a pool, of what was judged, with its frame; its number.

    A document of a stratum was drawn as probably as any other of it.
    """
    if qrels.stratum is None:
        raise InputError("the judgments have no strata, so they are not a stratified sample")
    qids, docnos = qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist()
    strata, judged = qrels.stratum.tolist(), (qrels.grade != UNJUDGED).tolist()
    of = list(zip(qids, strata, strict=True))
    size, draws = Counter(of), Counter(compress(of, judged))
    documents = [
        PooledDocument(qid, docno, 0, runs=(), stratum=stratum, probability=draws[qid, stratum] / size[qid, stratum])
        for qid, docno, stratum in compress(zip(qids, docnos, strata, strict=True), judged)
    ]
    number = add_pool(store, Pool(IMPORTED, {"runs": []}, documents))
    add_frame(store, number, zip(qids, docnos, strata, strict=True))
    return number
