"""SMART's relevant pairs, `qid docno 0 0.000000`, as in CISI and CACM: every pair that is listed is relevant.

By their columns they are TREC qrels. They are recognised by the last two, which are 0 on every line.
"""

from __future__ import annotations

from cranfield.errors import InputError
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import OpenFile
from cranfield.formats.layout import Layout, as_grade, first_rows
from cranfield.formats.records import Format

LAYOUT = Layout("smart-rel has", ("qid", "docno", "0", "0.000000"), number=None)


def detect(head: bytes, path: str) -> bool:
    """Whether the whole lines at the start have four columns, the last two of them 0.

    >>> detect(b"1 28 0 0.000000\\n1 35 0 0.000000\\n", "CISI.REL"), detect(b"1 0 0 0\\n1 0 d2 0\\n", "qrels")
    (True, False)
    """
    rows = first_rows(head, 4)
    return bool(rows) and all(len(row) == 4 and row[2] == b"0" and as_grade(row[3]) == 0 for row in rows)


def read(source: OpenFile) -> UnreadTable:
    if source.head and not detect(source.head, ""):
        raise InputError("lines that do not end in 0 0, as smart-rel lines do: qid docno 0 0.000000", source.path)
    return UnreadTable(source.path, source.data(), LAYOUT)


QRELS = Format("qrels", "smart-rel", "qid docno 0 0.000000, every pair relevant", detect, read)
