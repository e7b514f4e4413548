"""MS MARCO runs: `qid docno rank`, ordered by rank; a run is named after its file."""

from __future__ import annotations

import re

from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import OpenFile
from cranfield.formats.layout import as_grade, first_rows
from cranfield.formats.named.rows import unread
from cranfield.formats.records import Format

LINE = re.compile(rb"^[ \t]*(\S+)[ \t]+(\S+)[ \t]+(\d+)[ \t]*$", re.MULTILINE)


def detect(head: bytes, path: str) -> bool:
    """Whether the lines at the start have three columns, a whole number in the last.

    >>> detect(b"1048585\\t7187158\\t1\\n1048585\\t7187157\\t2\\n", "run.tsv"), detect(b"1 0 d1 1\\n", "run")
    (True, False)
    """
    rows = first_rows(head, 3)
    return bool(rows) and all(len(row) == 3 and as_grade(row[2]) is not None for row in rows)


def read(source: OpenFile) -> UnreadTable:
    return unread(source, "run", LINE.sub(rb"-\3\t\1\t\2", source.data().replace(b"\r\n", b"\n")))


RUN = Format("run", "msmarco", "qid docno rank, as MS MARCO's runs", detect, read)
