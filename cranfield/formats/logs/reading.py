"""Reading interaction logs: the parts of a file that can be used, and the lines that cannot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from cranfield.formats.files import Path, opened
from cranfield.formats.logs.checks import bad_lines, placed
from cranfield.formats.logs.part import BadLine, LogPart
from cranfield.formats.records import Names
from cranfield.formats.table import AUTO, chosen, nothing_read


class Lines(NamedTuple):
    """Some lines of a file: the part that can be used, and the lines that cannot."""

    path: Path
    part: LogPart
    bad: list[BadLine]


def read_log(path: Path, format: str = AUTO, names: Mapping[str, str] | None = None) -> Iterator[Lines]:
    """The lines of a file, many at a time. `names` says under which name the file has a field."""
    asked = Names(names or {})
    asked.check("log")
    with opened(path, asked, whole=False) as source:
        row, lines = chosen("log", format, source), 0
        for part, bad in row.read(source):
            lines += len(part) + len(bad)
            yield _checked(path, part, bad)
        if not lines:
            raise nothing_read(row, source)
        if asked.seen:
            asked.check_seen(path)


def _checked(path: Path, part: LogPart, bad: list[BadLine]) -> Lines:
    whole = placed(part)
    found = [*bad, *bad_lines(whole)]
    keep = [line not in {each.line for each in found} for line in whole.line.tolist()] if found else []
    return Lines(path, whole.rows(np.array(keep, bool)) if found else whole, found)
