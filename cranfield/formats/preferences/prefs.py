"""trec_eval's preferences: `qid group subgroup docno level`; a higher level is preferred within a subgroup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cranfield.formats.files import OpenFile, Path
from cranfield.formats.layout import first_rows
from cranfield.formats.preferences.line import PreferenceLine, lines_of
from cranfield.formats.records import Format
from cranfield.formats.whole_files import write_lines
from cranfield.formats.writable import check_words

COLUMNS = ("qid", "group", "subgroup", "docno", "level")


def detect(head: bytes, path: str) -> bool:
    rows = first_rows(head, 1)
    return bool(rows) and len(rows[0]) == len(COLUMNS)


def read(source: OpenFile) -> Iterator[PreferenceLine]:
    return lines_of(source, COLUMNS)


def write(path: Path, lines: Iterable[PreferenceLine]) -> None:
    """Write the lines."""
    kept = list(lines)
    words = {name: [getattr(one, name) for one in kept] for name in COLUMNS[:-1]}
    check_words(path, **words)
    write_lines(path, (f"{one.qid} {one.group} {one.subgroup} {one.docno} {one.level:g}" for one in kept))


PREFERENCES = Format("preferences", "prefs", "qid group subgroup docno level: trec_eval -R prefs", detect, read, write)
