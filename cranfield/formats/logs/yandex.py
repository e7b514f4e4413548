"""The log of Yandex's Relevance Prediction Challenge, tab-separated: queries with their lists, and clicks.

    session time Q query region url url ...
    session time C url

Queries and urls are numbers of the challenge; times are units since the session began, whose length was not published.
A click belongs to the last list of its session that has the url. It has neither users nor arms: a session is a user.

Source: the challenge's description (2011), as PyClick reads it; no file of it was at hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cranfield.errors import InputError
from cranfield.formats.files import OpenFile
from cranfield.formats.logs.part import BadLine, LogPart
from cranfield.formats.logs.rows import ActionRow, ListRow, part_of_rows
from cranfield.formats.records import Format

AT_ONCE = 20_000  # lists
LINE = re.compile(rb"\S+\t\d+\t(?:Q\t\S+\t\S+|C\t\S+)")


def detect(head: bytes, path: str) -> bool:
    return LINE.match(head) is not None


def read(source: OpenFile) -> Iterator[tuple[LogPart, list[BadLine]]]:
    """The lists, many sessions at a time."""
    rows: list[ListRow] = []
    bad: list[BadLine] = []
    session, start = "", 0
    for line, text in source.lines():
        if not text.strip():
            continue
        fields = text.split("\t")
        try:
            if fields[0] != session:
                if len(rows) >= AT_ONCE:
                    yield part_of_rows(rows), bad
                    rows, bad = [], []
                session, start = fields[0], len(rows)
            _take(fields, line, rows, start, source)
        except InputError as error:
            bad.append(BadLine(line, "lines that cannot be read", error.message))
    if rows or bad:
        yield part_of_rows(rows), bad


def _take(fields: list[str], line: int, rows: list[ListRow], start: int, source: OpenFile) -> None:
    """A list, or a click on one of its session; those begin at `start`."""
    if len(fields) < 4 or not fields[1].isascii() or not fields[1].isdecimal():
        raise InputError("expected session, time, Q or C, ... separated by tabs", source.path, line)
    session, at, kind, *rest = fields
    if kind == "Q" and len(rest) >= 2:
        query, _, *urls = rest
        name = f"{session}-{len(rows) - start + 1}"
        rows.append(ListRow(line, name, float(at), session, session, query=query, docs=urls))
    elif kind == "C" and len(rest) == 1:
        found = next((row for row in reversed(rows[start:]) if rest[0] in row.docs), None)
        if found is None:
            raise InputError(f"a click on {rest[0]!r}, which was not shown in session {session}", source.path, line)
        found.actions.append(ActionRow("click", rest[0], at=float(at)))
    else:
        raise InputError(f"{kind!r} with {len(rest)} fields; expected Q query region urls, or C url", source.path, line)


LOG = Format("log", "yandex", "session TAB time TAB Q query region urls, or C url: Yandex RelPred", detect, read)
