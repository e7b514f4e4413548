"""Writing corpora, topics, runs, qrels and pools: what a format cannot carry is refused, what is read back is equal."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from cranfield.arrays.rankings import Qrels, Runs
from cranfield.errors import InputError, Path
from cranfield.formats import jsonl
from cranfield.formats.delimited import detect_csv
from cranfield.formats.preferences import PreferenceLine
from cranfield.formats.records import Document, Kind, Topic
from cranfield.formats.table import format_named
from cranfield.formats.text_tables import quote_formula
from cranfield.formats.whole_files import check_cells, write_folder_atomically, write_lines
from cranfield.text import name_hint


def write_corpus(path: Path, documents: Iterable[Document], format: str = "jsonl") -> None:
    """Write a corpus. For "beir", `path` is a folder."""
    _write_content("corpus", format, path, documents)


def write_topics(path: Path, topics: Iterable[Topic], format: str = "jsonl") -> None:
    """Write topics. For "beir", `path` is a folder."""
    _write_content("topics", format, path, topics)


def write_run(
    path: Path, runs: Runs, tag: str, format: str = "trec", metadata: Mapping[str, object] | None = None
) -> None:
    """Write the run with this tag, with ranks from 1 and unchanged scores; `metadata` becomes a comment header."""
    if tag not in runs.tags:
        raise InputError(f"no run {tag!r}{name_hint(tag, runs.tags)}")
    _write_content("run", format, path, runs.select([tag]), metadata or {})


def write_qrels(path: Path, qrels: Qrels, format: str = "trec") -> None:
    """Write judgments."""
    _write_content("qrels", format, path, qrels)


def write_preferences(path: Path, lines: Iterable[PreferenceLine]) -> None:
    """Write preferences, in the form with subgroups."""
    _write_content("preferences", "prefs", path, lines)


def write_beir(folder: Path, documents: Iterable[Document], topics: Iterable[Topic], qrels: Qrels) -> None:
    """Write a whole collection as a BEIR folder. On an error, write nothing."""
    with write_folder_atomically(folder) as part:
        jsonl.write_beir_corpus(part, documents)
        jsonl.write_beir_topics(part, topics)
        jsonl.write_beir_qrels(part, qrels)


def _write_content(kind: Kind, name: str, path: Path, *content: object) -> None:
    write = format_named(kind, name).write
    if write is None:
        raise InputError(f"{kind} cannot be written as {name}", path)
    write(path, *content)


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
    rows = (HEADER, *(tuple(map(quote_formula, row)) if safe else row for row in cells))
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
