"""Votes: what somebody else's labelling tool says that assessors said, one at a time.

A reader finds the records of its format and gives each as a Ballot: its fields under the names they have there;
`reading_votes.py` makes each a Vote. This module has what the readers share.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from cranfield.errors import InputError
from cranfield.formats.files import OpenFile
from cranfield.formats.jsonl import beyond, loads

State = Literal["label", "cannot-judge", "later", "none"]
Answers = dict[str, object]

NAMES: Mapping[str, tuple[str, ...]] = {
    "assessor": ("assessor", "annotator", "user", "user_email", "user_id", "rater", "judge", "completed_by"),
    "qid": ("qid", "query_id", "query-id", "topic", "topic_id"),
    "docno": ("docno", "doc_id", "docid", "document_id", "corpus-id", "corpus_id"),
    "query": ("query", "query_text"),
    "grade": ("grade", "relevance", "rating", "label"),
    "state": ("state", "status"),
    "reason": ("reason",),
    "note": ("note", "comment", "explanation", "rationale"),
    "seconds": ("seconds", "lead_time", "duration"),
    "at": ("at", "time", "timestamp", "created_at"),
}
STATES: Mapping[str, State] = {
    "later": "later", "judge_later": "later", "draft": "later", "pending": "later",
    "cannot-judge": "cannot-judge", "cannot judge": "cannot-judge", "unrateable": "cannot-judge",
    "skipped": "cannot-judge", "discarded": "cannot-judge", "failed": "cannot-judge", "error": "cannot-judge",
    "": "label", "label": "label", "submitted": "label", "completed": "label",
    "unjudged": "none",
}  # fmt: skip


class Ballot(NamedTuple):
    """A record as its format has it; `answers` are to what the assessor was asked; None: the format has but fields.

    `doubt` is what the format leaves open about it.
    """

    record: int
    fields: Answers
    answers: Answers | None = None
    doubt: str = ""


class Vote(NamedTuple):
    """What one assessor said of one pair; `query` is the topic's text where the file has no qid."""

    record: int
    assessor: str
    qid: str
    docno: str
    state: State
    grade: str = ""
    reason: str = ""
    note: str = ""
    seconds: float | None = None
    at: str = ""
    query: str = ""


def one_of(*states: tuple[object, str]) -> str:
    """The first state whose mark is set.

    >>> one_of((False, "unrateable"), (True, "judge_later")), one_of((None, "unrateable"))
    ('judge_later', '')
    """
    return next((state for mark, state in states if mark), "")


def json_of(source: OpenFile) -> Any:
    """All of a file as JSON, or as a list of objects where it is one object a line."""
    text = source.text().read()
    try:
        return loads(text)
    except json.JSONDecodeError as error:
        whole = error
    except (ValueError, RecursionError) as error:
        raise InputError(beyond(error), source.path) from None
    try:
        return [loads(line) for line in text.splitlines() if line.strip()]
    except json.JSONDecodeError:
        raise InputError(f"not JSON: {whole.msg} at column {whole.colno}", source.path, whole.lineno) from None
    except (ValueError, RecursionError) as error:
        raise InputError(beyond(error), source.path) from None


def objects(found: object, source: OpenFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a list with their numbers from 1."""
    if not isinstance(found, list):
        raise InputError(f"a JSON {type(found).__name__}; expected a list of records", source.path)
    for record, each in enumerate(found, 1):
        if not isinstance(each, dict):
            raise InputError(f"a JSON {type(each).__name__}; expected each record to be an object", source.path, record)
        yield record, each


def listed(value: object, what: str, source: OpenFile, record: int) -> list[dict[str, Any]]:
    """A list of objects inside a record; nothing is an empty one."""
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise InputError(f"{what} is {value!r:.40}; expected a list of objects", source.path, record)
    return value


def mapping(value: object, what: str, source: OpenFile, record: int) -> dict[str, Any]:
    """An object inside a record; nothing is an empty one."""
    if not isinstance(value, dict | None):
        raise InputError(f"{what} is {value!r:.40}; expected an object", source.path, record)
    return value or {}


def without(fields: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The fields but those."""
    gone = set(names)
    return {name: value for name, value in fields.items() if name not in gone}
