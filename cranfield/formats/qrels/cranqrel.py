"""Qrels of three columns, `qid docno code`, as the Cranfield collection's own cranqrel.

The code is read as it is. In cranqrel itself 1 is the best and 4 the least: say so with `grades`.
"""

from __future__ import annotations

from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import OpenFile
from cranfield.formats.layout import Layout
from cranfield.formats.records import Format

LAYOUT = Layout("cranqrel has", ("qid", "docno", "grade"))


def detect(head: bytes, path: str) -> bool:
    """Whether the first line that is neither blank nor a comment has three columns."""
    lines = (line.split() for line in head.splitlines() if not line.startswith(b"#"))
    return len(next(filter(None, lines), [])) == len(LAYOUT.columns)


def read(source: OpenFile) -> UnreadTable:
    return UnreadTable(source.path, source.data(), LAYOUT)


QRELS = Format("qrels", "cranqrel", "qid docno grade, as Cranfield's cranqrel", detect, read)
