"""Corpora in Parquet, a row a document, read in batches. The file has to be one: standard input cannot be sought in."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.errors import InputError
from cranfield.formats.files import STANDARD_STREAM, Source
from cranfield.formats.records import Document, Format, document


def detect(head: bytes, path: str) -> bool:
    return head.startswith(b"PAR1")


def read(source: Source) -> Iterator[Document]:
    import pyarrow as pa
    from pyarrow import parquet

    if source.path == STANDARD_STREAM:
        raise InputError("Parquet on standard input, where a file is right", source.path)
    try:
        with parquet.ParquetFile(source.path) as file:
            for batch in file.iter_batches(1000):
                for fields in batch.to_pylist():
                    yield document(fields, source.path, names=source.names)
    except (pa.ArrowException, ValueError, OverflowError, TypeError) as error:
        raise InputError(f"not Parquet: {error}".splitlines()[0], source.path) from error


CORPUS = Format("corpus", "parquet", "Parquet with columns docno, title, text, url", detect, read)
