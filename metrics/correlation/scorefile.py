"""Score files: what `cranfield evaluate` writes as JSON, CSV or TSV, read back as the scores of runs by measure."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from cranfield.errors import InputError

ScoreTable = dict[str, dict[str, float]]  # by measure, by run
BY_TOPIC = "scores by topic; write them without --per-topic"


def read_scores(path: Path) -> ScoreTable | None:
    """The scores in a file by measure and run, or None where it is no score file.

    A score file is JSON with a list "scores" of {"run", "measure", "value"}, or a table whose header begins with
    "run" and names a measure a column. An empty value is an undefined score.
    """
    if not path.is_file():
        return None
    with path.open("rb") as file:
        start = file.read(200).lstrip()
    first = start.split(b"\n")[0]
    if start.startswith((b"{", b"[")):
        return _from_json(path)
    delimiter = next((d for d in (",", "\t") if first.startswith(f"run{d}".encode())), None)
    return None if delimiter is None else _from_table(path, delimiter)


def _from_json(path: Path) -> ScoreTable | None:
    try:
        document = json.loads(path.read_bytes())
    except ValueError:
        return None
    rows = document.get("scores") if isinstance(document, dict) else document
    if not isinstance(rows, list) or not all(isinstance(r, dict) and {"run", "measure", "value"} <= {*r} for r in rows):
        return None
    table: ScoreTable = {}
    for number, row in enumerate(rows, start=1):
        if "query_id" in row:
            raise InputError(BY_TOPIC, path)
        _enter(table, row["measure"], row["run"], row["value"], f"score {number}", path, None)
    return table


def _from_table(path: Path, delimiter: str) -> ScoreTable:
    table: ScoreTable = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file, delimiter=delimiter)
        header = next(rows)
        if "query_id" in header:
            raise InputError(BY_TOPIC, path, 1)
        for row in rows:
            if row and len(row) != len(header):
                raise InputError(f"{len(row)} columns where the header has {len(header)}", path, rows.line_num)
            for measure, value in zip(header[1:], row[1:], strict=False):
                _enter(table, measure, row[0], value, f"{measure} of {row[0]}", path, rows.line_num)
    return table


def _enter(table: ScoreTable, measure: str, run: str, value: Any, what: str, path: Path, line: int | None) -> None:
    runs = table.setdefault(str(measure), {})
    if run in runs:
        raise InputError(f"run {run!r} has two scores by {measure}", path, line)
    try:
        runs[str(run)] = float("nan") if value in ("", None) else float(value)
    except (TypeError, ValueError):
        raise InputError(f"{what} is {value!r}, where a number is right", path, line) from None
