"""Argilla's records as JSON: nested (`to_json`), flattened (`to_list(flatten=True)`), or as in version 1.

A response has an answer to each question. What was discarded cannot be judged, a draft was put off. The nested form of
version 2 has no status, so drafts and discarded answers are taken for votes, with a warning; the flattened form has it.
Suggestions are a model's and are never taken for somebody's vote. Fields or metadata have to hold a qid and a docno.
OpenFile: `records/_resource.py` and `records/_io/_generic.py` of argilla-io/argilla, and version 1's response schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cranfield.errors import InputError
from cranfield.formats.files import OpenFile
from cranfield.formats.records import Format
from cranfield.formats.votes.vote import Answers, Ballot, json_of, listed, mapping, objects, without

PARTS = ("fields", "metadata", "responses", "vectors", "_server_id", "status", "inserted_at", "updated_at")
END = ".responses"
DOUBT = "may be drafts or discarded, as this export does not say; that of Argilla's records.to_list(flatten=True) does"


def detect(head: bytes, path: str) -> bool:
    return head.lstrip().startswith((b"[", b"{")) and (b'"responses"' in head or b'.responses"' in head)


def read(source: OpenFile) -> Iterator[Ballot]:
    for record, each in objects(json_of(source), source):
        about = without(each, PARTS) | mapping(each.get("fields"), "fields", source, record)
        about |= mapping(each.get("metadata"), "metadata", source, record)
        responses = each.get("responses")
        if isinstance(responses, list):
            yield from _version_1(responses, about, source, record)
        elif isinstance(responses, dict):
            yield from _nested(responses, about, source, record)
        else:
            yield from _flat(about, source, record)


def _version_1(responses: object, about: Answers, source: OpenFile, record: int) -> Iterator[Ballot]:
    for response in listed(responses, "responses", source, record):
        values = mapping(response.get("values"), "values", source, record)
        answers = {name: value.get("value") if isinstance(value, dict) else value for name, value in values.items()}
        yield _ballot(
            record, about, response.get("user_id"), response.get("status"), answers, response.get("inserted_at")
        )


def _nested(responses: dict[str, Any], about: Answers, source: OpenFile, record: int) -> Iterator[Ballot]:
    by_user: dict[object, tuple[object, Answers]] = {}
    for question, answers in responses.items():
        for answer in listed(answers, question, source, record):
            user = _user(answer.get("user_id"), source, record)
            by_user.setdefault(user, (answer.get("status"), {}))[1][question] = answer.get("value")
    for user, (state, given) in by_user.items():
        yield _ballot(record, about, user, state, given)


def _flat(about: Answers, source: OpenFile, record: int) -> Iterator[Ballot]:
    questions = [name.removesuffix(END) for name in about if name.endswith(END)]
    parts = [question + END + part for question in questions for part in ("", ".users", ".status")]
    by_user: dict[object, tuple[object, Answers]] = {}
    for question in questions:
        values, users, states = (_list(about.get(question + END + part)) for part in ("", ".users", ".status"))
        if len(values) != len(users) or len(states) not in (0, len(users)):
            raise InputError(f"{question}: responses, users and status differ in length", source.path, record)
        for user, value, state in zip(users, values, states or [None] * len(users), strict=True):
            by_user.setdefault(_user(user, source, record), (state, {}))[1][question] = value
    for user, (state, answers) in by_user.items():
        yield _ballot(record, without(about, parts), user, state, answers)


def _user(user: object, source: OpenFile, record: int) -> object:
    """Who answered; refused where it is neither a text nor a number."""
    if isinstance(user, list | dict):
        raise InputError(f"user_id is {user!r:.60}; expected one text or number", source.path, record)
    return user


def _list(value: object) -> list[object]:
    """A list, or one of what is none; nothing is an empty one."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _ballot(record: int, about: Answers, user: object, state: object, answers: Answers, at: object = None) -> Ballot:
    said = {"state": state or "", "reason": "discarded" if state == "discarded" else "", "at": at}
    return Ballot(record, {**about, **said, "assessor": user}, answers, "" if state else DOUBT)


VOTES = Format("votes", "argilla", "Argilla's records as JSON, nested or flattened", detect, read)
