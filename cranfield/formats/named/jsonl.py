"""Runs and qrels in JSONL, one object a line."""

from __future__ import annotations

import re
from collections.abc import Callable

from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import OpenFile
from cranfield.formats.jsonl import objects
from cranfield.formats.named.rows import COLUMNS, as_table
from cranfield.formats.records import Format, Kind

NAMED_FIELD = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:')


def detect(head: bytes, path: str) -> bool:
    """Whether an object with a named field comes first; the id of a topic may start with a brace as well.

    >>> detect(b'{"qid": 1, "docno": "d1"}', "run"), detect(b"{ Q0 d1 1 0.5 tag", "run")
    (True, False)
    """
    return bool(NAMED_FIELD.match(head))


def reader(kind: Kind) -> Callable[[OpenFile], UnreadTable]:
    return lambda source: as_table(source, kind, objects(source))


RUN = Format("run", "jsonl", f"one JSON object a line: {COLUMNS['run']}", detect, reader("run"))
QRELS = Format("qrels", "jsonl", f"one JSON object a line: {COLUMNS['qrels']}", detect, reader("qrels"))
