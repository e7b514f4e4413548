"""Votes as a table with a header or as JSON objects, a record a line: assessor, qid, docno, grade, and more.

Further fields: note, reason, seconds, at (when), and state: label, later, cannot-judge. A record with neither a grade
nor a state is counted as no vote. Instead of a grade, the word of a state may stand there.
"""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.errors import InputError
from cranfield.formats import delimited, jsonl
from cranfield.formats.files import OpenFile
from cranfield.formats.records import Format
from cranfield.formats.votes.vote import NAMES, Ballot


def detect_csv(head: bytes, path: str) -> bool:
    names = {name.strip().lower() for name in head.partition(b"\n")[0].decode("utf-8", "replace").split(",")}
    return bool(names & set(NAMES["docno"])) and bool(names & set(NAMES["grade"]))


def read_csv(source: OpenFile) -> Iterator[Ballot]:
    rows = delimited.comma_separated(source)
    header = [name.strip().lower() for name in next(rows, (1, []))[1]]
    for line, cells in rows:
        if len(cells) != len(header):
            raise InputError(f"{len(cells)} cells where the header has {len(header)}", source.path, line)
        yield Ballot(line, dict(zip(header, cells, strict=True)))


def read_jsonl(source: OpenFile) -> Iterator[Ballot]:
    for line, fields in jsonl.objects(source):
        yield Ballot(line, fields)


CSV = Format(
    "votes", "csv", "CSV with a header: assessor, qid, docno, grade, and note, seconds, state", detect_csv, read_csv
)
JSONL = Format("votes", "jsonl", "one JSON object a line: assessor, qid, docno, grade, ...", jsonl.detect, read_jsonl)
