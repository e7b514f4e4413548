"""Logs of public data sets: the Open Bandit Dataset, and Yandex's Relevance Prediction Challenge."""

import csv
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from cranfield.errors import InputError
from cranfield.formats.files import OpenFile
from cranfield.formats.logs.own import seconds_of
from cranfield.formats.logs.parts import ActionRow, BadLine, ListRow, LogPart, part_of_rows
from cranfield.formats.records import Format

ROWS_AT_ONCE = 50_000  # rows
FARTHEST = 1 << 40  # position
NEEDED = ("timestamp", "item_id", "position", "click", "propensity_score")


def detect_obd(head: bytes, path: str) -> bool:
    first = head.partition(b"\n")[0]
    return all(name.encode() in first for name in NEEDED)


def read_obd(source: OpenFile) -> Iterator[tuple[LogPart, list[BadLine]]]:
    """The Open Bandit Dataset, CSV: one recommendation per row, with its position, click and propensity.

    It has neither users nor whole lists: each row is a list of one document, whose earlier positions are on earlier
    pages, and a user of its own. The features (user_feature_*, user-item_affinity_*) have no place.

    Source: Saito, Aihara, Matsutani and Narita, Open Bandit Dataset and Pipeline, NeurIPS 2021; the files of package
    obp.

    The rows, many at a time.
    """
    lines = csv.DictReader(source.text())
    absent = [name for name in NEEDED if name not in (lines.fieldnames or ())]
    if absent:
        raise InputError(f"no column {absent[0]!r}; expected {', '.join(NEEDED)}", source.path, 1)
    rows: list[ListRow] = []
    bad: list[BadLine] = []
    while True:
        try:
            fields = next(lines, None)
        except csv.Error as error:
            raise InputError(f"not CSV: {error}", source.path, lines.line_num) from None
        if fields is None:
            break
        try:
            rows.append(_row(fields, lines.line_num, source))
        except InputError as error:
            bad.append(BadLine(lines.line_num, "lines that cannot be read", error.message))
        if len(rows) >= ROWS_AT_ONCE:
            yield part_of_rows(rows), bad
            rows, bad = [], []
    if rows or bad:
        yield part_of_rows(rows), bad


def _row(fields: Mapping[str | Any, str | Any], line: int, source: OpenFile) -> ListRow:
    wrong = partial(InputError, path=source.path, line=line)
    item, at = fields["item_id"], seconds_of(fields["timestamp"], wrong)
    try:
        position, click, propensity = int(fields["position"]), int(fields["click"]), float(fields["propensity_score"])
    except (TypeError, ValueError):
        raise wrong("position, click or propensity_score is not a number") from None
    if not item or at is None or not 1 <= position <= FARTHEST or click not in (0, 1):
        raise wrong("expected an item_id, a timestamp, a position from 1 and a click of 0 or 1")
    acts = [ActionRow("click", item)] if click else []
    name = f"{at:.6f}-{item}-{position}-{fields.get('', line)}"
    return ListRow(line, name, at, qid="", query="recommendation", docs=[item], first=position - 1,
                   propensity=[propensity], actions=acts)  # fmt: skip


OBD = Format(
    "log", "obd", "CSV of the Open Bandit Dataset: timestamp, item_id, position, click, ...", detect_obd, read_obd
)


LISTS_AT_ONCE = 20_000  # lists
LINE = re.compile(rb"\S+\t\d+\t(?:Q\t\S+\t\S+|C\t\S+)")


def detect_yandex(head: bytes, path: str) -> bool:
    return LINE.match(head) is not None


def read_yandex(source: OpenFile) -> Iterator[tuple[LogPart, list[BadLine]]]:
    """The log of Yandex's Relevance Prediction Challenge, tab-separated: queries with their lists, and clicks.

        session time Q query region url url ...
        session time C url

    Queries and urls are numbers of the challenge; times are units since the session began, whose length was not
    published. A click belongs to the last list of its session that has the url. It has neither users nor arms: a
    session is a user.

    Source: the challenge's description (2011), as PyClick reads it; no file of it was at hand.

    The lists, many sessions at a time.
    """
    rows: list[ListRow] = []
    bad: list[BadLine] = []
    session, start = "", 0
    for line, text in source.lines():
        if not text.strip():
            continue
        fields = text.split("\t")
        try:
            if fields[0] != session:
                if len(rows) >= LISTS_AT_ONCE:
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


YANDEX = Format(
    "log", "yandex", "session TAB time TAB Q query region urls, or C url: Yandex RelPred", detect_yandex, read_yandex
)
