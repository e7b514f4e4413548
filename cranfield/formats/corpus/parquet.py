"""Corpora in Parquet, a row a document."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.formats.files import OpenFile
from cranfield.formats.parquet import detect, rows
from cranfield.formats.records import Document, Format, document


def read(source: OpenFile) -> Iterator[Document]:
    for row, fields in rows(source):
        yield document(fields, source.path, row, source.names)


CORPUS = Format("corpus", "parquet", "Parquet with columns docno, title, text, url", detect, read)
