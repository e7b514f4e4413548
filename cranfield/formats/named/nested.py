"""Runs and qrels as one JSON object {qid: {docno: number}}, as ranx, pytrec_eval and BEIR's tools write them.

What a message calls a line is the number of the entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from reprlib import repr as limited
from typing import Any

from cranfield.errors import InputError
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import OpenFile
from cranfield.formats.jsonl import beyond, loads_pairs
from cranfield.formats.named.rows import as_table
from cranfield.formats.records import Fields, Format, Kind

OBJECT_OF_OBJECTS = re.compile(rb'\s*\{\s*("(?:[^"\\]|\\.)*"\s*:\s*\{|\}\s*$)')


def detect(head: bytes, path: str) -> bool:
    """Whether the first value of the object is an object.

    >>> detect(b'{"q1": {"d1": 0.5}}', "run.json"), detect(b'{"qid": "q1", "docno": "d1"}', "run.jsonl")
    (True, False)
    >>> detect(b"{} Q0 d1 1 0.5 tag", "run")
    False
    """
    return bool(OBJECT_OF_OBJECTS.match(head))


def reader(kind: Kind) -> Callable[[OpenFile], UnreadTable]:
    return lambda source: as_table(source, kind, enumerate(_entries(source, kind), 1))


def _entries(source: OpenFile, kind: Kind) -> Iterator[Fields]:
    """Each number with its topic and document; an id that is there twice stays so, and is refused later."""
    number = "grade" if kind == "qrels" else "score"
    for qid, documents in _pairs(source, _read(source), "topics"):
        for docno, value in _pairs(source, documents, f"documents of topic {qid}"):
            yield {"qid": qid, "docno": docno, number: value}


def _read(source: OpenFile) -> object:
    try:
        return loads_pairs(source.text().read())
    except (ValueError, RecursionError) as error:
        raise InputError(beyond(error), source.path) from None


def _pairs(source: OpenFile, value: object, what: str) -> Iterable[tuple[str, Any]]:
    if isinstance(value, tuple):
        return value
    raise InputError(f"{limited(value):.40} instead of an object of {what}", source.path)


RUN = Format("run", "json", "one JSON object: {qid: {docno: score}}", detect, reader("run"))
QRELS = Format("qrels", "json", "one JSON object: {qid: {docno: grade}}", detect, reader("qrels"))
