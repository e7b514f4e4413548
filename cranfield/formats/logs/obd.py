"""The Open Bandit Dataset, CSV: one recommendation per row, with its position, click and propensity.

It has neither users nor whole lists: each row is a list of one document, whose earlier positions are on earlier pages,
and a user of its own. The features (user_feature_*, user-item_affinity_*) have no place.

Source: Saito, Aihara, Matsutani and Narita, Open Bandit Dataset and Pipeline, NeurIPS 2021; the files of package obp.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from cranfield.errors import InputError
from cranfield.formats.files import OpenFile
from cranfield.formats.logs.own import seconds_of
from cranfield.formats.logs.part import BadLine, LogPart
from cranfield.formats.logs.rows import ActionRow, ListRow, part_of_rows
from cranfield.formats.records import Format

AT_ONCE = 50_000  # rows
FARTHEST = 1 << 40  # position
NEEDED = ("timestamp", "item_id", "position", "click", "propensity_score")


def detect(head: bytes, path: str) -> bool:
    first = head.partition(b"\n")[0]
    return all(name.encode() in first for name in NEEDED)


def read(source: OpenFile) -> Iterator[tuple[LogPart, list[BadLine]]]:
    """The rows, many at a time."""
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
        if len(rows) >= AT_ONCE:
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


LOG = Format("log", "obd", "CSV of the Open Bandit Dataset: timestamp, item_id, position, click, ...", detect, read)
