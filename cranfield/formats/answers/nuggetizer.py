"""Nuggets as nuggetizer writes them, one topic a line, or with their assignment to an answer, one answer a line.

{"qid": "1", "query": "...", "nuggets": [{"text": "Lift grows with speed.", "importance": "vital"}]}
{"qid": "1", "run_id": "run", "nuggets": [{"text": "...", "importance": "vital", "assignment": "support"}]}

Its traces, queries and answer texts are left out.

Source: the program nuggetizer of castorini, and the nugget files of the TREC 2024 RAG track.
"""

from __future__ import annotations

from collections.abc import Iterator

from cranfield.formats.answers.fields import AnswerFields, records
from cranfield.formats.answers.nuggets import AnswerLabel, PlainNugget, importance_of, label_of
from cranfield.formats.files import OpenFile
from cranfield.formats.records import Format


def detect(head: bytes, path: str) -> bool:
    return head.lstrip().startswith(b"{") and b'"nuggets"' in head


def read(source: OpenFile) -> Iterator[PlainNugget]:
    for take in records(source):
        qid, run = take.name("qid", "topic_id"), take.text("run_id")
        for at, each in enumerate(take.listed("nuggets"), 1):
            if not isinstance(each, dict):
                raise take.wrong(f"nugget {at} is {each!r:.40}; expected an object with text and importance")
            one = AnswerFields(dict(each), take.path, take.line)
            text, importance = one.name("text"), importance_of(one)
            yield PlainNugget(qid, text, importance, (), _assigned(one, run), source.path, take.line)


def _assigned(one: AnswerFields, run: str) -> list[AnswerLabel]:
    if one.fields.get("assignment") is None:
        return []
    if not run:
        raise one.wrong("an assignment without a run_id; expected the run whose answer it is about")
    return [AnswerLabel(run, label_of(one, "assignment"))]


NUGGETS = Format("nuggets", "nuggetizer", "nuggetizer's: qid, nuggets, and run_id if they are assigned", detect, read)
