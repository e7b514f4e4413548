"""TREC qrels: `qid iteration docno grade`, whole grades, each pair once."""

from __future__ import annotations

from cranfield.arrays.rankings import Qrels
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import OpenFile, Path
from cranfield.formats.layout import Layout
from cranfield.formats.records import Format
from cranfield.formats.whole_files import write_lines
from cranfield.formats.writable import check_words

LAYOUT = Layout("qrels have", ("qid", "iteration", "docno", "grade"))


def read(source: OpenFile) -> UnreadTable:
    return UnreadTable(source.path, source.data(), LAYOUT)


def write(path: Path, qrels: Qrels) -> None:
    """Write the judgments; the second column is 0 where nothing was kept for it."""
    qids, docnos = qrels.topics.names[qrels.topic], qrels.docnos.names[qrels.document]
    iterations = ["0"] * len(qrels) if qrels.iteration is None else qrels.iteration
    check_words(path, qid=qids, iteration=iterations, docno=docnos)
    rows = zip(qids, iterations, docnos, qrels.grade.tolist(), strict=True)
    write_lines(path, (f"{qid} {iteration} {docno} {grade}" for qid, iteration, docno, grade in rows))


QRELS = Format("qrels", "trec", "qid iteration docno grade", lambda head, path: True, read, write)
