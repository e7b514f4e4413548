"""Quepid's book, as CSV (a column a rater) or JSON (the judgements of each pair).

Its topics are the texts of queries: they are looked up among the topics' titles. A CSV tells neither what could not be
rated nor what was put off, and a rating of two people with one name is in one column; the JSON has all of it.
OpenFile: `books_controller.rb` and `views/api/v1/export/books` of o19s/quepid.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cranfield.errors import InputError
from cranfield.formats import delimited
from cranfield.formats.files import OpenFile
from cranfield.formats.records import Format
from cranfield.formats.votes.vote import Ballot, json_of, listed, mapping, one_of, without

HEADER = ["query", "docid"]


def detect(head: bytes, path: str) -> bool:
    first = head.partition(b"\n")[0].strip().lower()
    return b'"query_doc_pairs"' in head or first.startswith((b"query,docid,", b"query,doc_id,"))


def read(source: OpenFile) -> Iterator[Ballot]:
    return _from_json(source) if source.head.lstrip().startswith(b"{") else _from_csv(source)


def _from_csv(source: OpenFile) -> Iterator[Ballot]:
    rows = delimited.comma_separated(source)
    _, header = next(rows, (1, []))
    if [name.strip().lower().replace("_", "") for name in header[:2]] != HEADER or len(header) < 3:
        raise InputError("no header with query, docid and one column per rater", source.path, 1)
    for line, cells in rows:
        if len(cells) != len(header):
            raise InputError(f"{len(cells)} cells where the header has {len(header)}", source.path, line)
        for rater, grade in zip(header[2:], cells[2:], strict=True):
            pair = {"query": cells[0].strip(), "docno": cells[1], "assessor": rater.strip()}
            yield Ballot(line, {**pair, "grade": _whole(grade)})


def _whole(grade: str) -> str:
    """A rating without the ".0" that it may be written with."""
    return grade.strip().removesuffix(".0")


def _from_json(source: OpenFile) -> Iterator[Ballot]:
    book = mapping(json_of(source), "the book", source, 1)
    for record, pair in enumerate(listed(book.get("query_doc_pairs"), "query_doc_pairs", source, 1), 1):
        for judgement in listed(pair.get("judgements"), "judgements", source, record):
            yield Ballot(record, _fields(pair, judgement))


def _fields(pair: dict[str, Any], judgement: dict[str, Any]) -> dict[str, object]:
    state = one_of((judgement.get("unrateable"), "unrateable"), (judgement.get("judge_later"), "judge_later"))
    user = judgement.get("user_email") or judgement.get("user_id") or "Unknown"
    return {
        **without(pair, ["judgements", "query_doc_pair_id"]),
        **without(judgement, ["unrateable", "judge_later", "user_email", "user_id", "judgement_id"]),
        "assessor": user,
        "state": state,
        "reason": "unrateable" if state == "unrateable" else "",
    }


VOTES = Format("votes", "quepid", "Quepid's book as CSV or JSON; topics by their titles", detect, read)
