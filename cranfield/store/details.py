"""What a store keeps of judgments beside their grades: the sample they are of, and the subtopics they are about.

The frame of a stratified pool is every document that it could have drawn, with its stratum. From it and the judgments
come the qrels of the sample, in which a document that was not judged has grade -1. What was judged and not drawn is of
no stratum of the pool, but known for certain: it is a stratum by itself, of which all is judged.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays.rankings import UNJUDGED, Ints, Qrels, Subtopics, Vocabulary
from cranfield.errors import InputError
from cranfield.store.runs import Pool, PooledDocument, add_pool
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
        np.append(qrels.grade, np.full(len(rest), UNJUDGED)),
        stratum=np.append(np.where(drawn, frame["stratum"][place], OTHERWISE), rest["stratum"]),
    )  # fmt: skip
    return Stratified(pool, whole.rows(np.lexsort((whole.document, whole.topic))), int((~drawn).sum()))


def add_sample(store: Store, qrels: Qrels) -> int:
    """Keep qrels of a stratified sample as a pool, of what was judged, with its frame; its number.

    A document of a stratum was drawn as probably as any other of it.
    """
    if qrels.stratum is None:
        raise InputError("judgments without strata are no sample")
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


def said_of_subtopics(qrels: Qrels) -> list[str | None]:
    """What the event of each judgment says of single subtopics, as JSON; None where none was judged.

    >>> from cranfield.metrics.inputs import as_qrels
    >>> said_of_subtopics(as_qrels({"q": {"d1": 1}}))
    [None]
    """
    found: list[dict[str, int]] = [{} for _ in range(len(qrels))]
    about = qrels.subtopics
    if about is not None:
        columns = (about.judgment.tolist(), about.names[about.subtopic].tolist(), about.grade.tolist())
        for row, name, grade in zip(*columns, strict=True):
            found[row][name] = grade
    return [json.dumps({"subtopics": grades}) if grades else None for grades in found]


def with_subtopics(store: Store, qrels: Qrels, events: Ints) -> Qrels:
    """The judgments with their grades by subtopic, where the events they rest on (-1: none) came with any.

    Topics and docnos are in byte order then.
    """
    known = store.rows(
        "SELECT e.id, key, value FROM judgment_event e, json_each(evidence, '$.subtopics')"
        " WHERE kind = 'import' AND evidence IS NOT NULL"
    )
    row_of = {event: row for row, event in enumerate(events.tolist()) if event >= 0}
    found = [(row_of[event], name, grade) for event, name, grade in known if event in row_of]
    if not found:
        return qrels
    names = sorted({name for _, name, _ in found})
    place = {name: number for number, name in enumerate(names)}
    row, subtopic, grade = (
        np.array(column, np.int64)
        for column in zip(*((row, place[name], grade) for row, name, grade in found), strict=True)
    )
    order = np.lexsort((subtopic, row))
    about = Subtopics(row[order], subtopic[order], grade[order], np.array([*names, None], object)[:-1])
    return in_byte_order(replace(qrels, subtopics=about))


def in_byte_order(qrels: Qrels) -> Qrels:
    """The same judgments over names in byte order."""
    (topics, topic), (docnos, document) = (
        _ordered(names, codes) for names, codes in ((qrels.topics, qrels.topic), (qrels.docnos, qrels.document))
    )
    found = replace(qrels, topics=topics, topic=topic, docnos=docnos, document=document)
    return found.rows(np.lexsort((document, topic)))


def _ordered(names: Vocabulary, codes: Ints) -> tuple[Vocabulary, Ints]:
    used = names.in_byte_order(codes)
    place = np.zeros(int(used.max(initial=-1)) + 1, np.int64)
    place[used] = np.arange(len(used))
    return Vocabulary(names.names[used]), place[codes]
