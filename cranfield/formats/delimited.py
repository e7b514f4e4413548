"""Corpora and topics in rows: TSV and CSV with a header line, topics as `id TAB text` without one, and Parquet.

TSV is what its name says: a tab ends a cell, a line end ends a line, nothing is quoted. CSV is quoted as usual; its
cells end with commas or, as where numbers have commas, with semicolons.
"""

import csv
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

from cranfield.errors import InputError, Path
from cranfield.extras import require_extra
from cranfield.formats.files import LIMITS, Format, OpenFile, limit_message
from cranfield.formats.given_files import COMPRESSIONS
from cranfield.formats.records import (
    QID,
    Document,
    Fields,
    Kind,
    LocatedTopic,
    Names,
    Topic,
    document_from_fields,
    fold_field_name,
    topic_from_fields,
)
from cranfield.formats.whole_files import check_cells, refuse_extra_fields, write_lines

HEADER = ("docno", "title", "text", "url")
Cells = tuple[int, list[str]]


def detect_tsv(head: bytes, path: str) -> bool:
    return b"\t" in head.partition(b"\n")[0]


def detect_csv(head: bytes, path: str) -> bool:
    return _is_named_csv(path) or b"," in head.partition(b"\n")[0]


def _is_named_csv(path: str) -> bool:
    name = path.lower()
    for suffix in COMPRESSIONS:
        name = name.removesuffix(suffix)
    return name.endswith(".csv")


def read_tsv(source: OpenFile) -> Iterator[Document]:
    return _parse_documents(source, read_tsv_cells(source))


def read_csv(source: OpenFile) -> Iterator[Document]:
    return _parse_documents(source, read_csv_cells(source))


def read_tsv_topics(source: OpenFile) -> Iterator[LocatedTopic]:
    """Topics, one a line. A header line is known by the name of an id, and names the columns then."""
    rows = read_tsv_cells(source)
    if source.names.columns:
        yield from _parse_topics(source, [*source.names.columns], rows)
    for line, cells in rows:
        if line == 1 and fold_field_name(cells[0]) in map(fold_field_name, source.names.spellings("topics", "qid")):
            yield from _parse_topics(source, cells, rows)
            return
        if len(cells) != 2:
            raise InputError(f"{_column_count_text(len(cells))}; expected 2: id, tab, text", source.path, line)
        if not cells[0].strip():
            raise InputError("no id before the tab", source.path, line)
        yield LocatedTopic(line, Topic(cells[0].strip(), cells[1].strip()))


def read_csv_topics(source: OpenFile) -> Iterator[LocatedTopic]:
    """Topics below a header line."""
    rows = read_csv_cells(source)
    line, cells = read_header(source, rows)
    _check_id("topics", "qid", cells, source, line)
    yield from _parse_topics(source, cells, rows)


def write_tsv(path: Path, documents: Iterable[Document]) -> None:
    write_lines(path, _document_lines(path, documents))


def write_csv(path: Path, documents: Iterable[Document]) -> None:
    write_lines(path, _quoted_lines(path, documents))


def write_tsv_topics(path: Path, topics: Iterable[Topic]) -> None:
    write_lines(path, _topic_lines(path, topics))


def _parse_documents(source: OpenFile, rows: Iterator[Cells]) -> Iterator[Document]:
    line, cells = read_header(source, rows)
    _check_id("corpus", "docno", cells, source, line)
    for at, fields in rows_with_names(source, cells, rows):
        yield document_from_fields(fields, source.path, at, source.names)


def read_header(source: OpenFile, rows: Iterator[Cells]) -> Cells:
    """The first line, or the columns of a file that has no header."""
    return (1, [*source.names.columns]) if source.names.columns else next(rows, (1, []))


def _check_id(kind: Kind, name: str, header: list[str], source: OpenFile, line: int) -> None:
    ids = source.names.spellings(kind, name)
    if not set(map(fold_field_name, header)) & set(map(fold_field_name, ids)):
        remedy = f"for a file without a header, name the columns: --no-header --columns {name},text"
        raise InputError(f"no header line contains one of {', '.join(ids)}; {remedy}", source.path, line)


def _parse_topics(source: OpenFile, header: list[str], rows: Iterator[Cells]) -> Iterator[LocatedTopic]:
    for at, fields in rows_with_names(source, header, rows):
        texts: Fields = {name: str(text).strip() for name, text in fields.items()}
        yield LocatedTopic(at, topic_from_fields(texts, source.path, at, source.names))


def rows_with_names(source: OpenFile, header: list[str], rows: Iterator[Cells]) -> Iterator[tuple[int, Fields]]:
    """The lines below a header as fields, with their numbers."""
    names = [cell.strip().lower() for cell in header]
    check_distinct_columns(names, source.path)
    for line, cells in rows:
        if len(cells) != len(names):
            raise InputError(
                f"{_column_count_text(len(cells))}; expected {len(names)}, as in the header", source.path, line
            )
        yield line, dict(zip(names, cells, strict=True))


def read_tsv_cells(source: OpenFile) -> Iterator[Cells]:
    for line, text in source.lines():
        if text.strip():
            yield line, text.split("\t")


def read_csv_cells(source: OpenFile) -> Iterator[Cells]:
    csv.field_size_limit(sys.maxsize >> 32)  # the default refuses a long document
    lines = _Lines(source)
    first = next(iter(lines), "")
    rows = csv.reader(chain([first], lines), strict=True, delimiter=delimiter_of(first, source.names.columns))
    try:
        for cells in rows:
            lines.size = 0
            if cells:
                yield rows.line_num, cells
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", source.path, rows.line_num) from None


def delimiter_of(line: str, columns: Sequence[str]) -> str:
    """What ends the cells of a file: what gives its first line as many as there are columns, or more of them.

    >>> delimiter_of("docno;text;a, b", []), delimiter_of("docno,text", [])
    (';', ',')
    >>> delimiter_of("1,5;a;b", ["docno", "x", "y"])
    ';'
    """
    cells = {mark: _count_cells(line, mark) for mark in ",;"}
    if columns:
        return ";" if cells[";"] == len(columns) != cells[","] else ","
    return ";" if cells[";"] > cells[","] else ","


def _count_cells(line: str, mark: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=mark), []))
    except csv.Error:  # a carriage return within the line, or a cell beyond csv's limit
        return line.count(mark) + 1


def check_distinct_columns(names: Sequence[str], path: Path, line: int | None = 1) -> None:
    """Raise InputError where two columns have the same name, as nothing says which of them is meant.

    >>> check_distinct_columns(["docno", "text", "text"], "corpus.csv")
    Traceback (most recent call last):
    cranfield.errors.InputError: corpus.csv:1: two columns 'text'; expected each name once; rename or remove one
    """
    seen = set[str]()
    for name in filter(None, names):
        if name in seen:
            what = f"two columns {name!r:.60}; expected each name once; rename or remove one"
            raise InputError(what, path, line)
        seen.add(name)


class _Lines:
    """The lines of a CSV file, of which those of one record may not be too many: quoted text may have line ends."""

    def __init__(self, source: OpenFile) -> None:
        self.source, self.limit, self.size = source, LIMITS.get().document, 0
        self._lines = enumerate(source.text(), 1)

    def __iter__(self) -> Iterator[str]:
        for line, text in self._lines:
            self.size += len(text)
            if self.size > self.limit:
                raise InputError(limit_message("a record", "document"), self.source.path, line)
            yield text


def detect_csv_topics(head: bytes, path: str) -> bool:
    r"""Whether the first line names an id among columns that commas or semicolons part; without a tab, whatever is
    called CSV.

    >>> detect_csv_topics(b"qid;query\n", "topics"), detect_csv_topics(b"1\tlift, drag\n", "topics.csv")
    (True, False)
    """
    first = head.partition(b"\n")[0].decode("utf-8", "replace")
    cells = [cell.strip('" \r') for cell in first.split(delimiter_of(first, []))]
    has_id = len(cells) > 1 and bool({*map(fold_field_name, cells)} & {*map(fold_field_name, QID)})
    return "\t" not in first and (has_id or _is_named_csv(path))


def _column_count_text(number: int) -> str:
    return "1 column" if number == 1 else f"{number} columns"


def _document_lines(path: Path, documents: Iterable[Document]) -> Iterator[str]:
    yield "\t".join(HEADER)
    for docno, title, text, url, metadata in documents:
        refuse_extra_fields(path, f"document {docno}", "TSV", metadata=metadata)
        check_cells(path, f"document {docno}", (docno, title, text, url))
        yield "\t".join((docno, title, text, url))


def _quoted_lines(path: Path, documents: Iterable[Document]) -> Iterator[str]:
    yield ",".join(HEADER)
    for docno, title, text, url, metadata in documents:
        refuse_extra_fields(path, f"document {docno}", "CSV", metadata=metadata)
        if any(character in cell for cell in (docno, title, text, url) for character in "\r\0"):
            raise InputError(f"document {docno} cannot be written as CSV: it has a carriage return or a NUL", path)
        yield ",".join('"' + cell.replace('"', '""') + '"' for cell in (docno, title, text, url))


def _topic_lines(path: Path, topics: Iterable[Topic]) -> Iterator[str]:
    ids = {*map(fold_field_name, Names().spellings("topics", "qid"))}
    for at, (qid, title, description, narrative, metadata) in enumerate(topics):
        if at == 0 and fold_field_name(qid) in ids:
            yield "qid\ttitle"  # else the topic would be taken for a header
        refuse_extra_fields(
            path, f"topic {qid}", "TSV", description=description, narrative=narrative, metadata=metadata
        )
        check_cells(path, f"topic {qid}", (qid, title))
        yield f"{qid}\t{title}"


TSV_CORPUS = Format(
    "corpus",
    "tsv",
    "tab-separated with a header: docno, title, text, url",
    detect=detect_tsv,
    read=read_tsv,
    write=write_tsv,
)
CSV_CORPUS = Format(
    "corpus",
    "csv",
    "comma-separated with a header: docno, title, text, url",
    detect=detect_csv,
    read=read_csv,
    write=write_csv,
)
TSV_TOPICS = Format(
    "topics", "tsv", "id TAB text", detect=lambda head, path: True, read=read_tsv_topics, write=write_tsv_topics
)
CSV_TOPICS = Format(
    "topics", "csv", "comma-separated with a header: qid, title, description", detect_csv_topics, read_csv_topics
)


SMALL = 16 << 20  # bytes


def detect_parquet(head: bytes, path: str) -> bool:
    return head.startswith(b"PAR1")


@contextmanager
def open_parquet(source: OpenFile) -> Iterator[Any]:
    """The file as Arrow's ParquetFile; what goes wrong with it is an InputError."""
    require_extra("arrow", "a Parquet file", path=source.path)
    import pyarrow as pa
    from pyarrow import parquet

    if not os.path.isfile(source.path):
        raise InputError("Parquet from a pipe; expected a file, because Parquet is not read sequentially", source.path)
    try:
        with parquet.ParquetFile(source.path) as file:
            check_distinct_columns(file.schema_arrow.names, source.path, None)
            yield file
    except InputError:
        raise
    except (pa.ArrowException, ValueError, OverflowError, TypeError) as error:
        raise InputError(f"not Parquet: {error}".splitlines()[0], source.path) from error


def parquet_rows(source: OpenFile) -> Iterator[tuple[int, Fields]]:
    """The rows with their numbers, from 1."""
    with open_parquet(source) as file:
        about = file.metadata
        size = sum(about.row_group(number).total_byte_size for number in range(about.num_row_groups))
        n_rows = int(max(1, min(1000, SMALL * about.num_rows // max(size, 1))))  # that are small together
        rows = (fields for batch in file.iter_batches(n_rows) for fields in batch.to_pylist())
        for row, fields in enumerate(rows, 1):
            yield row, _check_size(fields, source.path, row)


def _check_size(fields: Fields, path: Path, row: int) -> Fields:
    if sum(len(value) for value in fields.values() if isinstance(value, str | bytes)) > LIMITS.get().document:
        raise InputError(limit_message("a row", "document"), path, row)
    for name, value in fields.items():
        try:
            fields[name] = json_cell(value)
        except UnicodeDecodeError:
            raise InputError(f"{name} has bytes that are not UTF-8", path, row) from None
    return fields


def json_cell(value: Any) -> Any:
    """The value as JSON has it."""
    if isinstance(value, Mapping):
        return {str(name): json_cell(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [json_cell(part) for part in value]
    if isinstance(value, bytes):
        return value.decode()
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)


def read_parquet_corpus(source: OpenFile) -> Iterator[Document]:
    for row, fields in parquet_rows(source):
        yield document_from_fields(fields, source.path, row, source.names)


PARQUET_CORPUS = Format(
    "corpus", "parquet", "Parquet with columns docno, title, text, url", detect_parquet, read_parquet_corpus
)


def read_parquet_topics(source: OpenFile) -> Iterator[LocatedTopic]:
    for row, fields in parquet_rows(source):
        yield LocatedTopic(row, topic_from_fields(fields, source.path, row, source.names))


PARQUET_TOPICS = Format(
    "topics", "parquet", "Parquet with columns qid, title, description, narrative", detect_parquet, read_parquet_topics
)
