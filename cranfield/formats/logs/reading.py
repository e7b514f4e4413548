"""Reading interaction logs: the parts of files that can be used, and the lines that cannot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from cranfield.errors import InputError
from cranfield.formats.files import OpenFile, Path, opened
from cranfield.formats.logs import ubi
from cranfield.formats.logs.checks import bad_lines, placed
from cranfield.formats.logs.part import BadLine, LogPart
from cranfield.formats.records import Format, Names
from cranfield.formats.table import AUTO, chosen, nothing_read

OTHERS = ("probability", "token")  # what interleaved lists have besides
NAMED = ("jsonl", "ubi")  # the formats whose fields have names
FILE = 1 << 40  # the lines of a file, at most: numbers of lines in several files


class Lines(NamedTuple):
    """Some lines of a file: the part that can be used, the lines that cannot, and what is to be said about it."""

    path: Path
    part: LogPart
    bad: list[BadLine]
    notes: Sequence[str] = ()


def read_logs(paths: Sequence[Path], format: str = AUTO, names: Mapping[str, str] | None = None) -> Iterator[Lines]:
    """The lines of the files, many at a time. `names` says under which name the files have a field.

    Files of queries and files of events (UBI) are read as a whole, and joined.
    """
    asked = Names(names or {})
    asked.check("log")
    records: list[tuple[int, dict[str, Any]]] = []
    for number, path in enumerate(paths):
        with opened(path, Names(asked.asked), whole=False) as source:
            row, lines = chosen("log", format, source), 0
            _refuse_names(row, source)
            if row is ubi.LOG:
                found = [(number * FILE + line, record) for line, record in ubi.read(source)]
                lines, records = len(found), records + found
            else:
                for part, bad in row.read(source):
                    notes = _unread(source) if row.name == "jsonl" and not lines else []
                    lines += len(part) + len(bad)
                    yield _checked(Lines(path, part, bad, notes))
            if not lines:
                raise nothing_read(row, source)
            if row.name == "jsonl":
                source.names.check_seen(path)
    if records:
        yield from _joined(paths, records, asked)


def _unread(source: OpenFile) -> list[str]:
    """What to say of fields of the first lines that are none of ours."""
    left = [name for name in source.names.unknown("log") if name not in OTHERS]
    return [f"{source.path}: fields left out: {', '.join(left)}; --field user=NAME reads one"] if left else []


def _refuse_names(row: Format, source: OpenFile) -> None:
    if source.names.asked and row.name not in NAMED:
        raise InputError(f"fields of {row.name} have no names; --field is for {' and '.join(NAMED)}", source.path)
    fixed = [name for name in source.names.asked if row is ubi.LOG and name not in ubi.USUAL]
    if fixed:
        message = f"the field {fixed[0]!r} of ubi has a fixed name; --field is for {', '.join(ubi.USUAL)}"
        raise InputError(message, source.path)


def _joined(paths: Sequence[Path], records: list[tuple[int, dict[str, Any]]], names: Names) -> Iterator[Lines]:
    """The lists of all queries with their events, file by file."""
    queries = [one for one in records if not ubi.is_events(one[1])]
    found = ubi.joined(queries, [one for one in records if ubi.is_events(one[1])], names)
    names.check_seen(paths[(queries or records)[0][0] // FILE])
    for number, path in enumerate(paths):
        part = found.part.rows(found.part.line // FILE == number)
        bad = [each._replace(line=each.line % FILE) for each in found.bad if each.line // FILE == number]
        if len(part) or bad:
            yield _checked(Lines(path, replace(part, line=part.line % FILE), bad))
    yield Lines(paths[-1], found.part.rows(np.zeros(len(found.part), bool)), [], found.notes)


def _checked(lines: Lines) -> Lines:
    whole = placed(lines.part)
    found = [*lines.bad, *bad_lines(whole)]
    if not found:
        return lines._replace(part=whole)
    wrong = {each.line for each in found}
    keep = np.array([line not in wrong for line in whole.line.tolist()], bool)
    return lines._replace(part=whole.rows(keep), bad=found)
