"""Runs and qrels in JSONL, one object a line."""

from __future__ import annotations

from collections.abc import Callable

from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import OpenFile
from cranfield.formats.jsonl import detect, objects
from cranfield.formats.named.rows import COLUMNS, as_table
from cranfield.formats.records import Format, Kind


def reader(kind: Kind) -> Callable[[OpenFile], UnreadTable]:
    return lambda source: as_table(source, kind, objects(source))


RUN = Format("run", "jsonl", f"one JSON object a line: {COLUMNS['run']}", detect, reader("run"))
QRELS = Format("qrels", "jsonl", f"one JSON object a line: {COLUMNS['qrels']}", detect, reader("qrels"))
