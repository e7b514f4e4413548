"""Runs and qrels in TSV and CSV, below a header line that names the columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cranfield.formats.columns import UnreadTable
from cranfield.formats.delimited import comma_separated, header, named, tab_separated
from cranfield.formats.files import OpenFile
from cranfield.formats.named.rows import COLUMNS, as_table, has_names
from cranfield.formats.records import Format, Kind

Split = Callable[[OpenFile], Iterator[tuple[int, list[str]]]]


def reader(kind: Kind, split: Split) -> Callable[[OpenFile], UnreadTable]:
    """A reader of files whose fields are separated so."""

    def read(source: OpenFile) -> UnreadTable:
        rows = split(source)
        _, names = header(source, rows)
        return as_table(source, kind, named(source, names, rows))

    return read


def detector(kind: Kind, separator: str) -> Callable[[bytes, str], bool]:
    """Whether the first line names the columns."""

    def detect(head: bytes, path: str) -> bool:
        first = head.lstrip().partition(b"\n")[0].decode("utf-8", "replace")
        return has_names(kind, (cell.strip('" \r') for cell in first.split(separator)))

    return detect


def _tsv(kind: Kind) -> Format:
    what = f"tab-separated with a header: {COLUMNS[kind]}"
    return Format(kind, "tsv", what, detector(kind, "\t"), reader(kind, tab_separated))


def _csv(kind: Kind) -> Format:
    what = f"comma-separated with a header: {COLUMNS[kind]}"
    return Format(kind, "csv", what, detector(kind, ","), reader(kind, comma_separated))


RUN_TSV, RUN_CSV, QRELS_TSV, QRELS_CSV = _tsv("run"), _csv("run"), _tsv("qrels"), _csv("qrels")
