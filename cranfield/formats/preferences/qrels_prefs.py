"""Qrels as preferences: `qid group docno level`, every document of a group beside every other."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.formats.files import OpenFile
from cranfield.formats.layout import first_rows
from cranfield.formats.preferences.line import PreferenceLine, lines_of
from cranfield.formats.records import Format

COLUMNS = ("qid", "group", "docno", "level")


def detect(head: bytes, path: str) -> bool:
    rows = first_rows(head, 1)
    return bool(rows) and len(rows[0]) == len(COLUMNS)


def read(source: OpenFile) -> Iterator[PreferenceLine]:
    return lines_of(source, COLUMNS)


PREFERENCES = Format("preferences", "qrels_prefs", "qid group docno level: trec_eval -R qrels_prefs", detect, read)
