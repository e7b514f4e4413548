"""The Parquet tables: their columns, and that what they name is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cranfield.formats.published.parquet import read_column
from cranfield.publishing.checks.check import Check, Checked, Finding
from cranfield.text import counted


def check_tables(folder: Checked) -> Iterator[Finding]:
    ids = {table: _ids(folder, table) for table in ("corpus", "queries")}
    for table, known in ids.items():
        if doubled := len(known) - len(set(known)):
            yield Finding("wrong", f"{counted(doubled, 'id')} more than once", table)
        yield Finding("ok", f"{table}: {counted(len(known), 'row')}")
    if sorted(ids["queries"]) != sorted(folder.stated.topics):
        yield Finding("wrong", "the topics are not those of collection.json", "queries")
    yield from _judged(folder, {*ids["queries"]}, {*ids["corpus"]})


def _ids(folder: Checked, table: str) -> list[str]:
    return read_column(_paths(folder, table), folder.tables[table], "_id")


def _paths(folder: Checked, table: str) -> list[Path]:
    return [folder.found.root / file.path for file in folder.files if file.table == table]


def _judged(folder: Checked, qids: set[str], docnos: set[str]) -> Iterator[Finding]:
    judged = (
        read_column(_paths(folder, "qrels"), folder.tables["qrels"], name)
        for name in ("query-id", "corpus-id", "score")
    )
    topics, documents, scores = judged
    scale = [float(grade) for grade in folder.stated.collection.grades]
    for qid in sorted({*topics} - qids)[:1]:
        yield Finding("wrong", f"the topic {qid!r} is not among the queries", "qrels")
    for grade in sorted({*scores} - {*scale})[:1]:
        yield Finding("wrong", f"the grade {grade} is not on the scale {', '.join(map(str, scale))}", "qrels")
    strangers = sum(docno not in docnos for docno in documents)
    without = f", {strangers:,} of them on documents that are not in the corpus" if strangers else ""
    yield Finding("ok", f"qrels: {counted(len(topics), 'row')}{without}")


TABLES_CHECK = Check("tables", check_tables)
