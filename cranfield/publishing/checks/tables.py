"""The Parquet tables: their columns, and that what they name is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cranfield.formats.published.parquet import read_tables
from cranfield.publishing.checks.check import Check, Checked, Finding
from cranfield.text import counted


def run(folder: Checked) -> Iterator[Finding]:
    ids = {table: _ids(folder, table) for table in ("corpus", "queries")}
    for table, known in ids.items():
        if doubled := len(known) - len(set(known)):
            yield Finding("wrong", f"{counted(doubled, 'id')} more than once", table)
        yield Finding("ok", f"{table}: {counted(len(known), 'row')}")
    if sorted(ids["queries"]) != sorted(folder.stated.topics):
        yield Finding("wrong", "the topics are not those of collection.json", "queries")
    yield from _judged(folder, {*ids["queries"]}, {*ids["corpus"]})


def _ids(folder: Checked, table: str) -> list[str]:
    return [row[0] for row in read_tables(_paths(folder, table), folder.tables[table])]


def _paths(folder: Checked, table: str) -> list[Path]:
    return [folder.found.root / file.path for file in folder.files if file.table == table]


def _judged(folder: Checked, qids: set[str], docnos: set[str]) -> Iterator[Finding]:
    grades, count, strangers = {float(grade) for grade in folder.stated.collection.grades}, 0, 0
    for qid, docno, grade, *_ in read_tables(_paths(folder, "qrels"), folder.tables["qrels"]):
        count += 1
        strangers += docno not in docnos
        if qid not in qids:
            yield Finding("wrong", f"the topic {qid!r} is not among the queries", "qrels")
        if grade not in grades:
            yield Finding("wrong", f"the grade {grade} is not on the scale", "qrels")
    without = f", {strangers:,} of them on documents that are not in the corpus" if strangers else ""
    yield Finding("ok", f"qrels: {counted(count, 'row')}{without}")


TABLES = Check("tables", run)
