"""Qrels of subtopics: `qid subtopic docno grade`, as TREC's diversity tasks have; a document once for each subtopic.

By their columns they are TREC qrels. They are recognised by a document that is judged for two subtopics, both of them
whole numbers above 0, among the first lines; where that shows later, TREC qrels are refused, and the format can be
named. Other measures take a document's best grade in any subtopic.
"""

from __future__ import annotations

from cranfield.arrays.rankings import Qrels
from cranfield.errors import InputError
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import OpenFile, Path
from cranfield.formats.layout import Layout, first_rows
from cranfield.formats.records import Format
from cranfield.formats.whole_files import write_lines
from cranfield.formats.writable import check_words

LAYOUT = Layout("subtopic qrels have", ("qid", "subtopic", "docno", "grade"))


def detect(head: bytes, path: str) -> bool:
    """Whether a document is judged for two subtopics, and all second columns are natural numbers.

    >>> detect(b"1 1 d1 1\\n1 2 d1 0\\n", "qrels"), detect(b"1 0 d1 1\\n1 1 d1 0\\n", "qrels")
    (True, False)
    """
    rows = first_rows(head, 4)
    if not all(len(row) == 4 and row[1].isdigit() for row in rows):
        return False
    seen: dict[tuple[bytes, bytes], bytes] = {}
    numbered = ((row[0], row[2], row[1].lstrip(b"0")) for row in rows)
    return any(subtopic and seen.setdefault((qid, docno), subtopic) != subtopic for qid, docno, subtopic in numbered)


def read(source: OpenFile) -> UnreadTable:
    return UnreadTable(source.path, source.data(), LAYOUT)


def write(path: Path, qrels: Qrels) -> None:
    """Write the judgments of the subtopics; qrels without any are refused."""
    about = qrels.subtopics
    if about is None:
        raise InputError("judgments without subtopics cannot be written as subtopics", path)
    qids = qrels.topics.names[qrels.topic[about.judgment]]
    docnos = qrels.docnos.names[qrels.document[about.judgment]]
    names = about.names[about.subtopic]
    check_words(path, qid=qids, subtopic=names, docno=docnos)
    rows = zip(qids, names, docnos, about.grade.tolist(), strict=True)
    write_lines(path, (f"{qid} {subtopic} {docno} {grade}" for qid, subtopic, docno, grade in rows))


QRELS = Format("qrels", "subtopics", "qid subtopic docno grade, as in diversity tasks", detect, read, write)
