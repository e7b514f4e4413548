"""Qrels of a stratified sample: `qid iteration docno stratum grade`, as NIST's sample_eval.pl takes them.

Every document of the pool is listed, with the stratum it belongs to; grade -1 is in the pool, but not judged. Some
write the last two columns the other way round, which is the format grade-stratum. By its content the one that has
a negative number is the grade; where neither or both have, the order is sample_eval's.
"""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.arrays.rankings import Qrels
from cranfield.errors import InputError
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import OpenFile, Path
from cranfield.formats.layout import Layout, as_grade, first_rows
from cranfield.formats.records import Format
from cranfield.formats.whole_files import write_lines
from cranfield.formats.writable import check_words

LAYOUT = Layout("stratified qrels have", ("qid", "iteration", "docno", "stratum", "grade"))
GRADE_FIRST_LAYOUT = Layout("stratified qrels have", ("qid", "iteration", "docno", "grade", "stratum"))


def detect(head: bytes, path: str) -> bool:
    """Whether the whole lines at the start have five columns, whole numbers in the last two.

    >>> detect(b"1 0 d1 2 -1\\n1 0 d2 1 0\\n1 0 d3", "qrels"), detect(b"1 0 0 d1 1\\n", "qrels")
    (True, False)
    """
    rows = first_rows(head, 5)
    return bool(rows) and all(len(row) == 5 and None not in map(as_grade, row[3:]) for row in rows)


def detect_grade_first(head: bytes, path: str) -> bool:
    """Whether, besides, only the fourth column has a negative number.

    >>> detect_grade_first(b"1 0 d1 -1 2\\n", "qrels"), detect_grade_first(b"1 0 d1 2 -1\\n", "qrels")
    (True, False)
    """
    rows = first_rows(head, 5) if detect(head, path) else []
    return any(row[3].startswith(b"-") for row in rows) and not any(row[4].startswith(b"-") for row in rows)


def read(source: OpenFile) -> UnreadTable:
    return UnreadTable(source.path, source.data(), LAYOUT)


def read_grade_first(source: OpenFile) -> UnreadTable:
    return UnreadTable(source.path, source.data(), GRADE_FIRST_LAYOUT)


def write(path: Path, qrels: Qrels) -> None:
    """Write the judgments with their strata; others are refused, and strata that are no whole numbers."""
    rows = _rows(path, qrels, "sample-eval")
    write_lines(path, (f"{qid} 0 {docno} {stratum} {grade}" for qid, docno, stratum, grade in rows))


def write_grade_first(path: Path, qrels: Qrels) -> None:
    """The same with the grade before the stratum."""
    rows = _rows(path, qrels, "grade-stratum")
    write_lines(path, (f"{qid} 0 {docno} {grade} {stratum}" for qid, docno, stratum, grade in rows))


def _rows(path: Path, qrels: Qrels, format: str) -> Iterator[tuple[str, str, str, int]]:
    if qrels.stratum is None:
        raise InputError(f"judgments without strata cannot be written as {format}", path)
    qids, docnos = qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document]
    check_words(path, qid=qids, docno=docnos, stratum=qrels.stratum)
    odd = next((name for name in qrels.stratum if as_grade(name.encode()) is None), None)
    if odd is not None:
        raise InputError(f"stratum {odd!r} cannot be written as {format}: it is not a whole number", path)
    return zip(qids, docnos, qrels.stratum, qrels.grade.tolist(), strict=True)


# In this order in the table of formats: the first that knows a file reads it.
GRADE_FIRST = Format(
    "qrels",
    "grade-stratum",
    "qid iteration docno grade stratum",
    detect_grade_first,
    read_grade_first,
    write_grade_first,
)
QRELS = Format("qrels", "sample-eval", "qid iteration docno stratum grade, a stratified sample", detect, read, write)
