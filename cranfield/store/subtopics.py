"""Judgments by subtopic: kept with the event of each judgment, and given back with the qrels."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from cranfield.arrays.rankings import Ints, Qrels, Subtopics, Vocabulary
from cranfield.store.store import Store


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
