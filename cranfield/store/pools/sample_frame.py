"""What a stratified sample was drawn from, and the judgments as those of the sample.

The frame of a stratified pool is every document that it could have drawn, with its stratum. From it and the judgments
come the qrels of the sample, in which a document that was not judged has grade -1. What was judged and not drawn is of
no stratum of the pool, but known for certain: it is a separate stratum, which is judged completely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import UNJUDGED, Qrels
from cranfield.errors import InputError
from cranfield.store.pools.pools import Pool, PooledDocument, add_pool
from cranfield.store.store import Store

OTHERWISE = "otherwise"  # the stratum of what was judged and not drawn
IMPORTED = "imported"  # the method of a pool that came as qrels of a sample
Framed = tuple[str, str, str]  # qid, docno, stratum


class Stratified(NamedTuple):
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


def newest_sample(store: Store) -> int | None:
    """The number of the newest pool that has strata."""
    found: int | None = store.rows("SELECT max(pool) FROM frame_document")[0][0]
    return found


def stratified(store: Store, qrels: Qrels, pool: int | None = None) -> Stratified | None:
    """Judgments as those of a stratified pool, the newest one by default; None where there is none.

    Topics without a judgment are left out.
    """
    pool = newest_sample(store) if pool is None else pool
    found = store.conn.execute(
        "SELECT f.topic - 1, f.document - 1, f.stratum, p.document IS NOT NULL FROM frame_document f"
        " LEFT JOIN pool_document p USING (pool, topic, document) WHERE f.pool = ?",
        [pool],
    )
    frame = np.fromiter(found, [("topic", "i8"), ("document", "i8"), ("stratum", "O"), ("drawn", "?")])
    if pool is None or not len(frame):
        return None
    qrels = replace(
        qrels, topics=store.qids, topic=qrels.topics.translate(qrels.topic, store.qids),
        docnos=store.docnos, document=qrels.docnos.translate(qrels.document, store.docnos),
    )  # fmt: skip
    frame = frame[np.isin(frame["topic"], qrels.topic)]
    return _as_sample(qrels, frame, pool) if len(frame) else None


def _as_sample(qrels: Qrels, frame: NDArray[np.void], pool: int) -> Stratified:
    size = len(qrels.docnos.names)
    judged, framed = qrels.topic * size + qrels.document, frame["topic"] * size + frame["document"]
    order = np.argsort(framed)
    place = order[np.minimum(np.searchsorted(framed, judged, sorter=order), len(framed) - 1)]
    drawn = (framed[place] == judged) & frame["drawn"][place]
    rest = frame[~np.isin(framed, judged)]
    whole = Qrels(
        qrels.topics, qrels.docnos, np.append(qrels.topic, rest["topic"]), np.append(qrels.document, rest["document"]),
        np.append(qrels.grade_or_unjudged, np.full(len(rest), UNJUDGED)),
        stratum=np.append(np.where(drawn, frame["stratum"][place], OTHERWISE), rest["stratum"]),
    )  # fmt: skip
    return Stratified(pool, whole.rows(np.lexsort((whole.document, whole.topic))), int((~drawn).sum()))


def add_sample(store: Store, qrels: Qrels) -> int:
    """Keep qrels of a stratified sample as a pool, of what was judged, with its frame; its number.

    A document of a stratum was drawn as probably as any other of it.
    """
    if qrels.stratum is None:
        raise InputError("judgments without strata are not a sample")
    qids, docnos = qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist()
    strata, judged = qrels.stratum.tolist(), (qrels.grade != UNJUDGED).tolist()
    of = list(zip(qids, strata, strict=True))
    size, drawn = Counter(of), Counter(compress(of, judged))
    documents = [
        PooledDocument(qid, docno, 0, (), stratum, drawn[qid, stratum] / size[qid, stratum])
        for qid, docno, stratum in compress(zip(qids, docnos, strata, strict=True), judged)
    ]
    number = add_pool(store, Pool(IMPORTED, {"runs": []}, documents))
    add_frame(store, number, zip(qids, docnos, strata, strict=True))
    return number
