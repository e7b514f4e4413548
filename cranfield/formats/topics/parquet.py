"""Topics in Parquet, a row a topic."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.formats.files import OpenFile
from cranfield.formats.parquet import detect, rows
from cranfield.formats.records import Format, Located, topic


def read(source: OpenFile) -> Iterator[Located]:
    for row, fields in rows(source):
        yield Located(row, topic(fields, source.path, row, source.names))


TOPICS = Format("topics", "parquet", "Parquet with columns qid, title, description, narrative", detect, read)
