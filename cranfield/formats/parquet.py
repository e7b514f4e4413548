"""Parquet, read in batches. The file has to be one: standard input cannot be sought in.

Messages name the row. Bytes are text in UTF-8; what JSON has not, as dates, becomes text.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from cranfield.errors import InputError
from cranfield.formats.files import LIMITS, OpenFile, Path, too_much
from cranfield.formats.records import Document, Fields, Format, Located, document, topic

SMALL = 16 << 20  # bytes


def detect_parquet(head: bytes, path: str) -> bool:
    return head.startswith(b"PAR1")


@contextmanager
def open_parquet(source: OpenFile) -> Iterator[Any]:
    """The file as Arrow's ParquetFile; what goes wrong with it is an InputError."""
    import pyarrow as pa
    from pyarrow import parquet

    if not os.path.isfile(source.path):
        raise InputError("Parquet from a pipe; expected a file, as Parquet is not read in order", source.path)
    try:
        with parquet.ParquetFile(source.path) as file:
            yield file
    except (pa.ArrowException, ValueError, OverflowError, TypeError) as error:
        raise InputError(f"not Parquet: {error}".splitlines()[0], source.path) from error


def parquet_rows(source: OpenFile) -> Iterator[tuple[int, Fields]]:
    """The rows with their numbers, from 1."""
    with open_parquet(source) as file:
        found = (fields for batch in file.iter_batches(_batches_of_rows(file.metadata)) for fields in batch.to_pylist())
        for row, fields in enumerate(found, 1):
            yield row, _checked(fields, source.path, row)


def _batches_of_rows(about: Any) -> int:
    """How many rows to take at a time, so that they are small together."""
    size = sum(about.row_group(number).total_byte_size for number in range(about.num_row_groups))
    return int(max(1, min(1000, SMALL * about.num_rows // max(size, 1))))


def _checked(fields: Fields, path: Path, row: int) -> Fields:
    if sum(len(value) for value in fields.values() if isinstance(value, str | bytes)) > LIMITS.get().document:
        raise InputError(too_much("a row", "document"), path, row)
    for name, value in fields.items():
        try:
            fields[name] = plain(value)
        except UnicodeDecodeError:
            raise InputError(f"{name} has bytes that are not UTF-8", path, row) from None
    return fields


def plain(value: Any) -> Any:
    """The value as JSON has it."""
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, bytes):
        return value.decode()
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)


def read_parquet_corpus(source: OpenFile) -> Iterator[Document]:
    for row, fields in parquet_rows(source):
        yield document(fields, source.path, row, source.names)


PARQUET_CORPUS = Format(
    "corpus", "parquet", "Parquet with columns docno, title, text, url", detect_parquet, read_parquet_corpus
)


def read_parquet_topics(source: OpenFile) -> Iterator[Located]:
    for row, fields in parquet_rows(source):
        yield Located(row, topic(fields, source.path, row, source.names))


PARQUET_TOPICS = Format(
    "topics", "parquet", "Parquet with columns qid, title, description, narrative", detect_parquet, read_parquet_topics
)
