"""Pools as tables: qid, docno, depth, runs; comma-separated where the name says .csv, else tab-separated."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from cranfield.formats.delimited import detect_csv
from cranfield.formats.files import Path
from cranfield.formats.text_tables import no_formula
from cranfield.formats.whole_files import write_lines
from cranfield.formats.writable import check_cells

HEADER = ("qid", "docno", "depth", "runs")


class Pooled(Protocol):
    """A document of a pool."""

    @property
    def qid(self) -> str: ...
    @property
    def docno(self) -> str: ...
    @property
    def depth(self) -> int: ...
    @property
    def runs(self) -> Sequence[str]: ...


def write_pool(path: Path, documents: Iterable[Pooled], safe: bool = False) -> None:
    """Write a pool, one row per document; `runs` are joined by commas. With `safe` no cell is a formula."""
    cells = ((d.qid, d.docno, str(d.depth), ",".join(d.runs)) for d in documents)
    rows = (HEADER, *(tuple(map(no_formula, row)) if safe else row for row in cells))
    write_lines(path, _comma_separated(rows) if detect_csv(b"", str(path)) else _tab_separated(path, rows))


def _comma_separated(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for row in rows:
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow(row)
        yield line.getvalue()


def _tab_separated(path: Path, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for row in rows:
        check_cells(path, f"document {row[1]}", row)
        yield "\t".join(row)
