"""Relevation's download: `qid Q0 docno grade`, or `qid user docno grade` where several people judged.

-1 is its word for unjudged. Comments and times are in its database only and do not come with the file.
OpenFile: `views.qrels` and `Judgement.__unicode__` of ielab/relevation.
"""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.errors import InputError
from cranfield.formats.files import OpenFile
from cranfield.formats.layout import first_rows
from cranfield.formats.records import Format
from cranfield.formats.votes.vote import Ballot

NOBODY = ("0", "Q0")
UNJUDGED = "-1"
COLUMNS = ("qid", "assessor", "docno", "grade")


def detect(head: bytes, path: str) -> bool:
    rows = first_rows(head, 4)
    return bool(rows) and len(rows[0]) == 4 and b"," not in rows[0][0]


def read(source: OpenFile) -> Iterator[Ballot]:
    for line, text in source.lines():
        values = text.split()
        if not values:
            continue
        if len(values) != len(COLUMNS):
            raise InputError(
                f"{len(values)} columns where Relevation has 4: qid, user, docno, grade", source.path, line
            )
        fields: dict[str, object] = dict(zip(COLUMNS, values, strict=True))
        if fields["assessor"] in NOBODY:
            fields["assessor"] = "relevation"
        if fields["grade"] == UNJUDGED:
            fields |= {"grade": "", "state": "unjudged"}
        yield Ballot(line, fields)


VOTES = Format("votes", "relevation", "Relevation's qrels.txt, with or without users", detect, read)
