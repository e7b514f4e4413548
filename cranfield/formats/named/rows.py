"""Rows of runs and qrels with named fields become tab-separated lines, which one reader checks.

Each line has the number that it has in its file; where there are no lines, as in Parquet, that of the row. A run
without scores is ordered by its ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from reprlib import repr as limited

from cranfield.errors import InputError
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import OpenFile, bare_name
from cranfield.formats.layout import Layout, as_score, shown
from cranfield.formats.records import FIELDS, Fields, Kind, spelled

LAYOUTS = {
    "run": Layout("a run has", ("score", "qid", "docno"), number="score", tabs=True),
    "runs": Layout("runs have", ("score", "qid", "docno", "run"), number="score", tabs=True),
    "qrels": Layout("qrels have", ("grade", "qid", "docno"), tabs=True),
}
COLUMNS: Mapping[Kind, str] = {"run": "qid, docno, score or rank, tag", "qrels": "qid, docno, grade"}


def has_names(kind: Kind, cells: Iterable[str]) -> bool:
    """Whether these name the topics and the documents of a run or of qrels.

    >>> has_names("qrels", ["query-id", "corpus-id", "score"]), has_names("run", ["1", "Q0", "d1"])
    (True, False)
    """
    found = set(map(spelled, cells))
    return all(found & set(FIELDS[kind][name]) for name in ("qid", "docno"))


def as_table(source: OpenFile, kind: Kind, rows: Iterable[tuple[int, Fields]]) -> UnreadTable:
    """The rows, each with its line, as lines of columns."""
    lines, tagged = list[str](), None
    for line, fields in rows:
        has_tag = "tag" in source.names.found(kind, fields)
        if tagged not in (None, has_tag):
            what = "no tag, which rows before have" if tagged else "a tag, which rows before do not have"
            raise InputError(what, source.path, line)
        tagged = has_tag
        lines += [""] * (line - len(lines) - 1)
        lines.append("\t".join(_cells(source, kind, line, fields)))
    return unread(source, kind, "\n".join(lines).encode(), bool(tagged))


def unread(source: OpenFile, kind: Kind, data: bytes, tagged: bool = False) -> UnreadTable:
    """The table of such lines; `tagged`: each ends with the tag of its run. A run without one is named by its file."""
    tag = "" if tagged else bare_name(source.path)
    return UnreadTable(source.path, data, LAYOUTS["runs" if tagged else kind], tag=tag)


def number_of(kind: Kind, found: Mapping[str, str]) -> str:
    """Which field has the number of a row: the grade; of a run the score or, without one, the rank.

    >>> number_of("run", {"qid": "query", "rank": "position"})
    'rank'
    """
    names = ("grade",) if kind == "qrels" else ("score", "rank")
    return next((name for name in names if name in found), names[0])


def theirs(source: OpenFile, kind: Kind, found: Mapping[str, str], line: int) -> dict[str, str]:
    """What number, qid, docno and, if there is one, the tag are called in the file, in this order."""
    number = number_of(kind, found)
    for name in (number, "qid", "docno"):
        if name not in found:
            source.names.check_seen(source.path)
            looked = ", ".join(source.names.of(kind, name))
            raise InputError(f"no {name}; expected in one of the fields {looked}", source.path, line)
    return {name: found[name] for name in (number, "qid", "docno", "tag") if name in found}


def cell(source: OpenFile, line: int, name: str, value: object) -> str:
    """A value as a cell: no other than text and numbers, and nothing in it that parts cells or lines."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InputError(f"{name} is {limited(value):.40}; expected text or a number", source.path, line)
    text = str(value).strip()
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise InputError(f"{name} {text!a:.40} contains an incomplete character", source.path, line)
    if any(control in text for control in "\t\r\n\0"):
        raise InputError(f"{name} {shown(text.encode())} contains a tab, a line end or a NUL", source.path, line)
    return _falling(source, line, text) if name == "rank" else text


def _cells(source: OpenFile, kind: Kind, line: int, fields: Fields) -> Iterator[str]:
    for name, their in theirs(source, kind, source.names.found(kind, fields), line).items():
        yield cell(source, line, name, fields[their])


def _falling(source: OpenFile, line: int, rank: str) -> str:
    """A score that orders as the rank does: that of the first is the highest."""
    number = as_score(rank.encode())
    if number is None:
        raise InputError(f"rank {shown(rank.encode())} is not a number", source.path, line)
    return repr(-number)
